"""A merge is withheld with what it brought in, and only with that (Intent Changesets 6.9)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.evidence.model import Commit
from guardrails.redaction.merges import brought_in
from tests.guardrails.redaction.made_up import bundle, commit, oid, record, text_of
from tests.redacting import redacted

EMBARGOED = record("hush-fix", "embargoed", issues="SEC-9")
HUSHED = "Mend it\n\nChangeset: hush-fix"
TITLE = "Merge pull request #12 from o/b\n\nReject zugzwang"


def of(number: int, message: str, *parents: int) -> Commit:
    return replace(commit(number, message), parents=tuple(map(oid, parents)))


HIDDEN = {
    "its tip": (of(1, HUSHED, 0), of(2, TITLE, 0, 1)),
    "below its tip": (of(1, HUSHED, 0), of(2, "Go on", 1), of(3, TITLE, 0, 2)),
    "another merge within it": (of(1, HUSHED, 0), of(2, TITLE, 0, 1), of(3, TITLE, 0, 2)),
    "one of three branches": (of(1, "Go on", 0), of(2, HUSHED, 0), of(3, TITLE, 0, 1, 2)),
    "a commit that names such a merge": (of(1, HUSHED, 0), of(2, TITLE, 0, 1), of(3, f"Follow {oid(2)}: zugzwang", 2)),
}


@pytest.mark.requirement("IC-6.9", "AI-7")
@pytest.mark.parametrize("commits", HIDDEN.values(), ids=HIDDEN)
def test_the_message_of_a_merge_is_withheld_with_what_it_brought_in(commits: tuple[Commit, ...]) -> None:
    shown = redacted(bundle(*commits, replace(commit(9, "Add a button"), parents=(commits[-1].oid,)), records=[EMBARGOED]))
    assert "zugzwang" not in text_of(shown)
    assert "Add a button" in text_of(shown)


def test_merges_of_public_branches_are_shown_also_after_a_withheld_one() -> None:
    commits = (of(1, HUSHED, 0), of(2, "Merge a", 0, 1), of(3, "Go on", 2), of(4, "Merge pull request #3 from o/c\n\nGo", 2, 3))
    assert "Merge pull request #3" in text_of(redacted(bundle(*commits, records=[EMBARGOED])))


def test_each_merge_brings_in_what_no_earlier_one_did() -> None:
    commits = (of(1, "a", 0), of(2, "m", 0, 1), of(3, "b", 1), of(4, "c", 3), of(5, "n", 2, 4), of(6, "d", 5))
    assert {name: set(side) for name, side in brought_in(commits).items()} == {oid(2): {oid(1)}, oid(5): {oid(3), oid(4)}}


def test_a_history_without_merges_or_commits_brings_in_nothing() -> None:
    assert brought_in(()) == brought_in((of(1, "a", 0), of(2, "b", 1))) == {}
