"""The marks that a page is written with: those of markdown, for a forge (Describe Changes: fields)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from agent.render import escaping, inlines
from agent.render.forge_links import Links
from agent.render.harmless import Target

_LANGUAGE: Final = re.compile(r"(?a:[\w+#.-]{1,40})")
_TICKS: Final = re.compile(r"`{3,}")
_RULE: Final = "___"
"""The one rule that is no item of a list, whatever mark the list has."""
_BULLETS: Final = ("-", "*")
_POINTS: Final = (".", ")")
"""Two lists side by side need different marks, or they would be one."""
_MOST: Final = 999_999_999
_ALIGNED: Final = {"text-align:left": ":---", "text-align:center": ":---:", "text-align:right": "---:"}


@dataclass(frozen=True, slots=True)
class Marks:
    """Markdown for a target. A page is put together of what these methods give, and knows no mark itself."""

    target: Target = field(default_factory=Target)

    @classmethod
    def to(cls, links: Links | None) -> Marks:
        """The marks of pages that lead to a repository on its forge, or nowhere."""
        return cls(Target(links))

    @property
    def links(self) -> Links | None:
        """The repository that pages lead to."""
        return self.target.links

    def written(self, node: SyntaxTreeNode) -> str:
        """What stands in `node`, as one line."""
        return inlines.written(node, self.target)

    def line(self, text: str) -> str:
        """A text whose only markup is inline code (a title, a note), as one line."""
        return inlines.line(text, self.target)

    def text(self, said: str) -> str:
        """A text without any markup, as one line."""
        return inlines.text(said, self.target)

    def code(self, said: str, address: str | None = None) -> str:
        """Code within a line; it leads to an address where there is one."""
        return escaping.linked(escaping.code(said), address)

    def name(self, said: str, address: str | None) -> str:
        """A text as `line` has it that leads to this address alone, where there is one."""
        return escaping.linked(inlines.line(said, Target()), address)

    def strong(self, line: str) -> str:
        """A part of a line that stands out."""
        return f"**{line}**"

    def aside(self, line: str) -> str:
        """A line that is no part of what the page says."""
        return f"*{line}*"

    def heading(self, level: int, line: str) -> str:
        """A line as a heading."""
        return f"{'#' * level} {line}"

    def item(self, number: int | None, *, is_other: bool = False) -> str:
        """What stands before an item of a list, with a number or without; `is_other` where the list beside it has the usual."""
        return _BULLETS[is_other] if number is None else f"{min(number, _MOST)}{_POINTS[is_other]}"

    def code_block(self, content: str, word: str) -> str:
        """Lines of code, in the language that `word` names."""
        lines = content.removesuffix("\n") + "\n" if content else ""
        ticks = "`" * max((len(run) + 1 for run in _TICKS.findall(lines)), default=3)
        return f"{ticks}{word if _LANGUAGE.fullmatch(word) else ''}\n{lines}{ticks}"

    def rule(self) -> str:
        """A line across the page."""
        return _RULE

    def table(self, head: Sequence[str], styles: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
        """A table of lines; `styles` are those of its columns, as the parser tells them."""
        told = [self._row(map(escaping.cell, head)), self._row(_ALIGNED.get(style, "---") for style in styles)]
        return "\n".join((*told, *(self._row(map(escaping.cell, row)) for row in rows)))

    def _row(self, cells: Iterable[str]) -> str:
        return "|".join(("", *(f" {cell} " for cell in cells), ""))
