"""Scenarios of the Intent suite about links and messages, run as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.intent_scenarios import assert_like_peer, named, play

DEVIATIONS = {
    "links-per-stream-from-ledger": "7.1: a ledger's stream counts, so that what agreed while it was pending agrees afterwards",
}


@pytest.mark.parametrize("name", [name for name in named("links-", "commit-") if name not in DEVIATIONS])
def test_what_the_peer_and_the_specification_agree_on(name: str, tmp_path: Path) -> None:
    assert_like_peer(play(name, tmp_path))


@pytest.mark.requirement("IC-7.4")
def test_a_decision_in_ledgers_has_their_streams(tmp_path: Path) -> None:
    played = play("links-per-stream-from-ledger", tmp_path)
    (ran,) = played.runs
    assert (ran.code, ran.findings, played.changed) == (0, (), [])
