"""What a change is said to achieve, word for word, where, and which tests came with it (Change Contracts: schema 0.3, claims).

Subjects of commits and titles of requests are claims; nothing is put in other words. A test that the same commit brings may
show its claim: that is a question and not known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.model import Fact
from guardrails.drafts.sentences import word_count
from guardrails.evidence.model import Bundle, Commit, DocumentKind
from guardrails.records.plain_commit import read_any
from guardrails.resolving.proposals.scoping import globs, is_companion
from guardrails.wording.activity import is_activity
from guardrails.wording.words import folded

MOST_CLAIMS: Final = 20
MOST_TESTS: Final = 5
_LONGEST_ID: Final = 40
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_NUMBER: Final = re.compile(r"\s*\((?:#|!)\d{1,9}\)\s*$")
_MADE_BY_GIT: Final = ("Merge ", "Revert ", "fixup!", "squash!", "amend!")


@dataclass(frozen=True, slots=True)
class Claimed:
    """One claim as somebody wrote it: the id of what says it, the files it is about, the tests that came with it."""

    id: str
    text: str = field(repr=False)
    source: str
    files: tuple[str, ...] = field(repr=False)
    tests: tuple[Fact, ...] = field(default=(), repr=False)


def claims(bundle: Bundle, changed: Collection[str], tests: Sequence[Fact]) -> tuple[tuple[Claimed, ...], int]:
    """The claims of what is selected, and how many more there are. `tests` are those that the change defines newly."""
    found = tuple(_distinct((*_of_requests(bundle, changed, tests), *_of_commits(bundle, changed, tests))))
    kept = found[:MOST_CLAIMS]
    return tuple(_named(kept)), len(found) - len(kept)


def _of_requests(bundle: Bundle, changed: Collection[str], tests: Sequence[Fact]) -> Iterator[Claimed]:
    files = globs(path for path in changed if not is_companion(path))
    for one in bundle.documents:
        if one.kind is DocumentKind.PULL_REQUEST and files and _claims_something(one.title):
            yield Claimed("", " ".join(one.title.split()), one.id, files, tuple(tests[:MOST_TESTS]))


def _of_commits(bundle: Bundle, changed: Collection[str], tests: Sequence[Fact]) -> Iterator[Claimed]:
    undone = tuple(name.lower() for commit in bundle.commits for name in read_any(commit.message).reverts)
    for commit in bundle.commits:
        if undone and commit.oid.startswith(undone):
            continue
        text = " ".join(commit.subject.split())
        own = {file.path for file in commit.files} & set(changed)
        files = globs(path for path in own if not is_companion(path))
        if files and _claims_something(text):
            yield Claimed("", text, commit.id, files, tuple(_brought(commit, tests)))


def _claims_something(text: str) -> bool:
    return word_count(text) > 1 and not text.startswith(_MADE_BY_GIT) and not is_activity(text)


def _brought(commit: Commit, tests: Sequence[Fact]) -> list[Fact]:
    """The new tests whose name stands in a line that the commit adds to their file."""
    added: Mapping[str, str] = {
        file.path: "\n".join(line[1:] for hunk in file.hunks for line in (hunk.text or "").split("\n") if line.startswith("+"))
        for file in commit.files
    }
    return [test for test in tests if test.name in added.get(test.file, "")][:MOST_TESTS]


def _distinct(found: Iterator[Claimed] | Sequence[Claimed]) -> Iterator[Claimed]:
    """Each text once: a squash commit has the title of its request."""
    seen: set[str] = set()
    for one in found:
        text = folded(_NUMBER.sub("", one.text))
        if text not in seen:
            seen.add(text)
            yield one


def _named(found: Sequence[Claimed]) -> Iterator[Claimed]:
    used: set[str] = set()
    for number, one in enumerate(found, 1):
        slug = _NO_WORD.sub("-", folded(_NUMBER.sub("", one.text)).casefold()).strip("-")[:_LONGEST_ID].rstrip("-")
        name = slug if slug and slug not in used else f"{slug or 'claim'}-{number}"
        used.add(name)
        yield Claimed(name, one.text, one.source, one.files, one.tests)
