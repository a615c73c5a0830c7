"""`evidraft changeset check | create`, `explain` and `evidence`: the suite's words, exit codes and keys."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from guardrails.grounding.catalogue import codes
from guardrails.strict_yaml import read
from tests.agent.payments import PROFILE, RECORD, Ran, Road, payments, program
from tests.repositories import GitFolder

CORPUS = Path(__file__).parents[2] / "cases" / "intent"
CASES = [
    case
    for case in read((CORPUS / "cases.yaml").read_bytes()).value["cases"]
    if case["kind"] == "changeset" and case["file"] and case["certainty"] not in {"open", "judgement"}
]
PENDING = ".ack/changes/resume-settlement-jobs.yaml"
LAST = "HEAD~1..HEAD"


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, with one commit."""
    return payments(tmp_path / "payments")


# check


@pytest.mark.requirement("IC-13.1", "IC-13.2")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_check_gives_the_specifications_verdict_as_exit_code(case: dict[str, Any], road: Road) -> None:
    profile = ["--profile", str(CORPUS / case["profile"])] if case["profile"] else []
    ran = road.evidraft("changeset", "check", str(CORPUS / case["file"]), *profile)
    assert ran.code == (0 if case["spec_verdict"] == "valid" else 1)
    assert ran.err == ""


def test_a_bad_record_wins_over_a_bad_profile(road: Road, tmp_path: Path) -> None:
    bad, missing = tmp_path / "bad.yaml", str(tmp_path / "missing.yaml")
    bad.write_text(RECORD.replace("id: resume", "id: -resume"), "utf-8")
    good = tmp_path / "good.yaml"
    good.write_text(RECORD, "utf-8")
    assert road.evidraft("changeset", "check", str(bad), "--profile", missing).code == 1
    assert road.evidraft("changeset", "check", str(good), "--profile", missing).code == 2


def test_findings_name_file_line_field_and_code(road: Road, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(RECORD.replace("id: resume", "id: -resume"), "utf-8")
    ran = road.evidraft("changeset", "check", str(bad))
    assert ran.out.startswith(f"{bad}:2: error invalid-changeset-id id: ")
    told = road.evidraft("changeset", "check", str(bad), "--format", "json").json
    assert [(finding["code"], finding["where"], finding["line"]) for finding in told["findings"]] == [
        ("invalid-changeset-id", "id", 2)
    ]


def test_of_very_many_findings_a_person_sees_some_and_a_count_and_json_has_all(road: Road, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    many = ", ".join(f"-x{number}" for number in range(900))
    bad.write_text(RECORD.replace("reverts: []", f"reverts: [{many}]"), "utf-8")
    ran = road.evidraft("changeset", "check", str(bad))
    assert (ran.code, len(ran.out.splitlines())) == (1, 51)
    assert ran.out.splitlines()[-1].endswith("and 850 more findings; --format json has them all")
    assert len(road.evidraft("changeset", "check", str(bad), "--format", "json").json["findings"]) == 900


# create


def create(road: Road, folder: GitFolder, text: str, *words: str) -> Ran:
    file = folder.path.parent / "record.yaml"
    file.write_text(text, "utf-8")
    return road.evidraft("changeset", "create", str(file), "--repo", str(folder.path), *words)


@pytest.mark.requirement("IC-5.2", "IC-5.3", "IC-6.3")
def test_a_record_is_created_with_the_very_bytes_given(folder: GitFolder, road: Road) -> None:
    text = "# A remark.\n" + RECORD + "x-team: 'settlement'   # unknown, kept\n"
    ran = create(road, folder, text)
    assert (ran.code, ran.out) == (0, f"created {folder.path / PENDING}\n")
    assert (folder.path / PENDING).read_text("utf-8") == text


def test_json_tells_path_and_id(folder: GitFolder, road: Road) -> None:
    ran = create(road, folder, RECORD, "--format", "json")
    assert ran.json == {"path": str(folder.path / PENDING), "id": "resume-settlement-jobs"}


def test_a_record_comes_from_standard_input_too(folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RECORD.encode())))
    assert road.evidraft("changeset", "create", "-", "--repo", str(folder.path)).code == 0
    assert (folder.path / PENDING).read_text("utf-8") == RECORD


def take(folder: GitFolder, path: str, text: str, *, then: str = "") -> None:
    folder.write({path: text})
    if then:
        folder.commit("chore: keep")
        folder.commit("chore: drop", {path: None})


@pytest.mark.requirement("IC-6.3")
@pytest.mark.parametrize(
    ("path", "text", "then"),
    [
        (PENDING, RECORD, ""),
        (".ack/archive/2026/other.yml", RECORD, ""),
        (".ack/changelog/worker.yaml", "entries:\n  - provenance: {changesets: [resume-settlement-jobs]}\n", ""),
        (PENDING, RECORD, "deleted"),
        (".ack/archive/other.yaml", RECORD, "deleted"),
    ],
    ids=["pending", "archived", "consumed", "deleted", "deleted under another name"],
)
def test_an_id_that_was_used_is_refused(folder: GitFolder, road: Road, path: str, text: str, then: str) -> None:
    take(folder, path, text, then=then)
    ran = create(road, folder, RECORD, "--format", "json")
    assert (ran.code, [finding["code"] for finding in ran.json["findings"]]) == (1, ["id-in-use"])
    assert Path(path).name in ran.json["findings"][0]["message"]


@pytest.mark.requirement("IC-6.6c")
@pytest.mark.parametrize("text", [RECORD.replace("apps/worker", "apps/lathe"), RECORD.replace("patch", "huge"), "a: 1\n", ""])
def test_what_is_no_record_of_this_project_is_not_placed(folder: GitFolder, road: Road, text: str) -> None:
    assert create(road, folder, text).code == 1
    assert not (folder.path / ".ack" / "changes").exists()


def test_an_existing_record_that_cannot_be_read_stops_it_for_ids_cannot_be_told(folder: GitFolder, road: Road) -> None:
    folder.write({".ack/changes/broken.yaml": "a: [\n"})
    ran = create(road, folder, RECORD)
    assert (ran.code, ran.out) == (2, "")
    assert ".ack/changes/broken.yaml" in ran.err


def test_a_file_that_stands_in_the_way_is_left_as_it_is(folder: GitFolder, road: Road) -> None:
    folder.write({PENDING: RECORD.replace("id: resume-settlement-jobs", "id: another-id")})
    before = (folder.path / PENDING).read_bytes()
    assert create(road, folder, RECORD).code == 2
    assert (folder.path / PENDING).read_bytes() == before


def test_without_a_profile_there_is_no_place(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path / "payments", profile=None)
    assert "no Project Profile" in create(road, folder, RECORD).err
    other = tmp_path / "profile.yaml"
    other.write_text(PROFILE, "utf-8")
    assert create(road, folder, RECORD, "--profile", str(other)).code == 0


# explain


def test_every_code_is_explained(road: Road) -> None:
    ran = road.evidraft("explain", "--format", "json")
    told = {one["name"]: one for one in ran.json}
    assert told.keys() == codes().keys()
    assert {"id-in-use", "outside-sources", "target-missing"} <= told.keys()
    assert all(one["summary"] and one["cure"] and one["section"] for one in told.values())


def test_one_code_is_explained_and_a_misspelt_one_gets_a_hint(road: Road) -> None:
    ran = road.evidraft("explain", "id-in-use")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "id-in-use (error; Intent Changesets 6.3)")
    wrong = road.evidraft("explain", "id-in-usse")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean id-in-use" in wrong.err
    assert road.evidraft("explain", "zzz").code == 2


# evidence


@pytest.mark.requirement("AI-1", "AI-2")
def test_evidence_shows_what_a_drafter_would_see_and_counts_what_it_would_not(folder: GitFolder, road: Road) -> None:
    ran = road.evidraft("evidence", LAST, "--repo", str(folder.path))
    assert ran.code == 0
    assert "Prevent deployment shutdowns from leaving settlement jobs incomplete." in ran.out
    assert "+def resume(ledger):" in ran.out
    assert PROFILE in ran.out
    assert "Ada Author" not in ran.out + ran.err
    assert "1 commits, 1 file changes, 1 hunks" in ran.err
    assert re.search(r"\d+ characters would be sent, asking for summary, rationale", ran.err)


def test_evidence_as_json_names_items_questions_and_redactions(folder: GitFolder, road: Road) -> None:
    told = road.evidraft("evidence", LAST, "--repo", str(folder.path), "--format", "json").json
    assert [item["id"] for item in told["items"]] == ["C1", "F1", "H1"]
    assert told["selection"] == {"spec": LAST, "base": folder.oid("HEAD~1"), "head": folder.oid("HEAD")}
    assert [question["field"] for question in told["open"]] == ["provenance"]
    assert told["redactions"]
    assert told["asked"] == ["summary", "rationale"]


def test_with_nothing_left_to_ask_there_is_no_prompt(folder: GitFolder, road: Road) -> None:
    said = ["--answer", "summary=Jobs resume", "--answer", "rationale=Operators restart jobs by hand"]
    ran = road.evidraft("evidence", LAST, "--repo", str(folder.path), *said)
    assert (ran.code, ran.out) == (0, "")
    assert "nothing is left to ask a drafter" in ran.err


# The program


@pytest.mark.parametrize("words", [["--help"], ["--version"], [], ["changeset", "--help"], ["verify", "--help"]])
def test_help_and_version_stand_on_standard_output(words: list[str]) -> None:
    done = program(["evidraft", *words])
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_an_unknown_command_is_one_line_and_with_json_one_document(road: Road) -> None:
    ran = road.evidraft("no-such-command")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert json.loads(road.evidraft("no-such-command", "--format=json").out)["status"] == "ERROR"
