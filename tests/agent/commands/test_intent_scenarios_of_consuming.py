"""Scenarios of the Intent suite about consuming, run as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails.strict_yaml import read
from tests.intent_scenarios import Played, assert_like_peer, named, play

DEVIATIONS = {
    "consume-keep-new-linked-commit": "8: a later linked commit is verified and added; the peer calls its own entry edited",
    "consume-ledger-through-outside-symlink": "12: the peer follows a ledger directory out of the repository",
    "consume-null-relations-twice": "6.8: null is no sequence; the peer takes it and then calls its own entry edited",
    "consume-pending-symlink-outside": "12: the peer reads a record through a link out of the repository",
    "consume-renamed-entry": "7.1: provenance.changesets connects an entry with its decision; the peer enters it once more",
    "consume-reused-id-in-old-ledger": "6.3: the id is spent; the peer looks at it when a record is created only",
    "generate-second-conflicts": "8: all that is consumed together is looked at first; the peer consumes the first record",
}
PENDING = "rel/pending/drain-intake-on-stop.yaml"
ARCHIVED = "rel/archive/drain-intake-on-stop.yaml"
LEDGER = "rel/ledger/svc-intake-stable.yaml"


@pytest.mark.requirement("IC-8.1", "IC-8.2", "IC-8.3", "IC-8.4", "IC-13.4")
@pytest.mark.parametrize("name", [name for name in named("consume-", "generate-") if name not in DEVIATIONS])
def test_what_the_peer_and_the_specification_agree_on(name: str, tmp_path: Path) -> None:
    assert_like_peer(play(name, tmp_path))


def entries(played: Played) -> list[dict[str, object]]:
    return list(read(played.files[LEDGER]).value["entries"])


@pytest.mark.requirement("IC-8.1", "IC-8.3")
def test_a_commit_that_links_a_decision_later_is_added_to_its_entry(tmp_path: Path) -> None:
    played = play("consume-keep-new-linked-commit", tmp_path)
    assert [ran.code for ran in played.runs] == [0, 0]
    (entry,) = entries(played)
    assert entry["provenance"] == {
        "issues": ["HARV-31"],
        "changesets": ["drain-intake-on-stop"],
        "commits": [played.commits[1], played.commits[2]],
    }


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("name", ["consume-ledger-through-outside-symlink", "consume-pending-symlink-outside"])
def test_no_link_leads_out_of_the_repository(name: str, tmp_path: Path) -> None:
    played = play(name, tmp_path)
    (ran,) = played.runs
    assert (ran.code, ran.out) == (2, "")
    assert "outside the repository" in ran.err
    outside = played.told["steps"][0]["outside"]
    assert {name: data.decode() for name, data in played.outside.items()} == outside
    assert ARCHIVED not in played.files
    assert played.files.get(LEDGER, played.before.get(LEDGER)) == played.before.get(LEDGER)


@pytest.mark.requirement("IC-6.8", "IC-13.4")
def test_a_record_that_is_not_valid_is_not_consumed(tmp_path: Path) -> None:
    played = play("consume-null-relations-twice", tmp_path)
    assert [(ran.code, ran.findings) for ran in played.runs] == [(1, ("wrong-type",))] * 2
    assert (played.changed, played.gone) == ([], [])


@pytest.mark.requirement("IC-7.4", "IC-8.3")
def test_an_entry_with_another_id_of_its_own_is_that_of_the_decision_that_it_names(tmp_path: Path) -> None:
    played = play("consume-renamed-entry", tmp_path)
    assert [ran.code for ran in played.runs] == [0, 0]
    assert (played.changed, played.gone) == ([ARCHIVED], [PENDING])


@pytest.mark.requirement("IC-6.3")
def test_an_id_that_a_released_ledger_names_is_spent(tmp_path: Path) -> None:
    played = play("consume-reused-id-in-old-ledger", tmp_path)
    assert [(ran.code, ran.findings) for ran in played.runs] == [(1, ("id-in-use",))]
    assert (played.changed, played.gone) == ([], [])


@pytest.mark.requirement("IC-8.2", "IC-8.3")
def test_what_is_consumed_together_is_consumed_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    played = play("generate-second-conflicts", tmp_path)
    assert [(ran.code, ran.findings) for ran in played.runs] == [(1, ("entry-conflict",))]
    assert (played.changed, played.gone) == ([], [])
