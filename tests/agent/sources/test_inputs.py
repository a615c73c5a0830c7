"""Inputs: what a person names is read within a bound, or refused with its name."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from agent.errors import InputFailure
from agent.sources import inputs


def test_a_file_is_read_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\r\n")
    assert inputs.read(str(path)) == b"\xff\r\n"


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"x" * 100_000,))
    writer.start()
    assert inputs.read(str(path)) == b"x" * 100_000
    writer.join()


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_cannot_be_read_is_refused_by_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputFailure) as caught:
        inputs.read(str(tmp_path / name))
    assert str(tmp_path / name) == caught.value.where


def test_a_file_over_the_bound_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 10**12)
    with pytest.raises(InputFailure, match="larger than"):
        inputs.read(str(path))


def test_a_file_of_the_work_tree_is_read_also_through_a_link_inside_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "profile.yaml").write_bytes(b"x")
    (tmp_path / "link").symlink_to("a")
    assert inputs.read_below(tmp_path, "a/profile.yaml") == b"x"
    assert inputs.read_below(tmp_path, "link/profile.yaml") == b"x"
    assert inputs.read_below(tmp_path, "a/missing.yaml") is None
    assert inputs.read_below(tmp_path, "a") is None


@pytest.mark.parametrize(
    "path", ["file-link", "folder-link/profile.yaml", "../outside/profile.yaml", "folder-link/missing.yaml"]
)
@pytest.mark.requirement("IC-12.4")
def test_no_link_out_of_the_root_is_followed(path: str, tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "profile.yaml").write_bytes(b"secret")
    (root / "file-link").symlink_to(outside / "profile.yaml")
    (root / "folder-link").symlink_to(outside)
    with pytest.raises(InputFailure, match="outside the repository"):
        inputs.read_below(root, path)
