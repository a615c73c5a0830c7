"""Entries of an Intent Changelog are copied out of reviewed decisions, all of them or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.batch.drafting import drafted
from agent.batch.entries import entries
from agent.batch.pages import ENTRIES
from agent.batch.release import Release, Status
from guardrails import strict_yaml
from guardrails.evidence.model import Bundle
from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog
from tests.agent.batch.releasing import CONDITIONS
from tests.guardrails.resolving.building import PROFILE, PROFILE_TEXT, bundle, oid, record, target
from tests.repositories import GitFolder

LINKED = "fix: resume jobs\n\nChangeset: resume-settlement-jobs"
MORE = "fix: resume more\n\nChangeset: resume-settlement-jobs"
PLAIN = "fix: something else"


def accounts(found: Bundle, *told: str) -> Mapping[str, str]:
    """Where each commit went: to an item of this key, or why to none."""
    return {commit.oid: account for commit, account in zip(found.commits, told, strict=True)}


def ledgers(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = strict_yaml.read(text.encode()).value["ledgers"]
    return found


@pytest.mark.requirement("AI-3")
def test_an_entry_is_what_consuming_its_decision_transfers() -> None:
    found = bundle(LINKED, MORE, records=(record(1),))
    (ledger,) = ledgers(entries(found, accounts(found, "0000001", "0000001"), ""))
    assert (ledger["release-unit"], ledger["stream"]) == ("apps/worker", "stable")
    assert ledger["entries"] == [
        {
            "id": "resume-settlement-jobs",
            "type": "reliability",
            "summary": "Resume settlement jobs interrupted during shutdown",
            "rationale": "Avoid manual recovery when deployments interrupt long jobs",
            "impact": "patch",
            "audiences": ["operators"],
            "migration": None,
            "affects": ["apps/worker"],
            "provenance": {
                "issues": ["DEVELOP-219"],
                "changesets": ["resume-settlement-jobs"],
                "commits": [oid(1), oid(2)],
            },
            "relations": {"reverts": [], "supersedes": []},
            "disclosure": {"state": "public", "not-before": None, "policy": None, "placeholder": None},
        }
    ]


def test_entries_hold_in_the_ledger_that_they_are_for() -> None:
    found = bundle(LINKED, records=(record(1),))
    (ledger,) = ledgers(entries(found, accounts(found, "0000001"), ""))
    whole = {
        "intent-changelog": "1.0.0",
        "release-unit": ledger["release-unit"],
        "release": "1.0.0",
        "source-repository": PROFILE.repository,
        "stream": ledger["stream"],
        "release-line": "main",
        "channel": "stable",
        "date": None,
        "entries": ledger["entries"],
        "amendments": [],
    }
    read = changelog.read(strict_yaml.write(whole))
    assert isinstance(read, Changelog)
    assert changelog_rules.validate(read) == ()


def test_each_release_unit_and_stream_has_its_own_entries() -> None:
    targets = [target(), target(stream="legacy", impact="minor"), target(**{"release-unit": "apps/gateway"})]
    found = bundle(LINKED, records=(record(1, targets=targets),))
    told = ledgers(entries(found, accounts(found, "0000001"), ""))
    assert [(one["release-unit"], one["stream"], one["entries"][0]["impact"]) for one in told] == [
        ("apps/worker", "stable", "patch"),
        ("apps/worker", "legacy", "minor"),
        ("apps/gateway", "stable", "patch"),
    ]
    (own,) = ledgers(entries(found, accounts(found, "0000001"), "apps/worker@legacy"))
    assert own["stream"] == "legacy"


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("messages", "told", "unit", "is_written"),
    [
        ((LINKED, PLAIN), ("0000001", "0000002"), "", False),
        ((LINKED, PLAIN), ("0000001", "0000001"), "", True),
        ((LINKED, PLAIN), ("0000001", "internal: impact none"), "", True),
        ((LINKED, PLAIN), ("", ""), "", False),
        ((f"{PLAIN}\n\nChangeset: unknown-one",), ("0000001",), "", False),
        ((LINKED,), ("0000001",), "apps/gateway", False),
    ],
)
def test_a_change_without_a_reviewed_decision_leaves_all_entries_out(
    messages: tuple[str, ...], told: tuple[str, ...], unit: str, is_written: bool
) -> None:
    found = bundle(*messages, records=(record(1),))
    assert bool(entries(found, accounts(found, *told), unit)) is is_written


def test_a_release_under_a_profile_has_its_entries_beside_its_pages(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("chore: begin", {".ack/profile.yaml": PROFILE_TEXT, "apps/worker/jobs.py": "RESUMED = 1\n"})
    pending = record(1).data.decode()
    folder.commit(LINKED, {"apps/worker/jobs.py": "R = 2\n", ".ack/changes/resume-settlement-jobs.yaml": pending})
    base, head = folder.git("rev-parse", "HEAD~1", "HEAD").decode().split()
    one = Release("a/v1", str(tmp_path), base, head, f"{base}..{head}", "v1", answers=(("operation.repository", "acme/jobs"),))
    told = drafted(one, CONDITIONS)
    assert told.status is Status.DRAFTED
    assert [entry["id"] for entry in ledgers(told.pages[ENTRIES])[0]["entries"]] == ["resume-settlement-jobs"]


@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("state", ["embargoed", "redacted"])
def test_a_decision_that_is_not_public_has_no_entry(state: str) -> None:
    held = {"state": state, "not-before": None, "policy": "security", "placeholder": "A fix"}
    found = bundle(LINKED, records=(record(1, disclosure=held),))
    assert entries(found, accounts(found, "0000001"), "") == ""
