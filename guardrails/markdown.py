"""Markdown as its readers parse it: CommonMark, and the tables and strike-through that forges add (Describe Changes: fields).

Text is parsed and never rendered: HTML in it is told as HTML and nothing of it is run. What no page shows is told where the
parser tells it: comments and link definitions, not the cells that a table has too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

DEPTH: Final = 100
"""How deep lists and quotes are followed; an item of a list takes two levels."""
OPEN: Final = 20
"""How many brackets may be open at once in one block."""
MAX_LENGTH: Final = 256 * 1024
"""Longer than this no text is read: no forge would show it."""
_MOST_BRACKETS: Final = 20_000
_REMEMBERED: Final = 128
"""How many texts are remembered, so that those of a release are parsed once, however many checks and pages go through them."""


class BlockKind(StrEnum):
    """What a block is that holds text and no other block."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CODE = "code"
    """Fenced or indented."""
    CELL = "cell"
    """One cell of a table."""
    RULE = "rule"
    HTML = "html"
    DEFINITION = "definition"
    """`[label]: address`; it shows nothing by itself."""
    UNCLOSED = "unclosed"
    """A fence that nothing closes: it takes all that follows in what it stands in."""
    TOO_DEEP = "too-deep"
    """Stands last where something is nested deeper than is read, or there is more of it."""


class InlineKind(StrEnum):
    """What a piece of a block's text is. Marks that stand around text come before it and hold no text themselves."""

    TEXT = "text"
    CODE = "code"
    HTML = "html"
    EMPHASIS = "emphasis"
    STRONG = "strong"
    STRIKE = "strike"
    LINK = "link"
    AUTOLINK = "autolink"
    """An address in angle brackets."""
    IMAGE = "image"
    BREAK = "break"
    """The end of a line in the source; two blanks or a back slash before it make no difference here."""


class ContainerKind(StrEnum):
    """What blocks can stand in."""

    ITEM = "item"
    """One item of a list."""
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Inline:
    """One piece of text: what it says without its marks (an image: its alternative text), and where a link or image leads."""

    kind: InlineKind
    text: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Container:
    """One item or quotation; `number` tells two of the same kind apart."""

    kind: ContainerKind
    number: int


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its source without the marks of containers, the 1-based line it begins at, and what it stands in.

    Containers stand outermost first. `level` is that of a heading. Verbatim blocks (code, HTML) have no inlines.
    """

    kind: BlockKind
    text: str
    line: int
    within: tuple[Container, ...] = ()
    inlines: tuple[Inline, ...] = ()
    level: int = 0

    @property
    def plain(self) -> str:
        """The text as it is read: without marks, images and HTML."""
        says = {InlineKind.TEXT, InlineKind.CODE, InlineKind.BREAK}
        return "".join(piece.text for piece in self.inlines if piece.kind in says) if self.inlines else self.text


def _read_inlines(state: StateCore) -> None:
    """Read the text of each block, unless its brackets are a tangle: then it is told as it stands.

    For each bracket the parser tries all that are open around it, and misses links and images where they are too many.
    """
    brackets = 0
    for token in state.tokens:
        if token.type != "inline":
            continue
        own = token.content.count("[")
        brackets += own
        if brackets > _MOST_BRACKETS or (own > OPEN and _open_at_once(token.content) > OPEN):
            token.children = [Token("text", "", 0, content=token.content)]
            token.meta = {_TANGLED: True}
        else:
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _open_at_once(text: str) -> int:
    """How many square brackets are open at once at most."""
    steps = (1 if mark == "[" else -1 for mark in text if mark in "[]")
    return max(accumulate(steps, lambda depth, step: max(depth + step, 0), initial=0))


_TANGLED: Final = "tangled"
_PARSER: Final = MarkdownIt("commonmark", {"maxNesting": DEPTH, "inline_definitions": True}).enable(["table", "strikethrough"])
_PARSER.core.ruler.at("inline", _read_inlines)
_BLOCK_PARSER: Final = MarkdownIt("commonmark", {"maxNesting": 40, "inline_definitions": True}).enable("table")
_BLOCK_PARSER.disable(["inline", "text_join"])
_LINE_PARSER: Final = MarkdownIt("zero").enable(["backticks", "escape"])
_CONTAINERS: Final = {"list_item": ContainerKind.ITEM, "blockquote": ContainerKind.QUOTE}
_HOLDING_TEXT: Final = {
    "paragraph_open": BlockKind.PARAGRAPH,
    "heading_open": BlockKind.HEADING,
    "th_open": BlockKind.CELL,
    "td_open": BlockKind.CELL,
}
_VERBATIM: Final = {
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "hr": BlockKind.RULE,
    "html_block": BlockKind.HTML,
    "definition": BlockKind.DEFINITION,
}
_INLINES: Final = {
    "text": InlineKind.TEXT,
    "code_inline": InlineKind.CODE,
    "html_inline": InlineKind.HTML,
    "em_open": InlineKind.EMPHASIS,
    "strong_open": InlineKind.STRONG,
    "s_open": InlineKind.STRIKE,
    "link_open": InlineKind.LINK,
    "image": InlineKind.IMAGE,
    "softbreak": InlineKind.BREAK,
    "hardbreak": InlineKind.BREAK,
}


@lru_cache(maxsize=_REMEMBERED)
def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a markdown text, in order. Any text is markdown; what is nested too deep or too long ends in `TOO_DEEP`."""
    if len(text) > MAX_LENGTH:
        return (Block(BlockKind.TOO_DEEP, "", 1),)
    return tuple(_blocks(_parsed(text)))


@lru_cache(maxsize=_REMEMBERED)
def tree(text: str) -> SyntaxTreeNode:
    """The root of the parser's own tree, for who writes the text again: there, a mark stands around what it marks.

    It is read and never changed: pages of one text share it.
    """
    return SyntaxTreeNode(_parsed(text))


@lru_cache(maxsize=_REMEMBERED)
def _parsed(text: str) -> list[Token]:
    """What the parser reads in a text, once for its blocks and its tree."""
    return _PARSER.parse(text)


def outline(text: str) -> tuple[Block, ...]:
    """The blocks alone, without inlines. For text of any length by anybody: marks in a line can be made to take very long."""
    return tuple(_blocks(_BLOCK_PARSER.parse(text)))


def skeleton(text: str) -> SyntaxTreeNode:
    """The tree of the blocks alone, as `outline`."""
    return SyntaxTreeNode(_BLOCK_PARSER.parse(text))


@lru_cache(maxsize=_REMEMBERED)
def plain_line(text: str) -> SyntaxTreeNode:
    """The tree of a text whose only markup is inline code, such as a title: all else in it is what it looks like.

    As with `tree`, it is never changed.
    """
    return SyntaxTreeNode(_LINE_PARSER.parseInline(text)).children[0]


def inlines(found: Iterable[Block]) -> Iterator[Inline]:
    """Every piece of text in these blocks, in order."""
    for block in found:
        yield from block.inlines


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    within: list[Container] = []
    kind, level, line, deepest = BlockKind.PARAGRAPH, 0, 1, 0
    for number, token in enumerate(tokens):
        deepest = max(deepest, token.level)
        line = token.map[0] + 1 if token.map else line
        name, _, side = token.type.rpartition("_")
        if name in _CONTAINERS and side == "open":
            within.append(Container(_CONTAINERS[name], number))
        elif name in _CONTAINERS:
            within.pop()
        elif token.type in _HOLDING_TEXT:
            kind, level = _HOLDING_TEXT[token.type], int(token.tag[1]) if token.type == "heading_open" else 0
        elif token.type == "inline":
            yield Block(kind, token.content, line, tuple(within), tuple(_inlines(token.children or [])), level)
            deepest = DEPTH if _TANGLED in token.meta else deepest
        elif token.type in _VERBATIM:
            kind = BlockKind.UNCLOSED if _is_unclosed(token) else _VERBATIM[token.type]
            yield Block(kind, token.content or str(token.meta.get("url", "")), line, tuple(within))
    if deepest >= DEPTH - 1:
        yield Block(BlockKind.TOO_DEEP, "", line)


def _is_unclosed(token: Token) -> bool:
    """Whether a fence takes up only one line more than its content: that which opens it."""
    first, last = token.map or (0, 0)
    lines = token.content.removesuffix("\n").count("\n") + 1 if token.content else 0
    return token.type == "fence" and last - first < lines + 2


def _inlines(tokens: list[Token]) -> Iterator[Inline]:
    for token in tokens:
        if token.type in _INLINES and (token.content or token.type != "text"):
            kind = InlineKind.AUTOLINK if token.info == "auto" else _INLINES[token.type]
            text = "\n" if kind is InlineKind.BREAK else token.content
            yield Inline(kind, text, str(token.attrs.get("href") or token.attrs.get("src") or ""))
