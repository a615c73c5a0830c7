"""A page of detail in passages: what stands together, and the places that are named in it (Describe Changes: detail_md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from guardrails import markdown
from guardrails.evidence.references import Reference, place_of
from guardrails.markdown import BlockKind, ContainerKind, InlineKind
from guardrails.wording.words import words

_PATH: Final = re.compile(r"[\w@.+~-]+(?:/[\w@.+~ -]+)+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}")
_BACKGROUND: Final = words(
    "why background context motivation rationale reason reasons open limitations issues future next steps credits summary",
    "overview introduction migration migrating upgrade upgrading related references links thanks questions warum hintergrund",
)
"""Words of headings under which nothing of the change itself is told."""
_BESIDE: Final = words("what stays remains is are was and or the a of for to this change known still notes how do it we i")
"""Words that stand beside them."""
_SAYS: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.CELL})


@dataclass(frozen=True, slots=True)
class Passage:
    """One paragraph, or one part of a list item: its text, the heading that it stands under, and the places in its code spans.

    `item` numbers the outermost list item, None outside of lists. Any code span may be a place: the change tells whether it is.
    """

    heading: str = field(repr=False)
    section: int
    item: int | None
    text: str = field(repr=False)
    places: tuple[Reference, ...] = field(repr=False)
    in_table: bool = False


def passages(text: str) -> Iterator[Passage]:
    """The passages of a page, in order; headings, code blocks and rules hold no claims."""
    heading, section = "", 0
    for block in markdown.blocks(text):
        if block.kind is BlockKind.HEADING:
            heading, section = block.plain, section + 1
        elif block.kind in _SAYS:
            items = [one.number for one in block.within if one.kind is ContainerKind.ITEM]
            places = tuple(place_of(piece.text) for piece in block.inlines if piece.kind is InlineKind.CODE)
            yield Passage(heading, section, items[0] if items else None, block.text, places, block.kind is BlockKind.CELL)


def unclaimed(text: str) -> Iterator[str]:
    """The headings and code blocks of a page: they name things, and claim nothing of them."""
    for block in markdown.blocks(text):
        if block.kind in {BlockKind.HEADING, BlockKind.CODE, BlockKind.UNCLOSED}:
            yield block.text


def is_background(heading: str) -> bool:
    """Whether what stands under a heading tells why, what stays open or what to do, and not what changed."""
    said = frozenset(re.findall(r"\w+", heading.casefold()))
    return not _BACKGROUND.isdisjoint(said) and said <= _BACKGROUND | _BESIDE


def is_pointed(place: Reference) -> bool:
    """Whether a place has lines, and the form of a path before them, so that it cannot be other code."""
    return place.range is not None and _PATH.fullmatch(place.path) is not None
