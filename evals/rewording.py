"""Honest rewordings of a draft: the same facts in slightly other words, as people and models write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_FIRST_WORD = re.compile(r"[A-Za-z]+")
_PAGE = re.compile(r"https://github\.com/example/project/pull/(\d+)")
_ENDINGS: Mapping[str, tuple[str, str]] = {
    "add": ("Adds", "Added"),
    "allow": ("Allows", "Allowed"),
    "avoid": ("Avoids", "Avoided"),
    "bump": ("Bumps", "Bumped"),
    "change": ("Changes", "Changed"),
    "drop": ("Drops", "Dropped"),
    "ensure": ("Ensures", "Ensured"),
    "fix": ("Fixes", "Fixed"),
    "handle": ("Handles", "Handled"),
    "improve": ("Improves", "Improved"),
    "make": ("Makes", "Made"),
    "prevent": ("Prevents", "Prevented"),
    "remove": ("Removes", "Removed"),
    "rename": ("Renames", "Renamed"),
    "show": ("Shows", "Showed"),
    "support": ("Supports", "Supported"),
    "update": ("Updates", "Updated"),
    "use": ("Uses", "Used"),
}


def rewordings(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind and record of each rewording that changes anything."""
    for kind, reword in _REWORDINGS.items():
        reworded = reword(record)
        if reworded != record["summary"]:
            yield kind, {**record, "summary": reworded}


def _with_verb(record: dict[str, Any], form: int) -> str:
    summary: str = record["summary"]
    match = _FIRST_WORD.match(summary)
    forms = _ENDINGS.get(match[0].casefold()) if match is not None else None
    return f"{forms[form]}{summary[match.end() :]}" if match is not None and forms is not None else summary


def _with_number(record: dict[str, Any]) -> str:
    """The summary with the pull request that the record cites, the only one."""
    numbers = [match[1] for text in record["provenance"].get("pull-requests", []) if (match := _PAGE.fullmatch(text))]
    return f"{record['summary'].rstrip('.')} (#{numbers[0]})" if len(numbers) == 1 else record["summary"]


_REWORDINGS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "full stop": lambda record: f"{record['summary'].rstrip('.')}.",
    "third person": lambda record: _with_verb(record, 0),
    "past tense": lambda record: _with_verb(record, 1),
    "number": _with_number,
    "no back ticks": lambda record: record["summary"].replace("`", ""),
    "now": lambda record: f"Now: {record['summary']}",
}
