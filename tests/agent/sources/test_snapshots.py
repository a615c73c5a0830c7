"""Both sides of a change, read from folders and from commits (Change Contracts: intent and scope)."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from agent.errors import Failure, InputFailure, RepositoryFailure
from agent.sources import snapshots
from agent.sources.git import Repository
from guardrails.contracts.inventory import Category, Entry, Snapshot, Touch, changes
from guardrails.digests import sha256
from tests.repositories import GitFolder

FILES: dict[str | bytes, str | bytes | None] = {
    "a.txt": "hi\n",
    "src/x.py": "def f(): pass\n",
    "src/bom.ts": b"\xef\xbb\xbfconst a = 1\n",
    "src/latin.py": b"# \xe9\n",
    "conf/bad.json": b"\xff{}",
    "picture.png": b"\x89PNG\0\0",
    "latin.txt": b"\xe9",
    "null.txt": b"a\0b",
    "null.ts": b"a\0b",
    "empty": "",
    ".hidden/.env": "K=V\n",
    "LICENSE": "ü\n",
}
UNDECODABLE = {"src/latin.py", "conf/bad.json"}
WITHOUT_TEXT = {*UNDECODABLE, "picture.png", "latin.txt", "null.txt"}


def laid(folder: Path, files: dict[str | bytes, str | bytes | None]) -> Path:
    GitFolder(folder).write(files)
    return folder


def committed(tmp_path: Path, *sides: dict[str | bytes, str | bytes | None]) -> tuple[Snapshot, ...]:
    repository = GitFolder.init(tmp_path / "repository")
    commits = [repository.commit(f"side {number}", files) for number, files in enumerate(sides)]
    return snapshots.of_commits(Repository.open(repository.path), *commits)


def judge(snapshot: Snapshot) -> None:
    assert set(snapshot.entries) == set(FILES)
    assert list(snapshot.entries) == sorted(snapshot.entries)
    assert snapshot.undecodable == UNDECODABLE
    assert set(snapshot.entries) - set(snapshot.texts) == WITHOUT_TEXT
    assert snapshot.texts["src/bom.ts"] == "const a = 1\n"
    assert snapshot.texts["empty"] == ""
    assert {path: entry.category for path, entry in snapshot.entries.items() if entry.category is not Category.UNMODELED} == {
        "src/x.py": Category.SOURCE,
        "src/bom.ts": Category.SOURCE,
        "src/latin.py": Category.SOURCE,
        "null.ts": Category.SOURCE,
        "conf/bad.json": Category.CONFIGURATION,
    }


@pytest.mark.requirement("CC-05")
def test_a_folder_is_told_file_by_file(tmp_path: Path) -> None:
    judge(snapshots.of_folder(laid(tmp_path, FILES)))


@pytest.mark.requirement("CC-05")
def test_a_commit_is_told_as_the_folder_that_it_holds(tmp_path: Path) -> None:
    (snapshot,) = committed(tmp_path, FILES)
    judge(snapshot)
    folder = snapshots.of_folder(laid(tmp_path / "repository", FILES))
    assert snapshot.entries == folder.entries
    assert snapshot.digest == folder.digest
    assert snapshot.identity == f"git:{snapshot.commit}:{folder.digest}"
    assert folder.identity == folder.digest


@pytest.mark.requirement("CC-16")
def test_the_digest_of_an_inventory_is_the_known_one(tmp_path: Path) -> None:
    assert snapshots.of_folder(laid(tmp_path, {"a.txt": "hi\n"})).digest == (
        "sha256:b0991ac9bee4129ec5c434fcc2ce84f49579e2f795fcb842692dfef3c6350833"
    )
    assert Snapshot({}, {}).digest == sha256(b"[]")


def test_what_is_made_or_fetched_is_left_out_of_folders_and_told_of_commits(tmp_path: Path) -> None:
    files: dict[str | bytes, str | bytes | None] = {
        "dist/a.js": "x",
        "src/node_modules/b/package.json": "{}",
        "src/build": "x",
        "c": "x",
    }
    assert set(snapshots.of_folder(laid(tmp_path, files)).entries) == {"c"}
    repository = GitFolder.init(tmp_path / "repository")
    repository.write(files)
    repository.git("add", "--force", ".")
    (snapshot,) = snapshots.of_commits(Repository.open(repository.path), repository.commit("all"))
    assert {path for path, entry in snapshot.entries.items() if entry.category is Category.EXCLUDED} == set(files) - {"c"}
    assert snapshot.texts["src/node_modules/b/package.json"] == "{}"


def test_links_and_repositories_within_are_told_and_never_followed(tmp_path: Path) -> None:
    repository = GitFolder.init(tmp_path / "repository")
    inner = GitFolder.init(repository.path / "inner")
    pinned = inner.commit("one", {"x.py": "a = 1\n"})
    (repository.path / "link.py").symlink_to("/etc/passwd")
    (repository.path / "loop").symlink_to(".")
    commit = repository.commit("links")
    (snapshot,) = snapshots.of_commits(Repository.open(repository.path), commit)
    assert {path: (entry.mode, entry.size, entry.category) for path, entry in snapshot.entries.items()} == {
        "inner": ("160000", 40, Category.OPAQUE),
        "link.py": ("120000", 11, Category.OPAQUE),
        "loop": ("120000", 1, Category.OPAQUE),
    }
    assert dict(snapshot.texts) == {}
    assert snapshot.entries["inner"].digest == snapshots.Content.of(pinned.encode()).digest
    folder = snapshots.of_folder(repository.path)
    assert {path: folder.entries[path] for path in ("link.py", "loop")} == {
        path: snapshot.entries[path] for path in ("link.py", "loop")
    }


def test_changes_are_told_by_content_and_mode_and_a_rename_is_two(tmp_path: Path) -> None:
    repository = GitFolder.init(tmp_path / "repository")
    base = repository.commit("base", {"kept": "1", "edited": "1", "moved": "1", "run.sh": "1", "gone": "1"})
    (repository.path / "run.sh").chmod(0o755)
    head = repository.commit("head", {"edited": "2", "moved": None, "sub/moved": "1", "gone": None, "new": "1"})
    sides = snapshots.of_commits(Repository.open(repository.path), base, head)
    assert {change.path: change.touch for change in changes(*sides)} == {
        "edited": Touch.CHANGED,
        "gone": Touch.REMOVED,
        "moved": Touch.REMOVED,
        "new": Touch.ADDED,
        "run.sh": Touch.CHANGED,
        "sub/moved": Touch.ADDED,
    }


def test_category_alone_is_no_change() -> None:
    entry = Entry("a", "d", 1, "100644", Category.SOURCE)
    other = Entry("a", "d", 1, "100644", Category.UNMODELED)
    assert changes(Snapshot({"a": entry}, {}), Snapshot({"a": other}, {})) == ()


def test_the_work_tree_is_neither_read_nor_touched(tmp_path: Path) -> None:
    repository = GitFolder.init(tmp_path / "repository")
    base = repository.commit("base", {"a": "1"})
    head = repository.commit("head", {"a": "2"})
    repository.write({"a": "uncommitted", "untracked": "x"})
    before = repository.git("status", "--porcelain")
    sides = snapshots.of_commits(Repository.open(repository.path), base, head)
    assert [side.texts for side in sides] == [{"a": "1"}, {"a": "2"}]
    assert repository.git("status", "--porcelain") == before


@pytest.mark.requirement("CC-18")
def test_nothing_that_a_repository_configures_runs(tmp_path: Path) -> None:
    repository = GitFolder.init(tmp_path / "repository")
    repository.write({".gitattributes": "* filter=evil diff=evil\n", "a": "1"})
    repository.git("-c", "filter.evil.clean=cat", "add", "--all")
    commit = repository.commit("one")
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "core.fsmonitor", "core.sshCommand"):
        repository.git("config", key, f"touch {tmp_path}/ran")
    (snapshot,) = snapshots.of_commits(Repository.open(repository.path), commit)
    assert snapshot.texts["a"] == "1"
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("make", ["pipe", "socket"])
def test_what_is_no_file_is_refused(tmp_path: Path, make: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if make == "pipe":
        os.mkfifo("special")
    else:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("special")
    with pytest.raises(InputFailure, match="special"):
        snapshots.of_folder(tmp_path)


def test_a_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    (tmp_path / "link").symlink_to(".")
    for name in ("file", "link", "absent"):
        with pytest.raises(InputFailure, match=name):
            snapshots.of_folder(tmp_path / name)


@pytest.mark.parametrize(("depth", "is_read"), [(256, True), (257, False)])
def test_folders_are_gone_through_to_a_depth(tmp_path: Path, depth: int, is_read: bool) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    if is_read:
        assert len(snapshots.of_folder(tmp_path).entries) == 1
    else:
        with pytest.raises(InputFailure, match="deeper"):
            snapshots.of_folder(tmp_path)


@pytest.mark.parametrize(("limit", "value"), [("MAX_FILE", 3), ("MAX_TOTAL", 7), ("MAX_ENTRIES", 1)])
def test_too_much_is_refused_and_never_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    files: dict[str | bytes, str | bytes | None] = {"a": "1234", "b": "1234"}
    repository = GitFolder.init(tmp_path / "repository")
    commit = repository.commit("one", files)
    folder = laid(tmp_path / "repository" / "folder", files)
    opened = Repository.open(repository.path)
    snapshots.of_commits(opened, commit)
    monkeypatch.setattr(snapshots, limit, value)
    with pytest.raises(RepositoryFailure, match=r"bytes|files"):
        snapshots.of_commits(opened, commit)
    with pytest.raises(InputFailure, match=r"bytes|files"):
        snapshots.of_folder(folder)
    monkeypatch.setattr(snapshots, limit, value + 1)
    assert len(snapshots.of_commits(opened, commit)[0].entries) == len(snapshots.of_folder(folder).entries) == 2


def test_names_that_are_no_utf_8_are_told_and_never_mixed_up(tmp_path: Path) -> None:
    (snapshot,) = committed(tmp_path, {b"caf\xe9": "1", "line\nbreak": "2"})
    assert dict(snapshot.texts) == {"caf\\xe9": "1", "line\nbreak": "2"}
    folder = laid(tmp_path / "repository", {b"caf\xe9": "1"})
    assert snapshots.of_folder(folder).entries["caf\\xe9"] == snapshot.entries["caf\\xe9"]
    laid(folder, {"caf\\xe9": "3"})
    with pytest.raises(Failure, match="written alike"):
        snapshots.of_folder(folder)


def test_an_object_that_is_missing_is_told(tmp_path: Path) -> None:
    repository = GitFolder.init(tmp_path / "repository")
    commit = repository.commit("one", {"a": "1"})
    oid = repository.oid("HEAD:a")
    (repository.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(RepositoryFailure, match="missing"):
        snapshots.of_commits(Repository.open(repository.path), commit)


def test_more_files_than_are_asked_for_at_once_are_read(tmp_path: Path) -> None:
    files: dict[str | bytes, str | bytes | None] = {f"f{number}": "x" * number for number in range(700)}
    (snapshot,) = committed(tmp_path, files)
    assert snapshot.texts == files
