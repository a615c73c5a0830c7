"""Packing: what of the evidence fits into a prompt, and how what does not fit is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.prompting.items import Item

_TOLD: Final = 4_000
"""Characters in which the items that were left out are told one by one; of those beyond, only how many."""
_SHARE: Final = 10
"""Of a small room they take this part at most."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The items that fit, those that do not, and how many characters there are for telling of the latter."""

    shown: tuple[Item, ...]
    left_out: tuple[Item, ...]
    telling: int = _TOLD

    def manifest(self) -> dict[str, object]:
        """What was left out as JSON types: by id, kind and place, beyond a bound by number."""
        told: list[Mapping[str, str]] = []
        left = self.telling
        for item in self.left_out:
            entry = item.head()
            left -= len(json.dumps(entry, ensure_ascii=False)) + len(", ")
            if left < 0:
                break
            told.append(entry)
        beyond = len(self.left_out) - len(told)
        return {"left-out": told, **({"left-out-besides": beyond} if beyond else {})}


def by_text(items: Iterable[Item], budget: int) -> Packed:
    """Pack so many characters of text."""
    return _packed(items, budget, _text, _TOLD)


def by_room(items: Sequence[Item], room: int, cost: Callable[[Item], int]) -> Packed:
    """Pack so many characters of all that an item takes up, with some of them kept for telling what does not fit."""
    whole = _packed(items, room, cost, 0)
    telling = min(_TOLD, max(room, 0) // _SHARE)
    return _packed(items, room - telling, cost, telling) if whole.left_out else whole


def _text(item: Item) -> int:
    return len(item.text) + len(item.locator)


def _packed(items: Iterable[Item], room: int, cost: Callable[[Item], int], telling: int) -> Packed:
    """What fits, in order. A smaller item may still fit behind one that did not."""
    shown: list[Item] = []
    left_out: list[Item] = []
    for item in items:
        taken = cost(item)
        if taken <= room:
            room -= taken
            shown.append(item)
        else:
            left_out.append(item)
    return Packed(tuple(shown), tuple(left_out), telling)
