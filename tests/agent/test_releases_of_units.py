"""The releases of a project with two units, changesets and a ledger, from the repository to the judged envelope."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.errors import ConfigurationFailure, UsageFailure
from agent.model.extractive.drafter import Extractive
from agent.pipeline import Outcome, Terms, draft
from agent.tasks import RELEASE
from guardrails.grounding.releases.accounts import accounts
from guardrails.grounding.releases.coverage import coverage
from guardrails.grounding.verdict import Accepted, NeedsInput, drafted
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.rules import Rules as Reviewed
from guardrails.strict_yaml import write
from tests.agent.payments import GATEWAY, PROFILE, RECORD, payments
from tests.guardrails.records.test_changelog import entry, ledger
from tests.repositories import GitFolder

TWO_UNITS = PROFILE.replace("ledger-directory:", f"{GATEWAY}ledger-directory:")
RULES = """\
[rules.units]
"apps/worker/**" = "apps/worker"
"apps/gateway/**" = "apps/gateway"
"""
LINK = "\n\nChangeset: resume-settlement-jobs"
CODE = "def {name}(calls):\n    return [call for call in calls if call.{name}]\n"
Run = Callable[..., tuple[Outcome, dict[str, Any]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> GitFolder:
    """Two commits of one decision, one of the gateway, one of both, one of none, one under embargo."""
    made = payments(tmp_path_factory.mktemp("units") / "r", None, profile=TWO_UNITS, rules=RULES)
    made.git("tag", "v1")
    made.commit(f"fix(apps/worker): resume interrupted jobs{LINK}", {"apps/worker/resume.py": CODE.format(name="interrupted")})
    made.commit(f"fix(apps/worker): wait for running jobs{LINK}", {"apps/worker/wait.py": CODE.format(name="running")})
    made.commit("feat(apps/gateway): Route calls by their age", {"apps/gateway/route.py": CODE.format(name="age")})
    both: dict[str | bytes, str | bytes | None] = {
        "apps/worker/log.py": CODE.format(name="logged"),
        "apps/gateway/log.py": CODE.format(name="seen"),
    }
    made.commit("feat: Log every call that was lost", both)
    made.commit("docs: Tell where calls are logged", {"docs/logging.md": "Calls are logged.\n"})
    hidden = (
        RECORD.replace("resume-settlement-jobs", "close-hole").replace("public", "embargoed").replace("DEVELOP-219", "SEC-9")
    )
    made.commit(
        "fix(apps/worker): close the zugzwang\n\nChangeset: close-hole",
        {
            ".ack/archive/close-hole.yaml": hidden.replace("policy: null", "policy: coordinated"),
            ".ack/changes/resume-settlement-jobs.yaml": RECORD,
            "apps/worker/hole.py": CODE.format(name="zugzwang"),
        },
    )
    made.git("tag", "v2")
    return made


@pytest.fixture
def run(folder: GitFolder, engine: SecretEngine) -> Run:
    def of(unit: str = "", spec: str = "v1..v2", path: Path | None = None) -> tuple[Outcome, dict[str, Any]]:
        request = Request(
            path or folder.path, spec, describes=True, shape="itemized", unit=unit, needs_profile=False, environ={}
        )
        gathered = gather(request)
        outcome = asyncio.run(draft(RELEASE, gathered.evidence, Terms.of(gathered, engine), Extractive()))
        written = drafted(outcome.verdict)
        return outcome, written.record() if written is not None else {}

    return of


def told(folder: GitFolder, outcome: Outcome) -> dict[str, str]:
    """Where each commit went, by its subject: the title of an item, or why it is in none."""
    written = drafted(outcome.verdict)
    assert written is not None
    found = accounts(outcome.evidence.bundle, written.coverage, Reviewed()).commits
    return {
        folder.git("show", "-s", "--format=%s", oid).decode().strip(): str(written.get(f"items[{account}].title") or account)
        for oid, account in found.items()
    }


SUMMARY = "Resume settlement jobs interrupted during shutdown"


def test_a_release_of_one_unit_tells_its_commits_and_where_the_others_went(folder: GitFolder, run: Run) -> None:
    outcome, record = run("apps/worker")
    assert isinstance(outcome.verdict, Accepted), outcome.verdict
    assert told(folder, outcome) == {
        "fix(apps/worker): resume interrupted jobs": SUMMARY,
        "fix(apps/worker): wait for running jobs": SUMMARY,
        "feat(apps/gateway): Route calls by their age": "of another release unit: apps/gateway",
        "feat: Log every call that was lost": "Log every call that was lost",
        "docs: Tell where calls are logged": "of no release unit",
    }
    assert {ref["path"] for item in record["items"] for ref in item["refs"]} == {
        "apps/worker/log.py",
        "apps/worker/resume.py",
        "apps/worker/wait.py",
    }
    assert "commit-of-no-unit" in {one.code for one in outcome.verdict.warnings}


def test_a_shared_commit_shows_each_unit_its_own_files(run: Run) -> None:
    _, record = run("apps/gateway@stable")
    paths = {item["title"]: {ref["path"] for ref in item["refs"]} for item in record["items"]}
    assert paths == {
        "Route calls by their age": {"apps/gateway/route.py"},
        "Log every call that was lost": {"apps/gateway/log.py"},
    }


@pytest.mark.requirement("DC-15", "DC-16")
@pytest.mark.parametrize("unit", ["", "apps/worker", "apps/gateway"])
def test_the_items_equal_the_range(run: Run, unit: str) -> None:
    outcome, record = run(unit)
    found = accounts(outcome.evidence.bundle, outcome.resolved.coverage, Reviewed())
    assert isinstance(outcome.verdict, Accepted)
    assert coverage(found, outcome.verdict.draft, record) == ()
    assert len(found.commits) == 5


@pytest.mark.requirement("IC-6.9e", "AI-7")
@pytest.mark.parametrize("unit", ["", "apps/worker"])
def test_nothing_of_an_embargoed_decision_is_told(run: Run, unit: str) -> None:
    outcome, record = run(unit)
    everything = f"{record} {outcome.resolved} {outcome.verdict}"
    assert "zugzwang" not in everything
    assert "close-hole" not in everything


@pytest.mark.requirement("IC-7.4")
def test_a_consumed_decision_is_told_in_the_words_of_its_ledger(folder: GitFolder, tmp_path: Path, run: Run) -> None:
    consumed = folder.copy(tmp_path / "r")
    own = entry(
        summary="Settlement jobs go on after a stop", impact="minor", provenance={"changesets": ["resume-settlement-jobs"]}
    )
    kept = ledger(own, **{"source-repository": "https://github.com/example/payments", "release-line": "1"})
    ledger_path = ".ack/changelog/worker.yaml"
    consumed.commit("chore: consume", {ledger_path: write(kept), ".ack/changes/resume-settlement-jobs.yaml": None})
    outcome, record = run("apps/worker", "v1..HEAD", consumed.path)
    assert "Settlement jobs go on after a stop" in {item["title"] for item in record["items"]}
    warnings = outcome.verdict.warnings  # type: ignore[union-attr]
    assert {one.code for one in warnings} >= {"records-differ"}


def test_what_nothing_guides_through_is_asked(folder: GitFolder, tmp_path: Path, run: Run) -> None:
    broken = folder.copy(tmp_path / "r")
    broken.commit("feat(apps/gateway)!: Route calls by their size", {"apps/gateway/route.py": CODE.format(name="size")})
    outcome, _ = run("apps/gateway", "v2..HEAD", broken.path)
    assert isinstance(outcome.verdict, NeedsInput)
    assert [one.field.rpartition(".")[2] for one in outcome.verdict.unresolved] == ["migration"]


@pytest.mark.parametrize("unit", ["apps/wroker", "apps/worker@lts"])
def test_an_unknown_unit_is_refused_with_those_that_exist(run: Run, unit: str) -> None:
    with pytest.raises(UsageFailure) as refused:
        run(unit)
    assert "apps/worker" in refused.value.cure


def test_a_unit_needs_a_profile(tmp_path: Path, run: Run) -> None:
    bare = payments(tmp_path / "r", "fix: mend it", profile=None, rules=None)
    with pytest.raises(ConfigurationFailure):
        run("apps/worker", "HEAD~1..HEAD", bare.path)
