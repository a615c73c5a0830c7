"""Every selected commit is in the decision or accounted for, and what is reverted in between cancels."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason
from guardrails.evidence.model import Commit
from tests.guardrails.resolving.building import asked, commit, oid, resolve

FIX = "fix(apps/worker): x\n\nWhy it is so.\n"


def revert(number: int, *reverted: int, trailers: str = "") -> Commit:
    lines = "\n".join(f"This reverts commit {oid(place)}." for place in reverted)
    return commit(number, f'Revert "x"\n\n{lines}\n{trailers}')


CASES: list[tuple[list[Commit], dict[str, str]]] = [
    ([commit(1, FIX)], {"C1": "decision"}),
    (
        [commit(1, FIX), revert(2, 1), commit(3, FIX)],
        {"C1": "reverted by C2 of the same selection", "C2": "reverts C1 of the same selection", "C3": "decision"},
    ),
    (
        [commit(1, FIX), revert(2, 1), revert(3, 2)],
        {"C1": "decision", "C2": "reverted by C3 of the same selection", "C3": "reverts C2 of the same selection"},
    ),
    ([commit(1, FIX), revert(2, 99)], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), revert(2, 1, trailers="\nChangeset: undo-x\n")], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), commit(2, "Merge branch 'x'", parents=2)], {"C1": "decision", "C2": "merge: changes nothing by itself"}),
    ([commit(1, FIX), commit(2, "Merge branch 'x'", "a.py", parents=2)], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), commit(2, "Merge x\n\nImpact: patch", parents=2)], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), commit(2, "fix: y\n\nImpact: none")], {"C1": "decision", "C2": "internal: impact none"}),
    ([commit(1, FIX), commit(2, "fix: y\n\nImpact: none\nImpact: patch")], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), commit(2, "fix: y\n\nTarget-Impact: apps/worker=none")], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), commit(2, "chore!: y")], {"C1": "decision", "C2": "decision"}),
    ([commit(1, FIX), commit(2, "chore: y\n\nTarget-Impact: apps/worker=patch")], {"C1": "decision", "C2": "decision"}),
]


@pytest.mark.requirement("IC-4.2")
@pytest.mark.requirement("IC-6.8")
@pytest.mark.parametrize(("commits", "expected"), CASES)
def test_every_commit_is_accounted_for(commits: list[Commit], expected: dict[str, str]) -> None:
    assert resolve(*commits).coverage == expected


@pytest.mark.requirement("IC-4.3")
def test_a_selection_that_cancels_out_is_nothing_to_describe() -> None:
    resolved = resolve(commit(1, FIX), revert(2, 1))
    assert asked(resolved)["range"].reason is Reason.NOTHING_TO_DESCRIBE
    assert (resolved.values, resolved.prose, resolved.requests) == ({}, {}, ())
    assert list(resolved.coverage) == ["C1", "C2"]
