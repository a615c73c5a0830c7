"""What stands at paths of many commits, asked at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import RepositoryFailure
from agent.sources.git import Repository
from agent.sources.standing import standing
from tests.repositories import GitFolder


def test_each_commit_has_its_own_files_and_what_is_no_regular_file_is_none(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    bare = folder.commit("begin", {"README.md": "x\n"})
    one = folder.commit("one", {"evidraft.toml": "a\n", "p/políčko.yaml": "b\n", "evidraft.toml.more": "c\n"})
    same = folder.commit("same", {"README.md": "y\n"})
    (tmp_path / "evidraft.toml").unlink()
    (tmp_path / "evidraft.toml").symlink_to("README.md")
    linked = folder.commit("link")
    paths = ("evidraft.toml", "p/políčko.yaml", "gone")
    found = standing(Repository.open(tmp_path), [bare, one, same, linked, one], paths)
    named = {"evidraft.toml": folder.oid(f"{one}:evidraft.toml"), "p/políčko.yaml": folder.oid(f"{one}:p/políčko.yaml")}
    assert dict(found[one]) == named
    assert found[same] == found[one]
    assert dict(found[linked]) == {"p/políčko.yaml": named["p/políčko.yaml"]}
    assert found[bare] == ()


def test_no_commits_are_asked_about_nothing(tmp_path: Path) -> None:
    GitFolder.init(tmp_path)
    assert standing(Repository.open(tmp_path), [], ("evidraft.toml",)) == {}


def test_a_commit_that_is_missing_is_said(tmp_path: Path) -> None:
    GitFolder.init(tmp_path)
    with pytest.raises(RepositoryFailure, match="a commit is missing"):
        standing(Repository.open(tmp_path), ["1" * 40], ("evidraft.toml",))
