"""Texts in a file of bounded size, for several processes at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from agent.replies.shelf import Shelf

WRITER = """
import sys
from pathlib import Path
from agent.replies.shelf import Shelf
shelf = Shelf(Path(sys.argv[1]), waits=60.0)
for number in range(40):
    shelf.put(f"{sys.argv[2]}-{number}", "text " * 20)
    assert shelf.get(f"{sys.argv[2]}-{number}")
shelf.close()
"""


def test_a_text_is_found_again_also_after_closing(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "own" / "texts")
    assert shelf.get("a") is None
    shelf.put("a", "one")
    shelf.put("a", "two")
    shelf.close()
    assert shelf.get("a") == "two"
    shelf.close()


def test_what_was_not_used_longest_goes_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "own" / "texts", largest=400_000)
    shelf.put("dear", "x" * 10_000)
    for number in range(100):
        shelf.put(str(number), "x" * 10_000)
        assert shelf.get("dear") is not None
    there = [number for number in range(100) if shelf.get(str(number)) is not None]
    assert 20 < len(there) < 40
    assert there == list(range(100 - len(there), 100))
    shelf.close()
    assert (tmp_path / "own" / "texts").stat().st_size < 600_000


def test_a_text_larger_than_all_room_is_dropped(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "own" / "texts", largest=100_000)
    shelf.put("a", "x" * 1_000_000)
    assert shelf.get("a") is None
    shelf.put("b", "y")
    assert shelf.get("b") == "y"
    shelf.close()


def test_several_processes_keep_all_that_they_put(tmp_path: Path) -> None:
    file = tmp_path / "own" / "texts"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(file), name]) for name in "abcd"]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0, 0]
    shelf = Shelf(file)
    assert all(shelf.get(f"{name}-{number}") for name in "abcd" for number in range(40))
    shelf.close()
