"""The ledgers of a repository while a plan is made: which entries came of which decision, and what is to be written into each
(Intent Changesets 6.3, 7.1, 8).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from guardrails.findings import Finding, blocking
from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog, Entry
from guardrails.records.changeset import Changeset
from guardrails.records.consuming.entry import COMMITS, as_mapping, differences, missing_commits
from guardrails.records.consuming.plans import Act, Refusal, Write
from guardrails.records.gating import ENTRY_CONFLICT
from guardrails.records.profile import Profile
from guardrails.records.stored import Records
from guardrails.strict_yaml import Path, YamlFault, rewrite


@dataclass(slots=True)
class Page:
    """One ledger that can be read, and the edits that it gets. `of` says which pending file each planned entry comes of."""

    path: str
    ledger: Changelog
    edits: dict[Path, Any] = field(default_factory=dict)
    planned: dict[int, Entry] = field(default_factory=dict)
    of: dict[int, str] = field(default_factory=dict)
    added: int = 0

    def take(self, entry: Entry, path: str, number: int | None) -> Act:
        """Plan an entry that comes of the pending file at `path`: at `number`, where it stands already, or at the end."""
        if number is None:
            number = len(self.ledger.entries) + self.added
            self.added += 1
            self.edits[("entries", number)] = as_mapping(entry)
            act = Act.ADDED
        else:
            act = self._complete(entry, number)
        self.planned[number] = entry
        self.of[number] = path
        return act

    def _complete(self, entry: Entry, number: int) -> Act:
        found = self.ledger.entries[number]
        missing = missing_commits(entry, found)
        at: Path = ("entries", number, "provenance", COMMITS)
        if COMMITS not in found.provenance and missing:
            self.edits[at] = list(missing)
        else:
            start = len(found.provenance.get(COMMITS, ()))
            self.edits |= {(*at, start + more): oid for more, oid in enumerate(missing)}
        return Act.COMMITS_ADDED if missing else Act.PRESENT

    def written(self, profile: Profile) -> Write | tuple[Refusal, ...]:
        """The ledger with its edits, read again: it must hold every planned entry, and be as valid as before."""
        data = self.ledger.document.data
        try:
            after = rewrite(data, self.edits) if self.edits else data
        except YamlFault as fault:
            return (Refusal(self.path, fault.finding),)
        ledger = changelog.read(after)
        if isinstance(ledger, tuple):
            return tuple(self._refusals(ledger))
        faults = blocking(changelog_rules.validate(ledger, profile))
        return tuple(self._refusals((*faults, *self._untold(ledger)))) or Write(self.path, data, after)

    def _untold(self, ledger: Changelog) -> Iterator[Finding]:
        for number, entry in self.planned.items():
            found = ledger.entries[number] if number < len(ledger.entries) else None
            if found is None or differences(entry, found) or missing_commits(entry, found):
                yield ENTRY_CONFLICT.at(f"entries[{number}]", "this entry would not tell what the decision tells")

    def _refusals(self, findings: tuple[Finding, ...]) -> Iterator[Refusal]:
        """Findings about bytes that nobody has seen: they have no line, and concern the pending file that an entry comes of."""
        for found in findings:
            number = found.where.removeprefix("entries[").partition("]")[0]
            path = self.of.get(int(number), self.path) if number.isdecimal() else self.path
            yield Refusal(path, dataclasses.replace(found, line=None))


@dataclass(frozen=True, slots=True)
class Book:
    """Every ledger by its path, the entries that name each decision, and the changesets that are there."""

    pages: Mapping[str, Page]
    telling: Mapping[str, list[tuple[Page, int]]] = field(repr=False)
    known: Mapping[str, Changeset] = field(repr=False)

    @classmethod
    def of(cls, records: Records) -> Book:
        """The book of a repository; records that cannot be read are not in it."""
        pages = {one.path: Page(one.path, one.record) for one in records.ledgers if isinstance(one.record, Changelog)}
        telling: dict[str, list[tuple[Page, int]]] = {}
        for page in pages.values():
            for number, entry in enumerate(page.ledger.entries):
                for name in {entry.id, *entry.changesets}:
                    telling.setdefault(name, []).append((page, number))
        stored = chain(records.archived, records.pending)
        return cls(pages, telling, {one.record.id: one.record for one in stored if isinstance(one.record, Changeset)})

    def told(self, identifier: str) -> Iterator[tuple[Page, int]]:
        """The entries that came of a decision, in whichever ledger; those that bear its id without naming it are among them.

        Where the changeset of another entry cites this one, its entry does so too, and did not come of this one.
        """
        for page, number in self.telling.get(identifier, ()):
            entry = page.ledger.entries[number]
            other = self.known.get(entry.id) if entry.id != identifier else None
            if other is None or identifier not in other.provenance.get("changesets", ()):
                yield page, number


def released(records: Records) -> frozenset[str]:
    """The paths of the pending records whose every target stands in a released ledger of its release unit and stream.

    Where the profile keeps what was consumed, such a record remains pending for good, and is done with.
    """
    book = Book.of(records)
    return frozenset(
        stored.path for stored in records.pending if isinstance(stored.record, Changeset) and _is_released(stored.record, book)
    )


def _is_released(record: Changeset, book: Book) -> bool:
    told = {
        (page.ledger.release_unit, page.ledger.stream)
        for page, number in book.told(record.id)
        if page.ledger.date is not None and record.id in page.ledger.entries[number].changesets
    }
    return all((target.release_unit, target.stream) in told for target in record.targets)
