"""A page as plain text: what it says, without the marks it says it with (Describe Changes: there is no third format)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from agent.render import escaping, inlines, pages
from agent.render.marks import Marks
from guardrails import markdown
from guardrails.markdown import BlockKind

_HEADING: Final = re.compile(r"\n\n(?=#{1,6} )")
_FENCES: Final = ("```", "~~~")
_ALONE: Final = re.compile(r"^ {0,3}(?:<(?:[!?]|script|pre|style|textarea)|\[[^\]\n]{1,999}\]:)", re.IGNORECASE | re.MULTILINE)
"""What reaches over headings: HTML that has an end of its own, and where links lead."""
_UNDERLINES: Final = {1: "=", 2: "-", 3: "~"}
_RULE: Final = "-" * 3


@dataclass(frozen=True, slots=True)
class NoMarks(Marks):
    """Plain text: nothing in it is escaped or leads anywhere, and its lines are as long as they are."""

    def written(self, node: SyntaxTreeNode) -> str:
        """What a reader reads of it."""
        return inlines.said(node)

    def line(self, text: str) -> str:
        """The text without the marks of its code."""
        return inlines.said(markdown.plain_line(escaping.flat(text)))

    def text(self, said: str) -> str:
        """The text itself."""
        return escaping.flat(said).strip()

    def code(self, said: str, address: str | None = None) -> str:  # noqa: ARG002 - there are no links
        """The code itself."""
        return escaping.flat(said)

    def name(self, said: str, address: str | None) -> str:  # noqa: ARG002
        """The text as `line` has it."""
        return self.line(said)

    def strong(self, line: str) -> str:
        """The line as it is."""
        return line

    def aside(self, line: str) -> str:
        """The line as it is."""
        return line

    def heading(self, level: int, line: str) -> str:
        """The highest headings are underlined."""
        return f"{line}\n{_UNDERLINES[level] * max(len(line), 3)}" if line and level in _UNDERLINES else line

    def item(self, number: int | None, *, is_other: bool = False) -> str:  # noqa: ARG002 - a blank line keeps lists apart
        """Its number, or a dash."""
        return "-" if number is None else f"{number}."

    def code_block(self, content: str, word: str) -> str:  # noqa: ARG002
        """The code, moved in."""
        return "    " + pages.indented(content.rstrip("\n"), 4)

    def rule(self) -> str:
        """A short line."""
        return _RULE

    def table(self, head: Sequence[str], styles: Iterable[str], rows: Iterable[Sequence[str]]) -> str:  # noqa: ARG002
        """The head, underlined, and the rows."""
        first, *more = (" | ".join(row).rstrip() for row in (head, *rows))
        return "\n".join((first, "-" * len(first), *more))


def plain(text: str) -> str:
    """The plain text of markdown, ending in one line break."""
    return "\n\n".join(filter(None, (pages.whole(part, NoMarks()) for part in _sections(text)))) + "\n"


def _sections(text: str) -> Iterator[str]:
    """A text in parts that begin with headings: the tree of a long page would be very large. Lines of code are no headings."""
    held = ""
    for part in _HEADING.split(text) if _ALONE.search(text) is None else (text,):
        held = f"{held}\n\n{part}" if held else part
        if not _is_open(held):
            yield held
            held = ""
    yield held


def _is_open(text: str) -> bool:
    """Whether a fence is left open."""
    has_fence = any(mark in text for mark in _FENCES)
    return has_fence and any(block.kind is BlockKind.UNCLOSED for block in markdown.outline(text))
