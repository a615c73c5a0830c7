"""One change as the body of its pull request (Describe Changes: shape A)."""

from __future__ import annotations

from agent.render import facts, inlines, pages, places
from agent.render.changes import Change
from agent.render.fitting import LEFT_OUT, fitting
from agent.render.forge_links import Links
from agent.render.harmless import Target


def digest(change: Change, scope: str, links: Links | None, *, level: int, most: int | None) -> str:
    """What the change is, what it means, what it does in detail, and where that is to be seen.

    `level` is that of the title's heading, 0 for none; `scope` the range that is described, as markdown. To be no longer than
    `most`, sections are left out from the last one on.
    """
    target, top = places.target(change.refs, links), max(level, 1) + 1
    heading = f"{'#' * level} {inlines.line(change.title, Target(links))}" if level else ""
    references = f"{'#' * top} References\n\n{places.listed(change.refs, links)}" if change.refs else ""
    short, medium = (pages.paragraph(text, target) for text in (change.short, change.medium))
    sections = tuple(filter(None, (medium, *pages.sections(change.detail, target, top=top), references)))

    def page(cut: int) -> str:
        lost = LEFT_OUT.format(f"the last {cut} of {len(sections)} sections") if cut else ""
        told = (heading, short, *sections[: len(sections) - cut], lost, facts.footer(change, scope, links))
        return "\n\n".join(filter(None, told)) + "\n"

    return fitting(page, len(sections), most)
