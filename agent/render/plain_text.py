"""Markdown as plain text: what a page says, without the marks it says it with (Describe Changes: there is no third format)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from agent.render.pages import indented
from guardrails import markdown
from guardrails.markdown import BlockKind

_HEADING: Final = re.compile(r"\n\n(?=#{1,6} )")
_FENCES: Final = ("```", "~~~")
_ALONE: Final = re.compile(r"^ {0,3}(?:<(?:[!?]|script|pre|style|textarea)|\[[^\]\n]{1,999}\]:)", re.IGNORECASE | re.MULTILINE)
"""What reaches over headings: HTML that has an end of its own, and where links lead."""
_UNDERLINES: Final = {"h1": "=", "h2": "-", "h3": "~"}
_RULE: Final = "-" * 3


def plain(text: str) -> str:
    """The plain text of markdown, ending in one line break; nothing in it is escaped, and its lines are as long as they are."""
    return "\n\n".join(filter(None, map(_blocks, map(markdown.tree, _sections(text))))) + "\n"


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


def _blocks(node: SyntaxTreeNode, gap: str = "\n\n") -> str:
    told = (_BLOCKS[child.type](child) for child in node.children if child.type in _BLOCKS)
    return gap.join(filter(None, told))


def _line(node: SyntaxTreeNode) -> str:
    return "".join(_said(node)).strip()


def _said(node: SyntaxTreeNode) -> Iterator[str]:
    """The words in a node; where a link leads stands behind its own words."""
    for child in node.children:
        if child.type in _WORDS:
            yield _WORDS[child.type](child)
        else:
            told = "".join(_said(child))
            address = str(child.attrs.get("href") or child.attrs.get("src") or "")
            yield f"{told} <{address}>" if address and address != told else told


_WORDS: Final[dict[str, Callable[[SyntaxTreeNode], str]]] = {
    "text": lambda node: node.content,
    "code_inline": lambda node: node.content,
    "html_inline": lambda node: node.content,
    "softbreak": lambda _: " ",
    "hardbreak": lambda _: "\n",
}


def _heading(node: SyntaxTreeNode) -> str:
    told = _line(node)
    return f"{told}\n{_UNDERLINES[node.tag] * max(len(told), 3)}" if told and node.tag in _UNDERLINES else told


def _list(node: SyntaxTreeNode) -> str:
    is_tight = all(block.hidden for item in node.children for block in item.children if block.type == "paragraph")
    gap = "\n" if is_tight else "\n\n"
    told = [content for item in node.children if (content := _blocks(item, gap))]
    first = int(node.attrs.get("start", 1))
    marks = ("-" if node.type == "bullet_list" else f"{first + index}." for index in range(len(told)))
    return gap.join(f"{mark} {indented(content, len(mark) + 1)}" for mark, content in zip(marks, told, strict=True))


def _quotation(node: SyntaxTreeNode) -> str:
    told = _blocks(node)
    return "\n".join(f"> {line}".rstrip() for line in told.split("\n")) if told else ""


def _table(node: SyntaxTreeNode) -> str:
    head, *rows = (" | ".join(map(_line, row.children)).rstrip() for part in node.children for row in part.children)
    return "\n".join((head, "-" * len(head), *rows))


_BLOCKS: Final[dict[str, Callable[[SyntaxTreeNode], str]]] = {
    "paragraph": _line,
    "heading": _heading,
    "bullet_list": _list,
    "ordered_list": _list,
    "blockquote": _quotation,
    "fence": lambda node: "    " + indented(node.content.rstrip("\n"), 4),
    "code_block": lambda node: "    " + indented(node.content.rstrip("\n"), 4),
    "html_block": lambda node: node.content.rstrip("\n"),
    "hr": lambda _: _RULE,
    "table": _table,
}
