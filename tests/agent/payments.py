"""The first example of Intent Changesets as a repository: record, commit, profile, rules and answers."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest

from agent.cli import draft_changeset, main
from tests.repositories import GitFolder

RECORD = """\
intent-changeset: 1.0.0
id: resume-settlement-jobs
source-repository: https://github.com/example/payments
summary: Resume settlement jobs interrupted during shutdown
rationale: Avoid manual recovery when deployments interrupt long jobs
targets:
  - release-unit: apps/worker
    stream: stable
    type: reliability
    impact: patch
    audiences: [operators]
    migration: null
provenance:
  issues: [DEVELOP-219]
relations:
  reverts: []
  supersedes: []
disclosure:
  state: public
  not-before: null
  policy: null
  placeholder: null
"""
MESSAGE = """\
fix(apps/worker): resume interrupted settlement jobs

Prevent deployment shutdowns from leaving settlement jobs incomplete.

Impact: patch
Changeset: resume-settlement-jobs
"""
PROFILE = """\
intent-profile: 1.0.0
repository: https://github.com/example/payments
specifications:
  commits: 1.0.0
  changesets: 1.0.0
  changelog: 1.0.0
  release-manifest: 1.0.0
types:
  feat: {default-impact: minor}
  fix: {default-impact: patch}
  chore: {default-impact: none}
scopes:
  apps/worker: {release-unit: apps/worker}
  settlement: {release-unit: apps/worker}
release-units:
  apps/worker:
    streams:
      stable:
        release-line: "1"
        channel: general
        changelog: .ack/changelog/worker.yaml
        manifests: .ack/releases/worker
ledger-directory: .ack/changelog
release-manifest-directory: .ack/releases
release-pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$'
release-types: [feature, reliability, security]
release-impacts: [none, patch, minor, major]
audiences: [operators, end-users]
disclosures: [public, embargoed, redacted]
channels: [general]
changesets:
  directory: .ack/changes
  archive-directory: .ack/archive
  after-consumption: archive
  conflict-policy: preserve
  required-impacts: [patch, minor, major]
"""
GATEWAY = """\
  apps/gateway:
    streams:
      stable:
        release-line: "1"
        channel: general
        changelog: .ack/changelog/gateway.yaml
        manifests: .ack/releases/gateway
"""
"""A second release unit, as a profile has it."""
RULES = """\
[rules]
trackers = ["DEVELOP"]
disclosure = "public"

[rules.types]
fix = "reliability"

[rules.audiences]
reliability = ["operators"]
"""
SUMMARY = "summary=Resume settlement jobs interrupted during shutdown"
RATIONALE = "rationale=Avoid manual recovery when deployments interrupt long jobs"
ISSUE = "provenance.issues=[DEVELOP-219]"
ANSWERS = (SUMMARY, RATIONALE, ISSUE)
SOURCE = "def settle(jobs, ledger):\n    for job in jobs:\n        ledger.book(job)\n"
MENDED = SOURCE + "\n\ndef resume(ledger):\n    settle(ledger.interrupted_jobs(), ledger)\n"


def payments(
    path: Path,
    message: str | None = MESSAGE,
    *,
    profile: str | None = PROFILE,
    rules: str | None = RULES,
    source: str = "apps/worker/settlement.py",
) -> GitFolder:
    """A repository whose first commit holds profile, rules and source, and whose second one, if any, changes the source."""
    return _pattern(message, profile, rules, source).copy(path)


@cache
def _pattern(message: str | None, profile: str | None, rules: str | None, source: str) -> GitFolder:
    """The repository that each test gets a copy of: a dozen git processes take longer than a copy."""
    place = Path(mkdtemp(prefix="payments-"))
    atexit.register(rmtree, place)
    folder = GitFolder.init(place)
    laid = {".ack/profile.yaml": profile, "evidraft.toml": rules, source: SOURCE}
    folder.commit("chore(apps/worker): add the settlement worker", {name: text for name, text in laid.items() if text})
    if message is not None:
        folder.commit(message, {source: MENDED})
    return folder


@dataclass(frozen=True)
class Ran:
    """How one run of a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def fields(self) -> list[str]:
        """The open fields of a NEEDS_INPUT document."""
        return [question["field"] for question in self.json["unresolved"]]


@dataclass(frozen=True)
class Road:
    """The commands, run in this process."""

    capsys: pytest.CaptureFixture[str]

    def draft(self, folder: GitFolder | Path, *words: str, answers: Sequence[str] = (), json: bool = False) -> Ran:
        """Run `draft-changeset` about a repository."""
        return self._ran(draft_changeset, _about(folder, words, answers, json=json))

    def describe(self, folder: GitFolder | Path, *words: str, answers: Sequence[str] = (), json: bool = False) -> Ran:
        """Run `evidraft describe` about a repository."""
        return self._ran(main, ["describe", *_about(folder, words, answers, json=json)])

    def evidraft(self, *words: str) -> Ran:
        """Run `evidraft`."""
        return self._ran(main, list(words))

    def _ran(self, command: Any, argv: list[str]) -> Ran:
        self.capsys.readouterr()
        code = command(argv)
        said = self.capsys.readouterr()
        return Ran(code, said.out, said.err)


def _about(folder: GitFolder | Path, words: Sequence[str], answers: Sequence[str], *, json: bool) -> list[str]:
    where = folder.path if isinstance(folder, GitFolder) else folder
    said = [word for answer in answers for word in ("--answer", answer)]
    return ["--repo", str(where), *words, *said, *(["--format", "json"] if json else [])]


def program(
    words: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: bytes = b"",
    before: str = "",
) -> subprocess.CompletedProcess[bytes]:
    """Run one of the programs in a process of its own, `words[0]` being its name; `before` is Python that runs first."""
    names = {"draft-changeset": "draft_changeset", "evidraft": "main"}
    code = f"{before}\nimport sys\nfrom agent.cli import {names[words[0]]} as run\nsys.exit(run(sys.argv[1:]))"
    variables = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **(environment or {})}
    command = [sys.executable, "-c", code, *words[1:]]
    return subprocess.run(command, cwd=cwd, env=variables, input=given, capture_output=True, check=False)
