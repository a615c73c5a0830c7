"""Whatever stops the Consumer, wherever: no file is half written, nothing is lost, and the next run does the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process that may fork found."""
    command = [sys.executable, "-m", "tests.agent.consuming.interrupting", str(tmp_path_factory.mktemp("tries"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return dict(json.loads(done.stdout))


@pytest.mark.requirement("IC-8.3", "IC-8.4")
@pytest.mark.parametrize("after", ["archive", "delete", "keep"])
def test_a_run_that_is_killed_or_refused_at_any_call_is_completed_by_the_next(after: str, tried: dict[str, Any]) -> None:
    assert tried[after]["faults"] == []
    assert {"open", "write", "fsync", "replace"} <= set(tried[after]["points"])
    assert len(tried[after]["points"]) >= 24


def test_a_writer_that_could_be_stopped_halfway_is_found(tried: dict[str, Any]) -> None:
    assert tried["careless"]["faults"]
