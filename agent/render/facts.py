"""What a change is and what it belongs to, in a line (Describe Changes: kind, relations, operation)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from agent.render.changes import Change, text
from agent.render.forge_links import Links
from agent.render.marks import Marks

KINDS: Final = {
    "breaking": ("Breaking change", "Breaking changes"),
    "security": ("Security", "Security"),
    "feature": ("Feature", "Features"),
    "bug_fix": ("Bug fix", "Bug fixes"),
    "improvement": ("Improvement", "Improvements"),
    "ops": ("Operations", "Operations"),
    "docs": ("Documentation", "Documentation"),
}
"""How each kind is called, one change and several, in the order in which a page has them."""


def footer(change: Change, scope: str, marks: Marks) -> str:
    """The kind, the relations and the range of one change."""
    told = {"Kind": KINDS[change.kind][0].lower(), **dict(_relations(change, marks)), "Range": scope}
    return " · ".join(f"{name}: {value}" for name, value in told.items() if value)


def relations(change: Change, marks: Marks) -> str:
    """What a change in a list belongs to: ` (PROJ-412, #12, reported by octocat)`."""
    words = {"Reporter": "reported by "}
    told = ", ".join(f"{words.get(name, '')}{value}" for name, value in _relations(change, marks))
    return f" ({told})" if told else ""


def scope(operation: Mapping[str, object], marks: Marks) -> str:
    """The range that an operation is, leading to its comparison; empty for other operations."""
    if text(operation, "type") != "range":
        return ""
    return marks.code(text(operation, "id"), comparison(operation, marks.links))


def comparison(operation: Mapping[str, object], links: Links | None) -> str | None:
    """Where the changes of a range are seen; None for other operations, and where nothing tells."""
    spec = text(operation, "id")
    base, _, head = spec.partition("...") if "..." in spec else spec.partition("..")
    return links.comparison(base, head) if links and base and head and text(operation, "type") == "range" else None


def _relations(change: Change, marks: Marks) -> Iterator[tuple[str, str]]:
    if change.ticket:
        yield "Ticket", marks.line(change.ticket)
    if change.request:
        yield "Request", marks.line(change.request)
    if change.reporter:
        yield "Reporter", marks.name(change.reporter, marks.links.person(change.reporter) if marks.links else None)
