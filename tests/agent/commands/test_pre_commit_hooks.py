"""The hooks for pre-commit: each entry is a command of ours, and judges a repository as its description says."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any, Final

import pytest

from guardrails.strict_yaml import read
from tests.agent.payments import MESSAGE, RECORD, Ran, Road, payments
from tests.repositories import GitFolder

HOOKS: Final[dict[str, dict[str, Any]]] = {
    hook["id"]: hook for hook in read((Path(__file__).parents[3] / ".pre-commit-hooks.yaml").read_bytes()).value
}
PENDING: Final = ".ack/changes/resume-settlement-jobs.yaml"
LEDGER: Final = """\
intent-changelog: 1.0.0
release-unit: apps/worker
release: 1.2.0
source-repository: https://github.com/example/payments
stream: stable
release-line: "1"
channel: general
date: null
entries: []
amendments: []
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitFolder:
    """A repository whose last commit links a pending changeset; hooks run in its root, and reach no network."""
    made = payments(tmp_path / "payments", None)
    made.commit("chore(apps/worker): decide\n\nImpact: none\n", {PENDING: RECORD, ".ack/changelog/worker.yaml": LEDGER})
    made.commit(MESSAGE, {"apps/worker/more.py": "1\n"})
    monkeypatch.chdir(made.path)
    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("a hook reached for the network"))
    return made


def run(road: Road, name: str, *files: str) -> Ran:
    """Run a hook as pre-commit does: its entry, its arguments, and the files that it asks for."""
    hook = HOOKS[name]
    program, *words = hook["entry"].split()
    assert program == "evidraft"
    wanted = [
        file for file in files if re.search(hook.get("files", ""), file) and not re.search(hook.get("exclude", "^$"), file)
    ]
    assert bool(wanted) == hook.get("pass_filenames", True)
    return road.evidraft(*words, *hook["args"], *wanted)


def test_the_hooks_are_those_four_and_each_is_installed_from_this_repository() -> None:
    assert list(HOOKS) == ["evidraft-check", "evidraft-commit", "evidraft-links", "evidraft-gate"]
    assert {hook["language"] for hook in HOOKS.values()} == {"python"}
    assert [hook.get("stages") for hook in HOOKS.values()] == [None, ["commit-msg"], ["pre-push"], ["manual"]]
    assert all(hook["name"] and hook["description"].endswith(".") for hook in HOOKS.values())


def test_changed_records_are_checked_and_other_files_are_not(folder: GitFolder, road: Road) -> None:
    files = [PENDING, ".ack/profile.yaml", ".ack/changelog/worker.yaml", ".ack/policy.yaml", "apps/worker/config.yaml"]
    assert run(road, "evidraft-check", *files).code == 0
    folder.write({PENDING: RECORD.replace("apps/worker", "apps/lathe")})
    ran = run(road, "evidraft-check", *files)
    assert (ran.code, "not-in-profile" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("message", "code"), [(MESSAGE, 0), (f"{MESSAGE}# Changes to be committed:\n", 0), ("Fix it\n", 1), ("feat: x\n", 1)]
)
def test_a_message_is_checked_as_git_hands_it_over(folder: GitFolder, road: Road, message: str, code: int) -> None:
    folder.write({".git/COMMIT_EDITMSG": message})
    assert run(road, "evidraft-commit", ".git/COMMIT_EDITMSG").code == code


def test_links_are_held_against_the_decisions(folder: GitFolder, road: Road) -> None:
    assert run(road, "evidraft-links").code == 0
    folder.write({PENDING: RECORD.replace("impact: patch", "impact: minor")})
    ran = run(road, "evidraft-links")
    assert (ran.code, "impact-conflict" in ran.out) == (1, True)


def test_the_gate_is_closed_while_a_decision_is_pending(folder: GitFolder, road: Road) -> None:
    assert run(road, "evidraft-gate").code == 1
    folder.write({PENDING: None})
    assert run(road, "evidraft-gate").code == 0


def test_a_repository_without_a_profile_is_told_so(folder: GitFolder, road: Road) -> None:
    folder.write({".ack/profile.yaml": None})
    assert run(road, "evidraft-gate").code == run(road, "evidraft-links").code == 2
