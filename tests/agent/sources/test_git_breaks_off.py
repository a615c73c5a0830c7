"""Git that hangs, dies or lies while the sides of a change are read: an error that says so, in bounded time."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from agent.cli import main
from agent.sources import git_program
from tests.repositories import GitFolder

CONTRACT = "schema: '0.3'\nchange: { name: t }\nscope: { allow: ['**'] }\nclaims: []\n"
LONG = "x = 1\n" * 4_000
WAYS = {
    "listing hangs": ("ls-tree", "time.sleep(600)", "did not answer"),
    "listing dies": ("ls-tree", "out(tell(words)[:30]); sys.exit(1)", "cannot be listed"),
    "listing is cut": ("ls-tree", "out(tell(words)[:30])", "broke off"),
    "listing is no listing": ("ls-tree", "out(b'what is this\\0')", "broke off"),
    "objects hang": ("cat-file", "time.sleep(600)", "broke off"),
    "objects die": ("cat-file", "sys.exit(1)", "broke off"),
    "half an object": (
        "cat-file",
        f"oid = sys.stdin.readline().strip(); out(f'{{oid}} blob {len(LONG)}\\nx = 1'.encode())",
        "broke off",
    ),
    "half a line": ("cat-file", "out(sys.stdin.readline().strip().encode() + b' blob 1')", "broke off"),
    "too large an object": (
        "cat-file",
        "out(sys.stdin.readline().strip().encode() + b' blob 99999999999\\n'); sys.stdin.read()",
        "broke off",
    ),
    "no size": ("cat-file", "out(sys.stdin.readline().strip().encode() + b' blob x\\n'); sys.stdin.read()", "missing"),
    "no object": ("cat-file", "out(sys.stdin.readline().strip().encode() + b' missing\\n'); sys.stdin.read()", "missing"),
}


def lay_git(folder: Path, command: str, act: str) -> None:
    """A git that does `act` where it is asked for `command`, and else what git does."""
    folder.mkdir()
    real = shutil.which("git")
    (folder / "git").write_text(
        f"""#!{sys.executable}
import os, subprocess, sys, time

words = sys.argv[1:]

def tell(words):
    return subprocess.run([{real!r}, *words], stdout=subprocess.PIPE).stdout

def out(data):
    sys.stdout.buffer.write(data)
    sys.stdout.flush()

if {command!r} not in words:
    os.execv({real!r}, [{real!r}, *words])
{act}
""",
        "utf-8",
    )
    (folder / "git").chmod(0o755)


@pytest.mark.requirement("CC-05")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_git_that_breaks_off_is_an_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    way: tuple[str, str, str],
) -> None:
    command, act, said = way
    repository = GitFolder.init(tmp_path / "repository")
    base = repository.commit("base", {"a.py": LONG, "b.py": "b = 1\n"})
    head = repository.commit("head", {"a.py": LONG + "y = 2\n"})
    contract = tmp_path / "contract.yaml"
    contract.write_text(CONTRACT, "utf-8")
    lay_git(tmp_path / "bin", command, act)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setattr(git_program, "PATIENCE", 2.0 if "sleep" in act else 60.0)
    words = ("--repo", str(repository.path), "--base", base, "--head", head, "--format", "json")
    for ways in (("verify", "--contract", str(contract)), ("review",)):
        code = main(["contract", *ways, *words])
        told, err = capsys.readouterr()
        answer = json.loads(told)
        assert (code, answer["status"], answer["exitCode"]) == (2, "ERROR", 2)
        assert said in err
        assert "Traceback" not in err
