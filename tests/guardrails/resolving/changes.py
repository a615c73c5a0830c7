"""Small histories for grouping, and what came of them as text: subjects instead of names, so that a table can be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from guardrails.evidence.model import Bundle, Commit, FileChange, Hunk
from guardrails.resolving.grouping.grouping import Grouping, group
from guardrails.resolving.rules import Rules, SubjectNumber
from tests.guardrails.resolving.building import bundle, commit, oid

NUMBERED = Rules(trackers=frozenset({"DEVELOP"}), subject_number=SubjectNumber.PULL_REQUEST)


def grouped(*commits: Commit | str, rules: Rules = NUMBERED, **parts: Any) -> list[str]:
    """What grouping makes of commits (messages without paths change `a.py`), as text."""
    made = [one if isinstance(one, Commit) else commit(place, one, "a.py") for place, one in enumerate(commits, 1)]
    history = bundle(*made, **parts)
    return told(group(history, rules), history)


def told(grouping: Grouping, history: Bundle) -> list[str]:
    """A line for each change: its sign, its subjects; then one for each commit that is in none, and why."""
    subjects = {one.id: one.subject for one in history.commits}
    lines = [f"{one.why}: {' + '.join(subjects[item] for item in one.commits)}" for one in grouping.groups]
    keys = {one.key for one in grouping.groups}
    for item, said in grouping.coverage.items():
        if keys.isdisjoint(said.split(", ")):
            lines.append(f"({subjects[item]}: {_named(said, history)})")
    assert list(grouping.coverage) == [one.id for one in history.commits]
    return lines


def _named(said: str, history: Bundle) -> str:
    for one in history.commits:
        said = said.replace(one.oid[:7], one.subject)
    return said


def merge(number: int, message: str, first: int, *sides: int, paths: tuple[str, ...] = ()) -> Commit:
    """A merge of some commits into another, all by number."""
    return after(commit(number, message, *paths), first, *sides)


def after(one: Commit, *parents: int) -> Commit:
    """A commit with its parents by number."""
    return replace(one, parents=tuple(map(oid, parents)))


def edited(number: int, message: str, texts: Mapping[str, str]) -> Commit:
    """A commit with one hunk of text for each path; the lines have their signs."""
    plain = commit(number, message, *texts)
    files = tuple(_with_text(file, text) for file, text in zip(plain.files, texts.values(), strict=True))
    return replace(plain, files=files)


def _with_text(file: FileChange, text: str) -> FileChange:
    lines = text.split("\n")
    added, deleted = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    hunk = Hunk(f"H{file.id[1:]}", file.locator, file.digest, 1, deleted, 1, added, "", f"{text}\n")
    return replace(file, added=added, deleted=deleted, hunks=(hunk,))
