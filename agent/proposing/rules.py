"""The matching proposal for evidraft.toml: how the habits that were seen become words of the profile. Commented out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from agent.proposing.profile import Sight, commit_types, release_types
from guardrails.paths import is_glob

_MEANINGS: Final = (
    (("feat", "feature", "add"), ("feature", "features", "new-features", "added", "new")),
    (("fix", "bugfix", "hotfix"), ("correction", "fixed", "fixes", "bug-fixes", "bugfixes", "bug-fix")),
    (("perf",), ("performance", "performance-improvements", "improvements", "changed")),
    (("security",), ("security", "security-fixes")),
)


def rules_lines(sight: Sight) -> Iterator[str]:
    """Comment lines; without their `# ` they are a TOML document that the profile's words carry."""
    yield "#"
    yield "# For evidraft.toml, if these habits hold (take away the leading `# `; every line is a QUESTION until you do):"
    yield "#"
    yield from (f"# {line}".rstrip() for line in toml_lines(sight))


def toml_lines(sight: Sight) -> Iterator[str]:
    """The `[rules]` table as TOML."""
    habits = sight.habits
    yield "[rules]"
    yield 'disclosure = "public"  # QUESTION: is an ordinary decision public?'
    trackers = [tracker for tracker in habits.trackers if tracker.count > 1]
    if trackers:
        seen = ", ".join(f"{tracker.word} in {tracker.count} messages" for tracker in trackers)
        yield f"trackers = {_list(tracker.word for tracker in trackers)}  # seen: {seen}. QUESTION: are these issue trackers?"
    if habits.subject_numbers:
        seen = f"seen: (#12) ends {habits.subject_numbers} of {habits.messages} subjects"
        yield f'subject-number = "pull-request"  # {seen}. QUESTION: are these pull requests?'
    if habits.breaking:
        seen = f"seen: {habits.breaking} of {habits.messages} commits have `!` or BREAKING CHANGE"
        yield f'breaking-marker = "major"  # {seen}. QUESTION: does that mean a major impact?'
    decisions = [pattern for pattern in habits.decisions if _is_pattern(pattern)]
    if decisions:
        yield f"decisions = {_list(decisions)}  # QUESTION: are these decision records?"
    yield from _table("types", _type_meanings(sight))
    yield from _table("units", _unit_paths(sight))


def _type_meanings(sight: Sight) -> Iterator[tuple[str, str]]:
    """Commit types and the release type of the profile that says the same."""
    released = release_types(sight.habits)
    for kind in commit_types(sight.habits):
        for words, meanings in _MEANINGS:
            meaning = next((meaning for meaning in meanings if meaning in released), None)
            if kind.word in words and meaning:
                yield kind.word, meaning


def _unit_paths(sight: Sight) -> Iterator[tuple[str, str]]:
    """Path patterns and their units, deeper folders first, for the first match decides."""
    for unit in sorted(sight.units, key=lambda unit: (-unit.folder.count("/"), unit.folder == "", unit.folder)):
        pattern = f"{unit.folder}/**" if unit.folder else "**"
        if not set(unit.folder) & set("*?") and _is_pattern(pattern):
            yield pattern, unit.word


def _is_pattern(text: str) -> bool:
    return text.isprintable() and len(text) <= 200 and is_glob(text)


def _table(name: str, entries: Iterator[tuple[str, str]]) -> Iterator[str]:
    lines = [f"{_text(key)} = {_text(value)}" for key, value in entries]
    if lines:
        yield from ("", f"[rules.{name}]", *lines)


def _list(words: Iterable[str]) -> str:
    return json.dumps(list(words), ensure_ascii=False)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
