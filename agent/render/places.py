"""References as a page shows them: a list, and links from the places that its text names (Describe Changes: refs)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from agent.render.forge_links import Links
from agent.render.harmless import Target
from agent.render.marks import Marks
from guardrails import markdown
from guardrails.evidence.references import Reference
from guardrails.markdown import InlineKind

_PLACE: Final = re.compile(r"(.+?)(?::(\d{1,9}(?:-\d{1,9})?))?", re.DOTALL)
_SHOWN: Final = 10
"""How many digits of a commit's name are shown; where it leads says all of them."""


def at(refs: Iterable[Reference], marks: Marks) -> Marks:
    """The marks of a page with these references: inline code that names lines of one of them leads there."""
    links, known = marks.links, tuple(refs)
    return replace(marks, target=Target(links, lambda code: _address(code, known, links))) if links else marks


def listed(refs: Iterable[Reference], marks: Marks, *, page: str = "") -> str:
    """The references as lists, each under the commit that its lines are valid at; first those that name none.

    Of references that the `page` names already and that have no note, only the commits are told, in a line at the end.
    """
    named = {piece.text for piece in markdown.inlines(markdown.blocks(page)) if piece.kind is InlineKind.CODE}
    groups: dict[str | None, list[str]] = {None: []}
    for ref in refs:
        groups.setdefault(ref.sha, []).extend((f"- {_line(ref, marks)}",) if ref.note or ref.place() not in named else ())
    told = [part for sha, lines in groups.items() if lines for part in (sha and f"At {_commit(sha, marks)}:", "\n".join(lines))]
    rest = ", ".join(_commit(sha, marks) for sha, lines in groups.items() if sha and not lines)
    return "\n\n".join(part for part in (*told, rest and f"Lines as of {rest}.") if part)


def _commit(sha: str, marks: Marks) -> str:
    return marks.code(sha[:_SHOWN], marks.links.commit(sha) if marks.links else None)


def _line(ref: Reference, marks: Marks) -> str:
    place = marks.code(ref.place(), marks.links.place(ref) if marks.links else None)
    return f"{place} — {marks.line(ref.note)}" if ref.note else place


def _address(code: str, refs: tuple[Reference, ...], links: Links) -> str | None:
    """Where lines lie that a reference holds; nothing is known of the commit of others."""
    match = _PLACE.fullmatch(code)
    fitting = (ref for ref in refs if match and ref.path == match[1] and ref.sha and _holds(ref.range, match[2]))
    ref = next(fitting, None)
    return links.place(replace(ref, range=match[2])) if ref and match else None


def _holds(range_: str | None, lines: str | None) -> bool:
    if lines is None or range_ is None:
        return lines is None
    first, last = _ends(range_)
    start, end = _ends(lines)
    return first <= start <= end <= last


def _ends(range_: str) -> tuple[int, int]:
    first, _, last = range_.partition("-")
    return int(first), int(last or first)
