"""Versions in the names of tags, and which of two comes first: Semantic Versioning 2.0.0, PEP 440 and dates in one order.

A repository mixes the schemes, so one order covers them. Numbers compare as numbers, `1.2` is `1.2.0`, and a version with a
prerelease comes before the one without. Where the schemes differ: `rc10` comes after `rc9` (as in PEP 440); `dev` comes before
every other prerelease; `post`, `rev`, `patch` and their like come after the release; a dash before a bare number makes a
prerelease (as in Semantic Versioning); what follows a plus only breaks ties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Element: TypeAlias = tuple[int, int, str]
"""One step of what follows the numbers: its rank, its number, its word."""

_DEV, _INNER_END, _NUMBER, _WORD, _END, _POST = range(6)
"""Ranks. A release ends behind every prerelease of it, but `rc.1` ends before `rc.1.1`."""
_SAME: Final = {"a": "alpha", "b": "beta", "c": "rc", "cr": "rc", "pre": "rc", "preview": "rc", "m": "milestone"}
_DEVELOPED: Final = frozenset({"dev", "snapshot"})
_LATER: Final = frozenset({"post", "rev", "r", "p", "pl", "patch", "sp", "hotfix"})
_SILENT: Final = frozenset({"final", "ga", "release", "stable"})
"""Words that say of a release that it is one."""
_KNOWN: Final = frozenset({*_SAME, *_SAME.values(), *_DEVELOPED, *_LATER, *_SILENT})

_CHARACTERS: Final = re.compile(r"[\w@./+!-]{1,200}", re.ASCII)
_DIGITS: Final = re.compile(r"(?<![0-9.])[0-9]+")
_VERSION: Final = re.compile(
    r"(?:(?P<epoch>[0-9]{1,9})!)?"
    r"(?P<core>[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![0-9])"
    r"|[0-9]{1,18}(?:_[0-9]{1,18}){1,9}(?![0-9A-Za-z]|_[0-9])|[0-9]{1,18}(?:\.[0-9]{1,18}){0,9})"
    r"(?P<rest>(?:-[0-9A-Za-z]|_[A-Za-z]|[._]?(?:" + "|".join(sorted(_KNOWN)) + r")[0-9]{0,18}(?![0-9A-Za-z]))[\w.-]*)?"
    r"(?:\+(?P<build>[0-9A-Za-z._-]+))?",
    re.IGNORECASE | re.ASCII,
)
_COUNTED: Final = re.compile(r"([a-z]+)([0-9]{1,18})")
_SPELLED: Final = re.compile(r"(?:^|(?<=[^A-Za-z0-9]))[vV]$")
_OWN: Final = re.compile(r"(?:releases?|rel|versions?|ver)[-_/.]?", re.IGNORECASE)
"""Words before a version that say no more than that it is one."""


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """One version. Two are equal where nothing orders them, however they are written: `1.2` and `1.2.0`, `1rc1` and `1-rc1`.

    It `is_final` where it is a release rather than a step on the way to one.
    """

    key: tuple[int, tuple[int, ...], tuple[Element, ...], tuple[Element, ...]] = field(repr=False)
    text: str = field(compare=False)
    numbers: tuple[int, ...] = field(compare=False, repr=False)
    is_final: bool = field(compare=False, repr=False)

    def is_within(self, other: Version) -> bool:
        """Whether the numbers of `other`, fewer than its own, begin its own: 4.2.1 is within 4, and so is 4.0.0."""
        return (
            other.is_final
            and len(other.numbers) < len(self.numbers) == len(self.numbers[: len(self.numbers)])
            and (self.numbers[: len(other.numbers)] == other.numbers)
        )


@dataclass(frozen=True, slots=True)
class Named:
    """A name that tells a version. `family` is what else it tells: the thing that has that version, "" for the repository.

    `v1.2.0`, `1.2.0` and `release-1.2.0` are of one family; those of `@acme/cli@1.2.0` and `cli/v1.2.0` are others.
    """

    name: str
    family: str
    version: Version

    @property
    def before(self) -> str:
        """What stands before the version, as it is written."""
        return self.name.removesuffix(self.version.text)


def is_plain(name: str) -> bool:
    """Whether a name is short and of characters that can stand in a command, a page and a path of a folder."""
    return _CHARACTERS.fullmatch(name) is not None


def read(name: str) -> Named | None:
    """The version that the name of a tag tells; None where it tells none, or holds characters that no page should show."""
    if not is_plain(name):
        return None
    found = list(_places(name))
    best = next((one for one in found if len(one.version.numbers) > 1), None)
    return best or next(iter(found), None)


def _places(name: str) -> Iterator[Named]:
    """Every reading of a name, from left to right: a version goes on to the end of it."""
    for digits in _DIGITS.finditer(name):
        prefix = name[: digits.start()]
        version = _version(name[digits.start() :])
        if version is not None and not _ends_in_phase(prefix):
            yield Named(name, _family(prefix), version)


def _ends_in_phase(prefix: str) -> bool:
    """Whether the number behind it counts prereleases, as in `beta2`."""
    word = re.search(r"[A-Za-z]*$", prefix)
    return word is not None and word[0].lower() in {*_SAME, *_SAME.values(), *_DEVELOPED}


def _family(prefix: str) -> str:
    plain = _SPELLED.sub("", prefix)
    return "" if _OWN.fullmatch(plain) else plain


def _version(text: str) -> Version | None:
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    words = [word.lower() for word in re.split(r"[._-]", match["rest"] or "") if word]
    numbers = tuple(map(int, re.split(r"[._-]", match["core"])))
    steps = tuple(_steps(words))
    ended = (*steps, (_INNER_END if steps else _END, 0, ""))
    build = tuple(_steps([word.lower() for word in re.split(r"[._-]", match["build"] or "") if word]))
    is_final = ended[0][0] >= _END and all(rank != _DEV for rank, _, _ in ended)
    return Version((int(match["epoch"] or 0), _trimmed(numbers), ended, build), text, numbers, is_final)


def _steps(words: list[str]) -> Iterator[Element]:
    for word in words:
        counted = _COUNTED.fullmatch(word)
        yield from map(_step, counted.groups() if counted else (word,)) if word not in _SILENT else ()


def _step(word: str) -> Element:
    if word.isdecimal() and len(word) <= 18:
        return (_NUMBER, int(word), "")
    if word in _DEVELOPED:
        return (_DEV, 0, "")
    return (_POST, 0, "") if word in _LATER else (_WORD, 0, _SAME.get(word, word))


def _trimmed(numbers: tuple[int, ...]) -> tuple[int, ...]:
    while numbers and not numbers[-1]:
        numbers = numbers[:-1]
    return numbers
