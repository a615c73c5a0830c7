"""A run leaves no trace of what it took out and reaches no network, also when it is killed (Intent Changesets 11.7)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from agent.engines import secret_engine
from tests.agent.payments import ANSWERS, MENDED, program
from tests.agent.payments import payments as laid
from tests.repositories import GitFolder

TOKEN = "gh" + "p_" + "q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Js5Pf0Gy7Ka2Ue"[:36]
KEYS = ("GITHUB_TOKEN", "GH_TOKEN", "GITLAB_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY")
WATCH = """
import os, signal, sys
def watch(event, arguments):
    if event in {reached}:
        os.write(2, ('REACHED ' + event).encode())
        {then}
sys.addaudithook(watch)
"""
NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg")
MOMENTS = ("subprocess.Popen", "kingfisher", "socket.__new__", "os.rename")
"""Events of a run: git is asked, the redactor is loaded, the loop of the drafter starts, a file is put in its place."""


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A repository whose last commit holds a token in its message, a file's name and a file's content."""
    folder = laid(tmp_path / "payments", None)
    message = f"fix(apps/worker): resume interrupted settlement jobs\n\nDeployments lost jobs with {TOKEN}.\n\nImpact: patch\n"
    folder.commit(message, {"apps/worker/settlement.py": f"{MENDED}KEY = '{TOKEN}'\n", f"apps/worker/{TOKEN}.txt": "x\n"})
    return folder


@pytest.fixture
def places(tmp_path: Path, warm_cache: Path) -> Path:
    """A folder with every folder in it that a program may write to by itself."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "cwd"):
        (tmp_path / "places" / name).mkdir(parents=True, exist_ok=True)
    shutil.copytree(warm_cache, tmp_path / "places" / "XDG_CACHE_HOME")
    return tmp_path / "places"


@pytest.fixture(scope="module")
def warm_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the compiled rules, which take seconds."""
    cache = tmp_path_factory.mktemp("cache")
    secret_engine(cache / "evidraft" / "secret-rules")
    return cache


def _run(places: Path, folder: GitFolder, reached: tuple[str, ...], then: str) -> subprocess.CompletedProcess[bytes]:
    answers = [word for answer in ANSWERS for word in ("--answer", answer)]
    words = ["draft-changeset", "--repo", str(folder.path), "HEAD", *answers, "--record", "record.json", "--output", "out.yaml"]
    environment = {**{path.name: str(path) for path in places.iterdir()}, **dict.fromkeys(KEYS, TOKEN)}
    before = WATCH.format(reached=reached, then=then)
    return program(words, cwd=places / "cwd", environment=environment, before=before)


def _holding(places: Path) -> list[Path]:
    return [path for path in places.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


@pytest.mark.requirement("AI-7")
def test_a_run_reaches_no_network_and_leaves_no_secret(places: Path, folder: GitFolder) -> None:
    ran = _run(places, folder, NETWORK, "pass")
    assert b"REACHED" not in ran.stderr
    assert TOKEN.encode() not in ran.stdout + ran.stderr
    assert {path.name for path in (places / "cwd").iterdir()} == {"out.yaml", "record.json"}
    assert _holding(places) == []


@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_is_killed_leaves_no_secret(places: Path, folder: GitFolder, moment: str) -> None:
    then = "os.kill(os.getpid(), signal.SIGKILL)"
    if moment == "kingfisher":
        ran = _run(places, folder, ("import",), f"arguments[0] == 'kingfisher_sdk' and {then}")
    else:
        ran = _run(places, folder, (moment,), then)
    assert ran.returncode == -signal.SIGKILL
    assert _holding(places) == []


def test_a_crash_dumps_no_memory() -> None:
    ran = program(
        ["evidraft", "--version"],
        before="import atexit, resource; atexit.register(lambda: print(resource.getrlimit(resource.RLIMIT_CORE)[0]))",
    )
    assert ran.stdout.decode().splitlines()[1:] == ["0"]


@pytest.mark.requirement("AI-7")
def test_no_secret_stands_on_a_command_line_or_in_the_environment_of_a_child(
    tmp_path: Path, places: Path, folder: GitFolder
) -> None:
    log = tmp_path / "children"
    keep = f"open({os.fspath(log)!r}, 'a').write(repr(arguments))"
    assert _run(places, folder, ("subprocess.Popen",), keep).returncode in {0, 3}
    assert "rev-parse" in log.read_text()
    assert TOKEN not in log.read_text()
