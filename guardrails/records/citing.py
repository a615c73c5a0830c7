"""Citing by convention: a closing word that forges act on, or `refs`, before a number or an address (Intent Changesets 6.7).

`closes #12` cites wherever it stands; `#12` alone, `see #12` and `like in #12` only mention. `(#12)` at the end of a subject is
the forge's own and says nothing of the change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.records.commit import Trailer

CLOSING: Final = frozenset(
    ("close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved", "ref", "refs", "references")
)
"""The words that forges act on, and those that projects use beside them."""
_WORD: Final = rf"(?:{'|'.join(sorted(CLOSING, key=len, reverse=True))})"
_NOUN: Final = r"(?:(?:issues?|bugs?|tickets?)\s)?"
_REFERENCE: Final = r"(?:(?:[\w.-]{1,100}/[\w.-]{1,100})?[#!]\d{1,10}\b|GH-\d{1,10}\b|https?://[^\s,;()<>\[\]]{4,500})"
_AND: Final = r"(?:,\s?(?:and\s)?|\s(?:and|&)\s|\s)"
_CITED: Final = rf"(?P<word>{_WORD}):?\s{{1,4}}{_NOUN}(?P<references>{_REFERENCE}(?:{_AND}{_REFERENCE}){{0,40}})"
_ANYWHERE: Final = re.compile(rf"(?<![\w-])(?<!not )(?<!n't ){_CITED}", re.IGNORECASE)
_SUBJECT: Final = r"(?:(?:this|it)\s(?:(?:pr|commit|change|patch)\s)?)?"
_SET_OFF: Final = rf"(?:\s?[,;.]\s{{0,4}}{_SUBJECT}|\s[-–—]\s{{1,4}}|\s?\(|^)"
_RUN_ON: Final = r"\s(?<!\bthat\s)(?<!\bwhich\s)(?<!\bto\s)(?<!\band\s)(?<!\balso\s)(?<!\bit\s)(?<!\bnot\s)"
_NUMBER: Final = r"\s?\((?:[#!]|GH-)\d{1,10}\)"
"""What a forge appends to the subject of a merged request."""
_AT_END: Final = re.compile(rf"(?:(?:{_SET_OFF}|{_RUN_ON}){_CITED}[.)\s]{{0,3}}|{_NUMBER})\Z", re.IGNORECASE)


def cited(line: str) -> Iterator[Trailer]:
    """What one line cites, as trailers: the citing word, and its references as they are written."""
    for match in _ANYWHERE.finditer(line):
        yield Trailer(match["word"], match["references"].rstrip("."))


def without_citations(line: str) -> str:
    """`line` without the citations at its end and the mark that sets them off."""
    for _ in range(8):
        match = _AT_END.search(line)
        if match is None:
            break
        line = line[: match.start()].rstrip()
    return line
