"""Scenarios of the Intent suite about creating records, and verifying requests and releases, run as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.intent_scenarios import assert_like_peer, named, play

DEVIATIONS = {
    "create-id-only-in-git-history": "6.3: deleting a changeset does not make its identifier free; the peer asks no history"
}


@pytest.mark.requirement("IC-6.3")
@pytest.mark.parametrize("name", [name for name in named("create-", "pr-verify-", "release-verify-") if name not in DEVIATIONS])
def test_what_the_peer_and_the_specification_agree_on(name: str, tmp_path: Path) -> None:
    assert_like_peer(play(name, tmp_path))


@pytest.mark.requirement("IC-6.3")
def test_an_id_that_only_the_history_has_is_taken(tmp_path: Path) -> None:
    played = play("create-id-only-in-git-history", tmp_path)
    (ran,) = played.runs
    assert (ran.code, ran.findings, ran.peer_code, played.changed) == (1, ("id-in-use",), 0, [])


@pytest.mark.parametrize(
    ("name", "findings"),
    [
        ("pr-verify-stale", ("stale-pull-request",)),
        ("release-verify-unreleased", ("manifest-ledger",)),
        ("release-verify-artifact-changed", ("digest-mismatch",)),
        ("release-verify-changeset-missing", ("manifest-conflict",)),
    ],
)
def test_it_is_refused_for_what_the_scenario_is_about(name: str, findings: tuple[str, ...], tmp_path: Path) -> None:
    assert play(name, tmp_path).runs[-1].findings == findings
