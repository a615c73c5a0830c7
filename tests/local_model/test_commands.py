"""The programs with a real model, as people run them: the outcome is one that was promised, and the record tells all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals import local_model
from evals.local_model import NAME, Served
from tests.agent.payments import program
from tests.local_model.walking import LAST, made_up
from tests.repositories import GitFolder

PROGRAMS = (pytest.param(("draft-changeset",), marks=pytest.mark.thorough), ("evidraft", "describe", "--shape", "single"))
BRIEF = "from agent.model import compatible\ncompatible.OUTPUT = 32"
"""Answers are cut off and asked for again, for time is short: that, too, has to end as it was promised."""


def record_of(file: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return told


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize("words", PROGRAMS)
def test_a_program_drafts_or_asks_and_its_record_tells_who_wrote_and_what_it_took(
    words: tuple[str, ...], folder: GitFolder, served: Served, tmp_path: Path
) -> None:
    record = tmp_path / "record.json"
    where = ("--repo", str(folder.path), "--model", served.spec, "--no-cache", "--record", str(record), "--format", "json")
    done = program([*words, LAST, *where, "--no-interactive"], environment={"HOME": str(tmp_path)}, before=BRIEF)
    assert done.returncode in {0, 3}, done.stderr.decode()
    told = json.loads(done.stdout)
    assert told["status"] == {0: "DRAFTED", 3: "NEEDS_INPUT"}[done.returncode]
    assert made_up(folder, told.get("record") or told["partial"]) == ()
    drafter = record_of(record)["drafter"]
    assert drafter["client"] == served.spec
    assert drafter["usage"]["input-tokens"] > 0
    assert drafter["usage"]["output-tokens"] > 0
    assert {attempt["model"] for attempt in drafter["attempts"]} == {NAME}
    checked = program(["evidraft", "check", str(record), "--repo", str(folder.path)])
    assert checked.returncode == 0, checked.stdout.decode()


def test_a_program_whose_server_has_gone_says_so_and_drafts_nothing(folder: GitFolder, served: Served, tmp_path: Path) -> None:
    with local_model.serving() as gone:
        spec = gone.spec
    where = ("--repo", str(folder.path), "--model", spec, "--no-cache", "--format", "json")
    done = program(["evidraft", "describe", LAST, *where, "--no-interactive"], environment={"HOME": str(tmp_path)})
    assert done.returncode == 2
    assert json.loads(done.stdout or b"{}").get("record") is None
    assert spec in done.stderr.decode()
