"""Another package in the place of ours is never run and never judges; that it stands there is said at start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = "import sys; from agent.cli import main; sys.exit(main(['--version']))"


def _run(*path: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    # -P is how an installed program starts: the folder that it is started in is not searched.
    return subprocess.run(
        [sys.executable, "-P", "-c", RUN], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def _lay(place: Path, name: str, *, package: bool) -> None:
    (place / name).mkdir(parents=True)
    if package:
        (place / name / "__init__.py").write_text("print('canary')\n")


@pytest.mark.parametrize("package", [True, False], ids=["a package", "a folder without code"])
@pytest.mark.parametrize("name", ["guardrails", "prompts"])
def test_a_package_that_stands_before_ours_is_named_and_not_run(tmp_path: Path, name: str, *, package: bool) -> None:
    _lay(tmp_path, name, package=package)
    for own in {"agent", "guardrails", "prompts"} - (set() if package else {name}):
        shutil.copytree(ROOT / own, tmp_path / "own" / own)
    ran = _run(tmp_path, tmp_path / "own", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"evidraft: another package called '{name}'")
    assert ran.stderr.count("\n") == 1


def test_a_package_that_was_installed_over_ours_is_named(tmp_path: Path) -> None:
    for name in ("agent", "guardrails", "prompts"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "guardrails" / "__init__.py").write_text("print('canary')\n")
    ran = _run(tmp_path, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert str(tmp_path / "guardrails" / "__init__.py") in ran.stderr


@pytest.mark.parametrize("name", ["agent", "guardrails", "prompts", "typer", "re2"])
def test_folders_of_the_place_where_it_is_started_do_not_count(tmp_path: Path, name: str) -> None:
    _lay(tmp_path, name, package=True)
    ran = _run(ROOT, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("evidraft ")
