"""Release decisions wherever they stand: a changeset, pending or archived, else the ledger entries that it became (7.1, 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from guardrails.findings import Code, Finding
from guardrails.records.changelog import Changelog, Entry
from guardrails.records.changeset import Changeset, Target
from guardrails.records.disclosure import Disclosure
from guardrails.records.fields import where
from guardrails.records.stored import Records, Stored
from guardrails.strict_yaml import Document, Path


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a record file: the file, the steps that lead to the value, and the document they are in."""

    path: str
    steps: Path
    document: Document = field(repr=False)

    def at(self, code: Code, message: str, *more: str) -> Finding:
        """A finding about the value, or one `more` steps below it, with its line."""
        steps = (*self.steps, *more)
        return code.at(where(steps), message, line=self.document.line(steps))


@dataclass(frozen=True, slots=True)
class Side:
    """What one record says of one target, and where."""

    target: Target
    place: Place


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: its targets as its records tell them, the units that it covers, and where it lists them.

    `disclosures` are those of all its records, ledgers included.
    """

    id: str
    place: Place
    units: frozenset[str]
    disclosures: tuple[Disclosure, ...] = field(repr=False)
    sides: tuple[Side, ...] = field(repr=False)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it: what one record withholds, no other gives away."""
        return all(disclosure.is_public for disclosure in self.disclosures)


def of_changeset(changeset: Changeset, path: str = "") -> Decision:
    """The decision that a changeset file is."""
    targets = enumerate(changeset.targets)
    sides = tuple(Side(target, Place(path, ("targets", number), changeset.document)) for number, target in targets)
    place = Place(path, ("targets",), changeset.document)
    units = frozenset(target.release_unit for target in changeset.targets)
    return Decision(changeset.id, place, units, (changeset.disclosure,), sides)


def decisions(records: Records) -> dict[str, Decision]:
    """Every decision of a repository by its id: by its file where there is one, else by all entries that name it.

    An entry's target is that of its ledger: unit and stream. Records that cannot be read are not among them. A decision may
    cite another one, and its entry does so too: that entry speaks for the other one only where no entry of its own does.
    """
    found: dict[str, Decision] = {}
    for stored in chain(records.pending, records.archived):
        if isinstance(stored.record, Changeset):
            found.setdefault(stored.record.id, of_changeset(stored.record, stored.path))
    told: dict[str, list[tuple[Entry, Side]]] = {}
    for name, entry, side in _entries(records):
        told.setdefault(name, []).append((entry, side))
    for name, every in told.items():
        own, entries = found.get(name), _telling(name, every)
        disclosures = tuple(entry.disclosure for entry, _ in entries)
        found[name] = replace(own, disclosures=(*own.disclosures, *disclosures)) if own else _of_entries(name, entries)
    return found


def _telling(name: str, told: list[tuple[Entry, Side]]) -> list[tuple[Entry, Side]]:
    return [one for one in told if one[0].id == name or one[0].id not in one[0].changesets] or told


def repeated(records: Records) -> tuple[tuple[str, str, str], ...]:
    """Each id that two files claim, with both paths (section 6.3).

    A pending file and its exact bytes in the archive are one: consuming it was interrupted.
    """
    seen: dict[str, tuple[str, bytes, bool]] = {}
    found = []
    for stored, is_archived in chain(((one, False) for one in records.pending), ((one, True) for one in records.archived)):
        if not isinstance(stored.record, Changeset):
            continue
        path, data, was_archived = seen.setdefault(stored.record.id, (stored.path, stored.data, is_archived))
        if path != stored.path and (is_archived == was_archived or data != stored.data):
            found.append((stored.record.id, path, stored.path))
    return tuple(found)


def unreadable(records: Records) -> Iterator[tuple[str, Finding]]:
    """Each file that holds no readable record, with the first reason why."""
    for path, record in ((stored.path, stored.record) for group in _groups(records) for stored in group):
        if isinstance(record, tuple):
            yield path, record[0]


def _groups(records: Records) -> Iterator[Iterable[Stored[Changeset] | Stored[Changelog]]]:
    yield from (records.pending, records.archived, records.ledgers)


def _entries(records: Records) -> Iterator[tuple[str, Entry, Side]]:
    for stored in records.ledgers:
        if isinstance(stored.record, Changelog):
            for number, entry in enumerate(stored.record.entries):
                place = Place(stored.path, ("entries", number), stored.record.document)
                side = Side(_target(entry, stored.record), place)
                yield from ((name, entry, side) for name in dict.fromkeys(entry.changesets))


def _target(entry: Entry, ledger: Changelog) -> Target:
    return Target(ledger.release_unit, ledger.stream, entry.type, entry.impact, entry.audiences, entry.migration)


def _of_entries(name: str, told: list[tuple[Entry, Side]]) -> Decision:
    first = told[0][1].place
    return Decision(
        id=name,
        place=Place(first.path, (*first.steps, "affects"), first.document),
        units=frozenset(unit for entry, side in told for unit in (side.target.release_unit, *entry.affects)),
        disclosures=tuple(entry.disclosure for entry, _ in told),
        sides=tuple(side for _, side in told),
    )
