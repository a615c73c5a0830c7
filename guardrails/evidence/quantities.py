"""Numbers with their units, in digits or in words, in one normal form (Intent Changesets 11.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

_UNITS: Final[Mapping[str, str]] = {
    "ns": r"ns|nanoseconds?",
    "us": r"us|µs|microseconds?",
    "ms": r"ms|msec|milliseconds?",
    "s": r"s|secs?|seconds?",
    "min": r"min|mins|minutes?",
    "h": r"h|hrs?|hours?",
    "d": r"d|days?",
    "wk": r"weeks?",
    "mo": r"months?",
    "y": r"years?",
    "pp": r"pp|percentage[ -]points?",
    "%": r"%|percent",
    "x": r"x|×|fold",
    "b": r"bytes?",
    "kb": r"kb|kilobytes?",
    "mb": r"mb|megabytes?",
    "gb": r"gb|gigabytes?",
    "tb": r"tb|terabytes?",
    "kib": r"kib",
    "mib": r"mib",
    "gib": r"gib",
    "tib": r"tib",
    "mb/s": r"mb/s|mbps",
    "hz": r"hz",
    "khz": r"khz",
    "mhz": r"mhz",
    "ghz": r"ghz",
    "px": r"px|pixels?",
    "ordinal": r"st|nd|rd|th",
    "usd": r"dollars?|usd",
    "eur": r"€|euros?|eur",
}

_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    **{
        word: (str(value), "")
        for word, value in {
            "zero": 0,
            "two": 2,
            "three": 3,
            "four": 4,
            "five": 5,
            "six": 6,
            "seven": 7,
            "eight": 8,
            "nine": 9,
            "ten": 10,
            "eleven": 11,
            "twelve": 12,
            "thirteen": 13,
            "fourteen": 14,
            "fifteen": 15,
            "sixteen": 16,
            "seventeen": 17,
            "eighteen": 18,
            "nineteen": 19,
            "dozen": 12,
            "twenty": 20,
            "thirty": 30,
            "forty": 40,
            "fifty": 50,
            "sixty": 60,
            "seventy": 70,
            "eighty": 80,
            "ninety": 90,
            "hundred": 100,
            "thousand": 1000,
            "million": 1_000_000,
            "billion": 1_000_000_000,
        }.items()
    },
    **dict.fromkeys(("twice", "double", "doubles", "doubled", "doubling"), ("2", "x")),
    **dict.fromkeys(("thrice", "triple", "triples", "tripled", "tripling"), ("3", "x")),
    **dict.fromkeys(("half", "halve", "halves", "halved", "halving"), ("0.5", "x")),
}

_UNIT: Final = rf"(?:(?i:{'|'.join(_UNITS.values())})(?!\w))"
_DIGITS: Final = r"\d{1,30}(?:[,_]\d{3}){0,8}(?:\.\d{1,20})?"
IN_DIGITS: Final = rf"{_DIGITS}(?:[ -]?{_UNIT})?"
"""A pattern of a number in digits with an optional unit."""
_OF: Final = r"(?i:(?<=half)[ ]an?)?[ -]"
"""What stands between a number word and its unit: `half an hour`, `two hours`; `twice an hour` is no number of hours."""
IN_WORDS: Final = rf"(?i:\b(?:{'|'.join(_WORDS)})\b)(?:{_OF}{_UNIT}|(?!-\w))"
"""A pattern of a number word with an optional unit."""

_AMOUNT: Final = re.compile(rf"(?P<digits>{_DIGITS})(?:[ -]?(?P<unit>{_UNIT}))?")
_AMOUNT_WORD: Final = re.compile(rf"(?i:\b(?P<word>{'|'.join(_WORDS)})\b)(?:{_OF}(?P<unit>{_UNIT}))?")
_PAIR: Final = re.compile(
    rf"(?<![\w.-])(?P<digits>{_DIGITS})(?: (?:to|and|or|->|→) |\s?-\s?)(?={_DIGITS}[ -]?(?P<unit>{_UNIT}))"
)
_TUPLE: Final = re.compile(r"\((\d{1,4}), ?(\d{1,4})(?=[,)])")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_NORMAL_UNIT: Final = tuple((unit, re.compile(pattern, re.IGNORECASE)) for unit, pattern in _UNITS.items())

Amount = tuple[str, str]
"""A number and its unit in normal form; the unit is "" where none stands."""

_SCALES: Final[Mapping[str, tuple[Fraction, str]]] = {
    "ns": (Fraction(1, 10**9), "s"),
    "us": (Fraction(1, 10**6), "s"),
    "ms": (Fraction(1, 1000), "s"),
    "min": (Fraction(60), "s"),
    "h": (Fraction(3600), "s"),
    "d": (Fraction(86_400), "s"),
    "wk": (Fraction(604_800), "s"),
    "kb": (Fraction(10**3), "b"),
    "mb": (Fraction(10**6), "b"),
    "gb": (Fraction(10**9), "b"),
    "tb": (Fraction(10**12), "b"),
    "kib": (Fraction(2**10), "b"),
    "mib": (Fraction(2**20), "b"),
    "gib": (Fraction(2**30), "b"),
    "tib": (Fraction(2**40), "b"),
    "%": (Fraction(1, 100), "x"),
    "khz": (Fraction(10**3), "hz"),
    "mhz": (Fraction(10**6), "hz"),
    "ghz": (Fraction(10**9), "hz"),
}


def supports(shown: str, told: str) -> bool:
    """Whether a quantity that was shown carries one that is told (both in normal form).

    The number and the unit agree, if need be through an exact conversion; leaving the unit out is no invention, adding one is.
    """
    number, _, unit = shown.partition(" ")
    told_number, _, told_unit = told.partition(" ")
    if told_unit in {"", "ordinal"}:
        return number == told_number
    return _exact(number, unit) == _exact(told_number, told_unit)


def elided(text: str) -> frozenset[str]:
    """First numbers of pairs that share the unit of the second, in normal form: `5 s` of "from 5 to 20 seconds"."""
    return frozenset(normal(f"{match['digits']} {match['unit']}") for match in _PAIR.finditer(text))


def tuples(text: str) -> frozenset[str]:
    """Versions that code writes as tuples, in normal form: `3.6` of `(3, 6)`."""
    return frozenset(normal(f"{match[1]}.{match[2]}") for match in _TUPLE.finditer(text))


def times(old: str, new: str) -> str:
    """How many times `old` the value `new` is, in normal form: `2 x` of 4 and 8; "" where that cannot be told."""
    (number, unit), (told, told_unit) = (value.partition(" ")[::2] for value in (normal(old), normal(new)))
    if unit != told_unit or not all(map(_NUMBER.fullmatch, (number, told))) or not Fraction(number):
        return ""
    factor = Fraction(told) / Fraction(number)
    return f"{float(factor):g} x"


def _exact(number: str, unit: str) -> tuple[Fraction, str]:
    factor, base = _SCALES.get(unit, (Fraction(1), unit))
    return Fraction(number) * factor, base


def normal(text: str) -> str:
    """The number that `text` is, as `30 s` or `30`; `text` itself when it is none."""
    if match := _AMOUNT.fullmatch(text):
        return " ".join(_of_digits(match)).rstrip()
    if match := _AMOUNT_WORD.fullmatch(text):
        return " ".join(_of_word(match)).rstrip()
    return text


def _of_digits(match: re.Match[str]) -> Amount:
    digits = match["digits"].replace(",", "").replace("_", "")
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else ""), _unit(match["unit"])


def _of_word(match: re.Match[str]) -> Amount:
    number, own_unit = _WORDS[match["word"].casefold()]
    return number, _unit(match["unit"]) or own_unit


@lru_cache(maxsize=1024)
def _unit(word: str | None) -> str:
    return next((unit for unit, pattern in _NORMAL_UNIT if word and pattern.fullmatch(word)), "")
