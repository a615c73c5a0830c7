"""Messages come one by one, exactly as written, with git's own count of changed lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import RepositoryFailure
from agent.sources.git import Repository
from agent.sources.messages import Written, recent, written
from tests.repositories import GitFolder


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    return GitFolder.init(tmp_path / "repository")


def read(folder: GitFolder, *oids: str, count: bool = False) -> list[Written]:
    return list(written(Repository.open(folder.path), oids, count=count))


def test_messages_come_in_the_asked_order_verbatim(folder: GitFolder) -> None:
    first = folder.commit("fix: one\n\nBody.\n", {"a": "1\n"})
    second = folder.commit("fix: two\n\n\nTrailing: x\n", {"a": "2\n"})
    assert read(folder, second, first) == [
        Written(second, "fix: two\n\n\nTrailing: x\n"),
        Written(first, "fix: one\n\nBody.\n"),
    ]


def test_added_and_deleted_lines_are_counted_and_binary_files_and_merges_are_none(folder: GitFolder) -> None:
    first = folder.commit("fix: one", {"a": "1\n2\n3\n", "weird\tname\n": "x\n"})
    second = folder.commit("fix: two", {"a": "1\n", "b.bin": b"\0\1\2"})
    third = folder.commit("fix: renamed", {"a": None, "c": "1\n"})
    folder.branch("side", first)
    folder.commit("fix: side", {"d": "1\n"})
    folder.switch("main")
    merge = folder.merge("Merge side", "side")
    changed = [one.changed for one in read(folder, first, second, third, merge, count=True)]
    assert changed == [4, 2, 2, 0]


def test_a_message_cannot_pass_for_another_commit_or_for_counts(folder: GitFolder) -> None:
    forged = f"{'a' * 40}\n\n900\t900\tfile\n"
    one = folder.commit(forged, {"a": "1\n"})
    assert read(folder, one, count=True) == [Written(one, forged, 1)]


def test_other_encodings_are_read_and_bytes_of_none_are_shown(folder: GitFolder) -> None:
    folder.git("config", "i18n.commitEncoding", "iso-8859-1")
    latin = folder.commit("fix: caf\u00e9\n".encode("latin-1"))
    raw = folder.git("cat-file", "commit", latin).replace(b"encoding iso-8859-1\n", b"")
    broken = folder.git("hash-object", "-t", "commit", "-w", "--stdin", given=raw).decode().strip()
    assert [one.message for one in read(folder, latin, broken)] == ["fix: caf\u00e9\n", "fix: caf\\xe9\n"]


def test_no_commits_are_no_messages(folder: GitFolder) -> None:
    folder.commit("fix: one")
    assert read(folder) == []


def test_lines_at_the_edge_of_a_shallow_clone_are_not_counted(folder: GitFolder, tmp_path: Path) -> None:
    folder.commit("fix: one", {"a": "1\n" * 50})
    folder.commit("fix: two", {"a": "1\n" * 51})
    clone = GitFolder.clone(folder, tmp_path / "shallow", "--depth=1")
    assert [one.changed for one in read(clone, clone.oid("HEAD"), count=True)] == [None]


def test_missing_objects_are_a_failure_and_no_silence(folder: GitFolder) -> None:
    one = folder.commit("fix: one", {"a": "1\n"})
    with pytest.raises(RepositoryFailure, match="missing"):
        read(folder, one, "f" * 40)


def test_the_newest_messages_come_first_without_merges(folder: GitFolder) -> None:
    folder.commit("fix: one")
    folder.branch("side")
    folder.commit("fix: side", {"s": "1"})
    folder.switch("main")
    folder.commit("fix: two", {"t": "1"})
    merge = folder.merge("Merge side", "side")
    assert recent(Repository.open(folder.path), merge, 2) == ("fix: two", "fix: side")
