"""A verification as evidence of drafts: bound to its commits, cited, asked of, and told in the draft record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.agent.payments import ANSWERS, RECORD, Ran, Road, payments
from tests.repositories import GitFolder
from tests.verifications import verification

pytestmark = pytest.mark.requirement("CC-16")
WIDE: Final = "apps/worker/**"
NARROW: Final = "apps/gateway/**"
CONTRACT: Final = """\
schema: '0.3'
change: {{ name: Resume jobs }}
scope: {{ allow: ['{scope}'] }}
"""
RANGE: Final = "HEAD~1..HEAD"


def verified(road: Road, folder: GitFolder, place: Path, scope: str, base: str = "HEAD~1") -> Path:
    """What verifying the last commit of a repository printed, in a file."""
    contract, file = place / "contract.yaml", place / "verification.json"
    contract.write_text(CONTRACT.format(scope=scope), "utf-8")
    sides = ("--repo", str(folder.path), "--base", base, "--head", "HEAD")
    both = ("--contract", str(contract), "--approved-contract", str(contract))
    file.write_text(road.evidraft("contract", "verify", *both, *sides, "--json").out, "utf-8")
    return file


class Case:
    """A repository, what was verified of it, and drafts with that as evidence."""

    def __init__(self, road: Road, place: Path, scope: str) -> None:
        self.road = road
        self.folder = payments(place / "payments")
        self.file = verified(road, self.folder, place, scope)

    def draft(self, *answers: str, operand: str = RANGE, words: tuple[str, ...] = ()) -> Ran:
        evidence = ("--evidence", str(self.file), *words)
        return self.road.draft(self.folder, operand, *evidence, answers=(*ANSWERS, *answers), json=True)


def test_a_contract_that_is_kept_is_named_and_nothing_is_asked(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, WIDE)
    ran = case.draft(words=("--record", str(tmp_path / "record.json")))
    assert ran.code == 0, ran.out
    contract = json.loads(case.file.read_text("utf-8"))["contractDigest"]
    assert ran.json["record"]["provenance"]["contracts"] == [contract]
    assert ran.json["sources"]["provenance.contracts"]["evidence"] == ["V1"]
    record = json.loads((tmp_path / "record.json").read_text("utf-8"))
    told = [item for item in record["evidence"] if item["kind"] == "contract"]
    assert [(item["id"], item["contract-digest"], item["result"]) for item in told] == [("V1", contract, "PASS")]
    assert told[0]["result-digest"] == told[0]["digest"]
    written = tmp_path / "record.json"
    assert road.evidraft("check", "--repo", str(case.folder.path), str(written)).code == 0


def test_drift_is_asked_until_a_person_answers(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, NARROW)
    asked = case.draft()
    assert asked.code == 3
    (field,) = [name for name in asked.fields if name.startswith("contract[")]
    (told,) = asked.json["contradictions"]
    assert (told["code"], told["where"]) == ("contract-drift", field)
    assert "apps/worker/settlement.py" in told["message"]
    settled = case.draft(f"{field}=accepted")
    assert settled.code == 0, settled.out
    assert [one["code"] for one in settled.json["warnings"] if one["where"] == field] == ["contract-drift"]


def test_an_envelope_asks_too_and_tells_what_a_person_says(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, NARROW)

    def described(*answers: str) -> Ran:
        words = (RANGE, "--shape", "single", "--evidence", str(case.file))
        return road.describe(case.folder, *words, answers=answers, json=True)

    asked = described()
    assert asked.code == 3
    (field,) = [name for name in asked.fields if name.startswith("contract[")]
    said = "The worker was changed before its contract was."
    told = described(f"{field}={said}")
    assert told.code == 0, told.out
    assert told.json["record"]["change"]["detail_md"].endswith(f"## What stays open\n\n{said}")


@pytest.mark.parametrize("operand", ["HEAD~1", "HEAD~1...HEAD~1"])
def test_a_verification_of_other_commits_is_stale_and_told(road: Road, tmp_path: Path, operand: str) -> None:
    case = Case(road, tmp_path, NARROW)
    ran = case.draft(operand=operand)
    assert "contract" not in " ".join(ran.json["evidence"])
    assert "contract-stale" in ran.err
    assert "verify again" in ran.err
    assert "V1" not in ran.out


def test_a_verification_of_another_base_is_stale(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, WIDE)
    case.file = verified(road, case.folder, tmp_path, WIDE, base="HEAD")
    ran = case.draft()
    assert "contract-stale" in ran.err
    assert "its base is" in ran.err
    assert "contracts" not in ran.json["record"]["provenance"]


def test_a_verification_of_folders_is_about_no_commits(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, WIDE)
    value = json.loads(case.file.read_text("utf-8"))
    folders = {side: value[side].split(":", 2)[2] for side in ("base", "head")}
    case.file.write_text(json.dumps({**value, **folders, "comparison": {"mode": "directories"}}), "utf-8")
    assert "compared folders" in case.draft().err


def test_what_is_not_committed_is_not_what_was_verified(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, WIDE)
    case.folder.write({"apps/worker/settlement.py": "x = 1\n"})
    ran = road.draft(case.folder, "--work-tree", "--evidence", str(case.file), answers=ANSWERS, json=True)
    assert "is not committed" in ran.err


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"schema": "0.1", "status": "ERROR", "message": "hunter2", "exitCode": 2}, "nothing was verified"),
        ({**verification(("a", "PASS", "")), "exitCode": 2}, "contradicts itself"),
        ({**verification(("a", "PASS", "")), "hunter2": 2}, "malformed"),
    ],
)
def test_what_cannot_be_believed_is_refused(road: Road, tmp_path: Path, value: dict[str, Any], said: str) -> None:
    file = tmp_path / "verification.json"
    file.write_text(json.dumps(value), "utf-8")
    ran = road.draft(payments(tmp_path / "payments"), RANGE, "--evidence", str(file), json=True)
    assert ran.code == 2
    assert said in ran.json["error"]["what"]
    assert "hunter2" not in ran.out + ran.err


def test_two_verifications_are_numbered_on(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, NARROW)
    ran = case.draft(words=("--evidence", str(case.file)))
    (told, *_) = [question for question in ran.json["unresolved"] if question["field"].startswith("contract[")]
    assert told["evidence"] == ["V4"]


def test_a_draft_of_somebody_else_is_asked_about_it_as_well(road: Road, tmp_path: Path) -> None:
    case = Case(road, tmp_path, NARROW)
    record = tmp_path / "record.yaml"
    record.write_text(RECORD, "utf-8")
    said = [word for answer in ANSWERS for word in ("--answer", answer)]
    words = ("verify", str(record), RANGE, "--repo", str(case.folder.path), *said, "--format", "json")
    assert road.evidraft(*words).code == 0
    told = road.evidraft(*words, "--evidence", str(case.file))
    assert (told.code, [one["code"] for one in told.json["contradictions"]]) == (3, ["contract-drift"])
