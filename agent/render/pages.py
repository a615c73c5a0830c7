"""A page, written again block by block from the tree of its markdown (Describe Changes: detail_md).

What its reader sees stays: headings, lists, code, quotations, tables. HTML becomes the text that it is written with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, repeat
from typing import Final, NamedTuple

from markdown_it.tree import SyntaxTreeNode

from agent.render import inlines
from agent.render.marks import Marks
from guardrails import markdown

_DEEPEST: Final = 6
_LISTS: Final = frozenset({"bullet_list", "ordered_list"})


class Block(NamedTuple):
    """A block, and how it is written."""

    node: SyntaxTreeNode
    text: str


def page(text: str, marks: Marks, *, top: int = 1) -> str:
    """A markdown text, its highest headings at level `top` and the others below them as they were."""
    nodes = markdown.tree(text).children
    return joined(_writer(nodes, marks, top).blocks(nodes))


def sections(text: str, marks: Marks, *, top: int) -> tuple[str, ...]:
    """A markdown text cut before its highest headings, which come to level `top`."""
    parts: list[list[Block]] = [[]]
    nodes = markdown.tree(text).children
    writer = _writer(nodes, marks, top)
    for block in writer.blocks(nodes):
        if block.node.type == "heading" and writer.level(block.node) == top:
            parts.append([])
        parts[-1].append(block)
    return tuple(joined(part) for part in parts if part)


def apart(text: str, marks: Marks, *, top: int, heading: re.Pattern[str]) -> tuple[list[Block], list[Block]]:
    """What stands in a markdown text under headings that begin with `heading`, and the rest of it."""
    taken: list[SyntaxTreeNode] = []
    kept: list[SyntaxTreeNode] = []
    within = 0
    for node in markdown.tree(text).children:
        if node.type == "heading" and _level(node) <= (within or _DEEPEST):
            within = _level(node) if heading.match(_said(node)) else 0
            if within:
                continue
        (taken if within else kept).append(node)
    told, rest = (list(_writer(nodes, marks, top).blocks(nodes)) for nodes in (taken, kept))
    return told, rest


def _writer(nodes: Sequence[SyntaxTreeNode], marks: Marks, top: int) -> _Writer:
    """Who writes these blocks with their highest headings at level `top`."""
    levels = (_level(node) for node in _headings(nodes) if inlines.said(node))
    return _Writer(marks, top - min(levels, default=top))


def whole(text: str, marks: Marks) -> str:
    """A markdown text, its headings as they are."""
    return joined(_Writer(marks, 0).blocks(markdown.tree(text).children))


def joined(blocks: Iterable[Block]) -> str:
    """Blocks as a page."""
    return "\n\n".join(block.text for block in blocks)


def paragraph(text: str, marks: Marks) -> str:
    """A markdown text that is one paragraph, as one line; whatever else it is, it is taken for a line of words and code."""
    root = markdown.tree(text)
    is_one = [node.type for node in root.children] == ["paragraph"]
    return marks.written(root.children[0].children[0]) if is_one else marks.line(text)


def indented(text: str, width: int) -> str:
    """A text whose lines after the first one are moved in."""
    return "\n".join(" " * width * bool(line and index) + line for index, line in enumerate(text.split("\n")))


@dataclass(frozen=True, slots=True)
class _Writer:
    marks: Marks
    shift: int

    def blocks(self, nodes: Iterable[SyntaxTreeNode]) -> Iterator[Block]:
        """Every one of these blocks that shows something."""
        before, is_other = "", False
        for child in nodes:
            kind = child.type
            is_other = kind == before and not is_other
            told = _BLOCKS[kind](self, child, is_other) if kind in _BLOCKS else ""
            if told:
                before = kind
                yield Block(child, told)

    def line(self, node: SyntaxTreeNode) -> str:
        return self.marks.written(node.children[0]) if node.children else ""

    def paragraph(self, node: SyntaxTreeNode, _: bool) -> str:
        return self.line(node)

    def heading(self, node: SyntaxTreeNode, _: bool) -> str:
        line = self.line(node)
        return self.marks.heading(self.level(node), line) if line else ""

    def level(self, heading: SyntaxTreeNode) -> int:
        return min(max(_level(heading) + self.shift, 1), _DEEPEST)

    def list_(self, node: SyntaxTreeNode, is_other: bool) -> str:
        """The items that say something: empty bullets in a row would be a rule."""
        told = [content for item in node.children if (content := self._content(item))]
        numbers = repeat(None) if node.type == "bullet_list" else count(_first(node))
        marks = (self.marks.item(number, is_other=is_other) for number in numbers)
        is_tight = _is_tight(node) and not any("\n\n" in content for content in told)
        items = (f"{mark} {indented(content, len(mark) + 1)}" for mark, content in zip(marks, told, strict=False))
        return ("\n" if is_tight else "\n\n").join(items)

    def _content(self, item: SyntaxTreeNode) -> str:
        told = ""
        for part in self.blocks(item.children):
            told += ("\n" if _is_tight(item) and _interrupts(part.node) else "\n\n") * bool(told) + part.text
        return told

    def quotation(self, node: SyntaxTreeNode, _: bool) -> str:
        told = joined(self.blocks(node.children))
        return "\n".join(f"> {line}".rstrip() for line in told.split("\n")) if told else ""

    def code(self, node: SyntaxTreeNode, _: bool) -> str:
        return self.marks.code_block(node.content, (node.info.split() or [""])[0])

    def html(self, node: SyntaxTreeNode, _: bool) -> str:
        return self.marks.text(node.content)

    def rule(self, _node: SyntaxTreeNode, _: bool) -> str:
        return self.marks.rule()

    def table(self, node: SyntaxTreeNode, _: bool) -> str:
        head, *rows = (row.children for part in node.children for row in part.children)
        styles = (str(cell.attrs.get("style")) for cell in head)
        return self.marks.table([*map(self.line, head)], styles, ([*map(self.line, row)] for row in rows))


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


def _headings(nodes: Iterable[SyntaxTreeNode]) -> Iterator[SyntaxTreeNode]:
    for node in nodes:
        if node.type == "heading":
            yield node
        elif node.type != "inline":
            yield from _headings(node.children)


def _level(heading: SyntaxTreeNode) -> int:
    return int(heading.tag[1])


def _said(heading: SyntaxTreeNode) -> str:
    words = (child.content for child in heading.walk() if child.type in {"text", "code_inline"})
    return " ".join("".join(words).split())


def _first(node: SyntaxTreeNode) -> int:
    """The number of the first item of a list."""
    return int(node.attrs.get("start", 1))


def _interrupts(node: SyntaxTreeNode) -> bool:
    """Whether a block is a list that may stand right below the words of the item that it belongs to."""
    return node.type in _LISTS and _first(node) == 1


def _is_tight(node: SyntaxTreeNode) -> bool:
    """Whether a list, or an item, has no blank lines between its blocks; the parser hides paragraphs then."""
    items = node.children if node.type in _LISTS else [node]
    return all(block.hidden for item in items for block in item.children if block.type == "paragraph")
