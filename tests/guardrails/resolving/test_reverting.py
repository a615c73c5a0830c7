"""A change and its revert cancel, or are told as what remains; a revert of something outside is a change of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.evidence.model import Commit
from guardrails.resolving.grouping.grouping import group
from tests.guardrails.resolving.building import bundle, commit, file, oid
from tests.guardrails.resolving.changes import NUMBERED, after, edited, grouped, merge

A, B = "Raise the pool size", "Sort reports by date"
OLD, NEW = " keep\n-size = 10\n+size = 40", " keep\n-size = 40\n+size = 10"
AWAY, BACK = (f"({A}: reverted by {{}} of the same range)", f"({{}}: reverts {A} of the same range)")


def raised(number: int = 1) -> Commit:
    return edited(number, A, {"pool.py": OLD})


def lowered(number: int, subject: str = f'Revert "{A}"', reverted: int = 1, text: str = NEW) -> Commit:
    return edited(number, f"{subject}\n\nThis reverts commit {oid(reverted)}.", {"pool.py": text})


def cancelled(revert: str) -> list[str]:
    return [AWAY.format(revert), BACK.format(revert)]


CASES: dict[str, tuple[list[Commit], list[str]]] = {
    "a pair cancels": ([raised(), lowered(2)], cancelled(f'Revert "{A}"')),
    "whatever its revert is called": ([raised(), lowered(2, "Lower the pool size")], cancelled("Lower the pool size")),
    "named by its subject alone": (
        [raised(), edited(2, f'Revert "{A}" (#8)', {"pool.py": NEW})],
        cancelled(f'Revert "{A}" (#8)'),
    ),
    "named by a typed subject": ([raised(), edited(2, f"revert: {A}", {"pool.py": NEW})], cancelled(f"revert: {A}")),
    "named by a forge's number": (
        [replace(raised(), message=f"{A} (#7)"), edited(2, "Undo it\n\nReverts example/payments#7", {"pool.py": NEW})],
        [f"single: {A} (#7)", "single: Undo it"],
    ),
    "named by a forge's number in a revert": (
        [replace(raised(), message=f"{A} (#7)"), edited(2, 'Revert "it"\n\nReverts example/payments#7', {"pool.py": NEW})],
        [f'({A} (#7): reverted by Revert "it" of the same range)', f'(Revert "it": reverts {A} (#7) of the same range)'],
    ),
    "a partial revert is told as what remains": (
        [raised(), lowered(2, text=" keep\n-size = 40\n+size = 20")],
        [f'revert: {A} + Revert "{A}"'],
    ),
    "a revert that does more is told as what remains": (
        [raised(), edited(2, f'Revert "{A}"\n\nThis reverts commit {oid(1)}.', {"pool.py": NEW, "log.py": "+log()"})],
        [f'revert: {A} + Revert "{A}"'],
    ),
    "a revert of a revert restores": (
        [raised(), lowered(2), lowered(3, f'Reapply "{A}"', 2, OLD)],
        [
            f"single: {A}",
            f'(Revert "{A}": reverted by Reapply "{A}" of the same range)',
            f'(Reapply "{A}": reverts Revert "{A}" of the same range)',
        ],
    ),
    "a changed copy of what was reverted is a change": (
        [raised(), lowered(2), lowered(3, f'Reapply "{A}"', 2, " keep\n-size = 10\n+size = 30")],
        [f'revert: Reapply "{A}"', *cancelled(f'Revert "{A}"')],
    ),
    "a revert with a decision of its own is a change": (
        [raised(), edited(2, f'Revert "{A}"\n\nThis reverts commit {oid(1)}.\n\nChangeset: lower', {"pool.py": NEW})],
        [f'revert: {A} + Revert "{A}"'],
    ),
    "a pair whose diff nobody knows cancels": (
        [replace(commit(1, A), diff_known=False), replace(commit(2, f'Revert "{A}"'), diff_known=False)],
        cancelled(f'Revert "{A}"'),
    ),
    "a revert of the future is none": ([lowered(1, reverted=2), raised(2)], [f'revert: Revert "{A}"', f"single: {A}"]),
    "a revert that a squash hides is none": (
        [raised(), edited(2, f"{B} (#9)\n\n* Sort\n\n* Revert it\n\nThis reverts commit {oid(1)}.", {"pool.py": NEW})],
        [f"single: {A}", f"single: {B} (#9)"],
    ),
    "the latest of one subject is meant": (
        [raised(), edited(2, A, {"b.py": OLD}), edited(3, f'Revert "{A}"', {"b.py": NEW})],
        [f"single: {A}", *cancelled(f'Revert "{A}"')],
    ),
}


@pytest.mark.requirement("DC-23")
@pytest.mark.parametrize(("commits", "expected"), CASES.values(), ids=CASES)
def test_a_change_and_its_revert_cancel_or_are_told_as_what_remains(commits: list[Commit], expected: list[str]) -> None:
    assert grouped(*commits) == expected


def test_the_net_change_decides_what_is_left_of_a_pair() -> None:
    pair = (raised(), lowered(2, text=" keep\n-size = 40\n+size = ten"))
    other = edited(3, B, {"report.py": "+sort()"})
    assert grouped(*pair, other, net=(file(9000, "report.py"),)) == [f"single: {B}", *cancelled(f'Revert "{A}"')]
    assert grouped(*pair, other, net=(file(9000, "report.py"), file(9001, "pool.py"))) == [
        f'revert: {A} + Revert "{A}"',
        f"single: {B}",
    ]


def test_objects_tell_of_files_whose_lines_were_not_read() -> None:
    def swapped(one: Commit, old: str, new: str) -> Commit:
        return replace(one, files=tuple(replace(each, old_object=old, new_object=new, hunks=()) for each in one.files))

    revert = f'Revert "{A}"'
    assert grouped(swapped(raised(), "1" * 40, "2" * 40), swapped(lowered(2), "2" * 40, "1" * 40)) == cancelled(revert)
    assert grouped(swapped(raised(), "1" * 40, "2" * 40), swapped(lowered(2), "2" * 40, "3" * 40)) == [
        f"revert: {A} + {revert}"
    ]


def test_a_reverted_merge_takes_all_with_it_that_it_brought_in() -> None:
    commits = (
        after(raised(), 90),
        after(edited(2, B, {"report.py": "+sort()"}), 1),
        merge(3, "Merge pull request #4 from a/b\n\nReports", 90, 2),
        after(
            edited(
                4, f'Revert "Merge pull request #4"\n\nThis reverts commit {oid(3)}.', {"pool.py": NEW, "report.py": "-sort()"}
            ),
            3,
        ),
    )
    assert [line.partition(":")[2] for line in grouped(*commits)] == [
        ' reverted by Revert "Merge pull request #4" of the same range)',
        ' reverted by Revert "Merge pull request #4" of the same range)',
        ' reverted by Revert "Merge pull request #4" of the same range)',
        " reverts Merge pull request #4 from a/b of the same range)",
    ]


def test_what_a_revert_takes_back_outside_is_named_and_is_no_part_of_the_change() -> None:
    outside = replace(commit(70, A, "pool.py"), id="C2")
    history = bundle(lowered(1, reverted=70), referenced=(outside,))
    (one,) = group(history, NUMBERED).groups
    assert (one.why, one.commits, one.reverts) == ("revert", ("C1",), ("C2",))
    (unknown,) = group(bundle(lowered(1, reverted=70)), NUMBERED).groups
    assert unknown.reverts == (oid(70),)
