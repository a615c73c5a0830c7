"""An envelope as the section that a changelog has for one release, in the form that Keep a Changelog describes (evidraft).

Breaking changes come first, each with what it asks of whoever uses the product.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from agent.render import escaping, facts, inlines, listed_change, pages, places
from agent.render.changes import Change, mapping, mappings
from agent.render.forge_links import Links
from agent.render.harmless import Target
from agent.render.listed_change import BREAKING
from agent.render.marks import Marks
from agent.render.repeating import beyond

UNRELEASED: Final = "Unreleased"
"""What a changelog calls changes that no version has yet."""

_ORDER: Final = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
_ORDER_OF_BREAKING: Final = ("Removed", "Changed", "Added", "Deprecated", "Fixed", "Security")
"""Under Removed there are breaking changes only, and Changed begins with them."""
_OF_KIND: Final = {BREAKING: "Changed", "security": "Security", "feature": "Added", "bug_fix": "Fixed"}
"""Other kinds are told under Changed."""
_OF_WORDS: Final = (
    (frozenset({BREAKING}), re.compile(r"(?i:(?:remov|delet)(?:e|es|ed|ing)|drop(?:s|ped|ping)?)\b"), "Removed"),
    (frozenset({"feature", "improvement", "docs"}), re.compile(r"(?i:deprecat(?:e|es|ed|ing))\b"), "Deprecated"),
)
"""What the first word of a title tells of changes of some kinds."""


def changelog_section(envelope: Mapping[str, object], version: str, date: str, links: Links | None = None) -> str:
    """The markdown of the section, ending in one line break; `date` is a day in ISO form, or "" where there is none."""
    operation = mapping(envelope, "operation")
    told = mappings(envelope, "items") or (mapping(envelope, "change"),)
    changes = sorted(map(Change.of, told), key=lambda change: change.kind != BREAKING)
    name = escaping.linked(inlines.text(version, Target()), facts.comparison(operation, links))
    heading = f"## {name if name.startswith('[') else f'[{name}]'}{f' - {date}' if date else ''}"
    return "\n\n".join((heading, *_sections(changes, Marks.to(links)))) + "\n"


def _sections(changes: list[Change], marks: Marks) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for change in changes:
        found.setdefault(_section(change), []).append(_item(change, marks))
    for name in _ORDER_OF_BREAKING if changes[0].kind == BREAKING else _ORDER:
        if items := found.get(name):
            yield f"### {name}"
            yield ("\n\n" if any("\n" in item for item in items) else "\n").join(items)


def _section(change: Change) -> str:
    told = (name for kinds, words, name in _OF_WORDS if change.kind in kinds and words.match(change.title))
    return next(told, _OF_KIND.get(change.kind, "Changed"))


def _item(change: Change, marks: Marks) -> str:
    placed = places.at(change.refs, marks)
    short = pages.paragraph(beyond(change.short, change.title), placed)
    migration = listed_change.migration(change, placed, top=4)
    title = f"{'Breaking: ' if change.kind == BREAKING else ''}{marks.line(change.title)}"
    return f"{listed_change.line(change, title, short, marks)}{listed_change.below(migration)}"
