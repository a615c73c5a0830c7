"""TOML, read by the reader of Python itself (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from guardrails.contracts.package_manifests.listed import Unreadable

_LONG_KEY: Final = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")
"""The reader needs memory with the square of the parts of a key."""


def read(text: str) -> dict[str, Any]:
    """The table that a TOML text is.

    Raises:
        Unreadable: it is no TOML, names something twice, or has a key of more than 64 parts.
    """
    if _LONG_KEY.search(text):
        raise Unreadable("a key has too many parts")
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise Unreadable(f"this is no TOML: {str(error)[:200]}") from None


def inner(table: dict[str, Any], *keys: str) -> dict[str, Any]:
    """The table that stands in `table` under one key below another; empty where there is none.

    Raises:
        Unreadable: something else stands there.
    """
    for key in keys:
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise Unreadable(f"{'.'.join(keys)}: got no table")
    return table


def stands_for(wanted: object) -> str:
    """What a dependency is taken from that is not its own name: another package, an address, a folder."""
    entries = wanted if isinstance(wanted, list) else [wanted]
    told = (entry.get(key) for entry in entries if isinstance(entry, dict) for key in ("package", "git", "url", "path"))
    return ", ".join(text for text in told if isinstance(text, str))
