"""Habits: what commit messages, tags, file names and a changelog's headings show about a project, with counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from guardrails.records.fields import is_type, is_unit
from guardrails.records.plain_commit import AnyMessage, CitationKind, read_any

MAX_MESSAGES: Final = 500
_MOST: Final = 40
_KEY: Final = re.compile(r"\b([A-Z][A-Z0-9]{1,9})-[1-9][0-9]{0,6}\b")
_NO_TRACKERS: Final = frozenset(
    ("ADR", "CVE", "CWE", "GHSA", "HTTP", "IEEE", "IPV", "ISO", "PEP", "RFC", "RHSA", "RSA", "SHA", "TLS", "UTF", "WCAG", "X")
)
"""What looks like an issue key and is a standard, an advisory or a decision."""
_HEADING: Final = re.compile(r"#{2,4} {1,3}(?:[^\w\s]+ )?([A-Za-z][A-Za-z -]{1,30}?)[ :]*")
_NO_SECTIONS: Final = frozenset(
    ("changelog", "change-log", "unreleased", "contributors", "credits", "thanks", "upgrading", "releases", "notes")
)
_DECISION: Final = re.compile(r"(.*/)?(?:adrs?|decisions)/[^/]+\.md")


@dataclass(frozen=True, slots=True)
class Counted:
    """A word and how often it was seen."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class TagStyle:
    """One way to name releases: a pattern for release names, and the shape of tags that hold one."""

    pattern: str
    tag: re.Pattern[str]


_NUMBERS: Final = r"([0-9]{1,6})\.[0-9]{1,6}\.[0-9]{1,6}(?:[-+.][0-9A-Za-z.+-]{1,60})?"
_STYLES: Final = (
    TagStyle(r"^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$", re.compile(f"v{_NUMBERS}")),
    TagStyle(r"^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$", re.compile(_NUMBERS)),
    TagStyle(r"^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$", re.compile(rf"[^\s]{{1,150}}?[@/_-]v?{_NUMBERS}")),
    TagStyle(r"^v?[0-9]+\.[0-9]+$", re.compile(r"v?([0-9]{1,6})\.[0-9]{1,6}")),
)


@dataclass(frozen=True, slots=True)
class Releases:
    """The commonest style of the tags, how many follow it, one with the highest leading number, and that number."""

    pattern: str
    count: int
    example: str
    line: str


@dataclass(frozen=True, slots=True)
class Habits:
    """What was seen in `messages` commit messages, the tags, the file names and the headings of a changelog."""

    messages: int
    types: tuple[Counted, ...]
    scopes: tuple[Counted, ...]
    trackers: tuple[Counted, ...]
    subject_numbers: int
    breaking: int
    headings: tuple[Counted, ...]
    releases: Releases | None
    decisions: tuple[str, ...]


def observe(messages: Iterable[str], tags: Iterable[str], paths: Iterable[str], changelog: str) -> Habits:
    """Count what is there; nothing is judged, and words that no profile could hold are left out."""
    read = [read_any(message) for message in messages]
    return Habits(
        messages=len(read),
        types=_counted(message.message.type for message in read if message.message.type),
        scopes=_counted((message.message.scope.lower() for message in read if message.message.scope), is_unit),
        trackers=_counted((key for message in read for key in _keys(message)), lambda word: word not in _NO_TRACKERS),
        subject_numbers=sum(_cites_number(message) for message in read),
        breaking=sum(message.breaking or bool(message.breaking_notes) for message in read),
        headings=_counted(_headings(changelog), lambda word: is_type(word) and word not in _NO_SECTIONS),
        releases=_releases(tuple(tags)),
        decisions=_decisions(paths),
    )


def _counted(words: Iterable[str], is_fit: Callable[[str], bool] = is_type) -> tuple[Counted, ...]:
    """Fit words by falling count, then by name; at most `_MOST` of them."""
    ranked = sorted(Counter(filter(is_fit, words)).items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Counted(word, count) for word, count in ranked[:_MOST])


def _keys(message: AnyMessage) -> set[str]:
    """The prefixes of issue keys in the places where a message cites: subject, trailers, closing lines."""
    said = message.message
    places = (said.description, *(trailer.value for trailer in (*said.trailers, *message.closing)))
    return {key for place in places for key in _KEY.findall(place)}


def _cites_number(message: AnyMessage) -> bool:
    return any(citation.kind is CitationKind.SUBJECT_NUMBER for citation in message.citations)


def _headings(changelog: str) -> Iterator[str]:
    for line in changelog.splitlines():
        if parts := _HEADING.fullmatch(line.strip()[:80]):
            yield parts[1].strip().lower().replace(" ", "-")


def _releases(tags: tuple[str, ...]) -> Releases | None:
    found = [(style, [parts for tag in tags if (parts := style.tag.fullmatch(tag))]) for style in _STYLES]
    style, matches = max(found, key=lambda pair: len(pair[1]))
    if not matches:
        return None
    highest = max(matches, key=lambda parts: int(parts[1]))
    return Releases(style.pattern, len(matches), highest[0], str(int(highest[1])))


def _decisions(paths: Iterable[str]) -> tuple[str, ...]:
    folders = {path.rpartition("/")[0] for path in paths if _DECISION.fullmatch(path)}
    return tuple(f"{folder}/*.md" for folder in sorted(folders)[:10])
