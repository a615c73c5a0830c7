"""The id of a decision stands in a trailer or comes from a person; it is never made up."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from tests.guardrails.resolving.building import PROFILE, WHOLE, asked, commit, contradictions, record, resolve, value

UNLINKED = "fix(apps/worker): resume interrupted jobs\n\nWhy it is so.\n"


def linking(word: str, subject: str = "fix(apps/worker): x") -> str:
    return f"{subject}\n\nWhy it is so.\n\nChangeset: {word}\n"


@pytest.mark.requirement("IC-7.1")
@pytest.mark.requirement("IC-4.2")
def test_several_commits_of_one_decision_give_its_id() -> None:
    resolved = resolve(linking("a-b"), linking("a-b"))
    assert (resolved.values["id"].value, resolved.values["id"].basis) == ("a-b", Basis.TRAILER)
    assert resolved.values["id"].evidence == ("C1", "C2")


@pytest.mark.requirement("IC-7.1")
@pytest.mark.requirement("IC-4.3")
@pytest.mark.requirement("AI-3")
def test_without_a_trailer_the_id_is_asked_and_a_slug_is_only_suggested() -> None:
    question = asked(resolve(UNLINKED))["id"]
    assert question.reason is Reason.NO_EVIDENCE
    assert question.suggestions == (Suggestion("resume-interrupted-jobs", ("C1",)),)


@pytest.mark.parametrize(
    ("description", "slug"),
    [
        ("sort rows, closes #12", "sort-rows"),
        ("sort rows (#12)", "sort-rows"),
        ("Größe ändern", None),
        ("重新生成rows", None),
        ("4 things", None),
        ("***", None),
    ],
)
def test_a_suggested_slug_fits_the_profile_or_is_left_out(description: str, slug: str | None) -> None:
    suggestions = asked(resolve(f"fix(apps/worker): {description}"))["id"].suggestions
    fitting = slug if slug and PROFILE.accepts_id(slug) else None
    assert [suggestion.value for suggestion in suggestions] == ([fitting] if fitting else [])


def test_a_slug_is_suggested_for_one_commit_or_one_request_not_for_the_first_of_many() -> None:
    merge = commit(3, "Merge pull request #12 from o/b\n\nSort rows twice", parents=2)
    assert asked(resolve(UNLINKED, "Keep rows"))["id"].suggestions == ()
    assert asked(resolve(UNLINKED, "Keep rows", merge))["id"].suggestions == (Suggestion("sort-rows-twice", ("C3",)),)


@pytest.mark.requirement("IC-4.2")
@pytest.mark.requirement("AI-6")
def test_several_linked_decisions_leave_only_the_id_to_say() -> None:
    resolved = resolve(linking("a-b"), linking("c-d"))
    assert list(asked(resolved)) == ["id"]
    question = asked(resolved)["id"]
    assert (question.reason, question.accepts) == (Reason.AMBIGUOUS, ("a-b", "c-d"))
    assert "targets[0].impact" not in resolved.values


def test_an_answered_id_restricts_the_decision_to_the_commits_that_link_it() -> None:
    resolved = resolve(linking("a-b"), linking("c-d"), UNLINKED, answers={"id": "c-d"})
    assert resolved.coverage == {"C1": "not linked to c-d: links a-b", "C2": "decision", "C3": "not linked to c-d"}
    assert resolved.values["id"].evidence == ("A1", "C2")
    assert resolved.values["targets[0].release-unit"].evidence == ("C2",)


def test_an_answered_id_names_unlinked_commits() -> None:
    assert value(resolve(UNLINKED, answers={"id": "resume-jobs"}), "id") == "resume-jobs"


@pytest.mark.requirement("IC-7.2")
def test_an_answered_id_that_no_trailer_has_is_a_contradiction() -> None:
    resolved = resolve(linking("a-b"), answers={"id": "c-d"})
    assert contradictions(resolved) == [("answer-conflict", "id")]
    assert asked(resolved)["id"].accepts == ("a-b",)


@pytest.mark.parametrize("word", ["Upper", "4digits", "-x", "", None, ["a"], True])
def test_an_answered_id_has_the_form_of_the_profile(word: object) -> None:
    resolved = resolve(UNLINKED, answers={"id": word})  # type: ignore[dict-item]
    assert contradictions(resolved) == [("answer-not-accepted", "id")]
    assert asked(resolved)["id"].reason is Reason.POLICY


def test_an_answered_id_is_not_one_that_was_used() -> None:
    resolved = resolve(UNLINKED, answers={"id": "resume-settlement-jobs"}, records=(record(1),))
    assert contradictions(resolved) == [("answered-id-taken", "id")]


@pytest.mark.requirement("IC-7.1")
def test_a_linked_id_of_another_form_is_not_taken_over() -> None:
    resolved = resolve(linking("4digits"))
    assert "id" not in resolved.values
    assert contradictions(resolved) == [("linked-id-not-accepted", "id")]


@pytest.mark.requirement("IC-6.6c")
def test_the_source_repository_is_the_one_of_the_profile() -> None:
    assert resolve(WHOLE).values["source-repository"].basis is Basis.PROFILE
    other = resolve(WHOLE, answers={"source-repository": "https://example.com/other"})
    assert contradictions(other) == [("answer-not-accepted", "source-repository")]
    assert "source-repository" not in other.values
