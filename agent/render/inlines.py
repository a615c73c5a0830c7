"""A line of markdown, written again from the parser's tree so that it does nothing but be read (Describe Changes: fields).

Text stays text: no HTML, no image, nobody called, nothing closed. Links lead to the forge only; what the forge knows is linked.
Whoever writes no markdown takes what the line says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from agent.render import escaping, harmless
from agent.render.forge_words import FAR, closes
from agent.render.harmless import Piece, PieceKind, Target
from guardrails import markdown

_EMPHASIS: Final = {"em": "*", "strong": "**", "s": "~~"}
_WRITTEN: Final[dict[PieceKind, Callable[[Piece], str]]] = {
    PieceKind.TEXT: lambda piece: escaping.escaped(piece.text),
    PieceKind.CODE: lambda piece: escaping.code(piece.text),
    PieceKind.EMPHASIS: lambda piece: piece.text,
    PieceKind.LINK: lambda piece: f"]({escaping.address(piece.text)})" if piece.text else "[",
}


def line(text: str, target: Target) -> str:
    """A text whose only markup is inline code (a title, a note) as one line of markdown."""
    return written(markdown.plain_line(escaping.flat(text)), target)


def text(said: str, target: Target) -> str:
    """A text without any markup as one line of markdown."""
    return _told([Piece(PieceKind.TEXT, escaping.flat(said))], target)


def written(node: SyntaxTreeNode, target: Target) -> str:
    """What stands in `node` as one line of markdown."""
    return _told(_pieces(node, target), target)


def said(node: SyntaxTreeNode) -> str:
    """What a reader reads of `node`, where nothing leads anywhere: one line without any marks."""
    return escaping.flat("".join(piece.said for piece in _pieces(node, Target()))).strip()


def _pieces(node: SyntaxTreeNode, target: Target) -> list[Piece]:
    run = _Run(target)
    run.take(node.children)
    return run.pieces


def _told(pieces: list[Piece], target: Target) -> str:
    """The line with its emphasis; without, where its marks would no longer be read as such beside what is written now."""
    found = harmless.settled(pieces, target)
    told = _joined(found)
    if any(piece.kind is PieceKind.EMPHASIS for piece in found) and _read(told) != _said(found):
        return _joined(harmless.settled((piece for piece in found if piece.kind is not PieceKind.EMPHASIS), target))
    return told


def _said(pieces: Iterable[Piece]) -> list[str]:
    return "".join(piece.said for piece in pieces).split()


def _read(told: str) -> list[str]:
    return " ".join(block.plain for block in markdown.blocks(told)).split()


def _joined(pieces: list[Piece]) -> str:
    told = [_WRITTEN[piece.kind](piece) for piece in pieces]
    for index, (piece, follower) in enumerate(pairwise(pieces)):
        if piece.kind is PieceKind.TEXT and piece.text.endswith("!") and follower.opens_link:
            told[index] = f"{told[index][:-1]}\\!"  # or it would be an image
    return escaping.at_start(escaping.at_end("".join(told).strip(" \t")))


@dataclass(slots=True)
class _Run:
    """The pieces of one line as they are collected."""

    target: Target
    pieces: list[Piece] = field(default_factory=list)
    said: str = ""
    is_linked: bool = False

    def take(self, nodes: Iterable[SyntaxTreeNode]) -> None:
        for node in nodes:
            _TAKES.get(node.type, _Run.take_children)(self, node)

    def take_children(self, node: SyntaxTreeNode) -> None:
        self.take(node.children)

    def take_text(self, node: SyntaxTreeNode) -> None:
        self._add(PieceKind.TEXT, escaping.flat(node.content))

    def take_code(self, node: SyntaxTreeNode) -> None:
        self._add(PieceKind.CODE, node.content)

    def take_break(self, _: SyntaxTreeNode) -> None:
        self._add(PieceKind.TEXT, " ")

    def take_emphasis(self, node: SyntaxTreeNode) -> None:
        self._add(PieceKind.EMPHASIS, _EMPHASIS[node.type])
        self.take(node.children)
        self._add(PieceKind.EMPHASIS, _EMPHASIS[node.type])

    def take_link(self, node: SyntaxTreeNode) -> None:
        address = str(node.attrs.get("href", ""))
        if self.is_linked or not self.target.may_lead(address) or closes(self.said) or not _visible(node):
            self._tell(node, address)
            return
        self.is_linked = True
        self.pieces.append(Piece(PieceKind.LINK))
        self.take(node.children)
        self.pieces.append(Piece(PieceKind.LINK, address))
        self.is_linked = False

    def take_image(self, node: SyntaxTreeNode) -> None:
        self._tell(node, str(node.attrs.get("src", "")))

    def _tell(self, node: SyntaxTreeNode, address: str) -> None:
        """The words of a link that leads nowhere here, and its address as code."""
        if _visible(node) in {"", address}:
            self._add(PieceKind.CODE, address)
            return
        self.take(node.children)
        for kind, text in ((PieceKind.TEXT, " ("), (PieceKind.CODE, address), (PieceKind.TEXT, ")")) if address else ():
            self._add(kind, text)

    def _add(self, kind: PieceKind, text: str) -> None:
        self.pieces.append(Piece(kind, text))
        self.said = (self.said + self.pieces[-1].before)[-FAR:]


_TAKES: Final[dict[str, Callable[[_Run, SyntaxTreeNode], None]]] = {
    "text": _Run.take_text,
    "html_inline": _Run.take_text,
    "code_inline": _Run.take_code,
    "softbreak": _Run.take_break,
    "hardbreak": _Run.take_break,
    "link": _Run.take_link,
    "image": _Run.take_image,
    **dict.fromkeys(_EMPHASIS, _Run.take_emphasis),
}


def _visible(node: SyntaxTreeNode) -> str:
    return "".join(child.content for child in node.walk() if child.type in {"text", "code_inline"})
