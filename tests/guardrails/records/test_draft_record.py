"""A draft record is read strictly, and tells every way in which the present differs from it."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from guardrails.digests import sha256
from guardrails.records import draft_record
from guardrails.records.draft_record import DraftRecord, Present

OUTPUT: Final = b"intent-changeset: 1.0.0\n"
BASE, HEAD, OTHER = "a" * 40, "b" * 40, "c" * 40
DIGEST: Final = sha256(b"profile")
RECORD: Final[dict[str, Any]] = {
    "evidraft-record": "1.0.0",
    "task": "changeset",
    "status": "DRAFTED",
    "output-digest": sha256(OUTPUT),
    "selection": {"kind": "range", "spec": "main..HEAD", "base": BASE, "head": HEAD},
    "repository": "https://git.example.org/orchard/harvest",
    "profile": {"path": ".ack/profile.yaml", "digest": DIGEST},
    "policy-digest": sha256(b""),
    "engine": "rules 1",
    "drafter": {
        "client": "extractive",
        "prompt": {"name": "changeset", "version": "1", "digest": sha256(b"prompt")},
        "attempts": [{"prompt-digest": sha256(b"prompt"), "input-tokens": 0, "output-tokens": 0, "findings": []}],
    },
    "evidence": [{"id": "C1", "kind": "commit", "locator": f"git:{HEAD}", "digest": sha256(b"commit")}],
    "withheld": [],
    "redactions": [{"item": "C1", "rule": "github-token", "count": 1}],
    "left-out": [{"code": "shallow", "where": "main", "message": "not read"}],
    "fields": {
        "id": {"basis": "trailer", "evidence": ["C1"]},
        "summary": {"basis": "synthesis", "sentences": [{"text": "It resumes.", "evidence": ["C1"]}]},
    },
    "coverage": {"C1": "decision"},
    "findings": [],
}


def read(value: object) -> DraftRecord:
    record = draft_record.read(json.dumps(value).encode())
    assert isinstance(record, DraftRecord), record
    return record


def test_a_whole_record_is_read_and_fits_its_schema() -> None:
    Draft202012Validator.check_schema(draft_record.schema())
    assert Draft202012Validator(draft_record.schema()).is_valid(RECORD)
    assert read(RECORD).fields["summary"].sentences is not None


@pytest.mark.parametrize(
    "damage",
    [{"evidraft-record": "2.0.0"}, {"surprise": 1}, {"output-digest": "md5:00"}, {"evidence": "C1"}, {"status": "FINE"}],
)
def test_another_shape_is_refused_by_reader_and_schema_without_quoting_it(damage: dict[str, Any]) -> None:
    value = {**RECORD, **damage}
    found = draft_record.read(json.dumps(value).encode())
    assert isinstance(found, tuple)
    assert {finding.code for finding in found} == {draft_record.DRAFT_RECORD_SHAPE.name}
    assert not any(str(new) in finding.message for finding in found for new in damage.values() if new != 1)
    assert not Draft202012Validator(draft_record.schema()).is_valid(value)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b"null"])
def test_what_is_no_json_record_is_a_finding(data: bytes) -> None:
    found = draft_record.read(data)
    assert isinstance(found, tuple)
    assert [finding.code for finding in found] == ["draft-record-shape"]


@pytest.mark.requirement("AI-9")
@pytest.mark.requirement("AI-2")
@pytest.mark.parametrize(
    ("present", "codes"),
    [
        (Present(), []),
        (Present(selection=(BASE, HEAD), profile=DIGEST, output=OUTPUT), []),
        (Present(selection=(BASE, OTHER)), ["stale-head"]),
        (Present(selection=(OTHER, HEAD)), ["stale-head"]),
        (Present(selection=(None, None)), ["stale-head"]),
        (Present(profile=sha256(b"another")), ["stale-profile"]),
        (Present(profile=""), ["stale-profile"]),
        (Present(output=OUTPUT + b"# mine\n"), ["output-edited"]),
        (Present((BASE, OTHER), "", b""), ["stale-head", "stale-profile", "output-edited"]),
    ],
)
def test_every_difference_from_the_present_is_told_and_nothing_else(present: Present, codes: list[str]) -> None:
    assert [finding.code for finding in draft_record.staleness(read(RECORD), present)] == codes
