"""What stands under a key of a mapping that someone else wrote: read by its type, or refused by its name (Intent Changesets
11.1, 12).

A key that is absent and one that is null say the same: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from agent.errors import InputFailure

Item: TypeAlias = Mapping[str, Any]

_OBJECT_NAME: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def text(item: Item, key: str, where: str) -> str:
    """The text under `key`, "" for none.

    Raises:
        InputFailure: something else stands there.
    """
    value = item.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _other(value, key, "text", where)
    return value


def number(item: Item, key: str, where: str) -> int:
    """The positive number under `key`, which is there.

    Raises:
        InputFailure: something else stands there, or nothing.
    """
    value = item.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputFailure(f"got no number under {key!r}", where=where)
    return value


def count(item: Item, key: str) -> int:
    """The number under `key`; 0 where there is none, for it is told for comparing only."""
    value = item.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def mapping(item: Item, key: str, where: str) -> Item:
    """The mapping under `key`, an empty one for none.

    Raises:
        InputFailure: something else stands there.
    """
    value = item.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _other(value, key, "a mapping", where)
    return value


def mappings(item: Item, key: str, where: str) -> tuple[Item, ...]:
    """The list of mappings under `key`, an empty one for none.

    Raises:
        InputFailure: something else stands there.
    """
    value = item.get(key)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _other(value, key, "a list", where)
    for place, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise _other(entry, f"{key}[{place}]", "a mapping", where)
    return tuple(value)


def object_name(item: Item, key: str, where: str) -> str | None:
    """The full object name under `key`; None for none, and for the zeros that stand for none.

    Raises:
        InputFailure: something else stands there.
    """
    value = text(item, key, where)
    if value and not _OBJECT_NAME.fullmatch(value):
        raise InputFailure(f"got no full object name under {key!r}", where=where, cure="hand over what the forge wrote")
    return value if value.strip("0") else None


def named(value: object, *keys: str) -> str:
    """A name that stands as text or under one of `keys` of a mapping; "" when there is none."""
    candidates = [value.get(key) for key in keys] if isinstance(value, dict) else [value]
    return next((name for name in candidates if isinstance(name, str) and name), "")


def _other(value: object, key: str, expected: str, where: str) -> InputFailure:
    return InputFailure(f"got {type(value).__name__} under {key!r}, expected {expected}", where=where)
