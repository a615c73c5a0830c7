"""Messages of a history against the decisions they link: every contradiction told once, with both sides and their places."""

from __future__ import annotations

import pytest

from guardrails.records.changeset import read
from guardrails.records.decisions import decisions, repeated, unreadable
from guardrails.records.stored import Records, Stored
from tests.guardrails.records.linked import (
    ARCHIVE,
    GATEWAY,
    ID,
    LINK,
    LTS,
    PATH,
    STREAMLESS,
    brief,
    changeset,
    entry,
    found,
    ledger,
    ledgers,
    stored,
)
from tests.guardrails.resolving.building import target

# which decision is meant


@pytest.mark.requirement("IC-7.1")
def test_an_id_that_no_record_has_is_unknown() -> None:
    (one,) = found(Records(pending=(stored(changeset()),)), f"fix(apps/worker): link it\n\n{LINK}\nChangeset: no-such-one")
    assert (one.finding.code, one.changeset, one.path) == ("unknown-changeset", "no-such-one", "")


@pytest.mark.requirement("IC-7.1")
def test_what_is_no_id_is_a_fault_of_the_message_and_is_looked_up_nowhere() -> None:
    assert brief(found(Records(), "fix(apps/worker): link it\n\nChangeset: Not_An_Id")) == [(1, "invalid-changeset")]


@pytest.mark.requirement("IC-13.3")
@pytest.mark.parametrize(
    ("records", "path"),
    [
        (Records(pending=(stored(changeset()),)), PATH),
        (Records(archived=(stored(changeset(), ARCHIVE),)), ARCHIVE),
        (Records(ledgers=ledgers(changeset())), "led/ws.yaml"),
        (Records(archived=(stored(changeset(), ARCHIVE),), ledgers=ledgers(changeset(), impact="minor")), ARCHIVE),
    ],
    ids=["pending", "archived", "ledger", "its file before its entries"],
)
def test_a_decision_is_found_wherever_it_stands_and_its_place_is_told(records: Records, path: str) -> None:
    assert found(records, f"fix(apps/worker): agree\n\n{LINK}") == ()
    (one,) = found(records, f"fix(apps/worker): differ\n\nImpact: none\n{LINK}")
    assert (one.finding.code, one.changeset, one.path) == ("impact-conflict", ID, path)
    document = {place.path: place.data for group in (records.pending, records.archived, records.ledgers) for place in group}
    line = document[path].decode().splitlines()[(one.finding.line or 0) - 1]
    assert line.strip().startswith(("impact: patch", "impact: minor"))
    assert one.finding.where in {"targets[0].impact", "entries[1].impact"}
    assert "says none" in one.finding.message
    assert "patch" in one.finding.message


def test_what_a_file_does_not_say_is_looked_up_in_no_record_that_cannot_be_read() -> None:
    broken = Stored(PATH, b"id: x", read(b"id: x"))
    records = Records(pending=(broken,))
    assert decisions(records) == {}
    assert [(path, finding.code) for path, finding in unreadable(records)] == [(PATH, "missing-field")]
    assert list(unreadable(Records(pending=(stored(changeset()),), ledgers=ledgers(changeset())))) == []


@pytest.mark.requirement("IC-6.3")
def test_one_id_in_two_files_is_told_but_for_an_interrupted_consumption() -> None:
    one, other = stored(changeset()), stored(changeset(summary="Something else"), ARCHIVE)
    assert repeated(Records(pending=(one, Stored("x.yaml", one.data, one.record)))) == ((ID, PATH, "x.yaml"),)
    assert repeated(Records(pending=(one,), archived=(other,))) == ((ID, PATH, ARCHIVE),)
    interrupted = Records(pending=(one,), archived=(Stored(ARCHIVE, one.data, one.record),))
    assert repeated(interrupted) == ()
    assert decisions(interrupted)[ID].place.path == PATH
    twice = (Stored(ARCHIVE, one.data, one.record), Stored("y.yaml", one.data, one.record))
    assert repeated(Records(archived=twice)) == ((ID, ARCHIVE, "y.yaml"),)


# what contradicts


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(
    ("message", "targets", "expected"),
    [
        (f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=none\n{LINK}", [GATEWAY, LTS], []),
        (f"fix(apps/gateway): x\n\n{LINK}", [GATEWAY, LTS], [("impact-conflict", "targets[1].impact")]),
        (f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=none\n{LINK}", [GATEWAY], []),
        (
            f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=patch\n{LINK}",
            [GATEWAY],
            [("stream-conflict", "targets")],
        ),
        (
            f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@odd=patch\n{LINK}",
            [GATEWAY],
            [("unknown-target-stream", "Target-Impact")],
        ),
        (
            f"fix(apps/worker): x\n\nTarget-Impact: apps/gateway@lts=patch\n{LINK}",
            [target(), GATEWAY],
            [("unknown-target-impact", "Target-Impact")],
        ),
        (f"fix(apps/worker): x\n\nImpact: huge\n{LINK}", [target()], [("invalid-impact", "Impact")]),
        (
            f"fix(apps/gateway): x\n\nTarget-Migration: apps/gateway@lts=Wait\n{LINK}",
            [GATEWAY],
            [("stream-conflict", "targets")],
        ),
        (f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=patch\n{LINK}", [STREAMLESS], []),
        (
            f"fix(apps/gateway): x\n\nTarget-Migration: apps/gateway@lts=Wait\n  a day\n{LINK}",
            [GATEWAY, {**LTS, "impact": "patch", "migration": "Wait a  day"}],
            [],
        ),
        (
            f"fix(apps/gateway): x\n\nTarget-Migration: apps/gateway=Wait\n{LINK}",
            [GATEWAY, {**LTS, "impact": "patch"}],
            [("migration-conflict", "targets[0].migration"), ("migration-conflict", "targets[1].migration")],
        ),
        (
            f"fix(apps/worker): x\n\n{LINK}\n{LINK}",
            [GATEWAY],
            [("duplicate-changeset", "Changeset"), ("release-unit-conflict", "targets")],
        ),
    ],
)
def test_contradictions_of_targets_and_streams(
    message: str, targets: list[dict[str, object]], expected: list[tuple[str, str]]
) -> None:
    records = Records(pending=(stored(changeset(*targets)),))
    assert [(one.finding.code, one.finding.where) for one in found(records, message)] == expected


@pytest.mark.requirement("IC-7.2")
def test_a_commit_may_advance_decisions_about_different_units_and_has_to_touch_each() -> None:
    gateway = changeset(GATEWAY, id="route-calls")
    records = Records(pending=(stored(changeset()), stored(gateway, "b.yaml")))
    both = f"{LINK}\nChangeset: route-calls"
    assert found(records, f"fix(apps/worker): x\n\nAffects: apps/gateway\n{both}") == ()
    (one,) = found(records, f"fix(apps/worker): x\n\n{both}")
    assert (one.finding.code, one.changeset, one.path) == ("release-unit-conflict", "route-calls", "b.yaml")
    (one,) = found(records, f"fix(apps/worker): x\n\nAffects: apps/gateway\n{LINK}")
    assert (one.finding.code, one.changeset) == ("release-unit-conflict", ID)


def test_units_that_an_entry_affects_are_covered_though_another_ledger_owns_them() -> None:
    records = Records(ledgers=ledgers(changeset(), affects=["apps/worker", "apps/gateway"]))
    assert found(records, f"fix(apps/gateway): x\n\n{LINK}") == ()
    (one,) = found(Records(ledgers=ledgers(changeset())), f"fix(apps/gateway): x\n\n{LINK}")
    assert (one.finding.code, one.finding.where, one.path) == ("release-unit-conflict", "entries[1].affects", "led/ws.yaml")


@pytest.mark.requirement("IC-7.4")
def test_an_entry_that_only_cites_a_decision_does_not_speak_for_it() -> None:
    own = entry("apps/worker", ID)
    citing = {
        **entry("apps/worker", "go-on"),
        "impact": "major",
        "migration": "Do it",
        "provenance": {"changesets": ["go-on", ID]},
    }
    renamed = {**own, "id": "another-name"}
    message = f"fix(apps/worker): x\n\n{LINK}"
    for told in (own, renamed):
        assert found(Records(ledgers=(ledger("apps/worker", "stable", citing, told),)), message) == ()
    (one,) = found(Records(ledgers=(ledger("apps/worker", "stable", citing),)), message)
    assert (one.finding.code, one.finding.where) == ("impact-conflict", "entries[0].impact")


def test_findings_stand_in_the_order_of_commits_messages_and_targets() -> None:
    records = Records(pending=(stored(changeset(target(migration="Do it"), GATEWAY)),))
    messages = (
        f"feat(apps/gateway): ask more\n\nAffects: apps/worker\nMigration: Do that\n{LINK}",
        "no header",
        f"fix(apps/worker): repeat\n\nAffects: apps/worker\nImpact: none\n{LINK}",
        f"fix: touch nothing\n\n{LINK}",
    )
    expected = [
        (1, "impact-conflict"),
        (1, "migration-conflict"),
        (1, "impact-conflict"),
        (1, "migration-conflict"),
        (2, "malformed-message"),
        (3, "primary-scope-in-affects"),
        (3, "impact-conflict"),
        (4, "unresolved-release-unit"),
    ]
    assert brief(found(records, *messages)) == expected
