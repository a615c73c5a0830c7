"""The store: a file appears whole or not at all, in its place and nowhere else."""

from __future__ import annotations

import os
import resource
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent import store
from agent.errors import StoreFailure

RECORD = b"intent-changeset: 1.0.0\r\n\xff"


def tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """Let the system refuse longer files, as a full disk would."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@contextmanager
def mask(bits: int) -> Iterator[None]:
    before = os.umask(bits)
    try:
        yield
    finally:
        os.umask(before)


def test_a_new_record_holds_exactly_the_given_bytes_and_nothing_else_is_left(tmp_path: Path) -> None:
    written = store.write_new(tmp_path, ".ack/changes/resume.yaml", RECORD)
    assert written == tmp_path / ".ack/changes/resume.yaml"
    assert written.read_bytes() == RECORD
    assert tree(tmp_path) == [".ack", ".ack/changes", ".ack/changes/resume.yaml"]


def test_a_private_file_is_for_nobody_else_whatever_the_mask_allows(tmp_path: Path) -> None:
    with mask(0):
        store.private_file(tmp_path / "own" / "deep" / "file")
        store.private_file(tmp_path / "own" / "deep" / "file")
    found = [tmp_path / "own" / "deep", tmp_path / "own" / "deep" / "file"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in found] == [0o700, 0o600]


@pytest.mark.parametrize("place", ["link", "folder", "pipe", "file/below"])
def test_a_private_file_is_a_file_of_its_own(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreFailure):
        store.private_file(tmp_path / place)


def test_a_new_record_has_the_mode_that_the_mask_allows(tmp_path: Path) -> None:
    with mask(0o027):
        written = store.write_new(tmp_path, "a.yaml", RECORD)
    assert stat.S_IMODE(written.stat().st_mode) == 0o640


@pytest.mark.parametrize("kind", ["file", "folder", "link", "broken link"])
def test_what_stands_in_the_place_of_a_new_record_is_never_overwritten(kind: str, tmp_path: Path) -> None:
    other, place = tmp_path / "other", tmp_path / "changes" / "a.yaml"
    place.parent.mkdir()
    other.write_bytes(b"before")
    if kind == "file":
        place.write_bytes(b"before")
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(other if kind == "link" else tmp_path / "nowhere")
    before = tree(tmp_path)
    with pytest.raises(StoreFailure, match=r"changes/a\.yaml: a file stands there already"):
        store.write_new(tmp_path, "changes/a.yaml", RECORD)
    assert tree(tmp_path) == before
    assert other.read_bytes() == b"before"
    assert kind != "file" or place.read_bytes() == b"before"


@pytest.mark.parametrize(
    "path", ["", ".", "..", "../a", "a/../b", "/etc/a", "a//b", "./a", "a/", "a\0b", "a\nb", "a\\b", "~/a", "C:/a"]
)
@pytest.mark.requirement("IC-12.4")
def test_a_path_that_is_not_plainly_below_the_root_is_refused(path: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    with pytest.raises(StoreFailure):
        store.write_new(root, path, RECORD)
    assert tree(tmp_path) == ["root"]


@pytest.mark.parametrize("outside", [True, False])
@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.requirement("IC-12.4")
def test_no_path_leads_through_a_symbolic_link(outside: bool, depth: int, tmp_path: Path) -> None:
    root, inside = tmp_path / "root", tmp_path / "root" / "inside"
    inside.mkdir(parents=True)
    target = tmp_path / "elsewhere" if outside else inside
    target.mkdir(exist_ok=True)
    link = root / "a" / "link" if depth else root / "link"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    before = tree(tmp_path)
    with pytest.raises(StoreFailure, match="a symbolic link on the way") as refused:
        store.write_new(root, f"{link.relative_to(root)}/new/a.yaml", RECORD)
    assert refused.value.where == link.relative_to(root).as_posix()
    assert tree(tmp_path) == before


def test_no_path_leads_through_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    with pytest.raises(StoreFailure, match="a file on the way"):
        store.write_new(tmp_path, "a/b", RECORD)
    assert (tmp_path / "a").read_bytes() == b"before"


def test_a_missing_root_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreFailure, match="No such file or directory"):
        store.write_new(tmp_path / "root", "a/b", RECORD)
    assert tree(tmp_path) == []


def test_a_full_disk_leaves_neither_a_record_nor_a_folder(tmp_path: Path) -> None:
    with files_limited_to(1_000), pytest.raises(StoreFailure, match=r"a/b/c\.yaml: could not be written"):
        store.write_new(tmp_path, "a/b/c.yaml", b"x" * 2_000)
    assert tree(tmp_path) == []


def test_a_full_disk_leaves_an_earlier_output_as_it_was(tmp_path: Path) -> None:
    output = tmp_path / "out.yaml"
    output.write_bytes(b"before")
    with files_limited_to(1_000), pytest.raises(StoreFailure, match="could not be written"):
        store.write_output(output, b"x" * 2_000)
    assert output.read_bytes() == b"before"
    assert tree(tmp_path) == ["out.yaml"]


def test_folders_that_stood_before_a_failure_stay(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with files_limited_to(1_000), pytest.raises(StoreFailure):
        store.write_new(tmp_path, "a/b/c.yaml", b"x" * 2_000)
    assert tree(tmp_path) == ["a"]


def test_an_output_is_made_and_later_replaced_whole_with_its_mode_kept(tmp_path: Path) -> None:
    output = tmp_path / "out.yaml"
    store.write_output(output, b"a longer text")
    output.chmod(0o600)
    store.write_output(str(output), RECORD)
    assert output.read_bytes() == RECORD
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    assert tree(tmp_path) == ["out.yaml"]


def test_an_output_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"before")
    link.symlink_to(target)
    store.write_output(link, RECORD)
    assert link.is_symlink()
    assert target.read_bytes() == RECORD


@pytest.mark.parametrize("place", ["folder", "/dev/null", "missing/out.yaml"])
def test_an_output_is_no_folder_no_device_and_its_folder_is_not_made(place: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreFailure) as caught:
        store.write_output(tmp_path / place, RECORD)
    assert caught.value.where == str(tmp_path / place)
    assert tree(tmp_path) == ["folder"]


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_gets_the_exact_bytes(name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    store.write_output(name, RECORD)
    assert capfdbinary.readouterr().out == RECORD


def test_a_file_below_a_root_is_replaced_read_renamed_and_removed(tmp_path: Path) -> None:
    for data in (b"one", b"two"):
        store.write_below(tmp_path, "a/b/c", data)
        assert store.read_below(tmp_path, "a/b/c") == data
    store.rename_below(tmp_path, "a/b/c", "d")
    assert (store.read_below(tmp_path, "a/b/c"), store.read_below(tmp_path, "a/b/d")) == (None, b"two")
    assert store.read_below(tmp_path, "x/y") is None
    store.remove_below(tmp_path, "a/b/d")
    assert tree(tmp_path) == []


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    store.write_below(tmp_path, "a", b"one")
    (tmp_path / "a").chmod(0o640)
    store.write_below(tmp_path, "a", b"two")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_no_name_is_taken_from_another_file(tmp_path: Path) -> None:
    store.write_below(tmp_path, "a", b"one")
    store.write_below(tmp_path, "b", b"two")
    with pytest.raises(StoreFailure):
        store.rename_below(tmp_path, "a", "b")
    assert (store.read_below(tmp_path, "a"), store.read_below(tmp_path, "b")) == (b"one", b"two")


@pytest.mark.parametrize("path", ["../out", "/out", "link/x", "link-to-file", "folder", "file/x", "pipe", "a//b", ""])
def test_nothing_outside_a_root_and_nothing_but_files_is_touched(path: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "folder/kept").mkdir(parents=True)
    (root / "file").write_bytes(b"1")
    (root / "link").symlink_to(tmp_path)
    (root / "link-to-file").symlink_to(root / "file")
    os.mkfifo(root / "pipe")
    before = tree(tmp_path)
    acts: tuple[Callable[[], object], ...] = (
        lambda: store.write_below(root, path, b"2"),
        lambda: store.read_below(root, path),
        lambda: store.rename_below(root, path, "other"),
        lambda: store.remove_below(root, path),
    )
    for act in acts:
        with pytest.raises(StoreFailure):
            act()
    assert tree(tmp_path) == before
    assert (root / "file").read_bytes() == b"1"


def test_a_full_disk_leaves_what_stood_below(tmp_path: Path) -> None:
    store.write_below(tmp_path, "a/b", b"one")
    with files_limited_to(10), pytest.raises(StoreFailure):
        store.write_below(tmp_path, "a/b", b"x" * 100)
    with files_limited_to(10), pytest.raises(StoreFailure):
        store.write_below(tmp_path, "new/b", b"x" * 100)
    assert tree(tmp_path) == ["a", "a/b"]
    assert store.read_below(tmp_path, "a/b") == b"one"


@pytest.mark.requirement("IC-12.4")
def test_no_empty_folder_behind_a_link_that_came_meanwhile_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (outside / "b").mkdir(parents=True)
    root.mkdir()
    store.write_new(root, "a/b/file", b"")
    really = os.unlink

    def unlink_and_exchange(path: Any, **named: Any) -> None:
        really(path, **named)
        if path == "file":
            (root / "a").rename(root / "elsewhere")
            (root / "a").symlink_to(outside)

    monkeypatch.setattr(os, "unlink", unlink_and_exchange)
    store.remove_below(root, "a/b/file")
    assert ((outside / "b").is_dir(), (root / "elsewhere" / "b" / "file").exists()) == (True, False)
