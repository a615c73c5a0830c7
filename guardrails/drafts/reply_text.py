"""The one JSON object in what a drafter said, whatever stands around it: a fence, thoughts, a greeting."""

from __future__ import annotations

import re
from typing import Final

from guardrails.strict_json import MAX_DEPTH

MAX_LENGTH: Final = 1_000_000
"""Characters; a longer text is no reply."""

_THOUGHTS: Final = ("<think>", "</think>")
_TOKEN: Final = re.compile(r'[{}]|"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A brace or a whole string, for a brace within a string opens nothing. A string without an end takes all the rest with it."""


def only_object(text: str) -> str | None:
    """The text of the one object, not yet known to be JSON; None where there is none, more than one, or too much. Linear."""
    if len(text) > MAX_LENGTH:
        return None
    opened, closed = _THOUGHTS
    begins = text.lstrip()[: len(opened)]
    before, mark, behind = text.partition(closed)
    if begins[:1] in {"{", "`"} or not (mark or begins == opened):
        return _object(text)
    told = _object(behind, is_all=True)
    if told is not None or begins == opened:
        return told
    whole = _object(text)  # some drafters give only the end mark of their thoughts, and some texts are about such marks
    return whole if whole is not None and closed in whole and whole not in before else None


def _object(said: str, *, is_all: bool = False) -> str | None:
    """The one object in a text; where it `is_all`, no brace of another one stands behind it either."""
    start = said.find("{")
    end = _end(said, start) if start >= 0 else None
    if end is None or "{" in said[end:] or (is_all and "}" in said[end:]) or said[:start].rstrip()[-1:] == "[":
        return None
    return said[start:end]


def _end(text: str, start: int) -> int | None:
    """Where the object that begins at `start` ends; None where it does not, or nests too deep."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
        if depth > MAX_DEPTH:
            break
    return None
