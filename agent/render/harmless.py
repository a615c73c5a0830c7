"""Words that a forge would act on, taken out of its reach, and linked where that is safe (Describe Changes: relations).

What must not act becomes inline code: forges look for nobody in code, and a reader reads the same. An entity would not do,
since they look at what is shown; a zero-width character would, but we let none through; a link can close an issue all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby

from agent.render.forge_links import Links
from agent.render.forge_words import FAR, Word, WordKind, closes, words


class PieceKind(Enum):
    """What a piece of a line is."""

    TEXT = auto()
    CODE = auto()
    EMPHASIS = auto()
    """A mark as it is written."""
    LINK = auto()
    """The start of a link, or its end: then its text is where it leads."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a line, not yet escaped."""

    kind: PieceKind
    text: str = ""

    @property
    def said(self) -> str:
        """What a reader reads."""
        return self.text if self.kind in {PieceKind.TEXT, PieceKind.CODE} else ""

    @property
    def before(self) -> str:
        """What it puts before the words that follow, which it parts from others where a forge does."""
        if self.kind is PieceKind.LINK:
            return " "
        return f" {self.text} " if self.kind is PieceKind.CODE else self.text

    @property
    def opens_link(self) -> bool:
        """Whether what follows is the text of a link."""
        return self.kind is PieceKind.LINK and not self.text


@dataclass(frozen=True, slots=True)
class Target:
    """What a text is written for: a forge that its links may lead to, and where an inline code leads that names a place."""

    links: Links | None = None
    place: Callable[[str], str | None] = lambda _: None

    def may_lead(self, address: str) -> bool:
        """Whether a link may lead to an address."""
        return self.links is not None and self.links.lead_to(address)


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces that say something, neighbours of one kind as one: words go across them, and two code spans would be none."""
    found: list[Piece] = []
    for kind, group in groupby(filter(_is_there, pieces), key=lambda piece: piece.kind):
        parts = list(group)
        is_whole = kind is PieceKind.LINK or len(parts) == 1
        found += parts if is_whole else [Piece(kind, "".join(part.text for part in parts))]
    return found


def _is_there(piece: Piece) -> bool:
    return bool(piece.text) or piece.opens_link


def settled(pieces: Iterable[Piece], target: Target) -> list[Piece]:
    """The pieces with nothing in them that a forge acts on, and with links to what it knows.

    What becomes code or a link can leave beside it what is a word only now; each round leaves less text to look at.
    """
    found = merged(pieces)
    while (told := list(_harmless(found, target))) != found and (joined := merged(told)) != found:
        found = joined
    return found


def _harmless(pieces: Iterable[Piece], target: Target) -> Iterator[Piece]:
    said, is_linked = "", False
    for piece in pieces:
        if piece.kind is PieceKind.LINK:
            is_linked = piece.opens_link
        if piece.kind is PieceKind.TEXT:
            yield from _text(piece.text, said, target, is_linked=is_linked)
        elif piece.kind is PieceKind.CODE and not is_linked:
            yield from _linked(piece, target.place(piece.text))
        else:
            yield piece
        said = (said + piece.before)[-FAR:]


def _text(text: str, said: str, target: Target, *, is_linked: bool) -> Iterator[Piece]:
    done = 0
    for word in words(text):
        yield Piece(PieceKind.TEXT, text[done : word.start])
        done = word.start + len(word.text)
        if _is_harmful(word, said + text[max(0, word.start - FAR) : word.start], target, is_linked=is_linked):
            yield Piece(PieceKind.CODE, word.text)
        else:
            yield from _linked(Piece(PieceKind.TEXT, word.text), None if is_linked else _address(word, target))
    yield Piece(PieceKind.TEXT, text[done:])


def _is_harmful(word: Word, before: str, target: Target, *, is_linked: bool) -> bool:
    if word.kind is WordKind.REFERENCE:
        return closes(before)
    if word.kind is WordKind.ADDRESS:
        return not is_linked and (closes(before) or not target.may_lead(word.text))
    return True


def _address(word: Word, target: Target) -> str | None:
    if word.kind is WordKind.ADDRESS:
        return word.text
    return target.links.identifier(word.text) if target.links else None


def _linked(piece: Piece, address: str | None) -> list[Piece]:
    return [Piece(PieceKind.LINK), piece, Piece(PieceKind.LINK, address)] if address else [piece]
