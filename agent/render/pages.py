"""A page of markdown, written again block by block from the parser's tree (Describe Changes: detail_md).

What its reader sees stays: headings, lists, code, quotations, tables. HTML becomes the text that it is written with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from agent.render import escaping, inlines
from agent.render.harmless import Target
from guardrails import markdown

_DEEPEST: Final = 6
_LANGUAGE: Final = re.compile(r"(?a:[\w+#.-]{1,40})")
_TICKS: Final = re.compile(r"`{3,}")
_RULE: Final = "___"
"""The one rule that is no item of a list, whatever mark the list has."""
_MARKS: Final = {"bullet_list": ("-", "*"), "ordered_list": (".", ")")}
"""Two lists side by side need different marks, or they would be one."""
_INTERRUPTS: Final = re.compile(r"[-*] \S|1[.)] \S")
"""A list that may stand right below the words of the item that it belongs to."""
_MOST: Final = 999_999_999
_ALIGNED: Final = {"text-align:left": ":---", "text-align:center": ":---:", "text-align:right": "---:"}


def page(text: str, target: Target, *, top: int = 1) -> str:
    """A markdown text, its highest headings at level `top` and the others below them as they were."""
    return "\n\n".join(sections(text, target, top=top))


def sections(text: str, target: Target, *, top: int) -> tuple[str, ...]:
    """A markdown text cut before its highest headings, which come to level `top`."""
    parts: list[list[str]] = [[]]
    for block in _written(markdown.tree(text).children, target, top):
        if block.startswith(f"{'#' * top} "):
            parts.append([])
        parts[-1].append(block)
    return tuple("\n\n".join(part) for part in parts if part)


def apart(text: str, target: Target, *, top: int, heading: re.Pattern[str]) -> tuple[str, str]:
    """What stands in a markdown text under headings that begin with `heading`, and the rest of it, both as pages."""
    taken: list[SyntaxTreeNode] = []
    kept: list[SyntaxTreeNode] = []
    within = 0
    for node in markdown.tree(text).children:
        if node.type == "heading" and _level(node) <= (within or _DEEPEST):
            within = _level(node) if heading.match(_said(node)) else 0
            if within:
                continue
        (taken if within else kept).append(node)
    told, rest = ("\n\n".join(_written(nodes, target, top)) for nodes in (taken, kept))
    return told, rest


def _written(nodes: Sequence[SyntaxTreeNode], target: Target, top: int) -> Iterator[str]:
    """The blocks, their highest headings at level `top`."""
    writer = _Writer(target, 0)
    inner = (node for one in nodes for node in one.walk())
    levels = (_level(node) for node in inner if node.type == "heading" and writer.line(node))
    return _Writer(target, top - min(levels, default=top)).blocks(nodes)


def paragraph(text: str, target: Target) -> str:
    """A markdown text that is one paragraph, as one line; whatever else it is, it is taken for a line of words and code."""
    root = markdown.tree(text)
    is_one = [node.type for node in root.children] == ["paragraph"]
    return inlines.written(root.children[0].children[0], target) if is_one else inlines.line(text, target)


def indented(text: str, width: int) -> str:
    """A text whose lines after the first one are moved in."""
    return "\n".join(" " * width * bool(line and index) + line for index, line in enumerate(text.split("\n")))


@dataclass(frozen=True, slots=True)
class _Writer:
    target: Target
    shift: int

    def blocks(self, nodes: Iterable[SyntaxTreeNode]) -> Iterator[str]:
        """Every one of these blocks that shows something."""
        before, is_other = "", False
        for child in nodes:
            is_other = child.type == before and not is_other
            told = _BLOCKS[child.type](self, child, is_other) if child.type in _BLOCKS else ""
            if told:
                before = child.type
                yield told

    def line(self, node: SyntaxTreeNode) -> str:
        return inlines.written(node.children[0], self.target) if node.children else ""

    def paragraph(self, node: SyntaxTreeNode, _: bool) -> str:
        return self.line(node)

    def heading(self, node: SyntaxTreeNode, _: bool) -> str:
        level = min(max(_level(node) + self.shift, 1), _DEEPEST)
        line = self.line(node)
        return f"{'#' * level} {line}" if line else ""

    def list_(self, node: SyntaxTreeNode, is_other: bool) -> str:
        """The items that say something: empty bullets in a row would be a rule."""
        told = [content for item in node.children if (content := self._content(item))]
        mark, first = _MARKS[node.type][is_other], int(node.attrs.get("start", 1))
        marks = (mark if node.type == "bullet_list" else f"{min(first + index, _MOST)}{mark}" for index in range(len(told)))
        is_tight = _is_tight(node) and not any("\n\n" in content for content in told)
        items = (f"{mark} {indented(content, len(mark) + 1)}" for mark, content in zip(marks, told, strict=True))
        return ("\n" if is_tight else "\n\n").join(items)

    def _content(self, item: SyntaxTreeNode) -> str:
        told = ""
        for part in self.blocks(item.children):
            told += ("\n" if _is_tight(item) and _INTERRUPTS.match(part) else "\n\n") * bool(told) + part
        return told

    def quotation(self, node: SyntaxTreeNode, _: bool) -> str:
        told = "\n\n".join(self.blocks(node.children))
        return "\n".join(f"> {line}".rstrip() for line in told.split("\n")) if told else ""

    def code(self, node: SyntaxTreeNode, _: bool) -> str:
        lines = node.content.removesuffix("\n") + "\n" if node.content else ""
        ticks = "`" * max((len(run) + 1 for run in _TICKS.findall(lines)), default=3)
        word = (node.info.split() or [""])[0]
        return f"{ticks}{word if _LANGUAGE.fullmatch(word) else ''}\n{lines}{ticks}"

    def html(self, node: SyntaxTreeNode, _: bool) -> str:
        return inlines.text(node.content, self.target)

    def rule(self, _node: SyntaxTreeNode, _: bool) -> str:
        return _RULE

    def table(self, node: SyntaxTreeNode, _: bool) -> str:
        head, *rows = (row.children for part in node.children for row in part.children)
        told = [
            self._row(head),
            "|".join(("", *(f" {_ALIGNED.get(str(cell.attrs.get('style')), '---')} " for cell in head), "")),
        ]
        return "\n".join((*told, *map(self._row, rows)))

    def _row(self, cells: list[SyntaxTreeNode]) -> str:
        return "|".join(("", *(f" {escaping.cell(self.line(cell))} " for cell in cells), ""))


_BLOCKS: Final[dict[str, Callable[[_Writer, SyntaxTreeNode, bool], str]]] = {
    "paragraph": _Writer.paragraph,
    "heading": _Writer.heading,
    "bullet_list": _Writer.list_,
    "ordered_list": _Writer.list_,
    "blockquote": _Writer.quotation,
    "fence": _Writer.code,
    "code_block": _Writer.code,
    "html_block": _Writer.html,
    "hr": _Writer.rule,
    "table": _Writer.table,
}


def _level(heading: SyntaxTreeNode) -> int:
    return int(heading.tag[1])


def _said(heading: SyntaxTreeNode) -> str:
    words = (child.content for child in heading.walk() if child.type in {"text", "code_inline"})
    return " ".join("".join(words).split())


def _is_tight(node: SyntaxTreeNode) -> bool:
    """Whether a list, or an item, has no blank lines between its blocks; the parser hides paragraphs then."""
    items = node.children if node.type in _MARKS else [node]
    return all(block.hidden for item in items for block in item.children if block.type == "paragraph")
