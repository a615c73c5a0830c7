"""A revert names a commit, and the decision that commit links is what is reverted."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue
from tests.guardrails.resolving.building import WHOLE, asked, commit, contradictions, oid, resolve

REVERTS, SUPERSEDES = "relations.reverts", "relations.supersedes"
LINKED = commit(90, "fix(apps/worker): old\n\nChangeset: old-jobs")
UNLINKED = commit(91, "fix(apps/worker): old")
DOUBLE = commit(92, "fix(apps/worker): old\n\nChangeset: old-jobs\nChangeset: old-queue")


def reverting(number: int, changeset: str = "undo-jobs") -> str:
    return f'Revert "old"\n\nThis reverts commit {oid(number)}.\n\nChangeset: {changeset}'


@pytest.mark.requirement("IC-6.8")
def test_without_a_revert_both_lists_are_empty() -> None:
    resolved = resolve(WHOLE)
    assert [resolved.values[path].value for path in (REVERTS, SUPERSEDES)] == [(), ()]
    assert resolved.values[REVERTS].basis is Basis.EVIDENCE


@pytest.mark.requirement("IC-6.8")
@pytest.mark.parametrize(
    "message", [reverting(90), f"fix(apps/worker): undo\n\nReverts: {oid(90)[:9].upper()}\nChangeset: undo-jobs"]
)
def test_a_revert_names_the_decision_of_the_reverted_commit(message: str) -> None:
    settled = resolve(message, referenced=(LINKED,)).values[REVERTS]
    assert (settled.value, settled.evidence) == (("old-jobs",), ("C1", "C90"))


def test_a_revert_of_a_commit_without_a_decision_reverts_none() -> None:
    assert resolve(reverting(91), referenced=(UNLINKED,)).values[REVERTS].value == ()


def test_a_revert_inside_the_selection_with_its_own_decision_names_the_other() -> None:
    resolved = resolve("fix(apps/worker): old\n\nChangeset: old-jobs", reverting(1), answers={"id": "undo-jobs"})
    assert resolved.values[REVERTS].value == ("old-jobs",)


def test_a_decision_does_not_revert_itself() -> None:
    assert resolve(reverting(90, "old-jobs"), referenced=(LINKED,)).values[REVERTS].value == ()


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize(("number", "reason"), [(92, Reason.AMBIGUOUS), (99, Reason.NO_EVIDENCE)])
def test_a_revert_of_several_decisions_or_of_an_unseen_commit_is_asked(number: int, reason: Reason) -> None:
    resolved = resolve(reverting(number), referenced=(DOUBLE,))
    assert asked(resolved)[REVERTS].reason is reason
    assert REVERTS not in resolved.values


@pytest.mark.parametrize(("path", "answer"), [(REVERTS, ["old-jobs"]), (REVERTS, []), (SUPERSEDES, ["a-b", "c-d"])])
def test_a_person_can_say_relations(path: str, answer: list[AnswerValue]) -> None:
    settled = resolve(reverting(99), answers={path: answer}).values[path]
    assert (settled.value, settled.basis) == (tuple(answer), Basis.ANSWER)


@pytest.mark.requirement("IC-6.8")
@pytest.mark.parametrize("answer", [["Upper"], ["a", "a"], ["resume-settlement-jobs"], None, [None]])
def test_an_answered_relation_is_a_list_of_other_ids(answer: AnswerValue) -> None:
    resolved = resolve(WHOLE, answers={SUPERSEDES: answer})
    assert contradictions(resolved) == [("answer-not-accepted", SUPERSEDES)]
    assert SUPERSEDES not in resolved.values
