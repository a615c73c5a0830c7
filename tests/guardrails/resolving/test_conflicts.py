"""A commit that contradicts the existing record of its decision is reported with both sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.questions import Reason
from guardrails.evidence.model import ExistingRecord
from tests.guardrails.resolving.building import INSIDE, PROFILE, WHOLE, asked, contradictions, oid, record, resolve, target

CASES = [
    (record(1), []),
    (record(1, targets=[target(impact="minor")]), [("impact-conflict", "targets[0].impact")]),
    (record(1, targets=[target(**{"release-unit": "apps/gateway", "stream": "lts"})]), [("release-unit-conflict", "targets")]),
    (record(1, targets=[target(migration="Restart it")]), []),
    (record(1, id="another"), []),
    (ExistingRecord("S1", "file:1", "", "pending", "a.yaml", b"not: [a record"), []),
]


@pytest.mark.requirement("IC-7.2")
@pytest.mark.requirement("AI-5")
@pytest.mark.parametrize(("existing", "expected"), CASES)
def test_conflicts_with_the_record_are_reported(existing: ExistingRecord, expected: list[tuple[str, str]]) -> None:
    resolved = resolve(WHOLE, records=(existing,))
    assert contradictions(resolved) == expected
    for _, path in expected:
        question = asked(resolved)[path]
        assert (question.reason, question.evidence) == (Reason.CONTRADICTION, ("C1", "S1"))
        assert path not in resolved.values


@pytest.mark.requirement("IC-7.2")
def test_guidance_that_differs_from_the_record_is_reported() -> None:
    message = WHOLE.replace("Impact: patch", "Impact: patch\nMigration: Stop it")
    resolved = resolve(message, records=(record(1, targets=[target(migration="Restart it")]),))
    assert contradictions(resolved) == [("migration-conflict", "targets[0].migration")]
    assert "targets[0].migration" not in resolved.prose


def test_a_person_settles_what_the_record_says_otherwise() -> None:
    existing = record(1, targets=[target(impact="minor")])
    resolved = resolve(WHOLE, answers={"targets[0].impact": "patch"}, records=(existing,))
    assert contradictions(resolved) == []
    assert resolved.values["targets[0].impact"].value == "patch"
    assert existing.id == "S1"
    assert PROFILE.repository in existing.data.decode()


def entry(number: int, **changes: object) -> ExistingRecord:
    """A ledger entry of the decision, as the record that is made of it."""
    return replace(record(number, **changes), where="ledger", path=f"led/{number}.yaml")


@pytest.mark.requirement("IC-7.2", "IC-11.5")
def test_a_decision_that_only_ledgers_tell_is_one_with_a_target_of_each() -> None:
    lts = target(**{"release-unit": "apps/gateway"}, stream="lts", impact="minor")
    both = (entry(1), entry(2, targets=[lts]))
    message = WHOLE.replace("Impact: patch", "Impact: patch\nAffects: apps/gateway\nTarget-Impact: apps/gateway@lts=minor")
    assert contradictions(resolve(message, records=both)) == []
    resolved = resolve(WHOLE.replace("Impact: patch", "Impact: none"), records=both)
    assert contradictions(resolved) == [("impact-conflict", "targets[0].impact")]
    assert asked(resolved)["targets[0].impact"].evidence == ("C1", "S1")
    assert [finding.line for finding in resolved.contradictions] == [None]
    resolved = resolve(WHOLE.replace("apps/worker", "apps/gateway"), records=both[:1])
    assert ("release-unit-conflict", "targets") in contradictions(resolved)


def test_a_file_of_the_decision_counts_before_its_ledger_entries() -> None:
    assert contradictions(resolve(WHOLE, records=(record(1), entry(2, targets=[target(impact="minor")])))) == []


def test_the_entry_at_the_head_counts_before_older_ones() -> None:
    older = entry(2, targets=[target(impact="minor")])
    newest = replace(entry(1), locator=f"git:{oid(251)}:led/ws.yaml")
    assert contradictions(resolve(WHOLE, records=(older, newest))) == []
    assert contradictions(resolve(WHOLE, records=(replace(older, locator=newest.locator), entry(1)))) != []


@pytest.mark.requirement("IC-6.9")
def test_what_one_ledger_withholds_the_draft_withholds() -> None:
    shut = {"state": "embargoed", "not-before": None, "policy": "coordinated", "placeholder": None}
    lts = target(**{"release-unit": "apps/gateway"}, stream="lts")
    resolved = resolve(WHOLE, records=(entry(1), entry(2, targets=[lts], disclosure=shut)), policy=INSIDE)
    assert resolved.values["disclosure.state"].value == "embargoed"
    assert resolved.values["disclosure.state"].evidence == ("S1",)


@pytest.mark.requirement("IC-7.2")
def test_what_a_commit_touches_may_be_a_target_of_any_decision_that_it_links() -> None:
    other = record(2, id="route-calls", targets=[target(**{"release-unit": "apps/gateway"})])
    message = WHOLE.replace("Impact: patch", "Impact: patch\nAffects: apps/gateway\nChangeset: route-calls")
    answers = {"id": "resume-settlement-jobs"}
    assert contradictions(resolve(message, answers=answers, records=(record(1), other))) == []
    assert contradictions(resolve(message, answers=answers, records=(record(1),))) == [("release-unit-conflict", "targets")]
