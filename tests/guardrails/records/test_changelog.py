"""Ledgers: what their reader takes, and each rule with the record that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog
from guardrails.strict_yaml import write
from tests.guardrails.resolving.building import PROFILE

Spoil = Callable[[dict[str, Any]], object]
PUBLIC = {"state": "public", "not-before": None, "policy": None, "placeholder": None}


def entry(**changes: object) -> dict[str, Any]:
    """An honest entry, with other fields."""
    return {
        "id": "resume-settlement-jobs",
        "type": "reliability",
        "summary": "Resume settlement jobs interrupted during shutdown",
        "rationale": "Avoid manual recovery when deployments interrupt long jobs",
        "impact": "patch",
        "audiences": ["operators"],
        "migration": None,
        "affects": ["apps/worker"],
        "provenance": {"issues": ["DEVELOP-219"], "changesets": ["resume-settlement-jobs"]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": PUBLIC,
        **changes,
    }


def ledger(*entries: dict[str, Any], **changes: object) -> dict[str, Any]:
    """A ledger of the worker."""
    return {
        "intent-changelog": "1.0.0",
        "release-unit": "apps/worker",
        "release": "2.1.0",
        "source-repository": PROFILE.repository,
        "stream": "stable",
        "release-line": "2",
        "channel": "general",
        "date": "2026-11-30",
        "entries": list(entries or (entry(),)),
        "amendments": [],
        **changes,
    }


def amendment(**changes: object) -> dict[str, Any]:
    return {
        "id": "fix-wording",
        "date": "2026-12-01",
        "summary": "Another audience",
        "provenance": {"issues": ["A-1"]},
        **changes,
    }


def read(value: dict[str, Any]) -> Changelog:
    found = changelog.read(write(value))
    assert isinstance(found, Changelog), found
    return found


def refused(value: dict[str, Any], *, alone: bool = False) -> set[tuple[str, str]]:
    """Code and place of each breach."""
    return {(one.code, one.where) for one in changelog_rules.validate(read(value), None if alone else PROFILE)}


@pytest.mark.requirement("IC-7.4")
def test_an_entry_names_the_changesets_that_it_came_of() -> None:
    record = read(ledger())
    (only,) = record.entries
    assert (record.release_unit, record.stream, record.release, record.date) == ("apps/worker", "stable", "2.1.0", "2026-11-30")
    assert (only.changesets, only.impact, only.disclosure.is_public) == (("resume-settlement-jobs",), "patch", True)
    assert refused(ledger()) == set()


def test_what_the_reader_does_not_know_is_kept_beside_the_exact_bytes() -> None:
    data = write(ledger(entry(owner="us"), note="kept"))
    record = changelog.read(data)
    assert isinstance(record, Changelog)
    assert (record.unknown, record.entries[0].unknown, record.document.data) == ({"note": "kept"}, {"owner": "us"}, data)


def test_a_ledger_that_is_not_released_has_no_date() -> None:
    assert refused(ledger(date=None, entries=[], amendments=[amendment()])) == set()


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"a: 1\na: 2\n", ""),
        (b"- 1\n", ""),
        (b"intent-changelog: 1.0.0\n", "entries"),
        (write(ledger(entries=[1])), "entries[0]"),
        (write(ledger(entry(affects="apps/worker"))), "entries[0].affects"),
        (write(ledger(entry(summary=3))), "entries[0].summary"),
        (write(ledger(amendments=None)), "amendments"),
    ],
)
def test_another_form_is_refused_at_its_place(data: bytes, where: str) -> None:
    found = changelog.read(data)
    assert isinstance(found, tuple)
    assert where in {one.where for one in found} or not where


@pytest.mark.parametrize(
    ("code", "value", "where"),
    [
        ("unsupported-changelog-version", ledger(**{"intent-changelog": "0.2.0"}), "intent-changelog"),
        ("changelog-date", ledger(date="2026-2-3"), "date"),
        ("changelog-date", ledger(date="2026-02-30"), "date"),
        ("changelog-date", ledger(amendments=[amendment(date="soon")]), "amendments[0].date"),
        ("duplicate-entry", ledger(entry(), entry()), "entries[1].id"),
        ("duplicate-entry", ledger(amendments=[amendment(), amendment()]), "amendments[1].id"),
        ("amendment-id", ledger(amendments=[amendment(id="Fix it")]), "amendments[0].id"),
        ("unit-not-affected", ledger(entry(affects=["apps/gateway"])), "entries[0].affects"),
        ("self-evident", ledger(entry(rationale="Self-evident.")), "entries[0].rationale"),
        ("ledger-conflict", ledger(channel="beta"), "channel"),
        ("ledger-conflict", ledger(**{"release-line": "3"}), "release-line"),
        ("blank-text", ledger(release=" "), "release"),
        ("blank-text", ledger(entry(summary="")), "entries[0].summary"),
        ("blank-text", ledger(amendments=[amendment(summary=" ")]), "amendments[0].summary"),
        ("invalid-source-repository", ledger(**{"source-repository": "here"}), "source-repository"),
        ("no-audiences", ledger(entry(audiences=[])), "entries[0].audiences"),
        ("major-without-migration", ledger(entry(impact="major")), "entries[0].migration"),
        ("no-provenance", ledger(entry(provenance={"issues": []})), "entries[0].provenance"),
        ("no-provenance", ledger(amendments=[amendment(provenance={})]), "amendments[0].provenance"),
        ("not-in-profile", ledger(entry(type="beauty")), "entries[0].type"),
        ("not-in-profile", ledger(entry(audiences=["everybody"])), "entries[0].audiences[0]"),
        ("not-in-profile", ledger(stream="lts"), "stream"),
        ("embargo-without-terms", ledger(entry(disclosure={**PUBLIC, "state": "embargoed"})), "entries[0].disclosure"),
    ],
)
def test_each_breach_is_named_at_its_place(code: str, value: dict[str, Any], where: str) -> None:
    assert (code, where) in refused(value)


def test_another_unit_than_the_profile_has_is_told_once() -> None:
    value = ledger(entry(affects=["apps/other"]), **{"release-unit": "apps/other"})
    assert refused(value) == {("not-in-profile", "release-unit")}


def test_without_a_profile_words_are_free() -> None:
    assert refused(ledger(entry(type="beauty"), channel="beta", stream="lts"), alone=True) == set()
