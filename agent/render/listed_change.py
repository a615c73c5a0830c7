"""One change in a list of changes: its line, and of a breaking one what whoever uses it has to do (Describe Changes: items)."""

from __future__ import annotations

import re
from typing import Final

from agent.render import facts, inlines, pages
from agent.render.changes import Change
from agent.render.forge_links import Links
from agent.render.harmless import Target
from guardrails import markdown
from guardrails.drafts.page import Heading

BREAKING: Final = "breaking"
_MIGRATION: Final = re.compile(r"(?i:(?:how to )?(?:migrat|upgrad))")


def line(change: Change, short: str, links: Links | None, *, lead: str = "") -> str:
    """The title, behind a `lead` where there is one, then `short`, which is markdown, and what the change belongs to."""
    title = inlines.line(change.title, Target(links))
    return f"- **{lead}{title}**{' — ' if short else ''}{short}{facts.relations(change, links)}"


def migration(change: Change, target: Target, *, top: int) -> str:
    """What a breaking change says of migration, to stand below its line; "" for every other change."""
    said = _apart(change, target, top)[0] if change.kind == BREAKING else ""
    if not said:
        return ""
    gap = " " if markdown.tree(said).children[0].type == "paragraph" else "\n\n"
    return f"{Heading.MIGRATION.value}:{gap}{said}"


def details(change: Change, target: Target, *, top: int) -> str:
    """The other details as a page: of a change that breaks nothing all of them."""
    return _apart(change, target, top)[1] if change.kind == BREAKING else pages.page(change.detail, target, top=top)


def _apart(change: Change, target: Target, top: int) -> tuple[str, str]:
    return pages.apart(change.detail, target, top=top, heading=_MIGRATION)


def below(*texts: str) -> str:
    """Texts as they stand below the line of their change, in the same item of the list."""
    return "".join(f"\n\n  {pages.indented(text, 2)}" for text in texts if text)
