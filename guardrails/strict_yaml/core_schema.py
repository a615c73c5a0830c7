"""The YAML 1.2 Core Schema: what a plain scalar means (Intent Changesets 12, YAML 1.2.2 section 10.3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

NAN: Final = float("nan")
"""One object for every not-a-number, so that two such keys are seen to be the same."""

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), NAN),
}
WORDS: Final = frozenset(_WORDS)
"""Every plain scalar that is no text and no number of digits."""
_LONGEST_NUMBER: Final = 1_000
"""Longer digit strings stay text: turning them into numbers takes more than linear time."""
_NUMBER_STARTS: Final = frozenset("0123456789+-.")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NUMBERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], int | float]], ...]] = (
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text, 0)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text, 0)),
    (_FLOAT, float),
)


def resolve(text: str) -> Scalar:
    """The value of a plain scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in _NUMBER_STARTS and len(text) <= _LONGEST_NUMBER:
        for pattern, convert in _NUMBERS:
            if pattern.fullmatch(text):
                return convert(text)
    return text


_TAG: Final = "tag:yaml.org,2002:"
MAPPING_TAGS: Final = frozenset((None, "!", f"{_TAG}map"))
SEQUENCE_TAGS: Final = frozenset((None, "!", f"{_TAG}seq"))
_TEXT_TAGS: Final = frozenset(("!", f"{_TAG}str"))
_TYPES: Final[dict[str, type]] = {f"{_TAG}null": type(None), f"{_TAG}bool": bool, f"{_TAG}int": int, f"{_TAG}float": float}


def resolve_tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with an explicit tag.

    Raises:
        ValueError: the tag is outside the Core Schema, or the text does not fit it.
    """
    if tag in _TEXT_TAGS:
        return text
    value = resolve(text)
    if type(value) is int and _TYPES.get(tag) is float and _FLOAT.fullmatch(text):
        return float(text)
    if tag not in _TYPES or type(value) is not _TYPES[tag]:
        raise ValueError(tag)
    return value
