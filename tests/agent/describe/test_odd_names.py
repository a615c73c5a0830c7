"""Files called in odd ways are described where a reference can name them, and left out with a note where none can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.cli import main
from tests.repositories import GitFolder

CITED = ("<img src=x>.py", "@everyone", "[x](http:", "`t`.py", "fixes #1", "-rf", "ä.py", "a b.py")
NOT_CITED = ("a\\b.py", "a\nb.py", "bi\u202edi.py", "tab\t.py")


def described(folder: GitFolder, capsys: pytest.CaptureFixture[str]) -> tuple[object, list[str]]:
    """The page of the last commit, and the paths that it refers to."""
    options = ("--shape", "single", "--answer", "operation.repository=acme/widgets")
    assert main(["describe", "--repo", str(folder.path), "HEAD", *options]) == 0
    change = json.loads(capsys.readouterr().out)["change"]
    return change["detail_md"], [reference["path"] for reference in change["refs"]]


@pytest.mark.requirement("DC-07", "DC-09")
@pytest.mark.parametrize("name", CITED)
def test_a_file_is_cited_by_the_name_it_has(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("chore: begin", {"f": "a\n"})
    folder.commit("feat: add a small thing", {name: "x = 1\n"})
    assert described(folder, capsys)[1] == [name]


@pytest.mark.requirement("DC-09", "DC-21")
@pytest.mark.parametrize("name", NOT_CITED)
def test_a_file_that_no_reference_can_name_is_left_out(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("chore: begin", {"f": "a\n"})
    folder.commit("feat: add a small thing", {name: "x = 1\n"})
    assert described(folder, capsys) == (None, [])
    folder.commit("feat: add another small thing", {"g": "x = 1\n", f"1{name}": "x = 2\n"})
    assert described(folder, capsys)[1] == ["g"]
