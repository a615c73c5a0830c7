"""One change as the body of its pull request (Describe Changes: shape A)."""

from __future__ import annotations

from agent.render import facts, pages, places
from agent.render.changes import Change
from agent.render.fitting import fitting, left_out
from agent.render.marks import Marks
from agent.render.repeating import beyond


def digest(change: Change, scope: str, marks: Marks, *, level: int, most: int | None, whole: str = "") -> str:
    """What the change is, what it means, what it does in detail, and where that is to be seen.

    `level` is that of the title's heading, 0 for none; `scope` the range that is described, as it is written. To be no longer
    than `most`, sections are left out from the last one on, and said to be in the file `whole`.
    """
    placed, top = places.at(change.refs, marks), max(level, 1) + 1
    heading = marks.heading(level, marks.line(change.title)) if level else ""
    references = places.listed(change.refs, marks, page=change.detail)
    if "\n" in references:
        references = f"{marks.heading(top, 'References')}\n\n{references}"
    medium = beyond(change.medium, change.short)
    lead, *more = [pages.paragraph(text, placed) for text in (beyond(change.short, medium), medium) if text] or [""]
    sections = tuple(filter(None, (*more, *pages.sections(change.detail, placed, top=top), references)))

    def page(cut: int) -> str:
        lost = left_out(marks, f"the last {cut} of {len(sections)} sections", whole) if cut else ""
        told = (heading, lead, *sections[: len(sections) - cut], lost, facts.footer(change, scope, marks))
        return "\n\n".join(filter(None, told)) + "\n"

    return fitting(page, len(sections), most)
