"""Scenarios of the Intent suite: a repository, steps, and what the public Go tool made of them (see `tests/cases/intent`).

`before/` is the tree at the start and `after/` what the peer changed. Commit names come out as they did there, since ledgers
hold them. A scenario is played with our commands, and compared with what the peer left or, where the specification asks for
something else, with what its test says.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, Final

from agent.cli import main
from guardrails.strict_yaml import read

SCENARIOS: Final = Path(__file__).parent / "cases" / "intent" / "scenarios"
START: Final = 1_767_225_600
_WHO: Final = {"NAME": "Rowan", "EMAIL": "rowan@orchard.example"}
_CODE: Final = re.compile(r"\b(?:error|warning) ([a-z][a-z0-9]*(?:-[a-z0-9]+)+)")

Tree = dict[str, bytes]
"""Every file below a folder; of a symbolic link, where it leads."""


@dataclass(frozen=True)
class Ran:
    """One command of a scenario: what it ended with and printed, and what the peer did."""

    command: tuple[str, ...]
    code: int
    out: str
    err: str
    peer_code: int
    peer_findings: tuple[str, ...] | None

    @property
    def findings(self) -> tuple[str, ...]:
        """The codes of the findings that it printed, in order."""
        return tuple(_CODE.findall(self.out))


@dataclass
class Played:
    """A scenario that was played in `top`: the commands, and the trees before, after, and of the peer."""

    name: str
    top: Path
    told: dict[str, Any] = field(repr=False)
    runs: list[Ran] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    placed: set[str] = field(default_factory=set)

    @property
    def before(self) -> Tree:
        """The files at the start."""
        return tree(SCENARIOS / self.name / "before")

    @property
    def peer(self) -> Tree:
        """The files that the peer changed or created, as it left them."""
        return tree(SCENARIOS / self.name / "after")

    @property
    def files(self) -> Tree:
        """The files now."""
        return tree(self.top)

    @property
    def changed(self) -> list[str]:
        """The paths that the commands changed or created."""
        before, now = self.before, self.files
        return sorted(path for path in now if now[path] != before.get(path) and path not in self.placed)

    @property
    def gone(self) -> list[str]:
        """The paths that are there no more."""
        return sorted(self.before.keys() - self.files.keys() - self.placed)

    @property
    def outside(self) -> Tree:
        """The files in the folder beside the repository."""
        return tree(self.top.parent / "outside")


def named(*starts: str) -> list[str]:
    """The names of the scenarios that begin with one of these words."""
    return sorted(path.name for path in SCENARIOS.iterdir() if path.name.startswith(starts))


def tree(folder: Path) -> Tree:
    """What is below a folder, by path, without git's own."""
    found: Tree = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for path in (Path(place, name) for name in (*files, *folders)):
            if path.is_symlink():
                found[path.relative_to(folder).as_posix()] = b"-> " + os.fsencode(path.readlink())
            elif path.is_file():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def play(name: str, folder: Path, more: Iterable[str] = ()) -> Played:
    """Set a scenario up below `folder`, and run its steps with our commands, each with the options of `more` as well."""
    told = read((SCENARIOS / name / "scenario.yaml").read_bytes()).value
    top = folder / "repository"
    shutil.copytree(SCENARIOS / name / "before", top)
    played = Played(name, top, told)
    _git(top, "init", "-q", "-b", "main")
    _commit(played, told["start_commit_message"])
    _git(top, "tag", "START")
    for step in told["steps"]:
        ((kind, given),) = ((key, value) for key, value in step.items() if not key.startswith("peer_"))
        if kind == "run":
            _run(played, step, tuple(more))
        else:
            _STEPS[kind](played, given)
    return played


def _run(played: Played, step: dict[str, Any], more: tuple[str, ...]) -> None:
    out, err = StringIO(), StringIO()
    command = (*step["run"], *more)
    with chdir(played.top), redirect_stdout(out), redirect_stderr(err):
        code = main(command)
    findings = step.get("peer_findings")
    said = (out.getvalue(), err.getvalue())
    played.runs.append(Ran(command, code, *said, step["peer_exit"], None if findings is None else tuple(findings)))


def _commit(played: Played, message: str) -> None:
    _git(played.top, "add", "-A")
    number = len(played.commits)
    _git(played.top, *("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-"), given=message, number=number)
    played.commits.append(_git(played.top, "rev-parse", "HEAD").strip())


def _write(played: Played, given: list[str]) -> None:
    def filled(found: re.Match[str]) -> str:
        if found[1] == "COMMIT":
            return played.commits[int(found[2])]
        return "sha256:" + hashlib.sha256((played.top / found[2]).read_bytes()).hexdigest()

    path = played.top / given[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(re.sub(r"\$\{(COMMIT|SHA256)[_:]([^}]*)\}", filled, given[1]), "utf-8")
    played.placed.add(given[0])


def _outside(played: Played, given: dict[str, str]) -> None:
    folder = played.top.parent / "outside"
    folder.mkdir()
    for name, text in given.items():
        (folder / name).write_text(text, "utf-8")


def _link(played: Played, given: list[str]) -> None:
    path = played.top / given[0]
    up = os.path.relpath(played.top.parent / "outside", path.parent)
    path.symlink_to(given[1].replace("OUTSIDE", up))


def _remove(played: Played, given: str) -> None:
    (played.top / given).unlink()
    played.placed.add(given)


def _make(played: Played, given: str) -> None:
    (played.top / given).mkdir(parents=True)


_STEPS: Final[dict[str, Callable[[Played, Any], None]]] = {
    "commit": _commit,
    "write": _write,
    "remove": _remove,
    "mkdir": _make,
    "outside": _outside,
    "symlink": _link,
    "symlinkin": _link,
}


def _git(folder: Path, *arguments: str, given: str = "", number: int = 0) -> str:
    moment = f"{START + 60 * number} +0000"
    people = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _WHO.items()}
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": moment,
        "GIT_COMMITTER_DATE": moment,
        **people,
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, input=given.encode(), capture_output=True, check=True
    )
    return done.stdout.decode()


def assert_like_peer(played: Played) -> None:
    """Exit codes, findings of links and files are the peer's: every byte of them, and of ledgers what they say."""
    told = played.told["peer_result"]
    assert [ran.code for ran in played.runs] == [ran.peer_code for ran in played.runs], played.runs
    for ran in played.runs:
        assert ran.peer_findings is None or ran.findings == ran.peer_findings, ran
    assert played.changed == sorted(told["files_changed_or_new"])
    assert played.gone == sorted(told["files_gone"])
    files = played.files
    for path, data in played.peer.items():
        assert files[path] == data or said(files[path]) == said(data), path


def said(data: bytes) -> object:
    """What a record says: its bytes, or what a ledger parses to with absent keys of a disclosure as null."""
    value = read(data).value
    if not isinstance(value, dict) or "intent-changelog" not in value:
        return data
    keys = ("state", "not-before", "policy", "placeholder")
    for entry in value["entries"]:
        entry["disclosure"] = {key: entry["disclosure"].get(key) for key in keys}
    return value
