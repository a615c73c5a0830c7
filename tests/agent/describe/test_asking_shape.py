"""Asking for the shape: once, before anything is written; a caller's word decides, and a silent choice is said."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Final

import pytest

from agent.cli import main
from agent.commands import schemas
from tests.agent.describe.widgets import release, watermark
from tests.agent.payments import Ran, Road
from tests.agent.terminal import Talked, talk
from tests.repositories import GitFolder

NINE, TWO = "v2.3.0..v2.4.0", "v2.4.0..v2.4.1"
SAID: Final = "shape: itemized, because the range holds several changes and no shape was named"
QUESTION: Final = (
    "This covers two changes in two commits in one subsystem. Do you want one digest for the whole range, "
    "or an itemized array of changes with a summary on top?"
)


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    return release(tmp_path / "widgets")


def shape(ran: Ran) -> object:
    return ran.json["record"]["shape"]


@pytest.mark.requirement("DC-20")
def test_a_range_of_several_changes_is_itemized_without_asking_and_that_is_said(
    folder: GitFolder, road: Road, tmp_path: Path
) -> None:
    receipt = tmp_path / "receipt.json"
    ran = road.describe(folder, TWO, "--record", str(receipt), json=True)
    assert (ran.code, shape(ran)) == (0, "itemized")
    assert SAID in ran.err.splitlines()
    assert ran.json["sources"]["shape"] == {"basis": "rule", "evidence": []}
    assert json.loads(receipt.read_text("utf-8"))["fields"]["shape"]["basis"] == "rule"


@pytest.mark.requirement("DC-20")
def test_that_it_was_chosen_is_said_of_a_draft_that_needs_input_too(folder: GitFolder, road: Road) -> None:
    folder.commit("Sundries\n", {"src/sundries.ts": "export const sundries = 1;\n"})
    ran = road.describe(folder, "v2.4.0..HEAD", json=True)
    assert (ran.code, ran.json["partial"]["shape"]) == (3, "itemized")
    assert SAID in ran.err.splitlines()


@pytest.mark.requirement("DC-19")
@pytest.mark.parametrize(
    "words", [("HEAD",), ("HEAD~1..HEAD",), ("HEAD", "--shape", "ask"), (TWO, "--shape", "ask"), (TWO, "--answer", "shape=ask")]
)
def test_all_else_is_asked_before_anything_is_written(folder: GitFolder, road: Road, words: tuple[str, ...]) -> None:
    ran = road.describe(folder, *words, json=True)
    assert (ran.code, ran.json["status"], ran.fields) == (3, "NEEDS_INPUT", ["shape"])
    assert ran.json["unresolved"][0]["accepts"] == ["single", "itemized"]
    assert set(ran.json["partial"]) == {"operation"}
    assert SAID not in ran.err


@pytest.mark.requirement("DC-19")
def test_the_question_is_the_contract_s_with_the_counts_of_what_is_there(folder: GitFolder, road: Road) -> None:
    def asked(words: tuple[str, ...]) -> str:
        (question,) = road.describe(folder, *words, json=True).json["unresolved"]
        return str(question["question"])

    assert asked((TWO, "--shape", "ask")) == QUESTION
    assert asked((NINE, "--shape", "ask")).startswith("This covers nine changes in nine commits in one subsystem. ")
    assert asked(("HEAD",)).startswith("This covers one commit in one subsystem. Do you want one digest for the whole commit, ")


@pytest.mark.requirement("DC-19")
def test_requests_that_were_merged_are_counted_as_such(tmp_path: Path, road: Road) -> None:
    folder = watermark(tmp_path / "widgets")
    folder.git("tag", "base")
    for number in (7, 8, 9):
        folder.commit(
            f"feat: Show page {number} (#{number})\n", {f"{'web' if number < 9 else 'api'}/{number}.py": "SHOWN = 1\n"}
        )
    ran = road.describe(folder, "base..HEAD", "--shape", "ask", json=True)
    assert ran.json["unresolved"][0]["question"].startswith("This covers 3 merged pull requests across two subsystems. ")


@pytest.mark.requirement("DC-19")
@pytest.mark.parametrize("origin", ["flag", "settings", "environment", "answer"])
def test_a_caller_s_word_decides(
    folder: GitFolder, road: Road, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    config = tmp_path / "mine.toml"
    for wanted in ("single", "itemized"):
        config.write_text(f'shape = "{wanted}"\n', "utf-8")
        if origin == "environment":
            monkeypatch.setenv("EVIDRAFT_SHAPE", wanted)
        words = {"flag": ["--shape", wanted], "settings": ["--config", str(config)], "answer": ["--answer", f"shape={wanted}"]}
        ran = road.describe(folder, TWO, *words.get(origin, []), json=True)
        assert (ran.code, shape(ran)) == (0, wanted), ran
        assert ran.json["sources"]["shape"]["basis"] == "answer"
        assert SAID not in ran.err


@pytest.mark.requirement("DC-19")
def test_the_nearer_word_wins_and_two_words_of_one_command_are_refused(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDRAFT_SHAPE", "single")
    assert shape(road.describe(folder, TWO, "--shape", "itemized", json=True)) == "itemized"
    assert shape(road.describe(folder, TWO, "--shape", "ask", "--answer", "shape=itemized", json=True)) == "itemized"
    ran = road.describe(folder, TWO, "--shape", "itemized", "--answer", "shape=single")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "evidraft: --shape, answer:shape: got two different answers (keep one of them)\n"


@pytest.mark.parametrize("wrong", ["both", "Single", "[single, itemized]", "null"])
def test_an_answer_that_is_no_shape_is_asked_again(folder: GitFolder, road: Road, wrong: str) -> None:
    ran = road.describe(folder, TWO, answers=[f"shape={wrong}"], json=True)
    assert (ran.code, ran.fields) == (3, ["shape"])
    assert [one["code"] for one in ran.json["contradictions"]] == ["answer-not-accepted"]


def test_a_flag_or_a_setting_that_is_no_shape_is_a_usage_failure(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert road.describe(folder, TWO, "--shape", "both").code == 2
    monkeypatch.setenv("EVIDRAFT_SHAPE", "both")
    ran = road.describe(folder, TWO)
    assert (ran.code, ran.out) == (2, "")
    assert "shape" in ran.err


def test_the_resume_line_takes_the_suggested_shape_and_goes_on(folder: GitFolder, road: Road) -> None:
    asked = road.describe(folder, "HEAD", json=True)
    name, *words = shlex.split(asked.json["resume"])
    assert name == "evidraft"
    ran = road._ran(main, words)
    assert (ran.code, shape(ran)) == (0, "single")


# On a terminal


def talked(folder: GitFolder, replies: list[tuple[str, str]], *words: str) -> Talked:
    return talk(["describe", "--repo", str(folder.path), *words], replies, "main")


@pytest.mark.requirement("DC-19")
@pytest.mark.parametrize(("operand", "wanted"), [(TWO, "single"), (TWO, "itemized"), ("HEAD", "single")])
def test_on_a_terminal_it_is_asked_once_before_anything_else(folder: GitFolder, operand: str, wanted: str) -> None:
    folder.git("remote", "remove", "origin")
    said = talked(folder, [("  shape: ", wanted), ("  operation.repository: ", "acme/widgets")], operand)
    assert (said.code, json.loads(said.out)["shape"]) == (0, wanted), said.screen
    assert said.screen.count("Do you want one digest") == 1
    assert "accepts: single, itemized" in said.screen
    assert SAID not in said.screen


@pytest.mark.requirement("DC-19")
@pytest.mark.parametrize("words", [("--shape", "itemized"), ("--answer", "shape=itemized"), ("--format", "json")])
def test_on_a_terminal_it_is_not_asked_where_it_was_said_or_nobody_can_be_asked(
    folder: GitFolder, words: tuple[str, ...]
) -> None:
    said = talked(folder, [], TWO, *words)
    assert said.code == 0, said.screen
    assert "Do you want" not in said.screen


def test_a_shape_that_is_left_open_on_a_terminal_is_needed_input(folder: GitFolder) -> None:
    said = talked(folder, [("  shape: ", "")], TWO)
    assert said.code == 3
    assert "field: shape" in said.out


def test_the_outcome_is_one_of_the_published_schema(folder: GitFolder, road: Road) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = schemas.SCHEMAS["outcome"].document()
    for words in ((TWO,), ("HEAD",)):
        jsonschema.validate(road.describe(folder, *words, json=True).json, schema)
