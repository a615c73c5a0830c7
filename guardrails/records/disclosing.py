"""What of a ledger everybody may see: public entries, the placeholders of redacted ones, and nothing of embargoed ones
(Intent Changesets 6.9 and 12).

Unknown fields are left out, since nothing says who may see them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from guardrails.records.changelog import Amendment, Changelog, Entry
from guardrails.records.changeset import Relations
from guardrails.records.disclosure import State
from guardrails.records.entries import decided


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What stands in the place of a redacted entry."""

    text: str


def disclosed(ledger: Changelog) -> tuple[tuple[Entry | Placeholder, ...], tuple[Amendment, ...]]:
    """The entries and amendments of a valid ledger that may leave, in their order.

    The ids of what is withheld are taken out of relations and provenance as well.
    """
    shown = [entry for entry in ledger.entries if entry.disclosure.is_public]
    withheld = [entry for entry in ledger.entries if not entry.disclosure.is_public]
    told = {name for entry in shown for name in _own(entry)}
    hidden = {name for entry in withheld for name in decided(entry)} - told | {entry.id for entry in withheld}
    amendments = (replace(one, provenance=_without(hidden, one.provenance)) for one in ledger.amendments)
    return tuple(_entries(ledger, hidden)), tuple(amendments)


def _entries(ledger: Changelog, hidden: set[str]) -> Iterator[Entry | Placeholder]:
    for entry in ledger.entries:
        if entry.disclosure.is_public:
            relations = Relations(
                *(
                    tuple(name for name in names if name not in hidden)
                    for names in (entry.relations.reverts, entry.relations.supersedes)
                )
            )
            yield replace(entry, relations=relations, provenance=_without(hidden, entry.provenance), unknown={})
        elif entry.disclosure.state == State.REDACTED:
            yield Placeholder(entry.disclosure.placeholder or "")


def _own(entry: Entry) -> tuple[str, ...]:
    """The names that are certainly a public entry's own: it may cite what is withheld as it does the changesets it came of."""
    came_of = entry.changesets
    return (entry.id, *came_of) if len(came_of) == 1 and entry.id not in came_of else (entry.id,)


def _without(hidden: set[str], provenance: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    kept = {kind: tuple(one for one in references if one not in hidden) for kind, references in provenance.items()}
    return {kind: references for kind, references in kept.items() if references}
