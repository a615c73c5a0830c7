"""A page of markdown out of sentences: each under its heading, behind the places it tells of (Describe Changes: detail_md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from guardrails.evidence.code_spans import code


class Heading(StrEnum):
    """The headings that a page can have, in the order in which it has them."""

    CHANGED = "What changed"
    WHY = "Why"
    MIGRATION = "Migration"
    AWARE = "Behaviour to be aware of"
    DEPENDENCIES = "Dependencies"
    DOCUMENTATION = "Documentation"
    TESTS = "Tests"
    OPEN = "What stays open"


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a page; `places` are the references that stand before it."""

    heading: Heading
    text: str
    places: tuple[str, ...] = ()


_BLOCK_MARK: Final = re.compile(
    r"(?=#{1,6}(?: |$)|[-+*](?: |$)|(?:[-*_] ?){3,}$|[<>]|`{3}|~{3}|\[(?:[^\[\]\\]|\\.){0,1000}\]:)|\d{1,9}(?=[.)](?: |$))"
)
"""What stands before a mark that would open another block than a paragraph."""


def page(lines: Iterable[Line]) -> str:
    """The lines under their headings: those with places as points of a list, runs of those without as paragraphs."""
    told = sorted(lines, key=lambda line: _ORDER[line.heading])
    parts = (part for heading, group in groupby(told, key=lambda line: line.heading) for part in _section(heading, group))
    return "\n\n".join(parts)


_ORDER: Final = {heading: place for place, heading in enumerate(Heading)}


def _section(heading: Heading, lines: Iterable[Line]) -> Iterator[str]:
    yield f"## {heading.value}"
    for is_list, group in groupby(lines, key=lambda line: bool(line.places)):
        if is_list:
            yield "\n".join(f"- {_listed(line.places)} — {_flat(line.text)}" for line in group)
        else:
            *most, last = (_flat(line.text) for line in group)
            yield _paragraph(" ".join((*map(_ended, most), last)))


def _listed(places: tuple[str, ...]) -> str:
    """`a:1`, `b:2` and `c`."""
    *most, last = map(code, places)
    return f"{', '.join(most)} and {last}" if most else last


def _paragraph(text: str) -> str:
    """One line of text that is a paragraph whatever it begins with."""
    mark = _BLOCK_MARK.match(text)
    return f"{mark[0]}\\{text[mark.end() :]}" if mark else text


def _ended(text: str) -> str:
    """A sentence that does not run into the next one."""
    return f"{text}." if text[-1:].isalnum() or text.endswith((")", "`")) else text


def _flat(text: str) -> str:
    return " ".join(text.split())
