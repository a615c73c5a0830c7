"""A commit and the decision it links agree, or the field in doubt is named."""

from __future__ import annotations

import pytest

from guardrails.records.changeset import Changeset, read
from guardrails.records.commit import Message
from guardrails.records.commit import read as read_commit
from guardrails.records.linking import conflicts
from tests.guardrails.resolving.building import PROFILE, record, target


def changeset(*targets: dict[str, object]) -> Changeset:
    decision = read(record(1, targets=list(targets)).data)
    assert isinstance(decision, Changeset)
    return decision


GATEWAY = {"release-unit": "apps/gateway"}
CASES = [
    ("fix(apps/worker): x", [target()], []),
    ("fix(apps/worker): x\n\nImpact: minor", [target()], [("impact-conflict", "targets[0].impact")]),
    ("feat(apps/worker): x", [target()], [("impact-conflict", "targets[0].impact")]),
    ("security(apps/worker): x", [target()], []),
    ("fix(apps/worker): x", [target(), target(**GATEWAY, impact="major", migration="Do it")], []),
    ("fix(apps/gateway): x", [target()], [("release-unit-conflict", "targets")]),
    ("fix(apps/worker): x\n\nAffects: apps/gateway", [target()], [("release-unit-conflict", "targets")]),
    ("fix: x", [target()], [("unresolved-release-unit", "targets")]),
    ("fix(apps/worker): x\n\nMigration: Do  it", [target(migration="Do it")], []),
    (
        "fix(apps/worker): x\n\nMigration: Do that",
        [target(migration="Do it")],
        [("migration-conflict", "targets[0].migration")],
    ),
    ("fix(apps/worker): x\n\nMigration: Do it", [target()], [("migration-conflict", "targets[0].migration")]),
    ("fix(apps/worker): x", [target(migration="Do it")], []),
    (
        "fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=none",
        [target(**GATEWAY), target(**GATEWAY, stream="lts", impact="none")],
        [],
    ),
]


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(("message", "targets", "expected"), CASES)
def test_contradictions_are_named_and_silence_is_none(
    message: str, targets: list[dict[str, object]], expected: list[tuple[str, str]]
) -> None:
    said = read_commit(message)
    assert isinstance(said, Message)
    assert [(finding.code, finding.where) for finding in conflicts(said, changeset(*targets), PROFILE)] == expected
