"""Ledger entries as the changesets that they would have come of, so that every rule for decisions holds for them (7.1, 8).

An entry is one target of a decision with its own, perhaps edited, wording. Disclosure, linking and provenance are read from it
as from a pending record: what is embargoed in a ledger is embargoed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.records import changeset
from guardrails.records.changelog import Changelog, Entry
from guardrails.records.fields import SUITE_VERSION

LEDGER: Final = "ledger"
"""Where a record stands that was made of a ledger's entry."""


def decided(entry: Entry) -> tuple[str, ...]:
    """The decisions that an entry tells: the changesets that it came of; an entry of none is one by its own id."""
    return entry.changesets or (entry.id,)


def as_changesets(entry: Entry, ledger: Changelog) -> Iterator[bytes]:
    """One changeset file for each decision of an entry, with the one target that the ledger stands for."""
    target = {
        "release-unit": ledger.release_unit,
        "stream": ledger.stream,
        "type": entry.type,
        "impact": entry.impact,
        "audiences": list(entry.audiences),
        "migration": entry.migration,
    }
    for name in decided(entry):
        yield changeset.write(
            {
                "intent-changeset": SUITE_VERSION,
                "id": name,
                "source-repository": ledger.source_repository,
                "summary": entry.summary,
                "rationale": entry.rationale,
                "targets": [target],
                "provenance": {kind: list(references) for kind, references in entry.provenance.items()},
                "relations": {
                    "reverts": list(entry.relations.reverts),
                    "supersedes": list(entry.relations.supersedes),
                },
                "disclosure": entry.disclosure.as_mapping(),
            }
        )
