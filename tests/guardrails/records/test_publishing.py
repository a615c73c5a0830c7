"""A ledger's life: begun without a date, published by its date alone, amended at its end alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.findings import Finding
from guardrails.records import amending, changelog, changelog_rules, publishing
from guardrails.records.changelog import Amendment, Changelog
from guardrails.strict_yaml import write
from tests.guardrails.records.test_changelog import entry, ledger
from tests.guardrails.resolving.building import PROFILE

DAY = "2026-12-01"
CORRECTION = Amendment("fix-wording", DAY, "The entry named: the wrong audience", {"issues": ("A-1", "A-2")})


def read(data: bytes) -> Changelog:
    found = changelog.read(data)
    assert isinstance(found, Changelog), found
    return found


def codes(found: bytes | tuple[Finding, ...]) -> set[tuple[str, str]]:
    assert isinstance(found, tuple)
    return {(one.code, one.where) for one in found}


def spelled(null: str, newline: str = "\n") -> str:
    """An unreleased ledger whose date line is written like this, among remarks and unknown fields."""
    text = write(ledger(entry(owner="us"), note="kept", date=None)).decode()
    lines = ["# A remark.", *text.replace("date: null", f"{null}").splitlines(), "# The end.", ""]
    return newline.join(lines)


@pytest.mark.requirement("IC-5.2", "IC-12.3")
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    ("null", "then"),
    [
        ("date: null", f"date: {DAY}"),
        ("date: null   # not yet", f"date: {DAY}   # not yet"),
        ("date: ~", f"date: {DAY}"),
        ("date: Null", f"date: {DAY}"),
        ("date: NULL", f"date: {DAY}"),
        ("date: !!null null", f"date: {DAY}"),
        ("date:", f"date: {DAY}"),
        ("date:   # not yet", None),
        ('"date": null', f'"date": {DAY}'),
        ("date :  null", f"date :  {DAY}"),
        ("? date\n: null", None),
    ],
)
def test_whatever_null_is_spelled_only_the_date_changes(null: str, then: str | None, newline: str) -> None:
    before = spelled(null.replace("\n", newline), newline)
    after = publishing.publish(read(before.encode()), DAY)
    assert isinstance(after, bytes), after
    assert read(after).date == DAY
    if then is None:
        assert [line for line in after.decode().split(newline) if DAY not in line] == [
            line for line in before.split(newline) if line not in {null, ": null"}
        ]
    else:
        assert after.decode() == before.replace(null, then)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_ledger_keeps_its_encoding(encoding: str) -> None:
    before = spelled("date: null").encode(encoding)
    after = publishing.publish(read(before), DAY)
    assert isinstance(after, bytes)
    assert after.decode(encoding) == before.decode(encoding).replace("date: null", f"date: {DAY}")


def test_a_date_elsewhere_is_not_touched() -> None:
    text = spelled("date: null").replace("note: kept", "note: {date: null}\nother:\n  date: null")
    after = publishing.publish(read(text.encode()), DAY)
    assert isinstance(after, bytes)
    assert after.decode() == text.replace("\ndate: null", f"\ndate: {DAY}", 1)


def test_a_ledger_that_is_one_flow_mapping_is_published_too() -> None:
    text = write(ledger(date=None)).decode()
    flow = read(text.encode()).document.value
    one_line = "{" + ", ".join(f'"{key}": {json.dumps(value)}' for key, value in flow.items()) + "}\n"
    after = publishing.publish(read(one_line.encode()), DAY)
    assert isinstance(after, bytes)
    assert after.decode() == one_line.replace('"date": null', f'"date": {DAY}')


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Co"]), min_size=1, max_size=40))
def test_whatever_else_a_ledger_says_stays(text: str) -> None:
    value = ledger(entry(summary=f"x{text}"), note=text, date=None)
    before = write(value)
    after = publishing.publish(read(before), DAY)
    assert isinstance(after, bytes)
    assert after == before.replace(b"\ndate: null\n", f"\ndate: {DAY}\n".encode(), 1)


@pytest.mark.parametrize(
    ("value", "date", "told"),
    [
        (ledger(), DAY, {("already-released", "date")}),
        (ledger(date=None), "2026-13-01", {("changelog-date", "date")}),
        (ledger(date=None), "tomorrow", {("changelog-date", "date")}),
        (ledger(entry(impact="major"), date=None), DAY, {("major-without-migration", "entries[0].migration")}),
    ],
)
def test_what_cannot_be_published_is_told(value: dict[str, Any], date: str, told: set[tuple[str, str]]) -> None:
    assert codes(publishing.publish(read(write(value)), date)) == told


@pytest.mark.requirement("IC-10.1")
@pytest.mark.parametrize(
    ("changes", "path", "told"),
    [
        ({"release": "42"}, "led/ws.yaml", set()),
        ({"release": "2.1.0"}, "led/ws.yaml", {("release-name", "release")}),
        ({"release": "42", "channel": "beta"}, "led/ws.yaml", {("ledger-conflict", "channel")}),
        ({"release": "42"}, "led/copy.yaml", {("foreign-ledger", "release-unit")}),
    ],
)
def test_a_profile_has_its_say(changes: dict[str, str], path: str, told: set[tuple[str, str]]) -> None:
    found = publishing.against_profile(read(write(ledger(date=None, **changes))), path, PROFILE)
    assert codes(found) == told


def test_a_new_ledger_is_valid_unreleased_and_empty_for_every_stream() -> None:
    owners = [(unit, stream) for unit in PROFILE.release_units for stream in PROFILE.streams_of(unit)]
    for unit, stream in owners:
        begun = read(publishing.begin(PROFILE, unit, stream, "42"))
        assert (begun.release_unit, begun.stream, begun.date, begun.entries) == (unit, stream, None, ())
        assert changelog_rules.validate(begun, PROFILE) == ()
    assert len(owners) == 3


# amendments


AMENDED = """\
  - id: fix-wording
    date: 2026-12-01
    summary: "The entry named: the wrong audience"
    provenance:
      issues: [A-1, A-2]
"""


@pytest.mark.requirement("IC-5.2")
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_an_amendment_is_added_and_nothing_else_changes(newline: str) -> None:
    before = spelled("date: 2026-11-30  # released", newline)
    once = amending.amend(read(before.encode()), CORRECTION)
    assert isinstance(once, bytes)
    added = "amendments:\n" + AMENDED
    assert once.decode() == before.replace(f"amendments: []{newline}", added.replace("\n", newline))
    twice = amending.amend(read(once), Amendment("second", DAY, "Another", {"issues": ("A-3",)}))
    assert isinstance(twice, bytes)
    second = "  - id: second\n    date: 2026-12-01\n    summary: Another\n    provenance:\n      issues: [A-3]\n"
    assert twice.decode() == once.decode().replace(AMENDED.replace("\n", newline), (AMENDED + second).replace("\n", newline))
    assert [one.id for one in read(twice).amendments] == ["fix-wording", "second"]


@pytest.mark.parametrize(
    ("value", "amendment", "told"),
    [
        (ledger(date=None), CORRECTION, {("not-released", "date")}),
        (ledger(), Amendment("Fix it", DAY, "x", {"a": ("b",)}), {("amendment-id", "amendments[0].id")}),
        (ledger(), Amendment("fix", "soon", "x", {"a": ("b",)}), {("changelog-date", "amendments[0].date")}),
        (ledger(), Amendment("fix", DAY, " ", {"a": ("b",)}), {("blank-text", "amendments[0].summary")}),
        (ledger(), Amendment("fix", DAY, "x", {}), {("no-provenance", "amendments[0].provenance")}),
        (ledger(channel=" "), CORRECTION, {("blank-text", "channel")}),
    ],
)
def test_what_cannot_be_amended_is_told(value: dict[str, Any], amendment: Amendment, told: set[tuple[str, str]]) -> None:
    assert codes(amending.amend(read(write(value)), amendment)) == told


def test_an_amendment_has_an_id_of_its_own() -> None:
    once = amending.amend(read(write(ledger())), CORRECTION)
    assert isinstance(once, bytes)
    assert codes(amending.amend(read(once), CORRECTION)) == {("duplicate-entry", "amendments[1].id")}
