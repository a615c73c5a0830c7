"""The shared normaliser: text as a reader sees it, with the way back to the characters that were written.

Matching is done on folded text, replacing on the raw one; nothing folded is ever shown (Intent Changesets 11.7).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
HIDDEN: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that take no ink: format and default-ignorable characters, fillers, and separators that break lines unseen."""

_UNSEEN: Final = re.compile(f"[{CONTROLS}{HIDDEN}]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_PLAIN: Final = re.compile(r"[\t\n\r\x20-\x7e]*")
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile(r"[A-Za-z0-9]")
_LOOK_ALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјкорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικορυντℓıɑɡ",
    "ABESIJKMHOPCTYXaesijkopcyxhdqwABEZHIKMNOPTYXaikopuvtliag",
)
"""Cyrillic, Greek and Latin letters that are drawn like a basic Latin one."""


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `origins[i]` is the raw index of the character that gave `text[i]`, None when nothing moved."""

    text: str = field(repr=False)
    origins: Sequence[int] | None = field(repr=False)
    length: int
    """Of the raw text, in characters."""

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """The raw range behind a folded one; hidden characters inside it belong to it."""
        if self.origins is None:
            return start, end
        return self.origins[start], (self.origins[end - 1] + 1 if end > start else self.origins[start])


def encodable(text: str) -> str:
    """`text` with lone surrogates as replacement characters, one for one: native engines take no others."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def is_plain(text: str) -> bool:
    """Whether `text` is visible ASCII, tabs and line ends only: then folding moves nothing."""
    return _PLAIN.fullmatch(text) is not None


def fold(text: str, *, case: bool = False) -> Folded:
    """`text` in compatibility form, without hidden characters and accents, look-alikes in mixed words made Latin.

    With `case`, also casefolded.
    """
    if is_plain(text):
        return Folded(text.lower() if case else text, None, len(text))
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(text):
        if character.isascii() and character.isprintable():
            characters.append(character)
            origins.append(index)
            continue
        for piece in unicodedata.normalize("NFKD", character):
            if not (_UNSEEN.match(piece) or unicodedata.combining(piece)):
                characters.append(piece)
                origins.append(index)
    folded = _latin_words("".join(characters))
    return _casefolded(folded, origins, len(text)) if case else Folded(folded, origins, len(text))


def _latin_words(text: str) -> str:
    """Look-alikes replaced in each word that also holds a Latin letter or digit; a word of one other script stays."""

    def latin(match: re.Match[str]) -> str:
        word = match[0]
        return word.translate(_LOOK_ALIKES) if not word.isascii() and _LATIN.search(word) else word

    return _WORD.sub(latin, text)


def _casefolded(text: str, origins: list[int], length: int) -> Folded:
    """Casefold, where one character may become several."""
    lowered = text.casefold()
    if len(lowered) == len(text):
        return Folded(lowered, origins, length)
    pieces = [(piece, origin) for character, origin in zip(text, origins, strict=True) for piece in character.casefold()]
    return Folded("".join(piece for piece, _ in pieces), [origin for _, origin in pieces], length)
