"""The shared normaliser: text as a reader sees it, with the way back to the characters that were written.

Matching is done on folded text, replacing on the raw one; nothing folded is ever shown (Intent Changesets 11.7).
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Final

CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
HIDDEN: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that take no ink: format and default-ignorable characters, fillers, and separators that break lines unseen."""

_UNSEEN: Final = re.compile(f"[{CONTROLS}{HIDDEN}\ud800-\udfff]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_ODD: Final = re.compile(r"[^\t\n\r\x20-\x7e]")
_ODD_WORD: Final = re.compile(r"[^\t\n\r\x20-\x2f:-@\[-^`{-~]+")
_WORD_LETTERS: Final = string.ascii_letters + string.digits + "_"
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile(r"[A-Za-z0-9]")
LOOK_ALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјкорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικορυντℓıɑɡ",
    "ABESIJKMHOPCTYXaesijkopcyxhdqwABEZHIKMNOPTYXaikopuvtliag",
)
"""Cyrillic, Greek and Latin letters that are drawn like a basic Latin one."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in another form, in pieces: where each begins here (`places`) and in the raw text (`origins`), and how many raw
    characters one of its characters stands for (`units`).
    """

    text: str = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    origins: tuple[int, ...] = field(repr=False)
    units: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, pieces: Iterable[tuple[str, int, int]]) -> Folded:
        """Put together from texts with their origins and units."""
        kept = [piece for piece in pieces if piece[0]]
        places = accumulate((len(text) for text, _, _ in kept), initial=0)
        texts, origins, units = zip(*kept, strict=True) if kept else ((), (0,), (1,))
        return cls("".join(texts), tuple(places)[: len(origins)], origins, units)

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """The raw range behind a range of this text; what is left out inside it belongs to it."""
        return self._origin(start), (self._origin(end - 1, after=1) if end > start else self._origin(start))

    def _origin(self, position: int, *, after: int = 0) -> int:
        piece = bisect_right(self.places, position) - 1
        return self.origins[piece] + (position + after - self.places[piece]) * self.units[piece]


def encodable(text: str) -> str:
    """`text` with lone surrogates as replacement characters, one for one: native engines take no others."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def is_plain(text: str) -> bool:
    """Whether `text` is visible ASCII, tabs and line ends only: then folding moves nothing."""
    return _ODD.search(text) is None


def fold(text: str, *, case: bool = False, odd_lines: bool = False) -> Folded:
    """`text` in compatibility form, without hidden characters and accents, look-alikes in mixed words made Latin.

    With `case`, also casefolded; with `odd_lines`, without the lines that folding would leave alone.
    """
    if is_plain(text) and not odd_lines:
        return Folded(text.lower() if case else text, (0,), (0,), (1,))
    pieces: list[tuple[str, int, int]] = []
    done = 0
    for start, stop in _odd_words(text):
        plain = text[done:start]
        kept = _ends(plain, done, has_before=done > 0) if odd_lines else ((plain, done),)
        pieces += ((part.lower() if case else part, origin, 1) for part, origin in kept)
        pieces += _folded(text[start:stop], start, case=case)
        done = stop
    rest = text[done:]
    if odd_lines:
        rest = rest.partition("\n")[0] if done else ""
    pieces.append((rest.lower() if case else rest, done, 1))
    return Folded.of(pieces)


def _odd_words(text: str) -> Iterator[tuple[int, int]]:
    """Each run of word characters and odd ones that holds an odd one: what is folded does not depend on what is around it."""
    done = 0
    while odd := _ODD.search(text, done):
        start = done + len(text[done : odd.start()].rstrip(_WORD_LETTERS))
        match = _ODD_WORD.match(text, odd.start())
        done = match.end() if match else odd.end()
        yield start, done


def _ends(plain: str, origin: int, *, has_before: bool) -> Iterator[tuple[str, int]]:
    """What a text between two odd words has in their lines."""
    first, last = plain.find("\n"), plain.rfind("\n")
    if first == last and (has_before or first < 0):
        yield plain, origin
        return
    if has_before:
        yield plain[:first], origin
    yield plain[last:], origin + last


def _folded(word: str, origin: int, *, case: bool) -> Iterator[tuple[str, int, int]]:
    """The folded characters of an odd word with their origins: in one piece where each comes from one raw character."""
    shown = [_compatible(character) for character in word]
    latin = _latin_words("".join(shown))
    cased = latin.casefold() if case else latin
    if len(cased) == len(latin) and all(len(characters) == 1 for characters in shown):
        yield cased, origin, 1
        return
    origins = (origin + index for index, characters in enumerate(shown) for _ in characters)
    for character, place in zip(latin, origins, strict=True):
        yield from ((piece, place, 1) for piece in (character.casefold() if case else character))


@lru_cache(maxsize=1 << 14)
def _compatible(character: str) -> str:
    """A character in compatibility form, as far as it is seen; an accent by itself is left out."""
    pieces = character if character.isascii() else unicodedata.normalize("NFKD", character)
    return "".join(piece for piece in pieces if not (_UNSEEN.match(piece) or unicodedata.combining(piece)))


def _latin_words(text: str) -> str:
    """Look-alikes replaced in each word that also holds a Latin letter or digit; a word of one other script stays."""

    def latin(match: re.Match[str]) -> str:
        word = match[0]
        return word.translate(LOOK_ALIKES) if not word.isascii() and _LATIN.search(word) else word

    return text if text.isascii() else _WORD.sub(latin, text)
