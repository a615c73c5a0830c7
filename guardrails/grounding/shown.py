"""All that was shown, looked into as one: what a name, a stem or a folder may stand in, whoever cites it.

Each question would else go through every item again, and keep what it reads in each for as long as the draft is judged.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind
from guardrails.grounding.items import Item, stands_in

_NUMBER: Final = "I"
"""How the place of an item is kept."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The items that were shown, in order."""

    items: tuple[Item, ...]

    def __iter__(self) -> Iterator[Item]:
        """Each of them."""
        return iter(self.items)

    def writes(self, word: str) -> bool:
        """Whether `word` stands in one of them as it is written."""
        return stands_in(word, self._text)

    def says(self, word: str) -> bool:
        """Whether `word`, which is without case, stands in one of them in any case."""
        return stands_in(word, self._caseless)

    def names(self, kind: IdentifierKind, value: str) -> bool:
        """Whether one of them names this value."""
        return (kind, value) in self._values

    def holds(self, stems: frozenset[str]) -> bool:
        """Whether one of them has all of these stems, of which there is at least one."""
        places = sorted((self._places.get(stem, ()) for stem in stems), key=len)
        return bool(frozenset[int](places[0]).intersection(*places[1:]))

    def shared(self, stems: frozenset[str]) -> frozenset[str]:
        """The stems that any of them has too."""
        return stems & self._places.keys()

    def is_folder(self, name: str) -> bool:
        """Whether a path of theirs begins with this folder."""
        return name in self._folders

    @cached_property
    def _whole(self) -> tuple[Item, ...]:
        """Without the parts of items that are shown as well: what these hold stands in those."""
        ids = {item.id for item in self.items}
        return tuple(item for item in self.items if item.whole not in ids)

    @cached_property
    def _text(self) -> str:
        """Each on a line of its own, so that nothing stands in two."""
        return "\n".join(item.text for item in self._whole)

    @cached_property
    def _caseless(self) -> str:
        return "\n".join(item.caseless for item in self._whole)

    @cached_property
    def _values(self) -> frozenset[tuple[IdentifierKind, str]]:
        return frozenset(value for item in self.items for value in item.values)

    @cached_property
    def _places(self) -> Mapping[str, array[int]]:
        """The places of the items that have it, by stem."""
        found: dict[str, array[int]] = {}
        for place, item in enumerate(self._whole):
            for stem in item.content:
                found.setdefault(stem, array(_NUMBER)).append(place)
        return found

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(_above(path for item in self._whole for path in item.paths))


def _above(paths: Iterable[str]) -> Iterator[str]:
    """The outermost folder of each path that is in one."""
    for path in paths:
        folder, slash, _ = path.partition("/")
        if slash:
            yield folder
