"""Decisions, provenance and relations of a draft: what evidence decides stands, what it does not is asked or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.changeset import given
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.findings import Severity, blocking
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected
from guardrails.records.changeset import Changeset, read
from tests.guardrails.grounding.grounded import Judged, judged
from tests.guardrails.resolving.building import WHOLE, record

CASE = {
    "commits": [{"message": WHOLE}],
    "texts": {
        "summary": [{"text": "Interrupted settlement jobs are resumed", "evidence": ["C1"]}],
        "rationale": [{"text": "Deployment shutdowns left settlement jobs incomplete", "evidence": ["C1"]}],
    },
}
DRAFTED = judged(CASE)


def with_value(case: Judged, path: str, value: FieldValue, basis: Basis, *ids: str) -> Judged:
    values = {**case.draft.values, path: Sourced(value, basis, ids)}
    return replace(case, draft=replace(case.draft, values=values))


def without_values(case: Judged, *paths: str) -> Judged:
    values = {path: value for path, value in case.draft.values.items() if path not in paths}
    return replace(case, draft=replace(case.draft, values=values))


def codes(case: Judged) -> set[tuple[str, str]]:
    return {(finding.code, finding.where) for finding in blocking(case.findings)}


def given_draft(**changes: object) -> Draft:
    changeset = read(record(1, **{"rationale": "Deployment shutdowns left settlement jobs incomplete", **changes}).data)
    assert isinstance(changeset, Changeset)
    return given(changeset, ("C1",))


def verified(**changes: object) -> Judged:
    return replace(DRAFTED, draft=given_draft(**changes))


MUTANTS = [
    ("targets[0].audiences", ("security-teams",), Basis.RULE, (), "decision-conflict"),
    ("targets[0].audiences", ("everybody",), Basis.RULE, (), "decision-outside-profile"),
    ("targets[0].impact", "major", Basis.TRAILER, ("C1",), "decision-conflict"),
    ("targets[0].impact", "patch", Basis.SYNTHESIS, ("C1",), "decision-synthesised"),
    ("targets[0].impact", "patch", Basis.TRAILER, (), "decision-without-evidence"),
    ("targets[0].impact", "patch", Basis.TRAILER, ("C7",), "unknown-evidence"),
    ("targets[0].release-unit", "apps/billing", Basis.EVIDENCE, ("C1",), "decision-outside-profile"),
    ("targets[0].stream", "lts", Basis.PROFILE, (), "decision-outside-profile"),
    ("targets[0].type", "feature", Basis.RULE, (), "decision-conflict"),
    ("id", "resume-jobs", Basis.TRAILER, ("C1",), "decision-conflict"),
    ("source-repository", "https://github.com/example/other", Basis.PROFILE, (), "decision-outside-profile"),
    ("disclosure.state", "embargoed", Basis.RULE, (), "decision-conflict"),
    ("disclosure.policy", "partners-first", Basis.EVIDENCE, ("C1",), "decision-conflict"),
    ("targets[1].release-unit", "apps/gateway", Basis.EVIDENCE, ("C1",), "decision-conflict"),
    ("provenance.issues", ("DEVELOP-291",), Basis.EVIDENCE, ("C1",), "provenance-invented"),
    ("provenance.issues", (), Basis.EVIDENCE, ("C1",), "provenance-empty"),
    (
        "provenance.pull-requests",
        ("https://github.com/example/payments/pull/9",),
        Basis.EVIDENCE,
        ("C1",),
        "provenance-invented",
    ),
    ("relations.reverts", ("some-earlier-one",), Basis.EVIDENCE, ("C1",), "relation-invented"),
    ("relations.supersedes", ("resume-settlement",), Basis.EVIDENCE, ("C1",), "relation-invented"),
]


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("path", "value", "basis", "ids", "code"), MUTANTS)
def test_an_invented_decision_is_caught(path: str, value: FieldValue, basis: Basis, ids: tuple[str, ...], code: str) -> None:
    case = with_value(DRAFTED, path, value, basis, *ids)
    assert code in {found for found, where in codes(case) if path.startswith(where)}
    assert not isinstance(case.verdict, Accepted)


@pytest.mark.requirement("UC-05")
def test_a_given_draft_that_says_what_the_evidence_decides_holds() -> None:
    assert codes(verified()) == set()
    assert isinstance(verified().verdict, Accepted)


@pytest.mark.requirement("UC-05")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"id": "resume-jobs"}, "decision-conflict"),
        ({"summary": "Interrupted settlement jobs are resumed, see DEVELOP-291"}, "unsupported-issue-key"),
        ({"rationale": "Deployment shutdowns left 17 settlement jobs incomplete"}, "unsupported-quantity"),
        ({"provenance": {"issues": ["DEVELOP-291"]}}, "provenance-invented"),
        ({"relations": {"reverts": ["never-there"], "supersedes": []}}, "relation-invented"),
    ],
)
def test_a_given_draft_with_an_invention_is_rejected(changes: dict[str, object], code: str) -> None:
    case = verified(**changes)
    assert code in {found for found, _ in codes(case)}
    assert isinstance(case.verdict, Rejected)


@pytest.mark.requirement("UC-06")
def test_a_given_decision_that_nothing_decides_is_put_to_a_person_with_its_value_as_suggestion() -> None:
    resolved = replace(DRAFTED.resolved, values={path: v for path, v in DRAFTED.resolved.values.items() if path != "id"})
    verdict = replace(verified(), resolved=resolved).verdict
    assert isinstance(verdict, NeedsInput)
    (question,) = verdict.unresolved
    assert (question.field, question.reason.value) == ("id", "no-evidence")
    assert [suggestion.value for suggestion in question.suggestions] == ["resume-settlement-jobs"]
    assert "decision-unconfirmed" in question.question


def test_null_asserts_nothing_but_does_not_stand_for_what_was_resolved() -> None:
    open_policy = {path: value for path, value in DRAFTED.resolved.values.items() if path != "disclosure.policy"}
    assert codes(replace(verified(), resolved=replace(DRAFTED.resolved, values=open_policy))) == set()
    text = Prose((Sentence("Deploy twice", ("C1",)),), Basis.TRAILER)
    resolved = replace(
        DRAFTED.resolved,
        values={path: value for path, value in DRAFTED.resolved.values.items() if path != "targets[0].migration"},
        prose={"targets[0].migration": text},
    )
    assert ("decision-conflict", "targets[0].migration") in codes(replace(verified(), resolved=resolved))


def test_migration_guidance_that_a_trailer_gives_stands_word_for_word() -> None:
    message = WHOLE.replace("Impact: patch", "Impact: major\nMigration: Drain the queue before the upgrade.")
    case = judged({**CASE, "commits": [{"message": message}]})
    path = "targets[0].migration"
    assert codes(case) == set()
    other = Prose((Sentence("Drain the queue.", ("C1",)),), Basis.SYNTHESIS)
    assert ("decision-conflict", path) in codes(case.told({path: other}))
    assert ("decision-conflict", path) in codes(DRAFTED.told({path: other}))


@pytest.mark.requirement("UC-06")
@pytest.mark.parametrize("path", ["id", "targets[0].impact", "disclosure.state", "targets[0].audiences"])
def test_a_required_field_that_nobody_has_or_asks_for_is_asked(path: str) -> None:
    verdict = without_values(DRAFTED, path).verdict
    assert isinstance(verdict, NeedsInput)
    assert [(question.field, question.reason.value) for question in verdict.unresolved] == [(path, "no-evidence")]
    assert {finding.code for finding in verdict.findings if finding.severity is Severity.NEEDS_INPUT} == {"field-missing"}


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(
    ("message", "reference", "code"),
    [
        ("fix: a\n\nRefs: DEVELOP-7", "DEVELOP-7", None),
        ("fix: a\n\nCloses DEVELOP-7", "DEVELOP-7", None),
        ("fix: a (#12)", "#12", None),
        ("fix: a (#12)", "https://github.com/example/payments/pull/12", None),
        ("Sort rows, closes #12", "#12", None),
        ("Sort rows\n\nThis fixes #12 for good.", "#12", None),
        ("fix: same idea as #56", "#56", "provenance-only-mentioned"),
        ("fix: a\n\n> this fixes #12", "#12", "provenance-only-mentioned"),
        ("fix: a (#123)", "#12", "provenance-invented"),
        ("fix: a (#12)", "https://github.com/other/payments/pull/12", "provenance-invented"),
        ("Merge pull request #12 from a/b", "https://github.com/example/payments/pull/12", None),
        ("fix: a\n\nSee merge request example/payments!12", "!12", None),
        ("fix: a\n\nThe same idea as in #56, told again.", "#56", "provenance-only-mentioned"),
        ("fix: a\n\nWe talked about DEVELOP-7 in passing.", "DEVELOP-7", "provenance-only-mentioned"),
        ("fix: a", "DEVELOP-7", "provenance-invented"),
        ("fix: a\n\nRefs: DEVELOP-70", "DEVELOP-7", "provenance-invented"),
    ],
)
def test_provenance_stands_in_a_field_of_the_evidence(message: str, reference: str, code: str | None) -> None:
    case = with_value(judged({"commits": [{"message": message}]}), "provenance.issues", (reference,), Basis.GIVEN)
    found = {finding.code for finding in case.findings if finding.code.startswith("provenance-")}
    assert found == ({code} if code else set())


@pytest.mark.requirement("IC-6.7")
def test_documents_and_answers_carry_provenance() -> None:
    documents = [
        {"kind": "D", "key": "ADR-0042", "title": "Serve HTTP/2"},
        {"kind": "I", "key": "OPS-1", "url": "https://t.example/OPS-1"},
    ]
    case = judged({**CASE, "documents": documents, "answers": {"provenance": ["INC-2026-07"]}})
    for reference in ("ADR-0042", "https://t.example/OPS-1", "INC-2026-07"):
        held = with_value(case, "provenance.others", (reference,), Basis.EVIDENCE, "D1", "I2")
        assert "provenance-invented" not in {finding.code for finding in held.findings}


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(
    "document",
    [
        {"kind": "P", "key": "#12", "title": "Resume"},
        {"kind": "P", "key": "!12", "title": "Resume"},
        {"kind": "I", "url": "https://t.example/1", "title": "Resume"},
        {"kind": "D", "title": "Resume"},
    ],
)
def test_every_document_that_resolving_cites_passes(document: dict[str, str]) -> None:
    case = judged({**CASE, "documents": [document]})
    assert len([path for path in case.draft.values if path.startswith("provenance.")]) == 1 + (document["kind"] != "I")
    assert codes(case) == set()


def test_relations_may_name_what_trailers_records_and_answers_name() -> None:
    message = WHOLE + "Reverts: pool-size\n"
    case = judged({**CASE, "commits": [{"message": message}]})
    held = with_value(case, "relations.reverts", ("pool-size",), Basis.TRAILER, "C1")
    assert "relation-invented" not in {finding.code for finding in held.findings}
