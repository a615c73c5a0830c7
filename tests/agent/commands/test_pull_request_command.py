"""`evidraft pull-request check | create | verify`: exit codes, the file that is made, and what a record is held against."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agent.commands.schemas import SCHEMAS
from guardrails.records import pull_request
from guardrails.strict_yaml import write
from tests.agent.payments import PROFILE, RECORD, Ran, Road, payments
from tests.guardrails.records.test_pull_request import PUBLIC, claim, request, target
from tests.repositories import GitFolder

POLICY = """\
pull-requests:
  directory: .ack/pulls
  merge-strategy: squash
  max-title-length: 72
  max-body-length: 4000
"""
ENABLED = PROFILE.replace("  changesets: 1.0.0\n", "  changesets: 1.0.0\n  pull-requests: 1.0.0\n") + POLICY
PENDING = ".ack/changes/resume-settlement-jobs.yaml"
PLACE = ".ack/pulls/resume-jobs.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository with a pending record, and a profile that has pull-request records."""
    made = payments(tmp_path / "payments")
    made.commit("chore(apps/worker): decide", {".ack/profile.yaml": ENABLED, PENDING: RECORD})
    return made


def record(folder: GitFolder, **changes: object) -> dict[str, Any]:
    """A record about the last commit."""
    return request(**{"base_revision": folder.oid("HEAD~1"), "evidence_revision": folder.oid("HEAD"), **changes})


def run(road: Road, folder: GitFolder, word: str, value: dict[str, Any] | bytes, *words: str) -> Ran:
    file = folder.path.parent / "record.yaml"
    file.write_bytes(write(value) if isinstance(value, dict) else value)
    where = ["--repo", str(folder.path)] if word != "check" else []
    return road.evidraft("pull-request", word, str(file), *where, *words)


def codes(ran: Ran) -> list[tuple[str, str]]:
    if "verified" in ran.json:
        assert Draft202012Validator(SCHEMAS["verified"].document()).is_valid(ran.json)
    return [(finding["code"], finding["where"]) for finding in ran.json["findings"]]


# check


def test_check_judges_alone_and_with_a_profile_by_its_policy(folder: GitFolder, road: Road) -> None:
    profile = str(folder.path / ".ack" / "profile.yaml")
    long = request(title="fix: " + "e" * 80)
    assert run(road, folder, "check", long).code == 0
    ran = run(road, folder, "check", long, "--profile", profile, "--format", "json")
    assert (ran.code, codes(ran)) == (1, [("pull-request-too-long", "title")])
    assert run(road, folder, "check", request(state="open"), "--profile", "missing").code == 1
    assert run(road, folder, "check", request(), "--profile", "missing").code == 2
    assert run(road, folder, "check", request()).out.endswith("record.yaml: valid Intent Pull Requests record\n")


# create


@pytest.mark.requirement("IC-5.2", "IC-5.3")
def test_a_record_is_created_with_the_very_bytes_given(folder: GitFolder, road: Road) -> None:
    data = b"# A remark.\n" + write(record(folder)) + b"x-team: 'settlement'   # unknown, kept\n"
    ran = run(road, folder, "create", data)
    assert (ran.code, ran.out) == (0, f"created {folder.path / PLACE}\n")
    assert (folder.path / PLACE).read_bytes() == data


def test_json_tells_path_and_id_and_a_record_comes_from_standard_input(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(write(record(folder)))))
    ran = road.evidraft("pull-request", "create", "-", "--repo", str(folder.path), "--format", "json")
    assert ran.json == {"path": str(folder.path / PLACE), "id": "resume-jobs"}


@pytest.mark.parametrize("path", [PLACE, ".ack/pulls/old/other.yml"])
@pytest.mark.parametrize("is_deleted", [False, True], ids=["there", "deleted"])
def test_an_id_that_was_used_is_refused(folder: GitFolder, road: Road, path: str, is_deleted: bool) -> None:
    folder.commit("chore: request", {path: write(request())})
    if is_deleted:
        folder.commit("chore: forget it", {path: None})
    ran = run(road, folder, "create", record(folder), "--format", "json")
    assert (ran.code, codes(ran)) == (1, [("pull-request-id-in-use", "id")])
    assert path in ran.json["findings"][0]["message"]


@pytest.mark.parametrize("value", [{"a": 1}, request(state="open"), request(targets=[target(release_unit="apps/lathe")])])
def test_what_is_no_record_of_this_project_is_not_placed(folder: GitFolder, road: Road, value: dict[str, Any]) -> None:
    assert run(road, folder, "create", value).code == 1
    assert not (folder.path / ".ack" / "pulls").exists()


@pytest.mark.requirement("IC-12.4")
def test_a_directory_that_leads_outside_is_not_written_to(folder: GitFolder, road: Road) -> None:
    outside = folder.path.parent / "outside"
    outside.mkdir()
    (folder.path / ".ack" / "pulls").symlink_to(outside)
    assert run(road, folder, "create", record(folder)).code == 2
    assert list(outside.iterdir()) == []


def test_a_profile_without_requests_has_no_place_for_a_record(folder: GitFolder, road: Road) -> None:
    folder.write({".ack/profile.yaml": PROFILE})
    ran = run(road, folder, "create", record(folder))
    assert (ran.code, ran.out) == (2, "")
    assert "pull-requests" in ran.err


# verify


def test_a_record_that_holds_is_verified_with_the_suites_keys(folder: GitFolder, road: Road) -> None:
    value = record(folder)
    ran = run(road, folder, "verify", value, "--format", "json")
    assert ran.code == 0
    assert ran.json == {
        "file": str(folder.path.parent / "record.yaml"),
        "id": "resume-jobs",
        "base_revision": value["base-revision"],
        "evidence_revision": value["evidence-revision"],
        "verified": True,
        "findings": [],
    }
    assert run(road, folder, "verify", value).out.endswith("record.yaml: the record holds\n")


def test_a_record_about_an_earlier_head_is_stale_until_that_head_is_named(folder: GitFolder, road: Road) -> None:
    value = record(folder, evidence_revision=folder.oid("HEAD~1"), base_revision=folder.oid("HEAD~2"))
    ran = run(road, folder, "verify", value, "--format", "json")
    assert (ran.code, codes(ran), ran.json["verified"]) == (1, [("stale-pull-request", "evidence-revision")], False)
    assert run(road, folder, "verify", value, "--head", "HEAD~1").code == 0


def test_a_base_that_is_unknown_or_no_ancestor_is_told(folder: GitFolder, road: Road) -> None:
    head = folder.oid("HEAD")
    folder.branch("side", "HEAD~2")
    side = folder.commit("chore: go elsewhere", {"other": "1\n"})
    folder.switch("main")
    tree = folder.oid("HEAD^{tree}")
    for base, message in ((side, "descend"), ("0" * 40, "no such commit"), (tree, "no such commit")):
        ran = run(road, folder, "verify", record(folder, base_revision=base), "--head", head, "--format", "json")
        assert codes(ran) == [("base-revision", "base-revision")]
        assert message in ran.json["findings"][0]["message"]


def test_where_a_shallow_clone_hides_the_base_nothing_is_judged(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    shallow = GitFolder.clone(folder, tmp_path / "shallow", "--depth=1")
    ran = run(road, shallow, "verify", record(folder))
    assert (ran.code, ran.out) == (2, "")
    assert "git fetch --unshallow" in ran.err


def test_an_unknown_head_is_a_failure(folder: GitFolder, road: Road) -> None:
    assert run(road, folder, "verify", record(folder), "--head", "nowhere").code == 2
    assert run(road, folder, "verify", record(folder), "--head", "--all").code == 2


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"targets": [target(impact="minor")]}, [("impact-conflict", "targets[0].impact")]),
        ({"provenance": {"changesets": ["no-such-one"]}}, [("unknown-changeset", "provenance.changesets[0]")]),
        ({"provenance": {"issues": ["DEVELOP-219"]}, "targets": [target(impact="minor")]}, []),
        ({"state": "draft", "targets": [], "verification": []}, [("target-not-in-request", "targets")]),
        ({"verification": [claim(command="")]}, [("claim-without-command", "verification[0].command")]),
    ],
)
def test_a_record_is_held_against_the_changesets_that_it_links(
    folder: GitFolder, road: Road, changes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    ran = run(road, folder, "verify", record(folder, **changes), "--format", "json")
    assert (ran.code, codes(ran)) == (1 if expected else 0, expected)


@pytest.mark.requirement("IC-7.4")
def test_a_decision_that_only_a_ledger_has_counts_with_its_stream(folder: GitFolder, road: Road) -> None:
    entry = f"""\
intent-changelog: 1.0.0
release-unit: apps/worker
release: 1.2.0
source-repository: https://github.com/example/payments
stream: stable
release-line: "1"
channel: general
date: null
entries:
  - id: resume-settlement-jobs
    type: reliability
    summary: Resume settlement jobs
    rationale: Avoid manual recovery
    impact: minor
    audiences: [operators]
    migration: null
    affects: [apps/worker]
    provenance: {{changesets: [resume-settlement-jobs]}}
    relations: {{reverts: [], supersedes: []}}
    disclosure: {{state: {PUBLIC["state"]}}}
amendments: []
"""
    folder.write({PENDING: None, ".ack/changelog/worker.yaml": entry})
    ran = run(road, folder, "verify", record(folder), "--format", "json")
    assert codes(ran) == [("impact-conflict", "targets[0].impact")]
    assert run(road, folder, "verify", record(folder, targets=[target(impact="minor")])).code == 0


@pytest.mark.requirement("IC-12.5")
def test_nothing_of_an_embargoed_changeset_is_told(folder: GitFolder, road: Road) -> None:
    hidden = RECORD.replace("impact: patch", "impact: minor").replace("state: public", "state: embargoed")
    folder.write({PENDING: hidden.replace("policy: null", "policy: cve")})
    ran = run(road, folder, "verify", record(folder))
    assert ran.code == 1
    assert "impact-conflict" in ran.out
    assert not any(word in ran.out + ran.err for word in ("minor", "interrupted", "DEVELOP", "cve"))


def test_another_record_that_cannot_be_read_stops_it(folder: GitFolder, road: Road) -> None:
    folder.write({".ack/changes/broken.yaml": "a: [\n"})
    ran = run(road, folder, "verify", record(folder))
    assert (ran.code, ".ack/changes/broken.yaml" in ran.err) == (2, True)


def test_a_created_record_is_read_again_as_it_was(folder: GitFolder, road: Road) -> None:
    data = pull_request.write(record(folder))
    run(road, folder, "create", data)
    assert road.evidraft("check", str(folder.path / PLACE), "--profile", str(folder.path / ".ack/profile.yaml")).code == 0
