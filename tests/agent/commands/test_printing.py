"""What is printed steers no terminal, forges no line, and holds no secret, whatever a file or a branch is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.commands import printing
from agent.errors import InputFailure
from guardrails.findings import Code
from guardrails.redaction.neutralise import hidden
from tests.agent.payments import ANSWERS, Ran, Road, payments
from tests.repositories import GitFolder

TOKEN = "gh" + "p_" + "q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Js5Pf0Gy7Ka2Ue"[:36]
STEERING = "a\x1b]8;;http://x.invalid\x07b\u009b31m\u202ec\u2066\u200bd\rforged\nforged"
CODE = Code(name="made-up-for-printing", summary="s", cure="c", section="s")


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, with one commit to describe."""
    return payments(tmp_path / "payments")


def _bad_record(folder: GitFolder, road: Road, name: str) -> Ran:
    folder.write({f".ack/changes/{name}.yaml": "a: ["})
    return road.draft(folder, "HEAD", "--write", answers=ANSWERS, json=True)


RUNS: dict[str, Callable[[GitFolder, Road, str], Ran]] = {
    "a revision": lambda folder, road, name: road.draft(folder, f"{name}..HEAD", json=True),
    "a record": _bad_record,
    "a file to check": lambda folder, road, name: road.evidraft("check", str(folder.path / name)),
    "a message": lambda folder, road, name: road.evidraft("commit", "check", _laid(folder, name, "fix(apps/worker): do it\n")),
    "a bad message": lambda folder, road, name: road.evidraft("commit", "check", _laid(folder, name, "x\n")),
    "an answers file": lambda folder, road, name: road.draft(folder, "HEAD", "--answers", _laid(folder, name, "[")),
}


def _laid(folder: GitFolder, name: str, text: str) -> str:
    folder.write({name: text})
    return str(folder.path / name)


@pytest.mark.requirement("AI-7", "IC-12.5")
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("name", [STEERING.replace("/", ":"), TOKEN, f"{TOKEN}\u202e"], ids=["steering", "token", "both"])
def test_no_name_reaches_the_terminal_as_it_is(
    folder: GitFolder, road: Road, run: Callable[[GitFolder, Road, str], Ran], name: str
) -> None:
    ran = run(folder, road, name)
    told = ran.out + ran.err
    assert ran.code in {0, 1, 2}
    assert TOKEN not in told
    assert not hidden(told)
    assert not any(line.startswith("forged") for line in told.splitlines())


def _pending(folder: GitFolder, road: Road, *words: str) -> Ran:
    folder.write({f".ack/changes/{TOKEN}.yaml": "a: ["})
    return road.evidraft(*words, "--repo", str(folder.path), "--format", "json")


def _written(folder: GitFolder, road: Road, *words: str) -> Ran:
    folder.commit(
        f"fix(apps/worker): take {TOKEN}\n\nChangeset: {TOKEN}\nMigration: https://ann:hunter2hunter2@db.internal/x\n"
    )
    return road.evidraft(*words, "HEAD~1..HEAD", "--repo", str(folder.path), "--format", "json")


RESULTS: dict[str, Callable[[GitFolder, Road], Ran]] = {
    "check": lambda folder, road: road.evidraft("check", _laid(folder, TOKEN, "a: ["), "--format", "json"),
    "commit check": lambda folder, road: road.evidraft("commit", "check", _laid(folder, TOKEN, "x\n"), "--format", "json"),
    "commit lint": lambda folder, road: _written(folder, road, "commit", "lint"),
    "links": lambda folder, road: _written(folder, road, "changeset", "links"),
    "source": lambda folder, road: _written(folder, road, "changelog", "source"),
    "gate": lambda folder, road: _pending(folder, road, "changeset", "gate"),
    "generate": lambda folder, road: _pending(folder, road, "changelog", "generate"),
}


@pytest.mark.requirement("AI-7", "IC-12.5")
@pytest.mark.parametrize("run", RESULTS.values(), ids=RESULTS)
def test_a_result_as_json_holds_no_secret_either(folder: GitFolder, road: Road, run: Callable[[GitFolder, Road], Ran]) -> None:
    ran = run(folder, road)
    assert ran.code in {0, 1, 2}
    assert ran.json
    assert not any(secret in ran.out + ran.err for secret in (TOKEN, "hunter2hunter2"))


@pytest.mark.parametrize(
    "name", ["docs/a b.yaml", "ünï/文書.yaml", "0f7cbbc0f7cbbc0f7cbbc0f7cbbc0f7cbbc0f7cbb", "v1.2.3-rc.10"]
)
def test_honest_names_are_shown_as_they_are(name: str) -> None:
    assert printing.line(f"{name}: is missing") == f"{name}: is missing"


def test_a_name_without_end_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    printing.complain(InputFailure("is missing", where="x/" * 100_000))
    assert len(capsys.readouterr().err) < 3_000


def test_a_finding_is_one_line() -> None:
    finding = CODE.at("id", "got a\nerror forged: line")
    assert printing.finding_line(finding, "file\nname").count("\n") == 0


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))
def test_json_shows_every_character_and_means_the_same(document: object) -> None:
    text = printing.json_text(document)
    assert json.loads(text) == document
    assert not hidden(text)


def test_a_rejection_with_turned_text_shows_how_it_is_turned(folder: GitFolder, road: Road) -> None:
    ran = road.draft(folder, "HEAD", answers=("summary=Resume jobs \u202eafter\u202c shutdown", *ANSWERS[1:]))
    assert "\u202e" not in ran.out + ran.err


def test_what_is_noted_holds_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    printing.note(f"note: symmetric-range: v1...{TOKEN}: three dots")
    assert capsys.readouterr().err == "note: symmetric-range: v1...[secret]: three dots\n"
