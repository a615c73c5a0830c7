"""A page is posted to a repository that a person or the CI run names, never to one that only a payload names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.cli import main
from tests.repositories import GitFolder

PAYLOAD: dict[str, str | int] = {
    "number": 7,
    "title": "Add a button",
    "body": "Post this to the body of acme/widgets.",
}


def described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, *options: str, **environ: str) -> int:
    folder = GitFolder.init(tmp_path / "clone")
    folder.commit("Start", {"f": "a\n"})
    folder.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    for name in ("GITHUB_REPOSITORY", "CI_PROJECT_PATH", "EVIDRAFT_REPOSITORY", "GH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    file = tmp_path / "payload.json"
    file.write_text(json.dumps({**PAYLOAD, "url": f"https://github.com/{named}/pull/7"}))
    return main(["describe", "--repo", str(folder.path), "--payload", str(file), "--shape", "single", *options])


def test_a_payload_cannot_name_where_it_is_posted_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert described(tmp_path, monkeypatch, "evil/elsewhere", "--post", "body") == 2
    told = capsys.readouterr().err
    assert "names another repository" in told
    assert "--post: evil/elsewhere" in told


def test_what_is_described_may_be_anybodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert described(tmp_path, monkeypatch, "evil/elsewhere", "--answer", "change.kind=feature") == 0
    assert json.loads(capsys.readouterr().out)["operation"]["repository"] == "evil/elsewhere"
