"""The decisions that a page tells in their own words are known by its record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guardrails.grounding.releases.told import decisions_told

MANIFEST = [
    {"id": "C1", "kind": "commit", "locator": "git:abc", "digest": "d"},
    {"id": "S1", "kind": "record", "locator": "git:abc:.ack/changes/resume-jobs.yaml", "digest": "d"},
    {"id": "S2", "kind": "record", "locator": "git:abc:led/worker.yaml#route-calls", "digest": "d"},
    {"id": "S3", "kind": "record", "locator": "git:abc:.ack/archive/other.yaml", "digest": "d"},
]


def text(*cited: str, basis: str = "evidence") -> dict[str, Any]:
    return {"basis": basis, "sentences": [{"text": "It does.", "evidence": list(cited)}]}


@pytest.mark.requirement("IC-7.4")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"items[a].title": text("S1"), "items[b].medium_md": text("S2")}, {"resume-jobs": "a", "route-calls": "b"}),
        ({"items[a].title": text("S1"), "items[a].short_md": text("S1")}, {"resume-jobs": "a"}),
        ({"items[a].title": text("S1"), "items[b.2].title": text("S1")}, {"resume-jobs": "a, b.2"}),
        ({"change.title": text("S1")}, {"resume-jobs": "change"}),
        ({"items[a].title": text("C1")}, {}),
        ({"items[a].title": text("S1", basis="synthesis")}, {}),
        ({"items[a].detail_md": text("S3")}, {}),
        ({"items[a].kind": {"basis": "rule", "evidence": ["S3"]}}, {}),
        ({}, {}),
    ],
)
def test_a_decision_is_told_where_its_words_stand(fields: dict[str, Any], expected: dict[str, str]) -> None:
    record = {"fields": fields, "evidence": MANIFEST}
    assert decisions_told(record) == decisions_told(json.loads(json.dumps(record))) == expected


def test_a_record_of_another_form_tells_none() -> None:
    assert decisions_told({}) == decisions_told({"fields": [], "evidence": {}}) == {}
