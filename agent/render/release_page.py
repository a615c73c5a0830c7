"""Several changes as a release page (Describe Changes: shape B).

What changed comes first, a line or a paragraph each under its kind, and the details of all of them after that: a page of sixty
changes is read from its top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.render import facts, inlines, pages, places
from agent.render.changes import Change
from agent.render.fitting import LEFT_OUT, fitting
from agent.render.forge_links import Links
from agent.render.harmless import Target
from agent.render.repeating import beyond

FEW: Final = 12
"""Up to so many changes say at once what they mean for whoever uses the product; more of them say it in the details."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One change as markdown: its line, what it means, and its section of the details."""

    kind: str
    line: str
    medium: str
    detail: str


def release_page(
    summary: Change, changes: Sequence[Change], scope: str, links: Links | None, *, level: int, most: int | None
) -> str:
    """The summary, the changes by kind, and their details.

    `level` is that of the title's heading, 0 for none; `scope` the range that is described, as markdown. To be no longer than
    `most`, details are left out from the last change on, then paragraphs, then changes.
    """
    target, top = Target(links), max(level, 1) + 1
    heading = f"{'#' * level} {inlines.line(summary.title, target)}" if level else ""
    short, medium = (pages.paragraph(text, target) for text in (summary.short, summary.medium))
    items = tuple(_item(change, links, top + 1, is_few=len(changes) <= FEW) for change in changes)
    end = f"Range: {scope}" if scope else ""

    def page(cut: int) -> str:
        told = (heading, short, medium, *_told(items, cut, "#" * top), _left_out(len(items), cut), end)
        return "\n\n".join(filter(None, told)) + "\n"

    return fitting(page, 3 * len(items), most)


def _item(change: Change, links: Links | None, level: int, *, is_few: bool) -> _Item:
    target = places.target(change.refs, links)
    title = inlines.line(change.title, Target(links))
    medium = beyond(change.medium, change.title, change.short)
    short = pages.paragraph(beyond(change.short, change.title, medium if is_few else ""), target)
    medium = pages.paragraph(medium, target)
    references = places.listed(change.refs, links, page=change.detail)
    detail = ("" if is_few else medium, pages.page(change.detail, target, top=level + 1), references)
    told = "\n\n".join(filter(None, detail))
    return _Item(
        change.kind,
        f"- **{title}**{' — ' if short else ''}{short}{facts.relations(change, links)}",
        f"  {medium}" if is_few and medium else "",
        f"{'#' * level} {title}\n\n{told}" if told else "",
    )


def _told(items: tuple[_Item, ...], cut: int, mark: str) -> Iterator[str]:
    """Every kind with its changes, and the details; `cut` takes details, then paragraphs, then changes, from the end on."""
    details, mediums, lines = (max(0, len(items) - max(0, cut - phase * len(items))) for phase in range(3))
    for kind, (_, name) in facts.KINDS.items():
        shown = [
            f"{item.line}\n\n{item.medium}" if item.medium and index < mediums else item.line
            for index, item in enumerate(items[:lines])
            if item.kind == kind
        ]
        if shown:
            yield f"{mark} {name}"
            yield ("\n\n" if any("\n" in one for one in shown) else "\n").join(shown)
    shown = [item.detail for kind in facts.KINDS for item in items[:details] if item.kind == kind and item.detail]
    if shown:
        yield f"{mark} Details"
        yield from shown


def _left_out(count: int, cut: int) -> str:
    """The line that says what a cut leaves out."""
    if not cut:
        return ""
    phase, lost = divmod(cut - 1, count)
    words = ("the details of the last {} of {} changes", "all details, and the paragraphs of the last {} of {} changes")
    told = (*words, "all details, and the last {} of {} changes")[phase]
    return LEFT_OUT.format(told.format(lost + 1, count))
