"""README.md keeps its word: what it shows is what the demonstration prints, and every command and flag that it names exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
import typer

from agent.cli import app
from guardrails.records import profile as profiles
from guardrails.records.profile import Profile
from guardrails.resolving import rules
from guardrails.resolving.rules import Rules
from tests.agent.payments import PROFILE

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = [
    textwrap.dedent(block).strip("\n") for block in re.findall(r"(?:^(?:    .*)?\n)+", README, re.MULTILINE) if block.strip()
]
OTHERS = frozenset({"--repo", "--range"})
"""Flags of the measuring scripts, which are run by themselves."""


def programs(folder: Path) -> str:
    """A folder that has both programs, run by this interpreter on this checkout."""
    folder.mkdir()
    for name, function in (("draft-changeset", "draft_changeset"), ("evidraft", "main")):
        code = f"import sys; from agent.cli import {function} as run; sys.exit(run(sys.argv[1:]))"
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"\n', "utf-8")
        program.chmod(0o755)
    return str(folder)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the demonstration prints, in a checkout that has its environment already."""
    checkout = tmp_path_factory.mktemp("checkout")
    (checkout / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "demo", checkout / "scripts" / "demo")
    path = f'PATH="{programs(checkout / "bin")}:$PATH"'
    made = f'cd "$(dirname "${{BASH_SOURCE[0]}}")/.."\n{path}\nfail() {{ echo "$1" >&2; exit 2; }}\n'
    (checkout / "scripts" / "environment").write_text(made, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", str(checkout / "scripts" / "demo")], env=environment, capture_output=True, check=False, cwd=checkout
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_the_shown_outcomes_are_what_the_demonstration_prints(printed: str) -> None:
    shown = [block for block in BLOCKS if block.startswith(("$ ", "status: "))]
    assert len(shown) == 3
    assert [block for block in shown if block not in printed] == []


def test_the_demonstration_asks_first_drafts_then_and_describes(printed: str) -> None:
    assert re.findall(r"^exit code (\d+)$", printed, re.MULTILINE) == ["3", "0", "0"]


def commands() -> dict[str, set[str]]:
    """Every command of the program by its words, and the flags it takes."""
    found: dict[str, set[str]] = {}

    def walk(command: object, words: str) -> None:
        found[words] = {flag for one in getattr(command, "params", ()) for flag in (*one.opts, *one.secondary_opts)}
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, f"{words} {name}")

    walk(typer.main.get_command(app), "evidraft")
    return {**found, "draft-changeset": found["evidraft changeset draft"]}


def named() -> Iterator[str]:
    """Every piece of the text that names one of the programs, up to what ends a command line."""
    for span in (*re.findall(r"`([^`\n]+)`", README), *(line for block in BLOCKS for line in block.splitlines())):
        command = re.match(r"(?:\$ )?((?:evidraft|draft-changeset)(?![\w-])[^|>#]*)", span)
        if command and "evidraft.toml" not in span:
            yield command[1].strip()


def words_of(text: str) -> str:
    """The words before the first flag or operand."""
    return " ".join(takewhile(re.compile(r"[a-z][a-z-]*").fullmatch, text.split()))


def test_every_command_that_is_named_exists() -> None:
    known = commands()
    found = list(named())
    assert len(found) >= 8
    assert [text for text in found if words_of(text) not in known] == []


def test_every_flag_that_is_named_exists() -> None:
    known = set[str]().union(*commands().values())
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    assert len(flags) >= 5
    assert flags - known - OTHERS == set()


def test_the_shown_rules_are_rules_of_a_project() -> None:
    (table,) = (block for block in BLOCKS if block.startswith("[rules]"))
    read = rules.read(tomllib.loads(table)["rules"])
    project = profiles.read(PROFILE.encode())
    assert isinstance(read, Rules)
    assert isinstance(project, Profile)
    assert rules.check(read, project) == ()


@pytest.mark.parametrize("name", re.findall(r"(?<![\w./])(?:scripts|benchmarks)/[a-z_-]+(?:\.py)?", README))
def test_every_script_that_is_named_exists(name: str) -> None:
    assert (ROOT / name).is_file()
