"""A commit that contradicts the existing record of its decision is reported with both sides."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason
from guardrails.evidence.model import ExistingRecord
from tests.guardrails.resolving.building import PROFILE, WHOLE, asked, contradictions, record, resolve, target

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
