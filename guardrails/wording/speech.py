"""Which scripts a text is in, and which language of Europe: by its letters and its smallest words. Only clear cases count."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

LATIN: Final = "LATIN"
ENGLISH: Final = "en"

_WORD: Final = re.compile(r"[^\W\d_]+")
_IDEOGRAPHS: Final = "CJK"
_KIN: Final = dict.fromkeys(("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO"), _IDEOGRAPHS)
"""Scripts that stand side by side in one language."""
_WEIGHTS: Final = {_IDEOGRAPHS: 4, "HANGUL": 2}
"""A sign of these says as much as so many letters."""
_ENOUGH: Final = 12
_MAIN: Final = 0.75
_PART: Final = 0.15
"""Of a text with enough letters the script of so large a part is its own; a script of so large a part is spoken in it."""
_CLEAR: Final = 4
"""So many small words tell a language, when no other has half as many."""
_SMALL_WORDS: Final = {
    ENGLISH: "the and of to is are was were be been it its this that these with for from by on not when which will has had",
    "de": "der die das den dem des und ist sind wird werden wurde nicht mit für von auf ein eine einen einer beim zum zur auch",
    "fr": "le les des est sont était été et une dans avec sur qui que ne pas du aux cette ces lorsque être ont au par",
    "es": "el los las es son fue y una con que se del al cuando más esta este estos sin han ser para por",
    "it": "gli è sono e una con che si del della dei delle nel nella quando più questo questa alla viene il di da",
    "pt": "os é são foi e uma com que não se da dos das na quando mais este esta ao em um para por ser",
    "nl": "de het een en zijn werd wordt worden niet met voor van op bij naar dat deze wanneer aan ook er",
}


def _by_word() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language, words in _SMALL_WORDS.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), language)
    return found


_LANGUAGES: Final = _by_word()


@dataclass(frozen=True, slots=True)
class Speech:
    """How much of each script there is in a text, and how many small words of each language."""

    letters: Counter[str]
    small: Counter[str]

    @classmethod
    def of(cls, text: str) -> Speech:
        """Count a text. Linear."""
        return cls(_letters(text), Counter(one for word in words(text.lower()) for one in _LANGUAGES.get(word, ())))

    @classmethod
    def together(cls, some: Iterable[Speech]) -> Speech:
        """Several texts as one."""
        letters, small = Counter[str](), Counter[str]()
        for one in some:
            letters.update(one.letters)
            small.update(one.small)
        return cls(letters, small)

    @property
    def script(self) -> str | None:
        """The one script of a text with enough letters; None where it is short or mixed."""
        total = self.letters.total()
        return next((one for one, count in self.letters.items() if total >= _ENOUGH and count >= _MAIN * total), None)

    @property
    def scripts(self) -> frozenset[str]:
        """Every script that has its part in the text."""
        least = _PART * self.letters.total()
        return frozenset(one for one, count in self.letters.items() if count >= least)

    @property
    def language(self) -> str | None:
        """The language whose small words stand out; None where none does."""
        (first, most), (_, second) = (*self.small.most_common(2), ("", 0), ("", 0))[:2]
        return first if most >= _CLEAR and most >= 2 * second else None


def words(text: str) -> list[str]:
    """The words of a text: runs of letters."""
    return _WORD.findall(text)


def _letters(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for character, count in Counter(text).items():
        script = _script(character)
        if script is not None:
            found[script] += count * _WEIGHTS.get(script, 1)
    return found


@lru_cache(maxsize=4096)
def _script(character: str) -> str | None:
    """The script of a letter, as the first word of its name has it."""
    if not character.isalpha():
        return None
    script = unicodedata.name(character, "").partition(" ")[0]
    return _KIN.get(script, script) or None
