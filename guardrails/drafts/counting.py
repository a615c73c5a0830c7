"""Counts in a summary: they agree with the items, by kind (Describe Changes: Shape B; summary.short_md).

English only. What is counted without a word for its kind ("two migrations") may be of any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from guardrails.findings import Code, Finding, Severity
from guardrails.wording.words import phrases

COUNT_DIFFERS = Code(
    name="count-differs",
    summary="A summary counts more or fewer changes than it has items, or of another kind.",
    cure="Count the items by their kinds, or say it without numbers.",
    section="Describe Changes: Shape B",
)
DANGER_UNSAID = Code(
    name="danger-unsaid",
    summary="An item is breaking, and the summary's short text does not say so.",
    cure="Say in short_md what breaks.",
    section="Describe Changes: Shape B",
    severity=Severity.WARNING,
)

_NUMBERS: Final = {
    word: value
    for value, words_ in enumerate(
        ("no", "one a an", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
    for word in words_.split()
}
_NUMBER: Final = rf"(?P<number>\d{{1,6}}|{'|'.join(_NUMBERS)})"
_TOTAL: Final = re.compile(
    rf"(?:^|\b(?:has|have|contains?|brings?|includes?|covers?|with|of|in|makes?) ){_NUMBER} "
    r"(?:(?:independent|separate|notable|merged|different|user-visible) )?(?:changes?|items?|entries)\b"
)
_PARTS: Final = re.compile(r"[,;:.()—–]|\b(?:and|plus|with)\b")
_COUNTED: Final = re.compile(rf"\s*{_NUMBER}\s+(?P<what>\S.*)")
_CHANGES: Final = r"(?:[a-z]{1,20} ){0,2}(?:changes|items|fixes|features|improvements)\b"
_OF_CHANGES: Final = re.compile(rf"\b{_NUMBER} (?={_CHANGES})", re.IGNORECASE)
_ONLY_CHANGES: Final = re.compile(
    rf"{_NUMBER} {_CHANGES}(?: (?:is|are) listed| in (?:all|this [a-z]{{1,20}}))?\.?", re.IGNORECASE
)
_WORDS: Final = (
    (phrases("breaking", "incompatible", "backwards?-incompatible"), {"breaking"}),
    (phrases("security", r"vulnerabilit(?:y|ies)", "cves?"), {"security"}),
    (phrases("docs?", "documentation"), {"docs"}),
    (phrases("ops", "operations", "ci", "builds?", "maintenance", "chores?", r"dependenc(?:y|ies)", "tooling"), {"ops"}),
    (phrases(r"fix(?:es)?", r"bug-?fix(?:es)?", "bugs?"), {"bug_fix", "security"}),
    (phrases("improvements?", "enhancements?"), {"improvement"}),
    (phrases("features?", "new", "additions?"), {"feature"}),
)
"""Words that tell the kinds of what is counted. The first that stands in a part decides; after it only new things are more."""
_DANGER: Final = re.compile(
    r"break|incompatib|remov|drop|no longer|must|migrat|renam|requir|delet|deprecat|security", re.IGNORECASE
)
_MOST_PARTS: Final = 40


@dataclass(frozen=True, slots=True)
class _Count:
    """So many changes of one of these kinds; of any kind where nothing is known of what is counted."""

    number: int
    kinds: frozenset[str]


def check(where: str, text: str, kinds: Sequence[str]) -> Iterator[Finding]:
    """Hold what a summary's short text counts against the kinds of its items.

    A number that stands for all changes makes it an error to count wrongly; without one the words may count something else.
    """
    plain = " ".join(text.casefold().split())
    total = _TOTAL.search(plain)
    counts = [] if total is None and len(list(_counts(plain))) < 2 else list(_counts(plain))
    severity = Severity.ERROR if total is not None else Severity.WARNING
    if total is not None and _number(total) != len(kinds):
        yield COUNT_DIFFERS.at(where, f"got {_number(total)} changes, the envelope has {len(kinds)}")
    elif (over := _overcounted(counts, Counter(kinds))) is not None:
        yield COUNT_DIFFERS.at(where, f"got more than there is of kind {over}", severity=severity)
    if "breaking" in kinds and not _DANGER.search(text):
        yield DANGER_UNSAID.at(where, "got no word of it, expected what breaks")


def without_counts(text: str, total: int) -> str:
    """A summary without the numbers that count at most `total` changes; `check` holds those against the items.

    Nothing is left of a sentence that does no more than count.
    """
    only = _ONLY_CHANGES.fullmatch(text)
    if only is not None and _number(only) <= total:
        return ""
    return _OF_CHANGES.sub(lambda match: "" if _number(match) <= total else match[0], text)


def _counts(plain: str) -> Iterator[_Count]:
    """What is counted by kind, part by part."""
    for part in _PARTS.split(plain)[:_MOST_PARTS]:
        counted = _COUNTED.fullmatch(part)
        kinds = _kinds(counted["what"]) if counted else frozenset[str]()
        if counted and kinds:
            yield _Count(_number(counted), kinds)


def _kinds(what: str) -> frozenset[str]:
    found = [kinds for pattern, kinds in _WORDS if pattern.search(what)]
    return frozenset().union(*found[:1], *(kinds for kinds in found[1:] if kinds == {"feature"}))


def _number(match: re.Match[str]) -> int:
    word = match["number"].casefold()
    return _NUMBERS[word] if word in _NUMBERS else int(word)


def _overcounted(counts: Sequence[_Count], actual: Counter[str]) -> str | None:
    """The kinds of which more is counted than there are items, whichever way the items are dealt out; None when it fits.

    It fits when no set of kinds has fewer items than what can only be of that set.
    """
    told = sorted(frozenset().union(*(count.kinds for count in counts)))
    for size in range(1, len(told) + 1):
        for kinds in combinations(told, size):
            if sum(one.number for one in counts if one.kinds <= set(kinds)) > sum(actual[kind] for kind in kinds):
                return " or ".join(kinds)
    return None
