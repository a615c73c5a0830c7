"""An item is a change, not a commit: the signs that join commits, and what stays apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.model import Commit, DocumentKind, Operation, OperationType
from guardrails.resolving.grouping.grouping import group, whole
from guardrails.resolving.rules import Rules, SubjectNumber
from tests.guardrails.resolving.building import bundle, commit, document, file, oid
from tests.guardrails.resolving.changes import NUMBERED, after, grouped, merge

A, B, C = "Add retries to the client", "Show a message when the disk is full", "Sort reports by date"

SIGNS: dict[str, tuple[list[Commit | str], list[str]]] = {
    "the same changeset": (
        [f"{A}\n\nChangeset: retry", f"{B}\n\nChangeset: retry", f"{C}\n\nChangeset: sort"],
        [f"trailer: {A} + {B}", f"single: {C}"],
    ),
    "the same request by number": (
        [f"{A} (#1)", f"{B} (#1)", f"{C} (#2)"],
        [f"pull-request: {A} (#1) + {B} (#1)", f"single: {C} (#2)"],
    ),
    "the same request by trailer": (
        [f"{A}\n\nPR-URL: https://github.com/example/payments/pull/1", f"{B}\n\nPR: #1"],
        [f"pull-request: {A} + {B}"],
    ),
    "the same merge request": (
        [f"{A}\n\nSee merge request example/payments!7", f"{B}\n\nSee merge request example/payments!7"],
        [f"pull-request: {A} + {B}"],
    ),
    "a changeset is stronger than a request": (
        [f"{A} (#1)\n\nChangeset: retry", f"{B} (#1)\n\nChangeset: disk", f"{C} (#1)"],
        [f"single: {A} (#1)", f"single: {B} (#1)", f"single: {C} (#1)"],
    ),
    "the same issue cured": ([f"{A}\n\nFixes #9", f"{B}\n\nCloses: #9"], [f"issue: {A} + {B}"]),
    "the same issue by address": (
        [
            f"{A}\n\nFixes https://github.com/example/payments/issues/9",
            f"{B}\n\nFixes https://github.com/example/payments/issues/9",
        ],
        [f"issue: {A} + {B}"],
    ),
    "the same key of a tracker": ([f"DEVELOP-7: {A}", f"{B} (DEVELOP-7)"], [f"issue: DEVELOP-7: {A} + {B} (DEVELOP-7)"]),
    "a key of no tracker": ([f"UTF-8: {A}", f"UTF-8: {B}"], [f"single: UTF-8: {A}", f"single: UTF-8: {B}"]),
    "another issue": ([f"{A}\n\nFixes #9", f"{B}\n\nFixes #8"], [f"single: {A}", f"single: {B}"]),
    "an issue among several": ([f"{A}\n\nFixes #9", f"{B}\n\nFixes #8, #9"], [f"single: {A}", f"single: {B}"]),
    "an issue pointed at that another cures": ([f"{A}, refs #9", f"{B}, closes #9"], [f"issue: {A}, refs #9 + {B}, closes #9"]),
    "an issue pointed at that none cures": (
        [f"{A}, refs #9", f"{B}, refs #9"],
        [f"single: {A}, refs #9", f"single: {B}, refs #9"],
    ),
    "tests that point at the issue of a change": (
        [f"{A}, refs #9", B, "Add tests, refs #9"],
        [f"issue: {A}, refs #9 + Add tests, refs #9", f"single: {B}"],
    ),
    "an issue that two requests cure": (
        [f"{A} (#1)\n\nFixes #9", f"{B} (#2)\n\nFixes #9"],
        [f"single: {A} (#1)", f"single: {B} (#2)"],
    ),
    "an issue that a bot quotes from elsewhere": (
        [commit(1, "Bump x from 1.0 to 1.1\n\n- Fixes #9", "package.json"), f"{A}\n\nFixes #9"],
        ["dependency-update: Bump x from 1.0 to 1.1", f"single: {A}"],
    ),
    "an issue that prose mentions": ([f"{A}\n\nSame as #9", f"{B}\n\nLike #9"], [f"single: {A}", f"single: {B}"]),
    "fixups": (
        [A, B, f"fixup! {A}", f"squash! fixup! {A}", f"amend! {oid(2)}"],
        [f"fixup: {A} + fixup! {A} + squash! fixup! {A}", f"fixup: {B} + amend! {oid(2)}"],
    ),
    "a fixup of nothing here": ([A, "fixup! Something else"], [f"paths: {A} + fixup! Something else"]),
    "two results in one file": ([A, B], [f"single: {A}", f"single: {B}"]),
    "a step of a release": ([A, "Release 1.2.0"], [f"single: {A}", "single: Release 1.2.0"]),
    "an empty commit": ([A, commit(2, "Trigger the build")], [f"single: {A}", "(Trigger the build: changes nothing)"]),
    "a merge that changes nothing": (
        [A, merge(2, "Merge branch 'main' into topic", 1, 9)],
        [f"single: {A}", "(Merge branch 'main' into topic: merge: changes nothing by itself)"],
    ),
    "commits whose diff nobody knows": (
        [replace(commit(1, A), diff_known=False), replace(commit(2, B), diff_known=False)],
        [f"single: {A}", f"single: {B}"],
    ),
}


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize(("commits", "expected"), SIGNS.values(), ids=SIGNS)
def test_commits_are_one_change_by_the_strongest_sign(commits: list[Commit | str], expected: list[str]) -> None:
    assert grouped(*commits) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (Rules(), [f"single: {A} (#1)", f"single: {B} (#1)"]),
        (Rules(subject_number=SubjectNumber.ISSUE), [f"issue: {A} (#1) + {B} (#1)"]),
        (NUMBERED, [f"pull-request: {A} (#1) + {B} (#1)"]),
    ],
    ids=["no rule", "an issue", "a request"],
)
def test_a_number_at_the_end_of_a_subject_counts_for_what_the_project_says(rules: Rules, expected: list[str]) -> None:
    assert grouped(f"{A} (#1)", f"{B} (#1)", rules=rules) == expected


def test_a_number_at_the_end_of_a_subject_counts_for_what_a_given_document_says() -> None:
    request = document(1, DocumentKind.PULL_REQUEST, key="#1", title=A)
    assert grouped(f"{A} (#1)", f"{B} (#1)", rules=Rules(), documents=(request,)) == [f"pull-request: {A} (#1) + {B} (#1)"]


def test_the_request_that_is_described_tells_nothing_apart_and_joins_nothing() -> None:
    operation = Operation(OperationType.PULL_REQUEST, "1", "example/payments")
    commits = (f"{A} (#1)", f"{B} (#1)", f"{C} (#2)", "Fix typo (#2)")
    assert grouped(*commits, operation=operation) == [
        f"single: {A} (#1)",
        f"single: {B} (#1)",
        f"pull-request: {C} (#2) + Fix typo (#2)",
    ]


def test_a_key_begins_the_first_commit_and_has_as_many_digits_as_tell_it_from_all_others() -> None:
    names = ("abcdef0" + "1" * 33, "abcdef0" + "1" * 8 + "2" * 25, "1234567" + "0" * 33)
    commits = [
        replace(commit(place, text, "a.py"), oid=name)
        for place, (text, name) in enumerate(zip((A, B, C), names, strict=True), 1)
    ]
    keys = [one.key for one in group(bundle(*commits), NUMBERED).groups]
    assert keys == ["abcdef0111111111", "abcdef0111111112", "1234567"]


def test_documents_belong_to_the_changes_that_cite_them() -> None:
    documents = (
        document(1, DocumentKind.PULL_REQUEST, key="#1", title=A),
        document(1, DocumentKind.ISSUE, key="#9", title="It fails"),
        document(1, DocumentKind.DECISION, key="ADR-1", title="Retry"),
    )
    two = group(bundle(commit(1, f"{A} (#1)", "a.py"), commit(2, f"{B}\n\nFixes #9", "b.py"), documents=documents), NUMBERED)
    assert [one.documents for one in two.groups] == [("P1",), ("I1",)]
    merged = document(1, DocumentKind.PULL_REQUEST, key="!4", title=A)
    theirs = (commit(1, f"{A}\n\nSee merge request example/payments!4", "a.py"), commit(2, B, "b.py"))
    assert [one.documents for one in group(bundle(*theirs, documents=(merged,)), NUMBERED).groups] == [("P1",), ()]
    one = group(bundle(commit(1, f"{A} (#1)", "a.py"), documents=documents), NUMBERED)
    assert [each.documents for each in one.groups] == [("P1", "I1", "D1")]


NET = (file(9000, "a.py"), file(9001, "shared.py"), file(9002, "b.py"))


def test_a_path_of_one_change_is_told_by_the_net_change_and_a_shared_one_by_its_commits() -> None:
    history = bundle(commit(1, A, "a.py", "shared.py"), commit(2, B, "shared.py", "b.py", "gone.py"), net=NET)
    assert [one.files for one in group(history, NUMBERED).groups] == [("F9000", "F101"), ("F200", "F9002")]


def test_the_only_change_has_all_of_the_net_change() -> None:
    history = bundle(commit(1, A, "a.py"), commit(2, f"fixup! {A}", "shared.py"), net=NET)
    assert [one.files for one in group(history, NUMBERED).groups] == [("F9000", "F9001", "F9002")]


def test_a_change_of_which_nothing_is_left_is_none() -> None:
    history = (commit(1, A, "a.py"), commit(2, B, "gone.py"), commit(3, "Delete it", "gone.py"))
    assert grouped(*history, net=NET[:1]) == [
        f"single: {A}",
        f"({B}: nothing of it remains between base and head)",
        "(Delete it: nothing of it remains between base and head)",
    ]
    assert grouped(*history[:2]) == [f"single: {A}", f"single: {B}"], "where no net change is known, nothing is gone"


def test_the_whole_leaves_out_what_cancelled_and_is_told_by_the_net_change() -> None:
    commits = (commit(1, A, "a.py"), commit(2, B, "gone.py"), merge(3, "Merge branch 'x'", 2))
    one = whole(bundle(*commits, net=NET[:1], documents=(document(1, DocumentKind.DECISION, title="Why"),)))
    assert (one.key, one.commits, one.files, one.documents) == (oid(1)[:7], ("C1",), ("F9000",), ("D1",))
    assert whole(bundle(commits[0], commits[1])).files == ("F100", "F200")
    assert whole(bundle(uncommitted=(file(7, "a.py"),))).files == ("F7",)
    assert whole(bundle()).key == ""


def test_every_commit_of_a_long_history_is_accounted_for_and_grouping_says_the_same_again() -> None:
    texts = (A, B, f"fixup! {A}", f'Revert "{B}"', "Fix typo", f"{C} (#4)", "Bump x from 1.0 to 1.1")
    commits = [after(commit(place, texts[place % len(texts)], f"src/{place % 5}.py"), place - 1) for place in range(1, 200)]
    history = bundle(*commits)
    first = group(history, NUMBERED)
    assert first == group(history, NUMBERED)
    assert list(first.coverage) == [one.id for one in commits]
    assert all(first.coverage.values())


MESSAGES = st.sampled_from(
    (
        *(A, B, f"fixup! {A}", f'Revert "{A}"', f"x\n\nThis reverts commit {oid(1)}.", "Merge pull request #1 from a/b\n\nX"),
        *("Bump x from 1 to 2", "y (#1)", "z\n\nFixes #1", "", "\n\n", "feat: a and also b", "* feat: a\n* fix: b"),
    )
)
PATHS = st.lists(st.sampled_from(("a.py", "b.py", "tests/test_a.py", "README.md")), max_size=3, unique=True)
COMMITS = st.lists(st.tuples(MESSAGES | st.text(max_size=40), PATHS, st.lists(st.integers(0, 12), max_size=3)), max_size=12)


@given(COMMITS, st.booleans())
def test_any_history_is_grouped_and_each_of_its_files_is_in_one_place(
    drawn: list[tuple[str, list[str], list[int]]], has_net: bool
) -> None:
    commits = [after(commit(place, text, *paths), *parents) for place, (text, paths, parents) in enumerate(drawn, 1)]
    history = bundle(*commits, net=NET if has_net else None)
    found = group(history, NUMBERED)
    assert set(found.coverage) == {one.id for one in commits}
    assert len({one.key for one in found.groups}) == len(found.groups)
    told = [item for one in found.groups for item in one.files]
    assert len(told) == len(set(told))
    for one in found.groups:
        assert all(one.key in found.coverage[item].split(", ") for item in one.commits)
    assert set(whole(history).commits) <= set(found.coverage)
