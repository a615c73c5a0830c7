"""An envelope as the page that shows it: one change, or several (Describe Changes: the envelope)."""

from __future__ import annotations

from collections.abc import Mapping

from agent.render import facts
from agent.render.changes import Change, mapping, mappings, text
from agent.render.digest import digest
from agent.render.marks import Marks
from agent.render.release_page import release_page
from guardrails.evidence.model import OperationType


def page(
    envelope: Mapping[str, object], marks: Marks, *, level: int | None = None, most: int | None = None, whole: str = ""
) -> str:
    """The page of an envelope that holds, ending in one line break.

    Args:
        envelope: as JSON types, of either shape.
        marks: what the page is written with.
        level: of the heading that the title becomes, 0 for none. By default it is 1 for several changes, and none for one
            change and for a request: these have their title above their body already.
        most: how long it may be; parts are left out from the end on then, and that is said.
        whole: the name of the file that is said to have what is left out.
    """
    operation = mapping(envelope, "operation")
    scope = facts.scope(operation, marks)
    if "change" in envelope:
        return digest(Change.of(mapping(envelope, "change")), scope, marks, level=level or 0, most=most, whole=whole)
    summary, changes = Change.of(mapping(envelope, "summary")), tuple(map(Change.of, mappings(envelope, "items")))
    usual = 0 if text(operation, "type") == OperationType.PULL_REQUEST else 1
    return release_page(summary, changes, scope, marks, level=usual if level is None else level, most=most, whole=whole)
