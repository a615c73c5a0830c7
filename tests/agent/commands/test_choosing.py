"""Without an operand every command that reads a change takes the one possible base, or asks which is meant."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from agent.cli import draft_changeset, main
from tests.agent.payments import ANSWERS, RECORD, Ran, Road, payments
from tests.repositories import GitFolder

COMMANDS = ("draft", "evidence", "verify")


@pytest.fixture
def topic(tmp_path: Path) -> GitFolder:
    folder = payments(tmp_path / "payments")
    folder.branch("topic")
    folder.git("branch", "-f", "main", "HEAD~1")
    return folder


def ran(road: Road, command: str, folder: GitFolder, record: Path, *words: str) -> Ran:
    said = [word for answer in ANSWERS for word in ("--answer", answer)]
    common = ["--repo", str(folder.path), *said, "--format", "json", *words]
    if command == "draft":
        return road._ran(draft_changeset, common)
    record.write_text(RECORD, "utf-8")
    return road._ran(main, [command, *([str(record)] if command == "verify" else []), *common])


@pytest.mark.requirement("AI-1")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_one_possible_base_is_taken_and_said(command: str, topic: GitFolder, tmp_path: Path, road: Road) -> None:
    said = ran(road, command, topic, tmp_path / "record.yaml")
    assert said.code == 0
    assert said.err.splitlines()[0] == "range: main..HEAD"
    assert said.json["status"] == ("EVIDENCE" if command == "evidence" else "DRAFTED")


@pytest.mark.requirement("UC-06", "AI-3")
@pytest.mark.parametrize("command", COMMANDS)
def test_of_several_possible_bases_none_is_guessed(command: str, topic: GitFolder, tmp_path: Path, road: Road) -> None:
    topic.commit("fix(apps/worker): book each job once", {"apps/worker/once.py": "ONCE = True\n"})
    topic.git("branch", "-f", "develop", "HEAD~1")
    said = ran(road, command, topic, tmp_path / "record.yaml")
    assert (said.code, said.fields) == (3, ["range"])
    assert [one["value"] for one in said.json["unresolved"][0]["suggestions"]] == ["main..HEAD", "develop..HEAD"]
    assert "main..HEAD" in shlex.split(said.json["resume"])
