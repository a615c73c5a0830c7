"""One change in a list of changes: its line, and of a breaking one what whoever uses it has to do (Describe Changes: items)."""

from __future__ import annotations

import re
from typing import Final

from agent.render import facts, pages
from agent.render.changes import Change
from agent.render.marks import Marks
from guardrails.drafts.page import Heading

BREAKING: Final = "breaking"
_MIGRATION: Final = re.compile(r"(?i:(?:how to )?(?:migrat|upgrad))")
_WORDS: Final = frozenset({"paragraph", "html_block"})
"""Blocks that are written as a line of words."""


def line(change: Change, title: str, short: str, marks: Marks) -> str:
    """The title, then `short`, both as they are written, and what the change belongs to."""
    return f"- {marks.strong(title)}{' — ' if short else ''}{short}{facts.relations(change, marks)}"


def migration(change: Change, marks: Marks, *, top: int) -> str:
    """What a breaking change says of migration, to stand below its line; "" for every other change."""
    said = _apart(change, marks, top)[0] if change.kind == BREAKING else []
    if not said:
        return ""
    gap = " " if said[0].node.type in _WORDS else "\n\n"
    return f"{Heading.MIGRATION.value}:{gap}{pages.joined(said)}"


def details(change: Change, marks: Marks, *, top: int) -> str:
    """The other details as a page: of a change that breaks nothing all of them."""
    return pages.joined(_apart(change, marks, top)[1]) if change.kind == BREAKING else pages.page(change.detail, marks, top=top)


def _apart(change: Change, marks: Marks, top: int) -> tuple[list[pages.Block], list[pages.Block]]:
    return pages.apart(change.detail, marks, top=top, heading=_MIGRATION)


def below(*texts: str) -> str:
    """Texts as they stand below the line of their change, in the same item of the list."""
    return "".join(f"\n\n  {pages.indented(text, 2)}" for text in texts if text)
