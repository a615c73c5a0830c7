"""A draft is made with every record of the decision that its commits link, and says both sides where they contradict."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails.strict_yaml import read, write
from tests.agent.payments import MESSAGE, RECORD, Road, payments

SAID = read(RECORD.encode()).value
TARGET = SAID["targets"][0]


def ledger(**changes: object) -> bytes:
    """The ledger that the record was consumed into."""
    kept = {name: SAID[name] for name in ("id", "summary", "rationale", "relations")}
    told = {name: TARGET[name] for name in ("type", "impact", "audiences", "migration")}
    provenance = {**SAID["provenance"], "changesets": [SAID["id"]]}
    disclosure = {"state": "public"}
    entry = {**kept, **told, "affects": ["apps/worker"], "provenance": provenance, "disclosure": disclosure, **changes}
    head = {"intent-changelog": "1.0.0", "release-unit": "apps/worker", "release": "1.0.0", "date": None}
    place = {"source-repository": SAID["source-repository"], "stream": "stable", "release-line": "1", "channel": "general"}
    return write({**head, **place, "entries": [entry], "amendments": []})


PLACES: dict[str, str | bytes] = {
    ".ack/changes/resume-settlement-jobs.yaml": RECORD,
    ".ack/archive/resume-settlement-jobs.yaml": RECORD,
    ".ack/changelog/worker.yaml": ledger(),
}


@pytest.mark.requirement("IC-11.5", "IC-7.2")
@pytest.mark.parametrize("place", PLACES)
def test_what_a_commit_says_otherwise_than_its_decision_is_a_contradiction(place: str, road: Road, tmp_path: Path) -> None:
    folder = payments(tmp_path / "payments", MESSAGE.replace("Impact: patch", "Impact: minor"))
    folder.write({place: PLACES[place]})
    ran = road.draft(folder, "HEAD~1..HEAD", json=True)
    assert ran.code == 3
    (told,) = ran.json["contradictions"]
    assert (told["code"], told["where"], told["evidence"]) == ("impact-conflict", "targets[0].impact", ["C1", "S1"])
    assert told["message"] == "the commit says minor, the changeset patch"
    assert "targets[0].impact" in ran.fields


@pytest.mark.parametrize("place", PLACES)
def test_a_commit_that_agrees_with_its_decision_contradicts_nothing(place: str, road: Road, tmp_path: Path) -> None:
    folder = payments(tmp_path / "payments")
    folder.write({place: PLACES[place]})
    assert road.draft(folder, "HEAD~1..HEAD", json=True).json["contradictions"] == []


@pytest.mark.requirement("IC-11.7")
def test_what_only_a_ledger_embargoes_is_not_quoted_in_a_draft(road: Road, tmp_path: Path) -> None:
    folder = payments(tmp_path / "payments", MESSAGE.replace("Impact: patch", "Impact: minor"))
    shut = {"state": "embargoed", "policy": "advisory"}
    hidden = "The key of the ledger was lost"
    folder.write({".ack/changelog/worker.yaml": ledger(disclosure=shut, summary=hidden, impact="major", migration=hidden)})
    ran = road.draft(folder, "HEAD~1..HEAD", json=True)
    assert ran.code == 3
    assert hidden not in ran.out + ran.err
