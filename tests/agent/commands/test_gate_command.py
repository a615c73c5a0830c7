"""`evidraft changeset gate`: exit codes, what it prints, and the suite's scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails.strict_yaml import write
from tests.agent.payments import RECORD, Road, payments
from tests.guardrails.records.test_changelog import entry
from tests.intent_scenarios import assert_like_peer, named, play
from tests.repositories import GitFolder

PENDING = ".ack/changes/resume-settlement-jobs.yaml"
LEDGER = ".ack/changelog/worker.yaml"
DEVIATIONS = {
    "gate-published-ledger": (
        1,
        ("released-while-pending",),
        "8 asks for the unreleased record; only where consumed records are kept may one remain pending once it is released",
    ),
    "gate-symlinked-pending-dir": (1, ("target-not-consumed",), "9: a record is pending; the link stays inside the root"),
}
"""Scenarios that end otherwise than the peer's: exit code, findings, and why."""


def ledger(*entries: dict[str, object], date: str | None = None) -> bytes:
    return write(
        {
            "intent-changelog": "1.0.0",
            "release-unit": "apps/worker",
            "release": "1.4.0",
            "source-repository": "https://github.com/example/payments",
            "stream": "stable",
            "release-line": "1",
            "channel": "general",
            "date": date,
            "entries": list(entries),
            "amendments": [],
        }
    )


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, without a record."""
    return payments(tmp_path / "payments", None)


def gate(road: Road, folder: GitFolder, *words: str) -> tuple[int, str]:
    ran = road.evidraft("changeset", "gate", "--repo", str(folder.path), *words)
    return ran.code, ran.out or ran.err


@pytest.mark.requirement("IC-9.2")
@pytest.mark.parametrize("name", named("gate-"))
def test_a_scenario_ends_as_the_specification_asks(name: str, tmp_path: Path) -> None:
    played = play(name, tmp_path)
    if name not in DEVIATIONS:
        assert_like_peer(played)
        return
    (ran,) = played.runs
    code, findings, _ = DEVIATIONS[name]
    assert (ran.code, ran.findings) == (code, findings)
    assert ran.code != ran.peer_code


@pytest.mark.requirement("IC-9.2")
def test_the_gate_opens_with_consumption_and_says_so(folder: GitFolder, road: Road) -> None:
    assert gate(road, folder) == (0, "the gate is open: nothing is pending\n")
    folder.write({PENDING: RECORD, LEDGER: ledger()})
    told = f"{PENDING}:7: error target-not-consumed targets[0]: no entry of {LEDGER} names this changeset\n"
    assert gate(road, folder) == (1, told)
    folder.write({LEDGER: ledger(entry())})
    assert gate(road, folder) == (0, "the gate is open: 1 pending, all consumed\n")


def test_json_is_one_document_whether_open_or_closed(folder: GitFolder, road: Road) -> None:
    folder.write({PENDING: RECORD})
    told = road.evidraft("changeset", "gate", "--repo", str(folder.path), "--format", "json").json
    assert (told["gate"], told["pending"]) == ("closed", 1)
    assert [(one["file"], one["code"], one["line"]) for one in told["findings"]] == [
        (PENDING, "target-not-consumed", 7),
        (LEDGER, "ledger-missing", None),
    ]
    folder.write({LEDGER: ledger(entry())})
    told = road.evidraft("changeset", "gate", "--repo", str(folder.path), "--format", "json").json
    assert told == {"gate": "open", "pending": 1, "findings": []}


@pytest.mark.parametrize("path", ["2026/one.yaml", ".hidden/one.yaml", "one.YML"])
def test_a_record_counts_wherever_it_is_below_the_pending_directory(folder: GitFolder, road: Road, path: str) -> None:
    folder.write({f".ack/changes/{path}": RECORD, LEDGER: ledger()})
    assert gate(road, folder)[0] == 1


def test_of_very_many_findings_a_person_sees_some_and_a_count(folder: GitFolder, road: Road) -> None:
    folder.write({f".ack/changes/number-{n}.yaml": RECORD.replace("id: resume", f"id: n{n}-resume") for n in range(60)})
    folder.write({LEDGER: ledger()})
    code, out = gate(road, folder)
    assert (code, len(out.splitlines()), out.splitlines()[-1]) == (1, 51, "and 10 more findings; --format json has them all")


@pytest.mark.requirement("IC-12.4")
def test_what_cannot_be_told_is_a_failure_and_never_an_open_gate(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "one.yaml").write_text(RECORD, "utf-8")
    pending = folder.path / ".ack" / "changes"
    pending.symlink_to(away)
    assert gate(road, folder)[0] == 2
    pending.unlink()
    pending.write_text("no folder", "utf-8")
    assert gate(road, folder)[0] == 2
    pending.unlink()
    pending.mkdir()
    (pending / "gone.yaml").symlink_to("nowhere.yaml")
    assert gate(road, folder)[0] == 2
    (pending / "gone.yaml").unlink()
    folder.write({".ack/profile.yaml": "intent-profile: 2.0.0\n"})
    assert gate(road, folder)[0] == 2


@pytest.mark.requirement("IC-12.5")
def test_an_embargoed_record_is_told_by_its_place_alone(folder: GitFolder, road: Road) -> None:
    hidden = RECORD.replace("state: public", "state: embargoed").replace("policy: null", "policy: until-patched")
    folder.write({PENDING: hidden.replace("type: reliability", "type: security"), LEDGER: ledger(entry(type="reliability"))})
    for words in ((), ("--format", "json")):
        code, out = gate(road, folder, *words)
        assert code == 1
        assert not any(said in out for said in ("settlement jobs", "security", "DEVELOP", "apps/worker", "until-patched"))
        assert PENDING in out
