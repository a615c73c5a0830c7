"""A secret or a term of the policy in the name of a branch or a tag is told by no command that reads a range."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import pytest

from tests.agent.payments import MENDED, MESSAGE, RECORD, RULES, Road, payments
from tests.guardrails.redaction.made_up import BODY, TOKEN, checked
from tests.repositories import GitFolder

OTHER: Final = checked("gh" + "p", BODY[3:] + BODY[:3])
BASE, HEAD = f"base-{OTHER}", f"acme-bank-{TOKEN}"
CHANGES = ".ack/changes/resume-settlement-jobs.yaml"
DRAFTING: Final = (
    ("describe", "--shape", "single"),
    ("describe",),
    ("evidence",),
    ("changeset", "draft"),
    ("changeset", "draft", "--dry-run"),
    ("pull-request", "draft"),
    ("verify", CHANGES),
)
READING: Final = (("changeset", "links"), ("changelog", "source"), ("changelog", "generate", "--dry-run"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitFolder:
    """Where we are: a change on a branch of such a name, since a tag of such a name; the policy was reviewed before."""
    folder = payments(tmp_path / "repo", None, rules=f'policy = ".ack/policy.yaml"\n{RULES}')
    folder.commit("chore(apps/worker): add a policy", {".ack/policy.yaml": "terms: [Acme Bank]\n"})
    folder.git("tag", BASE)
    folder.git("checkout", "-q", "-b", HEAD)
    folder.commit(MESSAGE, {"apps/worker/settlement.py": MENDED, CHANGES: RECORD})
    monkeypatch.chdir(folder.path)
    return folder


@pytest.mark.requirement("UC-03", "AI-7")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", [(), ("--format", "json")], ids=["text", "json"])
@pytest.mark.parametrize("operand", [f"{BASE}..{HEAD}", f"{BASE}...{HEAD}", HEAD, f"{BASE}.."])
@pytest.mark.parametrize("command", DRAFTING, ids=" ".join)
def test_a_drafting_command_tells_no_name_that_its_evidence_would_not_hold(
    road: Road,
    command: tuple[str, ...],
    operand: str,
    form: tuple[str, ...],
) -> None:
    ran = road.evidraft(*command, operand, *form)
    assert ran.code in {0, 1, 3}, ran.err
    said = (ran.out + ran.err).lower()
    assert [word for word in (TOKEN, OTHER, "acme") if word.lower() in said] == []


@pytest.mark.requirement("UC-03", "AI-7")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", [(), ("--format", "json")], ids=["text", "json"])
@pytest.mark.parametrize("operand", [f"{BASE}..{HEAD}", f"{BASE}...{HEAD}", f"{BASE}..gone-{TOKEN}", HEAD])
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_command_that_reads_messages_tells_no_secret_of_a_name(
    road: Road,
    command: tuple[str, ...],
    operand: str,
    form: tuple[str, ...],
) -> None:
    ran = road.evidraft(*command, operand, *(form if command != ("changelog", "source") else ()))
    assert [word for word in (TOKEN, OTHER) if word in ran.out + ran.err] == []


def test_the_command_that_goes_on_from_a_question_selects_the_same_commits(road: Road, folder: GitFolder) -> None:
    asked = road.evidraft("describe", f"{BASE}..{HEAD}", "--format", "json")
    words = shlex.split(asked.json["resume"])
    assert f"{folder.oid(BASE)}..{folder.oid(HEAD)}" in words
    ran = road.evidraft(*words[1:])
    assert ran.code == 0, ran.err
