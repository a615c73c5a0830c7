"""Code spans: text between equal runs of back ticks, as CommonMark pairs them (Intent Changesets 11.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_BACK_TICKS: Final = re.compile("`+")
_SENTENCE: Final = 1000
"""Shorter texts are sentences, which every rule reads anew."""


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """One span: where it stands with its back ticks, and the text between them."""

    start: int
    end: int
    inner: str


def code(text: str) -> str:
    """`text` as inline code, whatever back ticks it holds."""
    text = " ".join(text.split())
    longest = max((len(run) for run in _BACK_TICKS.findall(text)), default=0)
    marks = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{space}{text}{space}{marks}"


def code_spans(text: str) -> Iterator[CodeSpan]:
    """The spans of `text`, in order: a run of back ticks up to the next run of the same length. Linear."""
    runs = list(_BACK_TICKS.finditer(text)) if "`" in text else []
    partners: dict[int, int] = {}
    nearest: dict[int, int] = {}
    for index in reversed(range(len(runs))):
        length = len(runs[index][0])
        if length in nearest:
            partners[index] = nearest[length]
        nearest[length] = index
    index = 0
    while index < len(runs):
        close = partners.get(index, index)
        if close > index:
            opening, closing = runs[index], runs[close]
            yield CodeSpan(opening.start(), closing.end(), text[opening.end() : closing.start()])
        index = close + 1


def without_code(text: str) -> str:
    """`text` with two back ticks in place of each span; none runs over the end of a line, for it might end a block there."""
    if "`" not in text:
        return text
    return _sentence_without_code(text) if len(text) <= _SENTENCE else _without_code(text)


@lru_cache(maxsize=1024)
def _sentence_without_code(text: str) -> str:
    return _without_code(text)


def _without_code(text: str) -> str:
    return "\n".join(map(_line_without_code, text.split("\n")))


def _line_without_code(line: str) -> str:
    pieces, done = list[str](), 0
    for span in code_spans(line):
        pieces += (line[done : span.start], "``")
        done = span.end
    return "".join((*pieces, line[done:]))
