"""Results are written whole, each into its own place, or not at all; nothing waits for a pipe."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path

import pytest

from tests.agent.describe import widgets
from tests.agent.payments import Road

RESULTS = ("--output", "--record", "--write-body")


@pytest.mark.parametrize("pair", list(combinations(RESULTS, 2)), ids=" ".join)
@pytest.mark.parametrize("is_linked", [False, True], ids=["by one name", "through a link"])
def test_no_two_results_are_written_over_one_another(road: Road, tmp_path: Path, pair: tuple[str, str], *, is_linked: bool) -> None:
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
