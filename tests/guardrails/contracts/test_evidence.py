"""What a test run is bound to, and what it then shows (Change Contracts: evidence)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from guardrails.contracts.evidence import Evidence
from guardrails.contracts.evidence_envelope import Envelope, Preparation, read, told, write
from guardrails.contracts.evidence_import import envelope
from guardrails.contracts.inventory import Snapshot
from guardrails.contracts.schema import Contract
from guardrails.contracts.schema import read as read_contract
from guardrails.contracts.test_reports import ReportFault
from guardrails.digests import sha256

pytestmark = pytest.mark.requirement("CC-14")
NOON = datetime(2026, 12, 1, 12, 0, 0, 500_000, UTC)
COMMIT = "0" * 40
NOTHING = sha256(b"")
PREPARATION: dict[str, Any] = {
    "schema": "0.1",
    "subject": NOTHING,
    "contractDigest": NOTHING,
    "preparedAt": told(NOON),
    "projectRoot": "/p",
    "mode": "directory",
    "runner": {"name": "junit", "version": "9"},
}
ENVELOPE: dict[str, Any] = {
    "schema": "0.1",
    "subject": NOTHING,
    "contractDigest": NOTHING,
    "runner": {"name": "vitest", "version": "4"},
    "preparedAt": "2026-12-01T12:00:00Z",
    "startedAt": "2026-12-01T12:00:00.5Z",
    "capturedAt": "2026-12-01T12:00:01Z",
    "artifactDigest": NOTHING,
    "trust": "self-attested",
    "success": True,
    "tests": [{"file": "a.ts", "scenario": "x", "status": "passed"}],
}


def taken(**changes: Any) -> Envelope | list[str]:
    said = read(json.dumps({**ENVELOPE, **changes}).encode(), Envelope)
    return [f"{finding.code} {finding.where}" for finding in said] if isinstance(said, tuple) else said


def test_an_envelope_is_read_as_it_was_written() -> None:
    said = taken(revision=COMMIT)
    assert isinstance(said, Envelope)
    assert read(write(said), Envelope) == said
    assert write(said).endswith(b"}\n")
    assert json.loads(write(said)) == {**ENVELOPE, "revision": COMMIT}


@pytest.mark.parametrize(
    "changes",
    [
        {"trust": "signed"},
        {"schema": "0.2"},
        {"more": 1},
        {"subject": "sha256:0"},
        {"revision": "main"},
        {"success": "yes"},
        {"startedAt": "2026-12-01T11:59:59Z"},
        {"capturedAt": "2026-12-01T12:00:00Z"},
        {"preparedAt": "2026-12-01T12:00:00+00:00"},
        {"preparedAt": "2026-13-01T12:00:00Z"},
        {"tests": [{"file": "../a", "scenario": "x", "status": "passed"}]},
        {"tests": [{"file": "a", "scenario": "x", "status": "fine"}]},
        {"tests": [{"file": "a", "scenario": "", "status": "passed"}]},
        {"tests": [{"file": "a", "scenario": "x", "status": "failed"}]},
    ],
    ids=str,
)
def test_an_envelope_that_nobody_would_write_is_refused(changes: dict[str, Any]) -> None:
    said = taken(**changes)
    assert isinstance(said, list)
    assert {told.split()[0] for told in said} == {"evidence-shape"}


def test_what_is_no_json_is_no_envelope() -> None:
    said = read(b"{", Envelope)
    assert isinstance(said, tuple)
    assert [finding.code for finding in said] == ["evidence-shape"]


CONTRACT = read_contract(b"schema: '0.3'\nchange: { name: t }\nscope: { allow: ['**'] }\n")
assert isinstance(CONTRACT, Contract)
HEAD = Snapshot({}, {}, COMMIT)


@pytest.mark.parametrize(
    ("changes", "commit", "stale"),
    [
        ({"revision": COMMIT}, COMMIT, []),
        ({}, "", []),
        ({"revision": "1" * 40}, "", []),
        ({}, COMMIT, ["revision"]),
        ({"revision": "1" * 40}, COMMIT, ["revision"]),
        ({"subject": NOTHING, "contractDigest": NOTHING}, "", ["files", "contract"]),
    ],
)
def test_a_run_counts_only_where_it_is_about_this_change(changes: dict[str, Any], commit: str, stale: list[str]) -> None:
    assert isinstance(CONTRACT, Contract)
    head = Snapshot({}, {}, commit)
    said = taken(**{"subject": head.digest, "contractDigest": CONTRACT.digest, **changes})
    assert isinstance(said, Envelope)
    known = Evidence.of(said, CONTRACT, head)
    assert [told.split(":")[0] for told in known.stale] == stale
    assert len(known.runs("x", "a.ts")) == (0 if stale else 1)
    assert known.runs("x", "b.ts") == ()


def preparation(**changes: Any) -> Preparation:
    return Preparation.model_validate({**PREPARATION, **changes})


def report(timestamp: str, file: str = "a.py") -> bytes:
    return f'<testsuite timestamp="{timestamp}"><testcase name="x" file="{file}"/></testsuite>'.encode()


def imported(data: bytes, hours: int = 0, **changes: Any) -> Envelope:
    captured = NOON + timedelta(minutes=1)
    return envelope(data, preparation(**changes), ["a.py"], captured, timezone(timedelta(hours=hours)))


@pytest.mark.parametrize(
    ("timestamp", "hours", "started"),
    [
        ("2026-12-01T12:00:30.250000+00:00", 0, "2026-12-01T12:00:30.250Z"),
        ("2026-12-01T13:00:30+01:00", 0, "2026-12-01T12:00:30.000Z"),
        ("2026-12-01T12:00:30", 5, "2026-12-01T12:00:30.000Z"),
        ("2026-12-01T17:00:30", 5, "2026-12-01T12:00:30.000Z"),
        ("2026-12-01T12:00:00", 0, "2026-12-01T12:00:00.500Z"),
    ],
)
def test_a_run_between_preparing_and_importing_is_taken(timestamp: str, hours: int, started: str) -> None:
    said = imported(report(timestamp), hours)
    assert (said.started_at, said.success, said.artifact_digest) == (started, True, sha256(report(timestamp)))
    assert [(test.file, test.scenario, test.title, test.status) for test in said.tests] == [("a.py", "x", "x", "passed")]


@pytest.mark.parametrize("timestamp", ["2026-12-01T11:59:59+00:00", "2026-12-01T12:00:00.4+00:00", "2026-12-01T13:00:00"])
def test_a_run_at_another_time_is_refused(timestamp: str) -> None:
    with pytest.raises(ReportFault, match="the run began"):
        imported(report(timestamp))


def test_what_passed_in_a_file_that_nobody_looked_at_shows_nothing() -> None:
    assert imported(report("2026-12-01T12:00:30", "dist/a.py")).tests[0].status == "inconclusive"


def test_a_report_of_another_kind_than_was_prepared_is_refused() -> None:
    with pytest.raises(ReportFault, match="not JSON"):
        imported(report("2026-12-01T12:00:30"), runner={"name": "vitest", "version": "4"})
    with pytest.raises(ReportFault, match="expected one of"):
        imported(report("2026-12-01T12:00:30"), runner={"name": "other", "version": "4"})
