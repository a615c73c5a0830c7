"""What a request's merge brought in is one change, with the merge, whose words tell it; a batch of requests is none."""

from __future__ import annotations

import pytest

from guardrails.evidence.model import Commit
from tests.guardrails.resolving.building import commit
from tests.guardrails.resolving.changes import after, grouped, merge

A, B, C = "Add retries to the client", "Show a message when the disk is full", "Sort reports by date"
REQUEST, OTHER = "Merge pull request #1 from a/topic", "Merge pull request #2 from a/other"


def made(number: int, subject: str, parent: int, *paths: str) -> Commit:
    return after(commit(number, subject, *(paths or ("a.py",))), parent)


CASES: dict[str, tuple[list[Commit], list[str]]] = {
    "a request by GitHub's merge": (
        [made(1, A, 90), made(2, B, 90), made(3, "wip", 2), merge(4, f"{REQUEST}\n\nDisk", 1, 3)],
        [f"single: {A}", f"pull-request: {B} + wip + {REQUEST}"],
    ),
    "a request by GitLab's merge": (
        [
            made(1, A, 90),
            made(2, B, 90),
            made(3, "wip", 2),
            merge(4, "Merge branch 'disk' into 'main'\n\nSee merge request a/b!4", 1, 3),
        ],
        [f"single: {A}", f"pull-request: {B} + wip + Merge branch 'disk' into 'main'"],
    ),
    "a merge with a title of its own": (
        [made(1, A, 90), made(2, "wip", 1), merge(3, "Client that tries again (PR #5)", 90, 2)],
        [f"pull-request: {A} + wip + Client that tries again (PR #5)"],
    ),
    "a merge of a branch": (
        [made(1, A, 90), made(2, B, 1), merge(3, "Merge branch 'topic'", 90, 2)],
        [f"single: {A}", f"single: {B}", "(Merge branch 'topic': merge: changes nothing by itself)"],
    ),
    "a branch that took in the trunk": (
        [
            made(1, A, 90),
            made(2, B, 90),
            merge(3, "Merge branch 'main' into topic", 2, 1),
            made(4, C, 3),
            merge(5, REQUEST, 1, 4),
        ],
        [
            f"single: {A}",
            f"pull-request: {B} + {C} + {REQUEST}",
            "(Merge branch 'main' into topic: merge: changes nothing by itself)",
        ],
    ),
    "a merge of the trunk that solved a conflict": (
        [
            made(1, A, 90),
            made(2, B, 90),
            merge(3, "Merge branch 'main' into topic", 2, 1, paths=("a.py",)),
            merge(4, REQUEST, 1, 3),
        ],
        [f"single: {A}", f"pull-request: {B} + Merge branch 'main' into topic + {REQUEST}"],
    ),
    "a request of several requests": (
        [made(1, A, 90), merge(2, REQUEST, 90, 1), made(3, B, 2), merge(4, OTHER, 80, 3)],
        [f"pull-request: {A} + {REQUEST}", f"single: {B}", f"({OTHER}: merge: changes nothing by itself)"],
    ),
    "a request with a titled merge in it": (
        [made(1, A, 90), merge(2, "Client that tries again", 91, 1, paths=("a.py",)), merge(3, REQUEST, 91, 2)],
        [f"pull-request: {A} + Client that tries again + {REQUEST}"],
    ),
    "a request of several numbers": (
        [made(1, f"{A} (#7)", 90), made(2, f"{B} (#8)", 1), merge(3, REQUEST, 90, 2)],
        [f"single: {A} (#7)", f"single: {B} (#8)", f"({REQUEST}: merge: changes nothing by itself)"],
    ),
    "a request whose commits lie outside": (
        [merge(1, REQUEST, 90, 91), made(2, A, 1)],
        [f"single: {A}", f"({REQUEST}: merge: changes nothing by itself)"],
    ),
    "an octopus": (
        [made(1, A, 90), made(2, B, 90, "b.py"), merge(3, REQUEST, 90, 1, 2)],
        [f"pull-request: {A} + {B} + {REQUEST}"],
    ),
    "a circle, as no history is": (
        [merge(1, REQUEST, 2, 2), merge(2, OTHER, 1, 1)],
        [f"({REQUEST}: merge: changes nothing by itself)", f"({OTHER}: merge: changes nothing by itself)"],
    ),
}


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize(("commits", "expected"), CASES.values(), ids=CASES)
def test_a_request_is_one_change_with_all_that_it_brought_in(commits: list[Commit], expected: list[str]) -> None:
    assert grouped(*commits) == expected
