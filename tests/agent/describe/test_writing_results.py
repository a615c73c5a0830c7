"""Results are written whole, each into its own place, or not at all; nothing waits for a pipe."""

from __future__ import annotations

import json
import os
from itertools import combinations
from pathlib import Path

import pytest

from tests.agent.describe import widgets
from tests.agent.payments import Road, program

RESULTS = ("--output", "--record", "--write-body")


@pytest.mark.parametrize("pair", list(combinations(RESULTS, 2)), ids=" ".join)
@pytest.mark.parametrize("is_linked", [False, True], ids=["by one name", "through a link"])
def test_no_two_results_are_written_over_one_another(
    road: Road, tmp_path: Path, pair: tuple[str, str], *, is_linked: bool
) -> None:
    result, link = tmp_path / "result", tmp_path / "link"
    link.symlink_to(result)
    names = (result, link if is_linked else result)
    words = [word for option, name in zip(pair, names, strict=True) for word in (option, str(name))]
    ran = road.describe(widgets.watermark(tmp_path / "widgets"), "HEAD", "--shape", "single", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "two results would be written to one file" in ran.err
    assert not result.exists()


def test_results_with_places_of_their_own_are_written(road: Road, tmp_path: Path) -> None:
    words = [word for option in RESULTS for word in (option, str(tmp_path / option))]
    ran = road.describe(widgets.watermark(tmp_path / "widgets"), "HEAD", "--shape", "single", *words)
    assert ran.code == 0
    assert all((tmp_path / option).read_text() for option in RESULTS)


@pytest.mark.parametrize("option", RESULTS)
def test_a_pipe_and_an_impossible_name_are_refused(road: Road, tmp_path: Path, option: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    folder = widgets.watermark(tmp_path / "widgets")
    for place in (tmp_path / "pipe", tmp_path / ("x" * 300), tmp_path):
        ran = road.describe(folder, "HEAD", "--shape", "single", option, str(place))
        assert ran.code == 2
        assert str(place) in ran.err
        assert "internal fault" not in ran.err


CLOSED = {"stdin": 0, "stdout": 1, "stderr": 2}


@pytest.mark.parametrize("stream", CLOSED)
@pytest.mark.parametrize("words", [["describe", "HEAD", "--shape", "single"], ["--help"]], ids=["describe", "help"])
def test_a_stream_that_is_closed_makes_no_fault(tmp_path: Path, stream: str, words: list[str]) -> None:
    folder = widgets.watermark(tmp_path / "widgets")
    closing = f"import os, sys\nos.close({CLOSED[stream]})\nsys.{stream} = sys.__{stream}__ = None"
    done = program(["evidraft", *words], cwd=folder.path, before=closing)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"internal fault" not in done.stderr


def test_a_result_is_written_though_nobody_reads(tmp_path: Path) -> None:
    folder = widgets.watermark(tmp_path / "widgets")
    closing = "import os, sys\nos.close(1)\nsys.stdout = sys.__stdout__ = None"
    words = ["evidraft", "describe", "HEAD", "--shape", "single", "--output", "result.json"]
    assert program(words, cwd=folder.path, before=closing).returncode == 0
    assert json.loads((folder.path / "result.json").read_bytes())["shape"] == "single"
