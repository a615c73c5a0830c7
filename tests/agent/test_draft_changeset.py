"""`draft-changeset` from outside: what can be drafted, where the result goes, and how open fields are asked."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.cli import draft_changeset, main
from agent.commands import schemas
from tests.agent.payments import (
    ANSWERS,
    ISSUE,
    MENDED,
    MESSAGE,
    PROFILE,
    RATIONALE,
    RECORD,
    RULES,
    SUMMARY,
    Ran,
    Road,
    payments,
    program,
)
from tests.agent.terminal import END, INTERRUPT, Talked, talk
from tests.repositories import GitFolder

LAST = "HEAD~1..HEAD"
UNCOMMITTED = ("id=resume-settlement-jobs", "targets[0].type=reliability", "targets[0].impact=patch")
PENDING = ".ack/changes/resume-settlement-jobs.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, with one commit to describe."""
    return payments(tmp_path / "payments")


def partial(ran: Ran) -> dict[str, object]:
    document = ran.json["partial"]
    assert isinstance(document, dict)
    return document


# What is described


@pytest.mark.requirement("UC-07", "AI-1")
@pytest.mark.parametrize("operand", [LAST, "HEAD", "HEAD~1...HEAD", "main"])
def test_a_range_and_a_single_commit_give_the_same_record(folder: GitFolder, road: Road, operand: str) -> None:
    ran = road.draft(folder, operand, answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD)


@pytest.mark.requirement("AI-1")
@pytest.mark.parametrize("flag", ["--staged", "--work-tree"])
def test_uncommitted_changes_are_drafted_with_what_a_person_says_of_them(tmp_path: Path, road: Road, flag: str) -> None:
    folder = payments(tmp_path, None)
    folder.write({"apps/worker/settlement.py": MENDED})
    if flag == "--staged":
        folder.git("add", "--all")
    ran = road.draft(folder, flag, answers=(*ANSWERS, *UNCOMMITTED))
    assert (ran.code, ran.out) == (0, RECORD)


@pytest.mark.requirement("UC-06", "IC-4.3")
@pytest.mark.parametrize("words", [["HEAD..HEAD"], ["--staged"], ["--work-tree"]])
def test_where_nothing_changes_nothing_is_made_up(folder: GitFolder, road: Road, words: list[str]) -> None:
    ran = road.draft(folder, *words, answers=ANSWERS, json=True)
    assert ran.code == 3
    assert [question["reason"] for question in ran.json["unresolved"]] == ["nothing-to-describe"]
    assert ran.json["partial"] == {"intent-changeset": "1.0.0"}


def test_without_an_operand_the_one_possible_base_is_taken_and_said(folder: GitFolder, road: Road) -> None:
    folder.branch("topic")
    folder.git("branch", "-f", "main", "HEAD~1")
    ran = road.draft(folder, answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD)
    assert ran.err.splitlines()[0] == "range: main..HEAD"


@pytest.mark.requirement("UC-06", "AI-3")
def test_of_several_possible_bases_none_is_guessed(folder: GitFolder, road: Road) -> None:
    folder.commit("fix(apps/worker): book each job once", {"apps/worker/once.py": "ONCE = True\n"})
    folder.branch("topic")
    folder.git("branch", "-f", "main", "HEAD~1")
    folder.git("branch", "-f", "develop", "HEAD~2")
    ran = road.draft(folder, answers=ANSWERS, json=True)
    (question,) = ran.json["unresolved"]
    assert (ran.code, question["field"], question["reason"]) == (3, "range", "ambiguous")
    assert [suggestion["value"] for suggestion in question["suggestions"]] == ["main..HEAD", "develop..HEAD"]


@pytest.mark.requirement("UC-06")
def test_a_branch_that_is_ahead_of_nothing_is_asked_which_revision_is_meant(folder: GitFolder, road: Road) -> None:
    ran = road.draft(folder, answers=ANSWERS, json=True)
    assert (ran.code, ran.fields) == (3, ["range"])
    assert resumed(ran, road).out.startswith("intent-changeset: 1.0.0\n")


@pytest.mark.requirement("UC-06")
def test_on_an_unborn_branch_staged_changes_can_be_drafted_and_nothing_else(tmp_path: Path, road: Road) -> None:
    folder = GitFolder.init(tmp_path / "new")
    folder.write({".ack/profile.yaml": PROFILE, "apps/worker/settlement.py": MENDED})
    folder.git("add", "--all")
    asked = road.draft(folder, json=True)
    assert (asked.code, asked.fields) == (3, ["range"])
    assert "--staged" in asked.json["unresolved"][0]["question"]
    rest = ("targets[0].audiences=[operators]", "disclosure.state=public")
    ran = road.draft(folder, "--staged", answers=(*ANSWERS, *UNCOMMITTED, *rest))
    assert (ran.code, ran.out) == (0, RECORD)


# Where the result goes


@pytest.mark.requirement("AI-9", "AI-4")
def test_output_and_record_are_written_whole_and_standard_output_stays_empty(
    folder: GitFolder, road: Road, tmp_path: Path
) -> None:
    output, receipt = tmp_path / "draft.yaml", tmp_path / "receipt.json"
    output.write_text("old", "utf-8")
    ran = road.draft(folder, LAST, "--output", str(output), "--record", str(receipt), answers=ANSWERS)
    assert (ran.code, ran.out) == (0, "")
    assert output.read_text("utf-8") == RECORD
    told = json.loads(receipt.read_text("utf-8"))
    assert (told["selection"]["base"], told["selection"]["head"]) == (folder.oid("HEAD~1"), folder.oid("HEAD"))
    assert told["fields"]["summary"] == {
        "basis": "answer",
        "sentences": [{"text": "Resume settlement jobs interrupted during shutdown", "evidence": ["A1"]}],
    }
    assert road.evidraft("check", str(output), "--record", str(receipt), "--repo", str(folder.path)).code == 0


def test_a_question_for_the_range_is_written_to_the_output_too(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    output = tmp_path / "draft.yaml"
    assert road.draft(folder, "--output", str(output)) == Ran(3, "", "")
    assert output.read_text("utf-8").startswith("status: NEEDS_INPUT\n")


@pytest.mark.requirement("AI-4")
def test_words_of_the_evidence_are_told_from_answers_and_rules(folder: GitFolder, road: Road) -> None:
    ran = road.draft(folder, LAST, answers=[ISSUE], json=True)
    sources = ran.json["sources"]
    assert (sources["summary"]["basis"], sources["rationale"]["basis"]) == ("evidence", "evidence")
    assert sources["summary"]["sentences"][0]["evidence"] == ["C1"]
    assert (sources["id"]["basis"], sources["targets[0].type"]["basis"]) == ("trailer", "rule")


@pytest.mark.requirement("IC-5.3", "IC-6.3")
def test_a_record_is_placed_where_the_profile_says(folder: GitFolder, road: Road) -> None:
    ran = road.draft(folder, LAST, "--write", answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD)
    assert (folder.path / PENDING).read_text("utf-8") == RECORD


def consumed(folder: GitFolder) -> None:
    entry = "entries:\n  - provenance:\n      changesets: [resume-settlement-jobs]\n"
    folder.write({".ack/changelog/worker.yaml": f"intent-changelog: 1.0.0\n{entry}"})


def deleted(folder: GitFolder) -> None:
    folder.commit("chore: add", {PENDING: RECORD})
    folder.commit("chore: remove", {PENDING: None})


def deleted_under_another_name(folder: GitFolder) -> None:
    folder.commit("chore: add", {".ack/changes/x.yaml": RECORD})
    folder.commit("chore: remove", {".ack/changes/x.yaml": None})


USED = {
    "pending": lambda folder: folder.write({PENDING: RECORD}),
    "pending, under another name": lambda folder: folder.write({".ack/changes/other.yaml": RECORD}),
    "archived": lambda folder: folder.write({".ack/archive/2026/resume-settlement-jobs.yaml": RECORD}),
    "consumed": consumed,
    "only in the history": deleted,
    "only in the history, under another name": deleted_under_another_name,
    "pending, with a suffix in capitals": lambda folder: folder.write({".ack/changes/other.YML": RECORD}),
}


@pytest.mark.requirement("IC-6.3")
@pytest.mark.parametrize("use", USED.values(), ids=USED.keys())
def test_an_id_that_was_ever_used_is_not_given_again(folder: GitFolder, road: Road, use: object) -> None:
    change = folder.oid("HEAD")
    assert callable(use)
    use(folder)
    before = files(folder)
    ran = road.draft(folder, change, "--write", answers=ANSWERS, json=True)
    assert (ran.code, ran.json["status"]) == (1, "REJECTED")
    assert [finding["code"] for finding in ran.json["findings"]] == ["id-in-use"]
    assert files(folder) == before


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("link", [".ack/changes", ".ack/archive", ".ack/changelog", ".ack/archive/2026"])
def test_a_directory_that_is_a_link_out_of_the_repository_is_not_followed(
    folder: GitFolder, road: Road, tmp_path: Path, link: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder.path / link).parent.mkdir(exist_ok=True)
    (folder.path / link).symlink_to(outside)
    ran = road.draft(folder, LAST, "--write", answers=ANSWERS)
    assert (ran.code, ran.out) == (2, "")
    assert "link" in ran.err
    assert list(outside.iterdir()) == []


def test_what_cannot_be_written_elsewhere_leaves_the_pending_directory_as_it_was(
    folder: GitFolder, road: Road, tmp_path: Path
) -> None:
    ran = road.draft(folder, LAST, "--write", "--output", str(tmp_path / "missing" / "draft.yaml"), answers=ANSWERS)
    assert (ran.code, ran.out) == (2, "")
    assert not (folder.path / PENDING).exists()


@pytest.mark.requirement("IC-5.3")
def test_a_bare_repository_has_no_place_for_a_record(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    bare = GitFolder.clone(folder, tmp_path / "bare.git", "--bare")
    assert road.draft(bare, LAST, answers=ANSWERS).out == RECORD
    assert road.draft(bare, LAST, "--write", answers=ANSWERS).code == 2


# What helps it


def test_a_dry_run_shows_the_prompt_and_asks_no_drafter(folder: GitFolder, road: Road) -> None:
    ran = road.draft(folder, LAST, "--dry-run", json=True)
    assert (ran.code, ran.json["status"], ran.json["asked"]) == (0, "EVIDENCE", ["summary", "rationale"])
    assert "resume interrupted settlement jobs" in ran.json["prompt"]["messages"][1]["content"]
    assert [question["field"] for question in ran.json["open"]] == ["provenance"]


def test_accepted_suggestions_are_recorded_as_accepted(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path / "payments", MESSAGE.replace("Changeset: resume-settlement-jobs\n", ""))
    receipt = tmp_path / "receipt.json"
    asked = road.draft(folder, LAST, answers=ANSWERS, json=True)
    assert (asked.code, asked.fields) == (3, ["id"])
    ran = road.draft(folder, LAST, "--accept-suggestions", "--record", str(receipt), answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD.replace("resume-settlement-jobs", "resume-interrupted-settlement-jobs"))
    items = json.loads(receipt.read_text("utf-8"))["evidence"]
    assert [item["locator"] for item in items if item["kind"] == "accepted-suggestion"] == ["answer:id"]


@pytest.mark.parametrize("name", ["answers.yaml", "answers.json"])
def test_answers_come_from_a_file(folder: GitFolder, road: Road, tmp_path: Path, name: str) -> None:
    said = {"summary": SUMMARY[8:], "rationale": RATIONALE[10:], "provenance.issues": ["DEVELOP-219"]}
    file = tmp_path / name
    file.write_text(json.dumps(said) if name.endswith("json") else yaml_of(said), "utf-8")
    ran = road.draft(folder, LAST, "--answers", str(file))
    assert (ran.code, ran.out) == (0, RECORD)


def yaml_of(said: Mapping[str, object]) -> str:
    return "".join(f"{path}: {json.dumps(value)}\n" for path, value in said.items())


def test_answers_come_from_standard_input_and_stand_in_the_resume_line(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = f'summary: "{SUMMARY[8:]}"\nrationale: "{RATIONALE[10:]}"\n'.encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    asked = road.draft(folder, LAST, "--answers", "-", json=True)
    assert (asked.code, asked.fields) == (3, ["provenance"])
    words = shlex.split(asked.json["resume"])
    assert "--answers" not in words
    assert {SUMMARY, RATIONALE} <= set(words)


DOCUMENTS = {
    "issue.json": json.dumps(
        {
            "number": 7,
            "title": "Resume settlement jobs interrupted during shutdown",
            "url": "https://github.com/example/payments/issues/7",
            "body": "Settlement jobs have to be restarted by hand because deployments interrupt them.",
            "labels": [],
            "author": {"login": "x"},
        }
    ),
    "decision.md": "# ADR-0007 Resume settlement jobs\n\nJobs are resumed, so that no operator restarts them by hand.\n",
    "request.json": json.dumps(
        {
            "number": 8,
            "title": "Resume settlement jobs",
            "url": "https://github.com/example/payments/pull/8",
            "body": "Jobs are resumed so that no operator restarts them by hand.",
            "headRefName": "x",
        }
    ),
}
CITED = {
    "issue.json": {"issues": ["#7"]},
    "decision.md": {"decisions": ["ADR-0007"]},
    "request.json": {"pull-requests": ["https://github.com/example/payments/pull/8"]},
}


@pytest.mark.requirement("AI-1", "IC-6.7")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_fills_provenance_and_rationale(tmp_path: Path, road: Road, name: str) -> None:
    folder = payments(tmp_path / "payments", "fix(apps/worker): resume settlement jobs\n\nChangeset: resume-settlement-jobs\n")
    file = tmp_path / name
    file.write_text(DOCUMENTS[name], "utf-8")
    asked = road.draft(folder, LAST, json=True)
    assert asked.fields == ["rationale", "provenance"]
    ran = road.draft(folder, LAST, "--evidence", str(file), json=True)
    assert (ran.code, ran.json["record"]["provenance"]) == (0, CITED[name])
    assert "by hand" in ran.json["record"]["rationale"]


# What is printed


def outcomes(folder: GitFolder, tmp_path: Path) -> dict[str, list[str]]:
    (folder.path / ".ack" / "changes").mkdir()
    (folder.path / PENDING).write_text(RECORD, "utf-8")
    said = [word for answer in ANSWERS for word in ("--answer", answer)]
    return {
        "DRAFTED": [LAST, *said],
        "NEEDS_INPUT": [LAST],
        "REJECTED": [LAST, "--write", *said],
        "EVIDENCE": [LAST, "--dry-run"],
        "ERROR": ["no-such-revision"],
        "usage": ["--no-such-option"],
        "answer": [LAST, "--answer", "summary"],
        "model": [LAST, "--model", "oracle"],
        "interactive": [LAST, "--interactive"],
    }


@pytest.mark.requirement("UC-07")
def test_with_format_json_every_outcome_is_one_document(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = schemas.SCHEMAS["outcome"].document()
    codes = {"DRAFTED": 0, "EVIDENCE": 0, "NEEDS_INPUT": 3, "REJECTED": 1}
    for expected, words in outcomes(folder, tmp_path).items():
        ran = road.draft(folder, *words, json=True)
        status = expected if expected in codes else "ERROR"
        assert (ran.code, ran.json["status"]) == (codes.get(status, 2), status), words
        if status != "EVIDENCE":
            jsonschema.validate(ran.json, schema)


def test_quiet_says_nothing_on_stderr_but_failures(folder: GitFolder, road: Road) -> None:
    assert road.draft(folder, LAST, "--quiet", answers=ANSWERS).err == ""
    assert road.draft(folder, "no-such-revision", "--quiet").err.startswith("evidraft: no-such-revision: ")


@pytest.mark.requirement("AI-4")
def test_verbose_says_what_each_field_rests_on(folder: GitFolder, road: Road) -> None:
    said = road.draft(folder, LAST, "--quiet", "--verbose", answers=ANSWERS).err.splitlines()
    assert "id: trailer C1" in said
    assert "source-repository: profile" in said
    assert "summary: answer A1" in said
    assert not [line for line in said if ": " not in line]


def resumed(ran: Ran, road: Road) -> Ran:
    """What comes of the resume line, pasted as it stands."""
    name, *words = shlex.split(ran.json["resume"])
    assert name == "draft-changeset"
    return road._ran(draft_changeset, [word for word in words if word not in {"--format", "json"}])


@pytest.mark.requirement("UC-06")
def test_the_resume_line_takes_the_suggestions_and_goes_on(tmp_path: Path, road: Road) -> None:
    message = MESSAGE.replace("Changeset: resume-settlement-jobs\n", "").replace("incomplete.", "incomplete, see DEVELOP-219.")
    folder = payments(tmp_path, message)
    asked = road.draft(folder, LAST, answers=[SUMMARY, RATIONALE], json=True)
    assert asked.fields == ["id", "provenance"]
    ran = resumed(asked, road)
    assert (ran.code, ran.out) == (0, RECORD.replace("resume-settlement-jobs", "resume-interrupted-settlement-jobs"))


@pytest.mark.requirement("UC-06", "AI-5")
def test_the_resume_line_replaces_an_answer_that_contradicts_the_evidence(folder: GitFolder, road: Road) -> None:
    asked = road.draft(folder, LAST, answers=(*ANSWERS, "targets[0].impact=major"), json=True)
    assert (asked.code, asked.fields[0]) == (3, "targets[0].impact")
    ran = resumed(asked, road)
    assert (ran.code, ran.out) == (0, RECORD)


@pytest.mark.requirement("UC-06")
def test_the_resume_line_names_a_range(folder: GitFolder, road: Road) -> None:
    folder.branch("topic")
    folder.git("branch", "-f", "main", "HEAD~1")
    folder.git("branch", "-f", "develop", folder.git("commit-tree", "HEAD~1^{tree}", "-m", "root").decode().strip())
    folder.git("branch", "-f", "master", "HEAD~1")
    asked = road.draft(folder, answers=ANSWERS, json=True)
    ran = asked if asked.code == 0 else resumed(asked, road)
    assert ran.code == 0


# The world around it


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"NO_COLOR": "1", "TERM": "dumb"},
        {"FORCE_COLOR": "1", "TERM": "xterm-256color"},
    ],
    ids=lambda environment: ",".join(f"{name}={value}" for name, value in environment.items()),
)
def test_the_locale_and_the_terminal_change_nothing_of_the_record(
    folder: GitFolder, environment: dict[str, str], tmp_path: Path
) -> None:
    words = ["--answer", ISSUE, "--answer", RATIONALE, "--answer", "summary=Résume les tâches — 再開"]
    done = program(["draft-changeset", "--repo", str(folder.path), LAST, *words], environment=environment)
    assert done.returncode == 0, done.stderr
    assert "summary: Résume les tâches — 再開\n" in done.stdout.decode("utf-8")
    assert b"\x1b" not in done.stdout + done.stderr


def test_a_reader_that_leaves_ends_it_without_a_trace(folder: GitFolder) -> None:
    closed = "import os\nread, write = os.pipe()\nos.close(read)\nos.dup2(write, 1)"
    said = [word for answer in ANSWERS for word in ("--answer", answer)]
    done = program(["draft-changeset", "--repo", str(folder.path), LAST, "--quiet", *said], before=closed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert program(["evidraft", "--help"], before=closed).stderr == b""


def test_a_full_disk_behind_standard_output_is_one_message(folder: GitFolder) -> None:
    full = "import os\nos.dup2(os.open('/dev/full', os.O_WRONLY), 1)"
    done = program(["draft-changeset", "--repo", str(folder.path), LAST], before=full)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"standard output: could not be written" in done.stderr


@pytest.mark.requirement("UC-07")
def test_the_short_name_is_the_same_command(folder: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--repo", str(folder.path), LAST, *(word for answer in ANSWERS for word in ("--answer", answer))]
    assert main(["changeset", "draft", *words]) == 0
    assert capsys.readouterr().out == RECORD
    assert draft_changeset(words) == 0
    assert capsys.readouterr().out == RECORD


DOTTED = """\
[tool]
evidraft.rules.disclosure = "public"
evidraft.rules.types.fix = "reliability"
evidraft.rules.audiences.reliability = ["operators"]
"""


def test_new_rules_of_the_change_itself_are_not_used_and_that_is_said(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path, None, rules=None)
    folder.commit(MESSAGE, {"evidraft.toml": RULES, "apps/worker/settlement.py": MENDED})
    ran = road.draft(folder, LAST, answers=ANSWERS, json=True)
    assert ran.fields == ["targets[0].type", "targets[0].audiences", "disclosure.state"]
    assert "configuration-not-reviewed" in ran.err
    (tmp_path / "mine.toml").write_text(RULES, "utf-8")
    assert road.draft(folder, LAST, "--config", str(tmp_path / "mine.toml"), answers=ANSWERS).out == RECORD


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (RULES.replace("[rules", "[tool.evidraft.rules"), True),
        (DOTTED, True),
        ('[project]\nname = "x"\n', False),
        ("{{ cookiecutter.name }}\n", False),
    ],
    ids=["table", "dotted", "of others", "template"],
)
def test_a_pyproject_toml_counts_when_it_holds_a_table_of_ours(tmp_path: Path, road: Road, text: str, counts: bool) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("chore: start", {".ack/profile.yaml": PROFILE, "pyproject.toml": text})
    folder.commit(MESSAGE, {"apps/worker/settlement.py": MENDED})
    assert road.draft(folder, LAST, answers=ANSWERS).code == (0 if counts else 3)


def files(folder: GitFolder) -> dict[str, bytes]:
    """Every file of the work tree."""
    found = (path for path in folder.path.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder.path).as_posix(): path.read_bytes() for path in found}


# On a terminal

NO_ID = MESSAGE.replace("Changeset: resume-settlement-jobs\n", "")


def asked(folder: GitFolder, replies: list[tuple[str, str]], *answers: str, words: tuple[str, ...] = ()) -> Talked:
    said = [word for answer in answers for word in ("--answer", answer)]
    return talk(["--repo", str(folder.path), LAST, *words, *said], replies)


@pytest.mark.requirement("UC-06", "IC-14.1")
def test_on_a_terminal_open_fields_are_a_short_form_and_enter_takes_a_suggestion(tmp_path: Path) -> None:
    folder = payments(tmp_path, NO_ID)
    talked = asked(folder, [("  id: ", ""), ("  provenance: ", "[DEVELOP-219]")], SUMMARY, RATIONALE)
    assert (talked.code, talked.out) == (0, RECORD.replace("resume-settlement-jobs", "resume-interrupted-settlement-jobs"))
    assert "[1/2] id - " in talked.screen
    assert "suggestion: resume-interrupted-settlement-jobs (from C1)" in talked.screen
    assert "[2/2] provenance - Which issue" in talked.screen


@pytest.mark.requirement("UC-06", "AI-3")
def test_a_dash_leaves_a_field_open_and_an_empty_reply_takes_nothing_that_was_not_suggested(tmp_path: Path) -> None:
    folder = payments(tmp_path, NO_ID)
    talked = asked(folder, [("  id: ", "-"), ("  provenance: ", "")], SUMMARY, RATIONALE)
    assert talked.code == 3
    assert talked.out.count("  - field: ") == 2


@pytest.mark.requirement("IC-6.6d")
def test_an_answer_that_cannot_be_is_asked_again(tmp_path: Path) -> None:
    folder = payments(tmp_path, rules=RULES.replace('reliability = ["operators"]\n', ""))
    replies = [("audiences: ", "[oper"), ("audiences: ", "[everyone]"), ("audiences: ", "[operators]")]
    talked = asked(folder, replies, *ANSWERS)
    assert (talked.code, talked.out) == (0, RECORD)
    assert "no YAML" in talked.screen
    assert "got everyone, expected operators or end-users" in talked.screen


@pytest.mark.requirement("IC-6.6d")
def test_several_words_of_a_closed_vocabulary_can_be_typed_with_commas(tmp_path: Path) -> None:
    folder = payments(tmp_path, rules=RULES.replace('reliability = ["operators"]\n', ""))
    talked = asked(folder, [("audiences: ", "operators, end-users")], *ANSWERS)
    assert (talked.code, talked.out) == (0, RECORD.replace("[operators]", "[operators, end-users]"))


def test_no_form_is_shown_where_it_was_not_wanted_or_json_was(folder: GitFolder) -> None:
    for words in (("--no-interactive",), ("--format", "json")):
        assert asked(folder, [], SUMMARY, RATIONALE, words=words).code == 3


@pytest.mark.parametrize("key", [INTERRUPT, END], ids=["Ctrl-C", "Ctrl-D"])
def test_an_interrupted_form_ends_in_one_line_and_writes_nothing(folder: GitFolder, key: str) -> None:
    before = files(folder)
    talked = asked(folder, [("  provenance: ", key)], SUMMARY, RATIONALE, words=("--write",))
    assert (talked.code, talked.out) == (130, "")
    assert talked.screen.rstrip().splitlines()[-1] == "evidraft: interrupted"
    assert "Traceback" not in talked.screen
    assert files(folder) == before


def test_the_resume_line_after_a_form_holds_what_was_said(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path, NO_ID)
    talked = asked(
        folder, [("  id: ", "resume-settlement-jobs"), ("  provenance: ", ""), ("  provenance: ", "")], SUMMARY, RATIONALE
    )
    assert talked.code == 3
    (line,) = (line for line in talked.out.splitlines() if line.startswith("resume: "))
    assert "--answer id=resume-settlement-jobs" in line
