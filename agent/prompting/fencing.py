"""Data between fences: lines that begin with a random word which stands in none of the texts between them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from agent.prompting.items import Item

BLANK: Final = "0" * 32
"""As long as a fence is: for measuring."""


def fence(items: Iterable[Item], frame: Mapping[str, object], given: str | None) -> str:
    """A fence that stands nowhere in the data.

    Raises:
        ValueError: the given one does.
    """
    texts = [json.dumps(frame), *(part for item in items for part in (item.text, item.locator))]
    found = _random() if given is None else given
    while any(found in text for text in texts):
        if given is not None:
            raise ValueError("the evidence holds the fence")
        found = _random()
    return found


def fenced(frame: Mapping[str, object], items: Iterable[Item], mark: str) -> str:
    """The data of a prompt: what is said of the whole, then each item between its fences."""
    return "\n".join(_lines(frame, items, mark))


def size(item: Item) -> int:
    """How many characters an item takes up in the data."""
    return sum(len(line) + 1 for line in _item(item, BLANK))


def _random() -> str:
    return secrets.token_hex(len(BLANK) // 2)


def _lines(frame: Mapping[str, object], items: Iterable[Item], mark: str) -> Iterator[str]:
    yield f"{mark} is the fence of this request"
    yield f"{mark} {json.dumps(frame, ensure_ascii=False)}"
    for item in items:
        yield from _item(item, mark)
    yield f"{mark} is the end of the data"


def _item(item: Item, mark: str) -> tuple[str, ...]:
    return (f"{mark} {json.dumps(item.head(), ensure_ascii=False)}", item.text, f"{mark} end")
