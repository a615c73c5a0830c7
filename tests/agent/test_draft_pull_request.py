"""`evidraft pull-request draft` from outside: what comes of commits, changesets, texts and answers, and where it goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agent.commands import schemas
from tests.agent.commands.test_pull_request_command import ENABLED, PENDING
from tests.agent.payments import GATEWAY, MENDED, MESSAGE, RECORD, RULES, Ran, Road, payments
from tests.repositories import GitFolder

SOURCE = "apps/worker/settlement.py"
ID = "id=resume-jobs"
PLACE = ".ack/pulls/resume-jobs.yaml"
DRAFTED = """\
intent-pull-request: 1.0.0
id: resume-jobs
title: "fix(apps/worker): resume interrupted settlement jobs"
state: draft
summary: Resume settlement jobs interrupted during shutdown
rationale: Avoid manual recovery when deployments interrupt long jobs
approach: "`apps/worker/settlement.py`: adds `resume`."
trade-offs: ""
targets:
  - release-unit: apps/worker
    stream: stable
    impact: patch
    migration: null
risks: []
rollout: null
rollback: null
verification: []
provenance:
  changesets: [resume-settlement-jobs]
disclosure:
  state: public
  not-before: null
  policy: null
  placeholder: null
base-revision: {base}
evidence-revision: {head}
"""
REQUEST = """\
---
kind: pull-request
key: "#12"
---
# fix(apps/worker): resume interrupted settlement jobs

Operators had to recover jobs by hand because deployments interrupt them.

## Approach

The ledger is asked for interrupted jobs when the worker starts.

## Trade-offs

Starting takes longer when many jobs were interrupted.

**Risks**

- A job that was booked just before the shutdown may be booked again.
- No dashboard counts resumed jobs.

Rollback: go back to the release before, for the ledger keeps its format.

## Rollout

None.
"""
UNLINKED = (
    "fix(apps/worker): resume interrupted jobs\n\nJobs were lost because deployments interrupt them.\n\nRefs: DEVELOP-219\n"
)
OTHER = "fix(apps/worker): book each parcel once\n\nParcels were booked twice because of retries.\n\nRefs: DEVELOP-300\n"
EMBARGO = RECORD.replace(
    "state: public\n  not-before: null\n  policy: null", "state: embargoed\n  not-before: null\n  policy: cve"
)
INSIDE = "inside: {extractive: [cve]}\n"
MAJOR = RECORD.replace("impact: patch", "impact: major").replace(
    "migration: null", "migration: Drain the queue before the upgrade"
)
CLAIM = ("name=Unit tests", "status=passed", "command=make test", "evidence=build 77")


def repository(path: Path, *messages: str, record: str | None = RECORD, profile: str = ENABLED) -> GitFolder:
    """The seed's repository, and a branch with a pending record and one commit for each message."""
    made = payments(path, None, profile=profile)
    made.branch("topic")
    if record is not None:
        made.commit("chore(apps/worker): decide", {PENDING: record})
    for number, message in enumerate(messages):
        made.commit(message, {SOURCE: MENDED + "\n" * number})
    return made


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A branch that carries out one pending changeset."""
    return repository(tmp_path / "payments", MESSAGE)


def draft(road: Road, folder: GitFolder, *words: str, answers: tuple[str, ...] = (ID,), json: bool = False) -> Ran:
    said = [word for answer in answers for word in ("--answer", answer)]
    own = ["--format", "json"] if json else []
    return road.evidraft("pull-request", "draft", "--repo", str(folder.path), *words, *said, *own)


def record(ran: Ran) -> dict[str, Any]:
    told: dict[str, Any] = ran.json["record"]
    return told


def question(ran: Ran, field: str) -> dict[str, Any]:
    assert ran.code == 3, ran.out
    return next(one for one in ran.json["unresolved"] if one["field"] == field)


def golden(folder: GitFolder) -> str:
    return DRAFTED.format(base=folder.oid("main"), head=folder.oid("HEAD"))


# What is drafted


@pytest.mark.requirement("AI-1", "AI-3", "IC-7.4")
def test_a_request_that_carries_out_a_changeset_takes_over_its_words_and_targets(folder: GitFolder, road: Road) -> None:
    ran = draft(road, folder)
    assert (ran.code, ran.out) == (0, golden(folder))
    assert ran.err.splitlines()[0] == "range: main..HEAD"


def test_what_is_drafted_passes_its_check_and_is_verified_on_its_own_commits(
    folder: GitFolder, road: Road, tmp_path: Path
) -> None:
    output = tmp_path / "record.yaml"
    assert draft(road, folder, "--output", str(output), "--record", str(tmp_path / "receipt.json")).code == 0
    profile, repo = ("--profile", str(folder.path / ".ack/profile.yaml")), ("--repo", str(folder.path))
    assert road.evidraft("pull-request", "check", str(output), *profile).code == 0
    assert road.evidraft("pull-request", "verify", str(output), *repo).code == 0
    assert road.evidraft("check", str(output), "--record", str(tmp_path / "receipt.json"), *repo).code == 0
    assert road.evidraft("verify", str(output), *repo, "--answer", ID).code == 0
    folder.commit("fix(apps/worker): again\n\nChangeset: resume-settlement-jobs\n", {SOURCE: "# no\n"})
    assert road.evidraft("check", str(output), "--record", str(tmp_path / "receipt.json"), *repo).code == 1


@pytest.mark.requirement("AI-4")
def test_json_tells_of_each_field_what_it_rests_on(folder: GitFolder, road: Road) -> None:
    ran = draft(road, folder, json=True)
    sources = ran.json["sources"]
    assert [sources[path]["basis"] for path in ("id", "state", "title.type", "approach")] == [
        "answer",
        "rule",
        "evidence",
        "synthesis",
    ]
    assert sources["summary"]["sentences"] == [
        {"text": "Resume settlement jobs interrupted during shutdown", "evidence": ["S1"]}
    ]
    assert sources["targets[0].impact"] == {"basis": "evidence", "evidence": ["S1"]}
    Draft202012Validator(schemas.SCHEMAS["outcome"].document()).validate(ran.json)


def test_texts_are_taken_from_where_a_request_has_them(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    told = tmp_path / "request.md"
    told.write_text(REQUEST, "utf-8")
    drafted = record(draft(road, folder, "--evidence", str(told), json=True))
    assert drafted["approach"] == "The ledger is asked for interrupted jobs when the worker starts."
    assert drafted["trade-offs"] == "Starting takes longer when many jobs were interrupted."
    assert drafted["risks"] == [
        "A job that was booked just before the shutdown may be booked again.",
        "No dashboard counts resumed jobs.",
    ]
    assert drafted["rollback"] == "go back to the release before, for the ledger keeps its format."
    assert drafted["rollout"] is None
    assert drafted["provenance"]["pull-requests"] == ["https://github.com/example/payments/pull/12"]


@pytest.mark.requirement("AI-6")
def test_without_a_changeset_the_commits_decide_and_the_rest_is_asked(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", UNLINKED, record=None)
    asked = draft(road, folder, answers=(), json=True)
    assert (asked.code, asked.fields) == (3, ["id"])
    assert question(asked, "id")["suggestions"] == [{"value": "resume-interrupted-jobs", "evidence": ["C1"]}]
    drafted = record(draft(road, folder, json=True))
    assert drafted["summary"] == "Resume interrupted jobs"
    assert drafted["rationale"] == "Jobs were lost because deployments interrupt them."
    assert drafted["targets"] == [{"release-unit": "apps/worker", "stream": "stable", "impact": "patch", "migration": None}]
    assert drafted["provenance"] == {"issues": ["DEVELOP-219"]}


@pytest.mark.requirement("AI-6", "AI-3")
def test_what_no_evidence_says_is_asked_and_never_thought_up(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", "tidy", record=None)
    ran = draft(road, folder, answers=(), json=True)
    assert ran.fields == [
        "id",
        "title.type",
        "title.description",
        "summary",
        "rationale",
        "targets[0].impact",
        "targets[0].migration",
        "provenance",
    ]
    assert ran.json["partial"]["verification"] == []
    Draft202012Validator(schemas.SCHEMAS["outcome"].document()).validate(ran.json)


def test_commits_of_different_types_leave_the_type_to_a_person(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", UNLINKED, UNLINKED.replace("fix(", "feat("), record=None)
    asked = question(draft(road, folder, json=True), "title.type")
    assert (asked["reason"], [one["value"] for one in asked["suggestions"]]) == ("ambiguous", ["fix", "feat"])
    answers = (ID, "title=feat(settlement): resume jobs", "summary=Jobs are resumed", "targets[0].impact=minor", "state=ready")
    ran = draft(road, folder, answers=answers, json=True)
    assert ran.fields == ["trade-offs"]
    assert ran.json["partial"]["title"] == "feat(settlement): resume jobs"


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ("title=no header", "title"),
        ("title=perf: type of another project", "title"),
        ("title.type=perf", "title.type"),
        ("title.scope=apps/lathe", "title.scope"),
        ("state=open", "state"),
        ("id=Not An Id", "id"),
        ("base-revision=main", "base-revision"),
        (f"evidence-revision={'a' * 40}", "evidence-revision"),
        ("verification=[passed]", "verification"),
        ("verification[0].status=green", "verification[0].status"),
        ("risks=null", ""),
        ("trade-offs=null", ""),
        ("targets=[apps/lathe]", "targets"),
        ("targets[0].impact=minor", "targets[0].impact"),
        ("targets[0].audiences=[operators]", "targets[0].audiences"),
        ("relations.reverts=[]", "relations.reverts"),
        ("source-repository=https://github.com/example/payments", "source-repository"),
    ],
)
def test_an_answer_is_held_against_what_its_field_accepts(folder: GitFolder, road: Road, answer: str, field: str) -> None:
    ran = draft(road, folder, answers=(ID, answer) if not answer.startswith("id=") else (answer,), json=True)
    if field:
        assert field in ran.fields
    else:
        assert ran.code == 0


@pytest.mark.parametrize("state", ["ready", "merged"])
def test_what_is_no_draft_has_to_say_what_was_weighed(folder: GitFolder, road: Road, state: str) -> None:
    assert draft(road, folder, answers=(ID, f"state={state}"), json=True).fields == ["trade-offs"]
    told = draft(road, folder, answers=(ID, f"state={state}", "trade-offs=Starting takes a query more"), json=True)
    assert (told.code, record(told)["state"], record(told)["trade-offs"]) == (0, state, "Starting takes a query more")


def test_a_project_that_takes_no_drafts_asks_for_the_state(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE, profile=ENABLED + "  require-ready: true\n")
    asked = question(draft(road, folder, json=True), "state")
    assert (asked["reason"], asked["accepts"]) == ("policy", ["ready", "merged"])


@pytest.mark.requirement("AI-3")
def test_a_verification_is_what_a_person_says_or_nothing(folder: GitFolder, road: Road) -> None:
    claims = tuple(f"verification[0].{said}" for said in CLAIM)
    told = record(draft(road, folder, answers=(ID, *claims), json=True))["verification"]
    assert told == [{"name": "Unit tests", "status": "passed", "command": "make test", "evidence": "build 77"}]
    asked = draft(road, folder, answers=(ID, *claims[:2]), json=True)
    assert asked.fields == ["verification[0].command", "verification[0].evidence"]
    skipped = (ID, "verification[0].name=Load", "verification[0].status=skipped", "verification[0].evidence=no time")
    assert record(draft(road, folder, answers=skipped, json=True))["verification"][0]["command"] is None


def test_a_base_that_has_moved_on_is_left_where_the_branch_began(folder: GitFolder, road: Road) -> None:
    begun = folder.oid("main")
    folder.switch("main")
    folder.commit("chore(apps/worker): go on", {"other.py": "1\n"})
    folder.switch("topic")
    for operand in ((), ("main..HEAD",), ("main..",)):
        assert record(draft(road, folder, *operand, json=True))["base-revision"] == begun


# Linked changesets


def test_guidance_of_a_changeset_is_the_requests(tmp_path: Path, road: Road) -> None:
    message = MESSAGE.replace("Impact: patch", "Impact: major\nMigration: Drain the queue before the upgrade")
    folder = repository(tmp_path / "payments", message, record=MAJOR)
    told = record(draft(road, folder, json=True))["targets"]
    assert told == [
        {
            "release-unit": "apps/worker",
            "stream": "stable",
            "impact": "major",
            "migration": "Drain the queue before the upgrade",
        }
    ]


@pytest.mark.parametrize("summary", ["Refactor the settlement worker", "Update files"])
def test_reviewed_words_stand_and_what_is_odd_about_them_is_told(tmp_path: Path, road: Road, summary: str) -> None:
    odd = RECORD.replace("Resume settlement jobs interrupted during shutdown", summary)
    ran = draft(road, repository(tmp_path / "payments", MESSAGE, record=odd), json=True)
    assert (ran.code, record(ran)["summary"]) == (0, summary)
    assert [(one["code"], one["severity"]) for one in ran.json["warnings"]] == [("summary-activity", "warning")]


@pytest.mark.requirement("IC-7.2")
def test_a_diff_in_a_unit_that_is_no_target_is_told(tmp_path: Path, road: Road) -> None:
    profile = ENABLED.replace("release-units:\n", f"release-units:\n{GATEWAY}")
    folder = repository(tmp_path / "payments", profile=profile)
    folder.switch("main")
    folder.commit("chore(apps/worker): rules", {"evidraft.toml": RULES + '[rules.units]\n"gate/**" = "apps/gateway"\n'})
    folder.git("checkout", "-q", "-B", "topic")
    folder.commit("chore(apps/worker): decide", {PENDING: RECORD})
    folder.commit(MESSAGE, {SOURCE: MENDED, "gate/open.py": "OPEN = True\n"})
    ran = draft(road, folder, json=True)
    assert [(one["code"], one["evidence"]) for one in ran.json["warnings"]] == [("release-unit-conflict", ["S1", "C2"])]


@pytest.mark.requirement("AI-5", "IC-7.2")
@pytest.mark.parametrize(
    ("message", "field", "code"),
    [
        (MESSAGE.replace("Impact: patch", "Impact: minor"), "targets[0].impact", "impact-conflict"),
        (MESSAGE + "Migration: Drain the queue\n", "targets[0].migration", "migration-conflict"),
        (MESSAGE + "Affects: apps/gateway\n", "targets", "release-unit-conflict"),
    ],
)
def test_a_commit_that_contradicts_its_changeset_is_told_with_both_sides(
    tmp_path: Path, road: Road, message: str, field: str, code: str
) -> None:
    profile = ENABLED.replace("release-units:\n", f"release-units:\n{GATEWAY}")
    ran = draft(road, repository(tmp_path / "payments", message, profile=profile), json=True)
    assert (ran.code, field in ran.fields) == (3, True)
    assert (code, field, ["C2", "S1"]) in [(one["code"], one["where"], one["evidence"]) for one in ran.json["contradictions"]]


@pytest.mark.requirement("AI-5")
def test_a_commit_without_a_link_that_says_otherwise_is_a_side_of_its_own(tmp_path: Path, road: Road) -> None:
    loud = "fix(apps/worker): book once\n\nJobs were booked twice.\n\nImpact: minor\n"
    folder = repository(tmp_path / "payments", MESSAGE, loud)
    ran = draft(road, folder, json=True)
    assert "targets[0].impact" in ran.fields
    assert ran.json["contradictions"][0]["evidence"] == ["S1", "C3"]
    settled = draft(road, folder, answers=(ID, "targets[0].impact=patch"), json=True)
    assert "targets[0].impact" not in settled.fields


def test_a_request_that_does_more_than_its_changeset_has_no_words_of_its_own_there(tmp_path: Path, road: Road) -> None:
    loose = "fix(apps/gateway): keep connections open\n\nConnections were dropped because of idle time.\n"
    profile = ENABLED.replace("release-units:\n", f"release-units:\n{GATEWAY}").replace(
        "scopes:\n", "scopes:\n  apps/gateway: {release-unit: apps/gateway}\n"
    )
    folder = repository(tmp_path / "payments", MESSAGE, loose, profile=profile)
    ran = draft(road, folder, json=True)
    assert {"summary", "rationale"} <= set(ran.fields)
    units = [(one["release-unit"], one["impact"]) for one in ran.json["partial"]["targets"]]
    assert units == [("apps/worker", "patch"), ("apps/gateway", "patch")]


@pytest.mark.requirement("IC-7.4")
def test_a_person_may_name_the_changeset_that_commits_forgot(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", UNLINKED)
    ran = draft(road, folder, answers=(ID, "provenance.changesets=[resume-settlement-jobs]"), json=True)
    assert record(ran)["provenance"]["changesets"] == ["resume-settlement-jobs"]
    assert record(ran)["targets"][0]["impact"] == "patch"
    unknown = draft(road, folder, answers=(ID, "provenance.changesets=[never-made]"), json=True)
    assert "provenance.changesets" in unknown.fields


@pytest.mark.requirement("IC-7.1", "AI-3")
def test_a_link_to_no_record_is_asked_for_the_request_could_not_hold(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE, record=None)
    ran = draft(road, folder, json=True)
    assert "provenance.changesets" in ran.fields
    assert [one["code"] for one in ran.json["contradictions"]] == ["unknown-changeset"]


def test_changesets_that_decide_one_target_differently_are_told(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE + "Changeset: book-once\n")
    other = RECORD.replace("resume-settlement-jobs", "book-once").replace("impact: patch", "impact: minor")
    folder.commit("chore(apps/worker): decide more", {".ack/changes/book-once.yaml": other})
    ran = draft(road, folder, json=True)
    assert "targets[0].impact" in ran.fields
    assert {"S1", "S2"} <= {item for one in ran.json["contradictions"] for item in one["evidence"]}


@pytest.mark.requirement("IC-7.4")
def test_a_changeset_that_only_a_ledger_tells_is_taken_over_from_there(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE)
    where = ("--repo", str(folder.path))
    unit = ("--release-unit", "apps/worker", "--stream", "stable", "--release", "1.0.0")
    assert road.evidraft("changelog", "init", *unit, *where).code == 0
    assert road.evidraft("changeset", "consume", str(folder.path / PENDING), *where).code == 0
    archived = folder.path / ".ack/archive/resume-settlement-jobs.yaml"
    archived.unlink()
    folder.commit("chore(apps/worker): consume", {})
    output = tmp_path / "record.yaml"
    assert draft(road, folder, "--output", str(output)).code == 0
    text = output.read_text("utf-8")
    assert "summary: Resume settlement jobs interrupted during shutdown" in text
    assert ".ack" not in text
    assert road.evidraft("pull-request", "verify", str(output), *where).code == 0


# Disclosure


@pytest.mark.requirement("IC-6.9", "AI-7")
def test_nothing_of_an_embargoed_changeset_is_shown_outside(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE, record=EMBARGO)
    for words in (["--dry-run"], ["--format", "json"], []):
        ran = draft(road, folder, "HEAD~1..HEAD", *words)
        assert "resume" not in ran.out.replace(ID, "").replace("resume:", "").replace('"resume"', "") + ran.err
    assert draft(road, folder, "HEAD~1..HEAD", json=True).fields == ["range"]


@pytest.mark.requirement("AI-7")
def test_a_request_of_which_a_part_is_withheld_is_not_made_public_by_a_rule(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE, record=EMBARGO)
    folder.commit(OTHER, {"apps/worker/once.py": "ONCE = True\n"})
    ran = draft(road, folder, json=True)
    assert question(ran, "disclosure.state")["reason"] == "withheld"
    assert "settlement" not in json.dumps({**ran.json, "resume": ""})
    told = draft(road, folder, answers=(ID, "disclosure.state=public"), json=True)
    assert record(told)["disclosure"]["state"] == "public"


@pytest.mark.requirement("AI-7")
def test_a_public_changeset_does_not_speak_for_what_is_withheld_beside_it(folder: GitFolder, road: Road) -> None:
    hushed = EMBARGO.replace("resume-settlement-jobs", "hush-fix").replace("DEVELOP-219", "DEVELOP-400")
    folder.commit("chore(apps/worker): decide more", {".ack/changes/hush-fix.yaml": hushed})
    assert draft(road, folder, "HEAD~2..HEAD~1", json=True).code == 0
    folder.commit("fix(apps/worker): reject replays\n\nChangeset: hush-fix\n", {"apps/worker/guard.py": "GUARD = True\n"})
    ran = draft(road, folder, json=True)
    assert question(ran, "disclosure.state")["reason"] == "withheld"
    assert "hush" not in ran.out + ran.err


@pytest.mark.requirement("IC-6.9", "AI-7")
def test_inside_the_boundary_the_embargo_is_taken_over(tmp_path: Path, road: Road) -> None:
    folder = repository(tmp_path / "payments", MESSAGE, record=EMBARGO)
    policy = tmp_path / "policy.yaml"
    policy.write_text(INSIDE, "utf-8")
    told = record(draft(road, folder, "--policy", str(policy), json=True))
    assert told["disclosure"] == {"state": "embargoed", "not-before": None, "policy": "cve", "placeholder": None}
    lifted = draft(road, folder, "--policy", str(policy), answers=(ID, "disclosure.state=public"), json=True)
    assert question(lifted, "disclosure.state")["reason"] == "contradiction"


# Where the result goes


@pytest.mark.requirement("IC-5.3")
def test_write_places_the_record_once(folder: GitFolder, road: Road) -> None:
    assert draft(road, folder, "--write").code == 0
    assert (folder.path / PLACE).read_text("utf-8") == golden(folder)
    again = draft(road, folder, "--write", json=True)
    assert (again.code, [one["code"] for one in again.json["findings"]]) == (1, ["pull-request-id-in-use"])
    (folder.path / PLACE).unlink()
    folder.commit("chore(apps/worker): place it", {PLACE: golden(folder)})
    folder.commit("chore(apps/worker): take it away", {PLACE: None})
    assert draft(road, folder, "--write", json=True).code == 1


def test_without_requests_in_the_profile_there_is_no_place_to_write_to(tmp_path: Path, road: Road) -> None:
    bare = ENABLED.replace("  pull-requests: 1.0.0\n", "").partition("pull-requests:\n")[0]
    folder = repository(tmp_path / "payments", MESSAGE, profile=bare)
    ran = draft(road, folder, "--write")
    assert (ran.code, "the profile has no pull-request records" in ran.err) == (2, True)
    assert draft(road, folder).code == 0


def test_a_dry_run_shows_what_a_drafter_would_be_asked(folder: GitFolder, road: Road) -> None:
    ran = draft(road, folder, "--dry-run")
    assert ran.code == 0
    assert "`title.description`" in ran.out
    assert "`summary`" not in ran.out.partition("# Asked")[2]


@pytest.mark.requirement("UC-06")
@pytest.mark.parametrize("operand", ["HEAD..HEAD", "main..main"])
def test_where_nothing_changes_nothing_is_made_up(folder: GitFolder, road: Road, operand: str) -> None:
    ran = draft(road, folder, operand, json=True)
    assert [one["reason"] for one in ran.json["unresolved"]] == ["nothing-to-describe"]
    assert ran.json["partial"] == {"intent-pull-request": "1.0.0"}


def test_a_branch_that_is_ahead_of_nothing_is_not_offered_uncommitted_changes(folder: GitFolder, road: Road) -> None:
    folder.switch("main")
    ran = draft(road, folder, json=True)
    assert (ran.code, question(ran, "range")["accepts"]) == (3, ["<A..B>", "<revision>"])


# A record that someone else wrote


@pytest.mark.requirement("AI-3", "UC-05")
@pytest.mark.parametrize(
    ("old", "new", "code", "status"),
    [
        ("impact: patch", "impact: minor", "decision-conflict", 1),
        ("verification: []", "verification:\n  - {name: all, status: passed, command: make, evidence: ci}", "", 3),
        ("state: draft", "state: closed", "", 1),
        ("changesets: [resume-settlement-jobs]", "issues: [DEVELOP-999]", "provenance-invented", 1),
        ("risks: []", "risks: [Payment 4711 of Ms Example is lost]", "", 1),
        ("evidence-revision: ", "evidence-revision: 1111111111111111111111111111111111111111 # ", "decision-conflict", 1),
    ],
)
def test_verify_holds_a_record_of_somebody_else_against_the_evidence(
    folder: GitFolder, road: Road, *, old: str, new: str, code: str, status: int
) -> None:
    file = folder.path.parent / "record.yaml"
    text = golden(folder)
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    ran = road.evidraft("verify", str(file), "--repo", str(folder.path), "--answer", ID, "--format", "json")
    assert ran.code == status, ran.out
    assert not code or code in [one["code"] for one in ran.json["findings"]]


def test_verify_asks_about_a_state_that_only_a_person_can_give(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    file = tmp_path / "record.yaml"
    file.write_text(
        golden(folder).replace("state: draft", "state: ready").replace('trade-offs: ""', "trade-offs: none"), "utf-8"
    )
    words = ("verify", str(file), "--repo", str(folder.path), "--answer", ID)
    assert "state" in road.evidraft(*words, "--format", "json").fields
