"""The release gate: what is open, and each fault that keeps it closed with its file and place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from guardrails.records import changelog, changeset, gating
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset
from guardrails.records.stored import Records, Stored
from guardrails.strict_yaml import write
from tests.guardrails.records.test_changelog import PUBLIC, entry, ledger
from tests.guardrails.resolving.building import PROFILE

KEEP = replace(PROFILE, changesets=replace(PROFILE.changesets, after_consumption="keep"))
ID = "resume-settlement-jobs"
PENDING = "pending/resume-settlement-jobs.yaml"
AT = {
    ("apps/worker", "stable"): "led/ws.yaml",
    ("apps/gateway", "stable"): "led/gs.yaml",
    ("apps/gateway", "lts"): "led/gl.yaml",
}
EMBARGO = {**PUBLIC, "state": "embargoed", "policy": "until-patched"}
HIDDEN = "Kaputte Sperre im Zahlungsweg"


def target(**changes: object) -> dict[str, Any]:
    return {
        "release-unit": "apps/worker",
        "stream": "stable",
        "type": "reliability",
        "impact": "patch",
        "audiences": ["operators"],
        "migration": None,
        **changes,
    }


def decision(*targets: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {
        "intent-changeset": "1.0.0",
        "id": ID,
        "source-repository": PROFILE.repository,
        "summary": "Resume settlement jobs interrupted during shutdown",
        "rationale": "Avoid manual recovery when deployments interrupt long jobs",
        "targets": list(targets or (target(),)),
        "provenance": {"issues": ["DEVELOP-219"]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": PUBLIC,
        **changes,
    }


def pending(value: dict[str, Any] | bytes, path: str = PENDING) -> Stored[Changeset]:
    data = value if isinstance(value, bytes) else write(value)
    return Stored(path, data, changeset.read(data))


def unreleased(*entries: dict[str, Any], **changes: object) -> dict[str, Any]:
    return ledger(**{"date": None, "entries": list(entries), **changes})


def kept(value: dict[str, Any] | bytes, path: str = "led/ws.yaml") -> Stored[Changelog]:
    data = value if isinstance(value, bytes) else write(value)
    return Stored(path, data, changelog.read(data))


def gated(
    *files: Stored[Changeset], ledgers: tuple[Stored[Changelog], ...] = (), profile: Any = PROFILE, **more: Any
) -> set[tuple[str, str, str]]:
    """File, code and place of everything that the gate finds."""
    found = gating.gate(Records(pending=files, ledgers=ledgers, **more), profile)
    return {(one.path, one.finding.code, one.finding.where) for one in found}


EMPTY = kept(unreleased())
FULL = kept(unreleased(entry()))


@pytest.mark.requirement("IC-9.2")
@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        (unreleased(entry()), "led/ws.yaml", set()),
        (b"a: 1\na: 2\n", "led/ws.yaml", {("yaml-duplicate-key", "")}),
        (b"a: 1\na: 2\n", "led/older.yaml", {("yaml-duplicate-key", "")}),
        (unreleased(entry(), channel="beta"), "led/ws.yaml", {("ledger-conflict", "channel")}),
        (unreleased(entry(), channel="beta"), "led/draft.yaml", set()),
        (ledger(entry(), channel="beta"), "led/ws.yaml", set()),
        (ledger(entry(summary=" ")), "led/older.yaml", {("blank-text", "entries[0].summary")}),
        (unreleased(entry()), "led/gs.yaml", {("foreign-ledger", "release-unit")}),
    ],
    ids=["right", "unreadable", "elsewhere", "policy", "draft", "released", "older", "foreign"],
)
def test_where_nothing_is_pending_the_ledgers_have_to_hold_all_the_same(
    value: dict[str, Any] | bytes, path: str, found: set[tuple[str, str]]
) -> None:
    assert gated(ledgers=(kept(value, path),)) == {(path, *one) for one in found}


@pytest.mark.requirement("IC-9.2")
def test_a_stream_that_has_not_begun_needs_no_ledger() -> None:
    assert gated() == set()


@pytest.mark.requirement("IC-7.4", "IC-9.2")
def test_a_record_whose_every_target_stands_in_its_ledger_is_no_obstacle() -> None:
    record = decision(target(), target(**{"release-unit": "apps/gateway", "stream": "lts", "impact": "minor"}))
    lts = unreleased(
        entry(impact="minor", affects=["apps/gateway"]),
        **{"release-unit": "apps/gateway", "stream": "lts", "release-line": "3"},
    )
    assert gated(pending(record), ledgers=(FULL, kept(lts, "led/gl.yaml"))) == set()


@pytest.mark.requirement("IC-7.4", "IC-9.2")
def test_each_target_that_is_not_consumed_is_told() -> None:
    record = decision(target(), target(**{"release-unit": "apps/gateway", "stream": "lts"}))
    lts = unreleased(**{"release-unit": "apps/gateway", "stream": "lts", "release-line": "3"})
    assert gated(pending(record), ledgers=(FULL, kept(lts, "led/gl.yaml"))) == {(PENDING, "target-not-consumed", "targets[1]")}


def test_an_entry_of_another_stream_or_unit_is_none_of_the_target() -> None:
    lts = unreleased(entry(affects=["apps/gateway"]), **{"release-unit": "apps/gateway", "stream": "lts", "release-line": "3"})
    record = decision(target(**{"release-unit": "apps/gateway"}))
    stable = unreleased(**{"release-unit": "apps/gateway", "release-line": "4"})
    ledgers = (kept(lts, "led/gl.yaml"), kept(stable, "led/gs.yaml"))
    assert gated(pending(record), ledgers=ledgers) == {(PENDING, "target-not-consumed", "targets[0]")}


def test_an_entry_in_an_unreleased_ledger_at_another_place_is_not_consumed() -> None:
    found = gated(pending(decision()), ledgers=(EMPTY, kept(unreleased(entry()), "led/copy.yaml")))
    assert found == {(PENDING, "target-not-consumed", "targets[0]")}


def test_an_entry_that_names_no_changeset_does_not_consume_one_by_its_own_id() -> None:
    plain = unreleased(entry(provenance={"issues": ["DEVELOP-219"]}))
    assert gated(pending(decision()), ledgers=(kept(plain),)) == {(PENDING, "target-not-consumed", "targets[0]")}


@pytest.mark.requirement("IC-9.2")
@pytest.mark.parametrize(
    ("ledgers", "path", "code", "where"),
    [
        ((), "led/ws.yaml", "ledger-missing", ""),
        ((kept(b"a: 1\na: 2\n"),), "led/ws.yaml", "yaml-duplicate-key", ""),
        ((kept(unreleased(entry(), channel="beta")),), "led/ws.yaml", "ledger-conflict", "channel"),
        ((kept(unreleased(entry(), **{"release-unit": "apps/gateway"})),), "led/ws.yaml", "foreign-ledger", "release-unit"),
        (
            (kept(unreleased(entry(affects=["apps/gateway"]), **{"release-unit": "apps/gateway", "stream": "lts"})),),
            "led/ws.yaml",
            "foreign-ledger",
            "release-unit",
        ),
    ],
    ids=["missing", "unreadable", "against-profile", "of-another-unit", "of-another-stream"],
)
def test_a_ledger_that_cannot_be_relied_on_keeps_the_gate_closed(
    ledgers: tuple[Stored[Changelog], ...], path: str, code: str, where: str
) -> None:
    found = gated(pending(decision()), ledgers=ledgers)
    assert (path, code, where) in found
    assert (PENDING, "target-not-consumed", "targets[0]") in found or code == "ledger-conflict"


@pytest.mark.parametrize("profile", [PROFILE, KEEP], ids=["archive", "keep"])
def test_a_released_ledger_without_the_entry_is_not_one_to_consume_into(profile: Any) -> None:
    found = gated(pending(decision()), ledgers=(kept(ledger(entry(id="other", provenance={"a": ["b"]}))),), profile=profile)
    assert found == {(PENDING, "released-while-pending", "targets[0]")}


@pytest.mark.requirement("IC-8.1", "IC-9.2")
def test_what_was_released_may_remain_pending_only_where_records_are_kept() -> None:
    released = (kept(ledger(entry())),)
    assert gated(pending(decision()), ledgers=released) == {(PENDING, "released-while-pending", "targets[0]")}
    assert gated(pending(decision()), ledgers=released, profile=KEEP) == set()


def test_a_kept_record_is_found_in_the_released_ledger_that_made_room_for_the_next() -> None:
    ledgers = (kept(ledger(entry()), "led/old/ws-2.1.0.yaml"), EMPTY)
    assert gated(pending(decision()), ledgers=ledgers, profile=KEEP) == set()
    assert gated(pending(decision()), ledgers=ledgers) == {(PENDING, "released-while-pending", "targets[0]")}


@pytest.mark.requirement("IC-8.3")
@pytest.mark.parametrize("profile", [PROFILE, KEEP], ids=["archive", "keep"])
def test_a_decision_that_is_told_twice_is_told(profile: Any) -> None:
    twice = kept(unreleased(entry(), entry(id="renamed")))
    assert gated(pending(decision()), ledgers=(twice,), profile=profile) == {(PENDING, "repeated-entry", "targets[0]")}
    again = (kept(ledger(entry()), "led/old/ws-2.1.0.yaml"), FULL)
    assert gated(pending(decision()), ledgers=again, profile=profile) == {(PENDING, "repeated-entry", "targets[0]")}


@pytest.mark.requirement("IC-7.4", "IC-9.2")
def test_an_entry_whose_own_decision_cites_another_one_does_not_tell_that_one() -> None:
    citing = {"issues": ["DEVELOP-220"], "changesets": [ID]}
    other = "pending/go-on.yaml"
    second = pending(decision(id="go-on", provenance=citing), other)
    told = entry(id="go-on", provenance={**citing, "changesets": [ID, "go-on"]})
    found = gated(pending(decision()), second, ledgers=(kept(unreleased(told)),))
    assert found == {(PENDING, "target-not-consumed", "targets[0]")}
    assert gated(pending(decision()), second, ledgers=(kept(unreleased(told, entry())),)) == set()


@pytest.mark.requirement("IC-7.4")
@pytest.mark.parametrize(
    ("record", "told"),
    [
        (decision(), entry(type="security")),
        (decision(), entry(impact="minor")),
        (decision(target(migration="Drain the queue")), entry()),
        (decision(disclosure=EMBARGO), entry()),
        (decision(), entry(disclosure={"state": "redacted", "placeholder": "A correction"})),
    ],
    ids=["type", "impact", "migration", "disclosed", "withheld"],
)
def test_an_entry_that_says_something_else_than_the_decision_is_a_conflict(
    record: dict[str, Any], told: dict[str, Any]
) -> None:
    assert gated(pending(record), ledgers=(kept(unreleased(told)),)) == {(PENDING, "entry-conflict", "targets[0]")}


@pytest.mark.requirement("IC-8.2")
@pytest.mark.parametrize(
    "edited",
    [
        entry(summary="Settlement goes on after a restart", rationale="Nobody recovers by hand any more"),
        entry(audiences=["security-teams"]),
        entry(migration="Nothing to do"),
        entry(id="worker-resumes", affects=["apps/worker", "apps/gateway"]),
        entry(disclosure={"state": "public"}),
    ],
    ids=["wording", "audiences", "added-guidance", "name", "short-disclosure"],
)
def test_what_an_editor_may_change_is_no_conflict(edited: dict[str, Any]) -> None:
    assert gated(pending(decision()), ledgers=(kept(unreleased(edited)),)) == set()


@pytest.mark.requirement("IC-9.2")
def test_a_pending_record_that_is_none_keeps_the_gate_closed() -> None:
    assert gated(pending(b"id: x\nid: y\n"), ledgers=(FULL,)) == {(PENDING, "yaml-duplicate-key", "")}
    odd = pending(decision(target(stream="nightly")))
    assert gated(odd, ledgers=(FULL,)) == {(PENDING, "not-in-profile", "targets[0].stream")}


@pytest.mark.requirement("IC-6.3")
def test_an_id_that_two_files_have_is_told_of_each_pending_one() -> None:
    other = "pending/deeper/other.yml"
    found = gated(pending(decision()), pending(decision(), other), ledgers=(FULL,))
    assert found == {(PENDING, "id-in-use", "id"), (other, "id-in-use", "id")}
    archived = (pending(decision(summary="Something else"), "archive/one.yaml"),)
    assert gated(pending(decision()), ledgers=(FULL,), archived=archived) == {(PENDING, "id-in-use", "id")}


def test_an_archived_record_that_cannot_be_read_may_have_the_id_of_a_pending_one() -> None:
    archived = (pending(b"id: [\n", "archive/one.yaml"),)
    assert gated(pending(decision()), ledgers=(FULL,), archived=archived) == {("archive/one.yaml", "yaml-syntax", "")}
    assert gated(ledgers=(FULL,), archived=archived) == set()


@pytest.mark.requirement("IC-12.5")
@pytest.mark.parametrize("ledgers", [(), (EMPTY,), (kept(unreleased(entry(type="security"))),), (kept(ledger(entry())),)])
def test_nothing_of_a_record_that_is_not_public_is_quoted(ledgers: tuple[Stored[Changelog], ...]) -> None:
    secret = target(type="security", impact="major", migration=HIDDEN)
    record = decision(secret, summary=HIDDEN, rationale=f"{HIDDEN} and why", disclosure=EMBARGO)
    found = gating.gate(Records(pending=(pending(record),), ledgers=ledgers), PROFILE)
    told = [one.finding.message for one in found if one.path == PENDING]
    assert told
    assert [text for text in told if any(word in text for word in (HIDDEN, "security", "major", "worker", "ws.yaml"))] == []
