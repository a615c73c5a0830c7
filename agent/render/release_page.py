"""Several changes as a release page (Describe Changes: shape B).

What changed comes first, a line or a paragraph each under its kind, and the details of all of them after that: a page of sixty
changes is read from its top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from agent.render import facts, listed_change, pages, places
from agent.render.changes import Change
from agent.render.fitting import fitting, left_out
from agent.render.marks import Marks
from agent.render.repeating import beyond

FEW: Final = 12
"""Up to so many changes say at once what they mean for whoever uses the product; more of them say it in the details."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One change as it is written: its line, what stands below it in the list, and its section of the details."""

    kind: str
    line: str
    below: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Lost:
    """Of how many changes, from the last one on, a page has no details, nothing below their lines, and no lines."""

    details: int
    below: int
    lines: int


def release_page(
    summary: Change,
    changes: Sequence[Change],
    scope: str,
    marks: Marks,
    *,
    level: int,
    most: int | None,
    whole: str = "",
) -> str:
    """The summary, the changes by kind, and their details.

    `level` is that of the title's heading, 0 for none; `scope` the range that is described, as it is written. To be no longer
    than `most`, details are left out from the last change on, then what stands below the lines of changes, then these lines,
    and of breaking changes both only after all that. What is left out is counted, and said to be in the file `whole`.
    """
    top = max(level, 1) + 1
    heading = marks.heading(level, marks.line(summary.title)) if level else ""
    short, medium = (pages.paragraph(text, marks) for text in (summary.short, summary.medium))
    items = _by_kind(_item(change, marks, top + 1, is_few=len(changes) <= FEW) for change in changes)
    breaking = sum(item.kind == listed_change.BREAKING for item in items)
    end = f"Range: {scope}" if scope else ""

    def page(cut: int) -> str:
        lost = _lost(cut, len(items), breaking)
        told = (heading, short, medium, *_told(items, lost, marks, top), _left_out(len(items), lost, marks, whole), end)
        return "\n\n".join(filter(None, told)) + "\n"

    return fitting(page, 3 * len(items), most)


def _item(change: Change, marks: Marks, level: int, *, is_few: bool) -> _Item:
    placed, title = places.at(change.refs, marks), marks.line(change.title)
    medium = beyond(change.medium, change.title, change.short)
    short = pages.paragraph(beyond(change.short, change.title, medium if is_few else ""), placed)
    medium = pages.paragraph(medium, placed)
    page = listed_change.details(change, placed, top=level + 1)
    migration = listed_change.migration(change, placed, top=level + 1)
    references = places.listed(change.refs, marks, page=change.detail)
    told = "\n\n".join(filter(None, ("" if is_few else medium, page, references)))
    return _Item(
        change.kind,
        listed_change.line(change, title, short, marks),
        listed_change.below(medium if is_few else "", migration),
        f"{marks.heading(level, title)}\n\n{told}" if told else "",
    )


def _by_kind(items: Iterable[_Item]) -> tuple[_Item, ...]:
    """The items in the order in which a page has them, breaking ones first."""
    order = list(facts.KINDS)
    return tuple(sorted(items, key=lambda item: order.index(item.kind)))


def _told(items: tuple[_Item, ...], lost: _Lost, marks: Marks, level: int) -> Iterator[str]:
    """Every kind with its changes, and the details."""
    details, below, lines = (len(items) - count for count in (lost.details, lost.below, lost.lines))
    shown = [(item.kind, f"{item.line}{item.below if index < below else ''}") for index, item in enumerate(items[:lines])]
    for kind, group in groupby(shown, key=lambda one: one[0]):
        told = [line for _, line in group]
        yield marks.heading(level, facts.KINDS[kind][1])
        yield ("\n\n" if any("\n" in line for line in told) else "\n").join(told)
    sections = [item.detail for item in items[:details] if item.detail]
    if sections:
        yield marks.heading(level, "Details")
        yield from sections


def _lost(cut: int, count: int, breaking: int) -> _Lost:
    """What a page loses by a cut: first all details, then of other changes and last of breaking ones what is left of them."""
    lost = [0, 0, 0]
    for place, most in ((0, count), (1, count - breaking), (2, count - breaking), (1, breaking), (2, breaking)):
        step = min(cut, most)
        lost[place] += step
        cut -= step
    return _Lost(*lost)


def _left_out(count: int, lost: _Lost, marks: Marks, whole: str) -> str:
    """The line that says what a page loses."""
    told = (
        _counted("the details of", "all details", lost.details, count),
        _counted("the paragraphs of", "all paragraphs", lost.below, count) if lost.below > lost.lines else "",
        _counted("", "all changes", lost.lines, count),
    )
    *most, last = [part for part in told if part] or [""]
    return left_out(marks, f"{', '.join(most)}{', and ' if most else ''}{last}", whole) if last else ""


def _counted(what: str, every: str, lost: int, count: int) -> str:
    return every if lost == count else f"{what} the last {lost} of {count} changes".strip() if lost else ""
