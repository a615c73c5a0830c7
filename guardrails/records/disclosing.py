"""What of a ledger everybody may see: public entries, the placeholders of redacted ones, and nothing of embargoed ones
(Intent Changesets 6.9 and 12).

Unknown fields are left out, since nothing says who may see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
    hidden = _ids(entry for entry in ledger.entries if not entry.disclosure.is_public) - _ids(shown)
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


def _ids(entries: Iterable[Entry]) -> set[str]:
    return {name for entry in entries for name in (entry.id, *decided(entry))}


def _without(hidden: set[str], provenance: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    kept = {kind: tuple(one for one in references if one not in hidden) for kind, references in provenance.items()}
    return {kind: references for kind, references in kept.items() if references}
