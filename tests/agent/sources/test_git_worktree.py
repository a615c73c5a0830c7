"""Collecting what no commit holds yet: the index, the work tree, files that git does not know."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agent.errors import RepositoryFailure
from agent.sources import worktree
from agent.sources.git import Repository
from agent.sources.history import Collected, collect
from guardrails.evidence.model import FileChange, SelectionKind
from tests.repositories import GitFolder


def staged(folder: GitFolder) -> Collected:
    return collect(Repository.open(folder.path), staged=True)


def work_tree(folder: GitFolder) -> Collected:
    return collect(Repository.open(folder.path), work_tree=True)


def told(change: FileChange) -> str:
    ranges = [f"-{h.old_start},{h.old_lines}+{h.new_start},{h.new_lines}" for h in change.hunks]
    return " ".join((change.change, change.content, change.path, *ranges))


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    made = GitFolder.init(tmp_path / "work")
    made.commit("base", {"f": "1\n2\n", "g": "g\n", "run": "x\n"})
    return made


def test_the_index_is_told_without_what_is_not_staged(folder: GitFolder) -> None:
    folder.write({"f": "1\ntwo\n", "new": "n\n"})
    folder.git("add", "f")
    folder.write({"f": "1\ntwo\nthree\n", "g": None})
    collected = staged(folder)
    assert list(map(told, collected.uncommitted)) == ["modified text f -1,2+1,2"]
    assert collected.uncommitted[0].hunks[0].text == " 1\n-2\n+two\n"
    assert collected.uncommitted[0].hunks[0].locator == "git:index:f:1-2"
    head = folder.oid("HEAD")
    assert (collected.selection.kind, collected.selection.base, collected.selection.head) == (SelectionKind.STAGED, head, head)
    assert collected.commits == ()


def test_the_work_tree_is_told_with_what_is_staged_and_what_git_does_not_know(folder: GitFolder) -> None:
    folder.write({"f": "1\ntwo\n", "staged": "s\n", ".gitignore": "ignored\n", "ignored": "i\n", "d/new": "a\nb"})
    folder.git("add", "staged")
    (folder.path / "g").unlink()
    (folder.path / "run").chmod(0o755)
    collected = work_tree(folder)
    assert list(map(told, collected.uncommitted)) == [
        "modified text f -1,2+1,2",
        "deleted text g -1,1+0,0",
        "mode-changed text run",
        "added text staged -0,0+1,1",
        "added text .gitignore -0,0+1,1",
        "added text d/new -0,0+1,2",
    ]
    assert collected.uncommitted[5].hunks[0].text == "+a\n+b\n\\ No newline at end of file\n"


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_object_names_of_uncommitted_files_are_those_that_git_would_give(tmp_path: Path, object_format: str) -> None:
    folder = GitFolder.init(tmp_path, f"--object-format={object_format}")
    folder.commit("base", {"f": "1\n"})
    folder.write({"f": "2\n", "new": "n\n"})
    expected = [folder.git("hash-object", name).decode().strip() for name in ("f", "new")]
    assert [change.new_object for change in work_tree(folder).uncommitted] == expected


def test_unknown_files_are_told_for_what_they_are_and_links_are_not_followed(folder: GitFolder, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("not ours\n")
    (folder.path / "link").symlink_to(tmp_path / "outside")
    folder.write({"bin": b"\0", "empty": "", b"caf\xe9": "x\n"})
    (folder.path / "tool").write_text("#!/bin/sh\n")
    (folder.path / "tool").chmod(0o755)
    GitFolder.init(folder.path / "nested").commit("inner", {"x": "x\n"})
    collected = work_tree(folder)
    assert list(map(told, collected.uncommitted)) == [
        "added binary bin",
        "added text caf\\xe9 -0,0+1,1",
        "added empty empty",
        "added symlink link -0,0+1,1",
        "added text tool -0,0+1,1",
    ]
    assert collected.uncommitted[4].new_mode == "100755"
    assert collected.uncommitted[3].hunks[0].text == f"+{tmp_path / 'outside'}\n\\ No newline at end of file\n"
    assert ("untracked", "nested/") in {(note.code, note.where) for note in collected.notes}


def test_a_file_that_is_too_large_is_noted(folder: GitFolder) -> None:
    with (folder.path / "large").open("wb") as stream:
        stream.truncate(worktree.FILE_LIMIT + 1)
    collected = work_tree(folder)
    assert collected.uncommitted == ()
    assert [(note.code, note.where) for note in collected.notes] == [("untracked", "large")]


def test_an_intent_to_add_is_an_addition_of_the_work_tree_only(folder: GitFolder) -> None:
    folder.write({"new": "n\n"})
    folder.git("add", "--intent-to-add", "new")
    assert list(map(told, work_tree(folder).uncommitted)) == ["added text new -0,0+1,1"]
    assert staged(folder).uncommitted == ()


def test_a_renamed_file_is_told_as_renamed(folder: GitFolder) -> None:
    folder.git("mv", "f", "h")
    for collected in (staged(folder), work_tree(folder)):
        (change,) = collected.uncommitted
        assert (change.change, change.old_path, change.path) == ("renamed", "f", "h")
        assert change.new_object == change.old_object


def test_a_file_that_was_only_touched_is_no_change(folder: GitFolder) -> None:
    os.utime(folder.path / "f", (1, 1))
    assert work_tree(folder).uncommitted == ()


def test_conflicts_are_noted(folder: GitFolder) -> None:
    folder.branch("side")
    folder.commit("side", {"f": "side\n"})
    folder.switch("main")
    folder.commit("main", {"f": "main\n"})
    folder.git("merge", "-q", "side", fails=True)
    for collected in (staged(folder), work_tree(folder)):
        assert [(note.code, note.where) for note in collected.notes] == [("unmerged", "f")]
    assert list(map(told, staged(folder).uncommitted)) == ["unmerged text f"]
    assert list(map(told, work_tree(folder).uncommitted)) == ["modified text f -1,1+1,5"]


def test_a_moved_submodule_is_told_without_looking_into_it(folder: GitFolder, tmp_path: Path) -> None:
    inner = GitFolder.init(tmp_path / "inner")
    first = inner.commit("one", {"x": "1\n"})
    folder.git("submodule", "--quiet", "add", str(inner.path), "module")
    folder.commit("with module")
    second = GitFolder(folder.path / "module").commit("two", {"x": "2\n"})
    (folder.path / "module" / "x").write_text("dirty\n")
    (change,) = work_tree(folder).uncommitted
    assert told(change) == "modified submodule module -1,1+1,1"
    assert change.hunks[0].text == f"-Subproject commit {first}\n+Subproject commit {second}\n"


def test_an_unborn_branch_has_an_index_and_a_work_tree(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.write({"a": "1\n", "b": "2\n"})
    folder.git("add", "a")
    assert list(map(told, staged(folder).uncommitted)) == ["added text a -0,0+1,1"]
    assert list(map(told, work_tree(folder).uncommitted)) == ["added text a -0,0+1,1", "added text b -0,0+1,1"]
    assert staged(folder).selection.head is None


def test_a_bare_repository_has_no_work_tree_to_read(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path, "--bare")
    with pytest.raises(RepositoryFailure, match="no work tree"):
        work_tree(folder)


def test_a_sparse_checkout_tells_no_deletions(folder: GitFolder) -> None:
    folder.commit("more", {"kept/a": "a\n", "left/b": "b\n"})
    folder.git("sparse-checkout", "set", "--cone", "kept")
    assert not (folder.path / "left").exists()
    assert work_tree(folder).uncommitted == ()
    assert [change.path for change in collect(Repository.open(folder.path), "HEAD").files()] == ["kept/a", "left/b"]


def test_nothing_in_the_repository_is_written(folder: GitFolder) -> None:
    os.utime(folder.path / "f", (1, 1))
    folder.write({"new": "n\n"})
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.path.rglob("*"))
    work_tree(folder)
    staged(folder)
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.path.rglob("*")) == before


@pytest.mark.requirement("IC-12.4")
def test_a_folder_exchanged_for_a_link_after_git_listed_it_is_not_read(
    folder: GitFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write({"d/new": "ours\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "new").write_text("not ours\n")
    really = os.open

    def open_after_exchange(path: Any, *arguments: Any, **named: Any) -> int:
        if path == b"d":
            (folder.path / "d").rename(folder.path / "e")
            (folder.path / "d").symlink_to(tmp_path / "outside")
        return really(path, *arguments, **named)

    monkeypatch.setattr(os, "open", open_after_exchange)
    collected = work_tree(folder)
    assert collected.uncommitted == ()
    assert [(note.code, note.where) for note in collected.notes] == [("untracked", "d/new")]
    assert "exchanged for a symbolic link" in collected.notes[0].message
