"""What a forge reads in plain text and acts on: addresses, names to call, numbers, commits, words that close (evidraft).

Wider than any one forge, since too much of it costs a code span and too little of it calls a stranger or closes an issue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


class WordKind(StrEnum):
    """What a forge would make of a word."""

    ADDRESS = "address"
    """It becomes a link."""
    CALL = "call"
    """Somebody of that name is called, or a mail address becomes a link."""
    REFERENCE = "reference"
    """An issue, a request or a commit; after a word that closes, it is closed."""


@dataclass(frozen=True, slots=True)
class Word:
    """One such word, and where it stands."""

    kind: WordKind
    text: str
    start: int


_WORDS: Final = re.compile(
    r"""(?a)
  (?P<address>(?i:(?:https?|ftp)://|(?<![0-9A-Za-z])www\.)[^\s<>`]{1,2000})
| (?P<call>[\w.+-]{0,64}@[0-9A-Za-z](?:[\w./@-]{0,200}\w)?)
| (?P<reference>
    (?<![\w./-])[\w.-]{1,100}(?:/[\w.-]{1,100}){1,20}[#!]\d{1,9}(?!\w)
  | (?<![\w&#/!])(?:[#!]\d{1,9}){1,99}(?!\w)
  | (?<![\w-])GH-\d{1,9}(?!\w)
  | (?<![\w-])[A-Z][A-Z0-9_]{1,30}-\d{1,9}(?![\w-])
  | (?<![\w./#-])(?=[0-9]{0,63}[a-f])(?=[a-f]{0,63}[0-9])[0-9a-f]{7,64}(?![\w/-]))
""",
    re.VERBOSE,
)
_TELLS: Final = re.compile(r"[@0-9]|://|www\.", re.IGNORECASE)
"""What every such word has; most lines have none, and that is seen at once."""
_OPENS: Final = {")": "(", "]": "[", "}": "{"}
_CLOSING: Final = re.compile(
    r"(?ai:\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|reopen(?:s|ed|ing)?)"
    r"[\s:*_~-]{0,10}(?:(?:issue|bug|ticket|pr|mr|pull request|merge request)s?\b)?"
    r"(?:[\s:,;&*_~]|and\b|or\b|[\w./-]{0,100}[#!]\d{1,9}|[a-z]\w{1,30}-\d{1,9}|https?://[^\s,;]{1,200}){0,60})\Z"
)
"""A word that closes, and after it nothing but references: a list of them is closed as one."""
FAR: Final = 400
"""How far before a reference a word that closes it can stand."""


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[Word, ...]:
    """Every such word of `text`, in order. Linear; each page of a change looks at its texts anew."""
    return tuple(_words(text))


def _words(text: str) -> Iterator[Word]:
    if _TELLS.search(text) is None:
        return
    for match in _WORDS.finditer(text):
        kind = WordKind(str(match.lastgroup))
        yield Word(kind, _trimmed(match[0]) if kind is WordKind.ADDRESS else match[0], match.start())


def closes(before: str) -> bool:
    """Whether a reference that follows the text `before` would be closed, fixed or reopened by it."""
    return _CLOSING.search(before[-FAR:]) is not None


def _trimmed(address: str) -> str:
    """An address without the sentence's own punctuation, and closing brackets that nothing in it opens."""
    while address and (
        address[-1] in ".,;:!?'\"*_~" or address.count(address[-1]) > address.count(_OPENS.get(address[-1], address[-1]))
    ):
        address = address[:-1]
    return address
