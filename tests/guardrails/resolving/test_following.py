"""A commit without a result of its own joins the change that it goes along with, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.evidence.model import Change, Commit
from guardrails.resolving.grouping.members import members
from tests.guardrails.resolving.building import bundle, commit
from tests.guardrails.resolving.changes import NUMBERED, edited, grouped

A, B = "Add retries to the client", "Show a message when the disk is full"


def adding(one: Commit) -> Commit:
    """The commit, with all its files new."""
    return replace(one, files=tuple(replace(file, change=Change.ADDED) for file in one.files))


CASES: dict[str, tuple[list[Commit], list[str]]] = {
    "right after, on the same paths": (
        [commit(1, A, "client.py", "retry.py"), commit(2, "Address review", "retry.py")],
        [f"paths: {A} + Address review"],
    ),
    "right after, beyond those paths": (
        [commit(1, A, "client.py"), commit(2, "Address review", "client.py", "server.py")],
        [f"single: {A}", "single: Address review"],
    ),
    "after another change": (
        [commit(1, A, "client.py"), commit(2, B, "disk.py"), commit(3, "Fix typo", "client.py")],
        [f"single: {A}", f"single: {B}", "single: Fix typo"],
    ),
    "after another change, on lines that the first one added": (
        [
            edited(1, A, {"client.py": "+def retry_the_call():"}),
            commit(2, B, "disk.py"),
            edited(3, "Fix typo", {"client.py": "-def retry_the_call():\n+def retry_the_calls():"}),
        ],
        [f"paths: {A} + Fix typo", f"single: {B}"],
    ),
    "on lines that two changes added": (
        [
            edited(1, A, {"client.py": "+def retry_the_call():"}),
            edited(2, B, {"disk.py": "+def tell_that_it_is_full():"}),
            edited(3, "Fix lint", {"client.py": "-def retry_the_call():", "disk.py": "-def tell_that_it_is_full():"}),
        ],
        [f"single: {A}", f"single: {B}", "single: Fix lint"],
    ),
    "new tests that are named for a file": (
        [commit(1, A, "src/client.py"), commit(2, B, "src/disk.py"), adding(commit(3, "Add tests", "tests/test_client.py"))],
        [f"paths: {A} + Add tests", f"single: {B}"],
    ),
    "new tests that are named for files of two changes": (
        [
            commit(1, A, "src/client.py"),
            commit(2, B, "src/disk.py"),
            adding(commit(3, "Add tests", "tests/test_client.py", "tests/test_disk.py")),
        ],
        [f"single: {A}", f"single: {B}", "single: Add tests"],
    ),
    "documents that repeat its words": (
        [
            commit(1, A, "src/x.py"),
            commit(2, B, "src/y.py"),
            adding(commit(3, "docs: how the client retries", "docs/guide.md")),
        ],
        [f"paths: {A} + docs: how the client retries", f"single: {B}"],
    ),
    "documents that share one word": (
        [commit(1, A, "src/x.py"), adding(commit(2, "docs: explain the client", "docs/guide.md"))],
        [f"single: {A}", "single: docs: explain the client"],
    ),
    "a changelog belongs to all": (
        [commit(1, A, "client.py", "CHANGELOG.md"), commit(2, "Fix typo", "CHANGELOG.md")],
        [f"single: {A}", "single: Fix typo"],
    ),
    "a manifest belongs to all": (
        [commit(1, A, "client.py", "pyproject.toml"), commit(2, "Fix the build", "pyproject.toml")],
        [f"single: {A}", "single: Fix the build"],
    ),
    "two results on one path": ([commit(1, A, "a.py"), commit(2, B, "a.py")], [f"single: {A}", f"single: {B}"]),
    "the same result twice on one path": ([commit(1, A, "a.py"), commit(2, A, "a.py", "b.py")], [f"paths: {A} + {A}"]),
    "the same result on other paths": ([commit(1, A, "a.py"), commit(2, A, "b.py")], [f"single: {A}", f"single: {A}"]),
    "a step of a release follows nothing": (
        [commit(1, A, "version.py"), commit(2, "chore(release): prepare for v1.2.0", "version.py")],
        [f"single: {A}", "single: chore(release): prepare for v1.2.0"],
    ),
    "a word of releases makes no release": (
        [commit(1, "Release the lock when the worker stops", "lock.py"), commit(2, "Fix typo", "lock.py")],
        ["paths: Release the lock when the worker stops + Fix typo"],
    ),
    "a program may be named for a changelog": (
        [commit(1, A, "src/changelog.rs"), commit(2, "Fix typo", "src/changelog.rs")],
        [f"paths: {A} + Fix typo"],
    ),
    "nothing follows a step of a release": (
        [commit(1, A, "a.py"), commit(2, "v1.2.0", "version.py"), commit(3, "Fix typo", "version.py")],
        [f"single: {A}", "single: v1.2.0", "single: Fix typo"],
    ),
    "one request does not follow another": (
        [commit(1, f"{A} (#1)", "a.py"), commit(2, "Fix typo (#2)", "a.py")],
        [f"single: {A} (#1)", "single: Fix typo (#2)"],
    ),
    "follow-ups of a follow-up": (
        [commit(1, A, "a.py"), commit(2, "Fix typo", "a.py"), commit(3, "Fix lint", "a.py")],
        [f"paths: {A} + Fix typo + Fix lint"],
    ),
    "a follow-up of nothing": ([commit(1, "Fix typo", "a.py"), commit(2, A, "a.py")], ["single: Fix typo", f"single: {A}"]),
}


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize(("commits", "expected"), CASES.values(), ids=CASES)
def test_a_follow_up_joins_the_change_that_it_goes_along_with(commits: list[Commit], expected: list[str]) -> None:
    assert grouped(*commits) == expected


RELEASES = (
    *("Release 1.2.0", "Release v1.2", "v1.2.0", "1.2", "Version 0.3.1", "chore(release): publish", "release: everything"),
    *(
        "Prepare release",
        "Prepare for the next release",
        "Release notes for 1.2",
        "Bump version to 1.2.0 (#7)",
        "Update version.",
    ),
    *("Update changelog", "changelog for 1.2", "Version Packages (#12)", "Back to development", "Post-release version bump"),
)
CHANGES = (
    *("Release the lock", "Release memory when a page is closed", "Set version header on replies", "Version the interface"),
    *("Start the server on demand", "Bump the limit to 40", "Add changes to the feed"),
)


@pytest.mark.parametrize(("subject", "expected"), [*((one, True) for one in RELEASES), *((one, False) for one in CHANGES)])
def test_a_step_of_a_release_is_known_by_its_subject(subject: str, expected: bool) -> None:
    (found,) = members(bundle(commit(1, subject, "a.py")), NUMBERED)
    assert found.is_release is expected
