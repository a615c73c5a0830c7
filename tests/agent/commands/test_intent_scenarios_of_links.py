"""Scenarios of the Intent suite about links and messages, run as they are."""

from __future__ import annotations

import json
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


def test_a_clean_message_has_no_diagnostics_as_the_suite_writes_it(tmp_path: Path) -> None:
    (ran,) = play("commit-check-json-clean", tmp_path).runs
    assert json.loads(ran.out)["diagnostics"] is None


def test_a_large_diff_of_small_impact_is_advice(tmp_path: Path) -> None:
    (ran,) = play("commit-lint-large-diff", tmp_path).runs
    ((told,),) = [one["report"]["diagnostics"] for one in json.loads(ran.out)]
    assert (ran.code, told["code"], told["severity"]) == (0, "large-diff-low-impact", "warning")
