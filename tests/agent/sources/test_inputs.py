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
