"""The rules of a release ledger: by itself and, with a profile, by the project's policy (Intent Changelog 1.0.0).

Ledgers are of another specification than changesets; what both say alike has the codes of changesets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Final

from guardrails.findings import Code, Finding
from guardrails.records.changelog import Changelog, Entry
from guardrails.records.changeset import (
    BLANK_TEXT,
    INVALID_SOURCE_REPOSITORY,
    MAJOR_WITHOUT_MIGRATION,
    NO_AUDIENCES,
    NO_PROVENANCE,
    NOT_IN_PROFILE,
)
from guardrails.records.disclosure import validate_disclosure
from guardrails.records.fields import SUITE_VERSION, Faults, is_absolute_uri, is_blank, is_id, one_of, other_version, vocabulary
from guardrails.records.profile import Profile
from guardrails.strict_yaml import Path


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Intent Changelog 1.0.0")


UNSUPPORTED_CHANGELOG_VERSION = _code(
    "unsupported-changelog-version", "The ledger is of another version.", "Write `intent-changelog: 1.0.0`."
)
CHANGELOG_DATE = _code(
    "changelog-date",
    "A date of the ledger is no calendar date.",
    "Write it as 2026-12-01; the date of a ledger that is not released is null.",
)
DUPLICATE_ENTRY = _code(
    "duplicate-entry", "Two entries or two amendments have the same id.", "Give each an id of its own, or join them."
)
AMENDMENT_ID = _code(
    "amendment-id",
    "The id of an amendment has another form than the specification asks for.",
    "Use lower-case letters, digits and inner hyphens.",
)
UNIT_NOT_AFFECTED = _code(
    "unit-not-affected",
    "An entry does not affect the release unit that its ledger belongs to.",
    "Add the unit to `affects`, or move the entry to the ledger of its unit.",
)
SELF_EVIDENT = _code(
    "self-evident", "The rationale of an entry is the phrase that tells no reason.", "Say why its audience should care."
)
LEDGER_CONFLICT = _code(
    "ledger-conflict",
    "The ledger's channel or release line is another than the profile gives to its stream.",
    "Correct the side that is wrong.",
)

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def validate(ledger: Changelog, profile: Profile | None = None) -> tuple[Finding, ...]:
    """Every breach by the ledger alone and, with a profile, of the project's vocabulary and of what it says of the stream."""
    faults = Faults(ledger.document)
    _validate_head(ledger, faults)
    ids: set[str] = set()
    for place, entry in enumerate(ledger.entries):
        _validate_entry(entry, ledger, ("entries", place), faults)
        _note_again(entry.id, ids, ("entries", place, "id"), faults)
    _validate_amendments(ledger, faults)
    if profile is not None:
        _validate_policy(ledger, profile, faults)
    return tuple(faults.findings)


def _validate_head(ledger: Changelog, faults: Faults) -> None:
    if ledger.version != SUITE_VERSION:
        faults.note(UNSUPPORTED_CHANGELOG_VERSION, ("intent-changelog",), other_version(ledger.version))
    if not is_absolute_uri(ledger.source_repository):
        faults.note(INVALID_SOURCE_REPOSITORY, ("source-repository",), "got another text, expected an absolute URI")
    texts = {
        "release-unit": ledger.release_unit,
        "release": ledger.release,
        "stream": ledger.stream,
        "release-line": ledger.release_line,
        "channel": ledger.channel,
    }
    _note_blank(texts, (), faults)
    if ledger.date is not None and not is_date(ledger.date):
        faults.note(CHANGELOG_DATE, ("date",), "got another text, expected a calendar date or null")


def _validate_entry(entry: Entry, ledger: Changelog, path: Path, faults: Faults) -> None:
    texts = {
        "id": entry.id,
        "type": entry.type,
        "summary": entry.summary,
        "rationale": entry.rationale,
        "impact": entry.impact,
    }
    _note_blank(texts, path, faults)
    if " ".join(entry.rationale.casefold().split()).strip(" .") == "self-evident":
        faults.note(SELF_EVIDENT, (*path, "rationale"), "got the phrase that tells no reason")
    if not entry.audiences:
        faults.note(NO_AUDIENCES, (*path, "audiences"), "got no audience, expected at least one")
    if entry.impact == "major" and is_blank(entry.migration or ""):
        faults.note(MAJOR_WITHOUT_MIGRATION, (*path, "migration"), "got nothing, expected guidance for a major impact")
    if ledger.release_unit not in entry.affects:
        faults.note(UNIT_NOT_AFFECTED, (*path, "affects"), "got other units, expected the ledger's own among them")
    _validate_provenance(entry.provenance, path, faults)
    validate_disclosure(entry.disclosure, faults, (*path, "disclosure"))


def _validate_amendments(ledger: Changelog, faults: Faults) -> None:
    ids: set[str] = set()
    for place, amendment in enumerate(ledger.amendments):
        path: Path = ("amendments", place)
        if not is_id(amendment.id):
            faults.note(AMENDMENT_ID, (*path, "id"), "got another text, expected lower-case letters, digits and inner hyphens")
        _note_again(amendment.id, ids, (*path, "id"), faults)
        if not is_date(amendment.date):
            faults.note(CHANGELOG_DATE, (*path, "date"), "got another text, expected a calendar date")
        _note_blank({"summary": amendment.summary}, path, faults)
        _validate_provenance(amendment.provenance, path, faults)


def _validate_provenance(provenance: Mapping[str, tuple[str, ...]], path: Path, faults: Faults) -> None:
    if not any(not is_blank(reference) for references in provenance.values() for reference in references):
        faults.note(NO_PROVENANCE, (*path, "provenance"), "got no reference, expected at least one")


def _validate_policy(ledger: Changelog, profile: Profile, faults: Faults) -> None:
    if ledger.source_repository != profile.repository:
        faults.note(INVALID_SOURCE_REPOSITORY, ("source-repository",), "got another repository than the profile's")
    unit = profile.release_units.get(ledger.release_unit)
    stream = unit.streams.get(ledger.stream) if unit is not None else None
    types, audiences = vocabulary(profile.release_types), vocabulary(profile.audiences)
    declared: list[tuple[Path, str, Collection[str]]] = [
        (("release-unit",), ledger.release_unit, profile.release_units),
        (("stream",), ledger.stream, profile.streams_of(ledger.release_unit)),
    ]
    for place, entry in enumerate(ledger.entries):
        declared.append((("entries", place, "type"), entry.type, types))
        declared += [
            (("entries", place, "audiences", number), audience, audiences) for number, audience in enumerate(entry.audiences)
        ]
    for path, word, allowed in declared:
        if allowed and word not in allowed:
            faults.note(NOT_IN_PROFILE, path, f"expected {one_of(allowed)}")
    if stream is not None:
        for key, said, expected in (
            ("channel", ledger.channel, stream.channel),
            ("release-line", ledger.release_line, stream.release_line),
        ):
            if said != expected:
                faults.note(LEDGER_CONFLICT, (key,), f"got another {key}, expected {expected}")


def _note_blank(texts: Mapping[str, str], path: Path, faults: Faults) -> None:
    for key, text in texts.items():
        if is_blank(text):
            faults.note(BLANK_TEXT, (*path, key), f"got nothing, expected a {key}")


def _note_again(name: str, seen: set[str], path: Path, faults: Faults) -> None:
    if name in seen:
        faults.note(DUPLICATE_ENTRY, path, "got this id again, expected each once")
    seen.add(name)


def is_date(text: str) -> bool:
    """Whether `text` is a day of the calendar, as 2026-12-01."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
