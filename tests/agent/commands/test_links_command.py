"""`evidraft changeset links`: both sides of a contradiction with their places, whatever flags stand where."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agent.commands.schemas import SCHEMAS
from tests.agent.payments import MESSAGE, PROFILE, RECORD, Road, payments
from tests.repositories import GitFolder

PENDING = ".ack/changes/resume-settlement-jobs.yaml"
DIFFERENT = MESSAGE.replace("Impact: patch", "Impact: minor")
HIDDEN = "The key of the ledger was lost"
TOKEN = "glpat-" + "k3j9x7q2m5v8n1b4z6c0"
EMBARGOED = RECORD.replace("state: public", "state: embargoed").replace("policy: null", "policy: advisory")


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository and its record, linked by the last commit."""
    made = payments(tmp_path / "payments")
    made.write({PENDING: RECORD})
    return made


@pytest.mark.requirement("IC-13.3")
def test_agreement_exits_0_and_says_how_many_commits_were_read(folder: GitFolder, road: Road) -> None:
    ran = road.evidraft("changeset", "links", "--repo", str(folder.path))
    assert (ran.code, ran.out, ran.err) == (0, "valid links: 2 commits\n", "")
    ran = road.evidraft("changeset", "links", "HEAD..HEAD", "--repo", str(folder.path))
    assert (ran.code, ran.out) == (0, "no commit in this range\n")


@pytest.mark.requirement("IC-7.2", "IC-13.3")
def test_a_contradiction_exits_1_and_names_the_commit_and_the_line_of_the_decision(folder: GitFolder, road: Road) -> None:
    oid = folder.commit(DIFFERENT)
    ran = road.evidraft("changeset", "links", "--repo", str(folder.path), "HEAD~1..HEAD")
    line = RECORD.splitlines().index("    impact: patch") + 1
    told = "the commit says minor, the changeset patch (resume-settlement-jobs)"
    assert ran.out == f"{oid[:12]} {PENDING}:{line}: error impact-conflict targets[0].impact: {told}\n"
    assert (ran.code, ran.err) == (1, "not valid: 1 of 1 commits\n")


@pytest.mark.parametrize("command", [("changeset", "links"), ("changelog", "source"), ("changelog", "generate")])
def test_where_older_commits_are_in_the_way_a_range_is_recommended(
    folder: GitFolder, road: Road, command: tuple[str, str]
) -> None:
    folder.commit("Of an older time")
    words = (*command, "--repo", str(folder.path))
    assert "name one, as in v1.4.0..HEAD" in road.evidraft(*words).err
    assert "no range was named" not in road.evidraft(*words, "HEAD~1..HEAD").err


@pytest.mark.parametrize(
    "words",
    [("changeset", "links"), ("changelog", "source"), ("changelog", "generate"), ("changeset", "consume", PENDING)],
    ids=" ".join,
)
def test_before_the_first_commit_it_is_said_that_there_is_none(
    tmp_path: Path, road: Road, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    folder = GitFolder.init(tmp_path / "new")
    folder.write({PENDING: RECORD, ".ack/profile.yaml": PROFILE})
    monkeypatch.chdir(folder.path)
    ran = road.evidraft(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "evidraft: HEAD: there is no commit yet (commit what there is, then try again)\n"


def test_json_is_one_document_of_its_schema(folder: GitFolder, road: Road) -> None:
    oid = folder.commit(DIFFERENT + "Changeset: no-such-one\n")
    folder.commit("merge it")
    ran = road.evidraft("changeset", "links", "--format", "json", "--repo", str(folder.path))
    Draft202012Validator(SCHEMAS["links"].document()).validate(ran.json)
    assert (ran.code, ran.json["commits"], ran.json["notes"]) == (1, 4, [])
    told = [(one["commit"], one["changeset"], one["file"], one["code"]) for one in ran.json["findings"]]
    assert told[:2] == [
        (oid, "resume-settlement-jobs", PENDING, "impact-conflict"),
        (oid, "no-such-one", None, "unknown-changeset"),
    ]
    assert told[2][2:] == (None, "malformed-message")


def test_a_person_sees_the_first_of_many_findings_and_how_many_more_there_are(folder: GitFolder, road: Road) -> None:
    folder.commit("fix(apps/worker): x\n\nChangeset: resume-settlement-jobs\n" + "Affects: no word\n" * 72)
    words = ("changeset", "links", "--repo", str(folder.path), "HEAD~1..")
    ran = road.evidraft(*words)
    assert len(ran.out.splitlines()) == 51
    assert ran.out.endswith("and 22 more findings; --format json has them all\n")
    assert len(road.evidraft(*words, "--format=json").json["findings"]) == 72


@pytest.mark.requirement("IC-11.7")
@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_of_an_embargoed_decision_is_quoted(folder: GitFolder, road: Road, form: str) -> None:
    hidden = EMBARGOED.replace("Resume settlement jobs interrupted during shutdown", HIDDEN).replace(
        "migration: null", f"migration: {HIDDEN}"
    )
    folder.write({PENDING: hidden.replace("impact: patch", "impact: major")})
    ran = road.evidraft("changeset", "links", "--repo", str(folder.path), "--format", form)
    assert ran.code == 1
    assert "impact-conflict" in ran.out
    assert not any(word in ran.out + ran.err for word in (HIDDEN, "major", "advisory"))


def test_a_token_in_a_message_is_not_printed(folder: GitFolder, road: Road) -> None:
    folder.commit(f"fix({TOKEN}): x\n\nChangeset: {TOKEN}\n")
    for form in ("text", "json"):
        ran = road.evidraft("changeset", "links", "--repo", str(folder.path), "HEAD~1..", "--format", form)
        assert ran.code == 1
        assert "unknown-changeset" in ran.out
        assert TOKEN not in ran.out + ran.err


@pytest.mark.parametrize(
    ("files", "words", "said"),
    [
        ({PENDING: "id: [\n"}, (), PENDING),
        ({".ack/changes/copy.yaml": RECORD}, (), "two files have the id resume-settlement-jobs"),
        ({".ack/profile.yaml": None}, (), "no Project Profile"),
        ({".ack/profile.yaml": PROFILE.replace("intent-profile", "other")}, (), ".ack/profile.yaml"),
        ({}, ("nowhere..HEAD",), "nowhere"),
        ({}, ("--", "--all"), "--all"),
    ],
)
def test_what_cannot_be_judged_exits_2(
    folder: GitFolder, road: Road, files: dict[str | bytes, str | bytes | None], words: tuple[str, ...], said: str
) -> None:
    folder.write(files)
    ran = road.evidraft("changeset", "links", "--repo", str(folder.path), *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_shallow_clone_is_said_to_be_one(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    clone = GitFolder.clone(folder, tmp_path / "clone", "--depth=1")
    clone.write({PENDING: RECORD})
    ran = road.evidraft("changeset", "links", "--repo", str(clone.path))
    assert (ran.code, ran.out) == (0, "valid links: 1 commits\n")
    assert "note: shallow" in ran.err
    told = road.evidraft("changeset", "links", "--repo", str(clone.path), "--format", "json").json
    assert [note["code"] for note in told["notes"]] == ["shallow"]


@pytest.mark.parametrize(
    "words",
    [
        ("changeset", "links"),
        ("changeset", "links", "HEAD~1..HEAD"),
        ("changelog", "source", "HEAD"),
        ("changelog", "generate", "HEAD", "--dry-run"),
        ("changeset", "consume", "--revision-range", "HEAD", "--dry-run", PENDING),
    ],
)
def test_the_command_lines_of_the_suite_are_taken_as_they_are(
    folder: GitFolder, road: Road, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.path)
    ran = road.evidraft(*words[:2], "--profile", ".ack/profile.yaml", "--repo", ".", *words[2:])
    assert ran.code in {0, 1}, ran.err
