"""A request of which only its forge tells: in both shapes its one change can be asked for, answered and accounted for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.cli import main

REQUEST = {
    "number": 4702,
    "title": "Button that opens the menu",
    "body": "The menu opens with a button.",
    "url": "https://github.com/acme/widgets/pull/4702",
}


def described(tmp_path: Path, *words: str) -> int:
    nowhere, payload = tmp_path / "nowhere", tmp_path / "payload.json"
    nowhere.mkdir()
    payload.write_text(json.dumps(REQUEST))
    asked = ["describe", "--repo", str(nowhere), "--payload", str(payload), "--format", "json", "--no-interactive"]
    return main([*asked, *words])


@pytest.mark.requirement("DC-21")
@pytest.mark.parametrize(("shape", "change"), [("single", "change"), ("itemized", "items[0004702]")])
def test_what_is_asked_of_it_can_be_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str, change: str
) -> None:
    assert described(tmp_path, "--shape", shape) == 3
    assert f"{change}.kind" in {one["field"] for one in json.loads(capsys.readouterr().out)["unresolved"]}


@pytest.mark.requirement("DC-21")
@pytest.mark.parametrize(("shape", "change"), [("single", "change"), ("itemized", "items[0004702]")])
def test_an_answer_settles_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str, change: str) -> None:
    assert described(tmp_path, "--shape", shape, "--answer", f"{change}.kind=feature") == 0
    record = json.loads(capsys.readouterr().out)["record"]
    told = record["change"] if shape == "single" else record["items"][0]
    assert (told["kind"], told["detail_md"], told["refs"]) == ("feature", None, [])
    assert told["relations"]["request"] == "#4702"
