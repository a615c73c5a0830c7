"""Provenance is cited structurally, given as a document or named by a person; prose cites nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Change, Commit, DocumentKind
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules, SubjectNumber
from tests.guardrails.resolving.building import (
    NO_RULES,
    PROFILE_TEXT,
    RULES,
    asked,
    commit,
    contradictions,
    document,
    file,
    profile_of,
    resolve,
)

FIX = "fix(apps/worker): x\n\nWhy it is so.\n\n"
PULL = "https://github.com/example/payments/pull/12"


def provenance(resolved: Resolved) -> dict[str, object]:
    """References by kind."""
    kinds = {path: sourced.value for path, sourced in resolved.values.items() if path.startswith("provenance.")}
    return {path.partition(".")[2]: texts for path, texts in kinds.items()}


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (f"{FIX}Refs: DEVELOP-219, SECURITY-7", {"issues": ("DEVELOP-219", "SECURITY-7")}),
        (f"{FIX}Fixes #12", {"issues": ("#12",)}),
        (f"{FIX}Closes: DEVELOP-219 and the rest", {"issues": ("DEVELOP-219",)}),
        (f"{FIX}Refs: ADR-0042", {"decisions": ("ADR-0042",)}),
        (f"{FIX}Refs: CVE-2026-12345", {"advisories": ("CVE-2026-12345",)}),
        (f"{FIX}Refs: https://tracker.example/T/9", {"references": ("https://tracker.example/T/9",)}),
        (f"{FIX}See: https://github.com/o/r/issues/9", {"issues": ("https://github.com/o/r/issues/9",)}),
        (f"{FIX}PR: {PULL}", {"pull-requests": (PULL,)}),
        (f"{FIX}PR: #12", {"pull-requests": ("#12",)}),
        ("fix(apps/worker): x (#12)", {"pull-requests": (PULL,)}),
        (f"{FIX}Refs: UTF-8, SHA-256", {}),
        (f"{FIX}Signed-off-by: DEVELOP-219", {}),
        ("fix(apps/worker): as in DEVELOP-219\n\nSame idea as PR #56, see DEVELOP-220.", {}),
    ],
)
def test_only_structure_cites(message: str, expected: dict[str, object]) -> None:
    assert provenance(resolve(message)) == expected


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(
    ("meaning", "expected"),
    [
        (SubjectNumber.PULL_REQUEST, {"pull-requests": (PULL,)}),
        (SubjectNumber.ISSUE, {"issues": ("#12",)}),
        (SubjectNumber.NONE, {}),
    ],
)
def test_the_number_of_a_subject_cites_what_the_project_says(meaning: SubjectNumber, expected: dict[str, object]) -> None:
    resolved = resolve("fix(apps/worker): x (#12)", rules=Rules(subject_number=meaning))
    assert provenance(resolved) == expected
    if not expected:
        assert [suggestion.value for suggestion in asked(resolved)["provenance"].suggestions] == [("#12",)]


@pytest.mark.parametrize(
    ("repository", "message", "expected"),
    [
        ("https://github.com/example/payments", "Merge pull request #12 from o/b", PULL),
        ("https://github.com/example/payments.git", "Merge pull request #12 from o/b", PULL),
        ("https://git.example.org/payments", "Merge pull request #12 from o/b", "#12"),
        (
            "https://git.example.org/team/payments",
            "Merge branch 'b'\n\nSee merge request team/payments!12",
            "https://git.example.org/team/payments/-/merge_requests/12",
        ),
        ("https://git.example.org/team/payments", "Merge branch 'b'\n\nSee merge request team/other!12", "team/other!12"),
        ("https://gitlab.com/team/payments", "Merge pull request #12 from o/b", "#12"),
        (
            "https://gitlab.com/team/payments",
            "Merge branch 'b'\n\nSee merge request !12",
            "https://gitlab.com/team/payments/-/merge_requests/12",
        ),
    ],
)
def test_a_merge_cites_its_request_by_address_where_the_profile_tells_it(repository: str, message: str, expected: str) -> None:
    profile = profile_of(PROFILE_TEXT.replace("https://github.com/example/payments", repository))
    merged = commit(2, message, parents=2)
    resolved = resolve(commit(1, "fix(apps/worker): x"), merged, profile=profile)
    assert provenance(resolved) == {"pull-requests": (expected,)}
    assert resolved.coverage["C2"] == "merge: changes nothing by itself"


def test_given_documents_are_references() -> None:
    documents = (
        document(1, DocumentKind.PULL_REQUEST, key="#12"),
        document(2, DocumentKind.PULL_REQUEST, key="#13", url="https://forge.example/13"),
        document(1, DocumentKind.ISSUE, key="DEVELOP-219", url="https://tracker.example/DEVELOP-219"),
        document(1, DocumentKind.DECISION, key="ADR-0042"),
        document(2, DocumentKind.DECISION),
        document(1, DocumentKind.REVIEW, url="https://forge.example/13#1"),
    )
    resolved = resolve("fix(apps/worker): x (#12)", documents=documents)
    assert provenance(resolved) == {
        "decisions": ("ADR-0042", "file:2"),
        "issues": ("DEVELOP-219",),
        "pull-requests": (PULL, "https://forge.example/13"),
    }
    assert resolved.values["provenance.pull-requests"].evidence == ("C1", "P1", "P2")


def test_a_changed_decision_file_is_a_reference() -> None:
    changed = commit(1, "fix(apps/worker): x", "docs/adr/0042-jobs.md", "docs/other.md")
    assert provenance(resolve(changed)) == {"decisions": ("docs/adr/0042-jobs.md",)}
    gone = replace(changed, files=(file(1, "docs/adr/0001-old.md", Change.DELETED),))
    assert provenance(resolve(gone)) == {}
    given = document(1, DocumentKind.DECISION, key="ADR-0042", locator="git:abc:docs/adr/0042-jobs.md")
    assert provenance(resolve(changed, documents=(given,))) == {"decisions": ("ADR-0042",)}


@pytest.mark.requirement("IC-6.7")
@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
def test_without_any_reference_provenance_is_asked_and_mentions_are_suggested() -> None:
    question = asked(resolve("fix(apps/worker): x\n\nWe met this in DEVELOP-219 and UTF-8."))["provenance"]
    assert question.reason is Reason.NO_EVIDENCE
    assert [(suggestion.value, suggestion.evidence) for suggestion in question.suggestions] == [(("DEVELOP-219",), ("C1",))]


def test_a_merge_that_links_no_decision_cites_nothing_for_a_chosen_one() -> None:
    merged = commit(2, "Merge pull request #12 from o/b", parents=2)
    assert provenance(resolve(f"{FIX}Changeset: a-b", merged, answers={"id": "a-b"})) == {}
    assert provenance(resolve(f"{FIX}Changeset: a-b", merged)) == {"pull-requests": (PULL,)}


def test_commits_outside_the_decision_cite_nothing() -> None:
    commits: list[Commit | str] = [f"{FIX}Changeset: a-b", f"{FIX}Changeset: c-d\nRefs: DEVELOP-1"]
    assert provenance(resolve(*commits, answers={"id": "a-b"})) == {}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (
            {"provenance": ["DEVELOP-219", PULL, "INC-7"]},
            {"issues": ("DEVELOP-219",), "pull-requests": (PULL,), "references": ("INC-7",)},
        ),
        ({"provenance": "ADR-0042"}, {"decisions": ("ADR-0042",)}),
        ({"provenance.issues": ["12"]}, {"issues": ("12",)}),
        ({"provenance.incidents": ["INC-7"]}, {"incidents": ("INC-7",)}),
    ],
)
def test_a_person_can_name_references(answers: dict[str, AnswerValue], expected: dict[str, object]) -> None:
    resolved = resolve(FIX, answers=answers)
    assert provenance(resolved) == expected
    assert {resolved.values[f"provenance.{kind}"].basis for kind in expected} == {Basis.ANSWER}
    assert contradictions(resolved) == []


def test_answers_add_to_what_is_cited() -> None:
    resolved = resolve(f"{FIX}Refs: DEVELOP-1", answers={"provenance.issues": ["DEVELOP-2"]})
    assert provenance(resolved) == {"issues": ("DEVELOP-1", "DEVELOP-2")}
    assert resolved.values["provenance.issues"].evidence == ("C1", "A1")


@pytest.mark.parametrize(
    ("path", "answer", "code"),
    [
        ("provenance", [], "answer-not-accepted"),
        ("provenance", None, "answer-not-accepted"),
        ("provenance.issues", [" "], "answer-not-accepted"),
        ("provenance.issues", [{"key": "A-1"}], "answer-not-accepted"),
        ("provenance.a.b", ["A-1"], "unknown-answer-field"),
        ("provenance.", ["A-1"], "unknown-answer-field"),
    ],
)
def test_an_answer_that_is_no_reference_is_refused(path: str, answer: AnswerValue, code: str) -> None:
    resolved = resolve(FIX, answers={path: answer}, rules=NO_RULES)
    assert contradictions(resolved) == [(code, path)]
    assert provenance(resolved) == {}


def test_a_refused_answer_leaves_its_kind_open_whatever_is_cited() -> None:
    resolved = resolve(f"{FIX}Refs: DEVELOP-1, ADR-0042", answers={"provenance.issues": []})
    assert provenance(resolved) == {"decisions": ("ADR-0042",)}
    assert "provenance.issues" in asked(resolved)


def test_a_tracker_that_no_rule_names_is_no_issue() -> None:
    rules = replace(RULES, trackers=frozenset())
    assert provenance(resolve(f"{FIX}Refs: DEVELOP-219", rules=rules)) == {}
