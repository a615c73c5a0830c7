"""The Intent Changelog record, a release ledger, as its file says it (Intent Changesets 7.1 and 8; Intent Changelog 1.0.0).

A ledger belongs to one release unit and stream. Its entries are release decisions that were consumed and reviewed: each is
understandable by itself, and names the changesets that it came of under `provenance.changesets`. Of its disclosure only the
state must be written: an absent key is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from guardrails.findings import Finding
from guardrails.records.changeset import Relations, read_provenance, read_relations
from guardrails.records.disclosure import Disclosure, read_disclosure
from guardrails.records.fields import Fields, open_record, ordered
from guardrails.strict_yaml import Document
from guardrails.strict_yaml import write as write_yaml

FIELDS: Final = (
    "intent-changelog",
    "release-unit",
    "release",
    "source-repository",
    "stream",
    "release-line",
    "channel",
    "date",
    "entries",
    "amendments",
)
ENTRY_FIELDS: Final = (
    "id",
    "type",
    "summary",
    "rationale",
    "impact",
    "audiences",
    "migration",
    "affects",
    "provenance",
    "relations",
    "disclosure",
)
AMENDMENT_FIELDS: Final = ("id", "date", "summary", "provenance")


@dataclass(frozen=True, slots=True)
class Entry:
    """One release decision as its ledger tells it."""

    id: str
    type: str
    summary: str = field(repr=False)
    rationale: str = field(repr=False)
    impact: str
    audiences: tuple[str, ...]
    migration: str | None = field(repr=False)
    affects: tuple[str, ...]
    provenance: Mapping[str, tuple[str, ...]] = field(repr=False)
    relations: Relations = field(repr=False)
    disclosure: Disclosure = field(repr=False)
    unknown: Mapping[Any, Any] = field(repr=False)

    @property
    def changesets(self) -> tuple[str, ...]:
        """The ids of the changesets that it came of."""
        return self.provenance.get("changesets", ())


@dataclass(frozen=True, slots=True)
class Amendment:
    """A correction of a ledger that was released."""

    id: str
    date: str
    summary: str = field(repr=False)
    provenance: Mapping[str, tuple[str, ...]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Changelog:
    """One ledger as its file says it: a view, the exact bytes (`document.data`), and the unknown root fields.

    `date` is None as long as it is not released. Every field has its type; whether its value is
    allowed is for `changelog_rules` to say.
    """

    version: str
    release_unit: str
    release: str
    source_repository: str
    stream: str
    release_line: str
    channel: str
    date: str | None
    entries: tuple[Entry, ...] = field(repr=False)
    amendments: tuple[Amendment, ...] = field(repr=False)
    unknown: Mapping[Any, Any] = field(repr=False)
    document: Document = field(repr=False)


def read(data: bytes) -> Changelog | tuple[Finding, ...]:
    """One ledger out of exact bytes, or a finding for each fault of form, with its line."""
    fields = open_record(data)
    if isinstance(fields, tuple):
        return fields
    ledger = Changelog(
        version=fields.text("intent-changelog"),
        release_unit=fields.text("release-unit"),
        release=fields.text("release"),
        source_repository=fields.text("source-repository"),
        stream=fields.text("stream"),
        release_line=fields.text("release-line"),
        channel=fields.text("channel"),
        date=fields.text_or_null("date"),
        entries=tuple(map(_read_entry, fields.parts("entries"))),
        amendments=tuple(map(_read_amendment, fields.parts("amendments"))),
        unknown=fields.unknown(FIELDS),
        document=fields.faults.document,
    )
    return tuple(fields.faults.findings) or ledger


def _read_entry(fields: Fields) -> Entry:
    return Entry(
        id=fields.text("id"),
        type=fields.text("type"),
        summary=fields.text("summary"),
        rationale=fields.text("rationale"),
        impact=fields.text("impact"),
        audiences=fields.texts("audiences"),
        migration=fields.text_or_null("migration"),
        affects=fields.texts("affects"),
        provenance=read_provenance(fields.part("provenance")),
        relations=read_relations(fields.part("relations")),
        disclosure=read_disclosure(fields.part("disclosure"), whole=False),
        unknown=fields.unknown(ENTRY_FIELDS),
    )


def _read_amendment(fields: Fields) -> Amendment:
    provenance = read_provenance(fields.part("provenance"))
    return Amendment(fields.text("id"), fields.text("date"), fields.text("summary"), provenance)


def write(record: Mapping[str, Any]) -> bytes:
    """A new ledger file out of a record's fields: those of the specification in its order, unknown ones after them."""
    fields = ordered(record, FIELDS)
    for key, order in (("entries", ENTRY_FIELDS), ("amendments", AMENDMENT_FIELDS)):
        if isinstance(fields.get(key), list | tuple):
            fields[key] = [ordered(part, order) for part in fields[key]]
    return write_yaml(fields)
