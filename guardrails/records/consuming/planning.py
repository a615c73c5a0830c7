"""Planning: every target of every chosen record is looked at before there is a plan at all (Intent Changesets 6.3, 7.1, 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from guardrails.findings import Code, Finding, blocking
from guardrails.records import changelog_rules, changeset
from guardrails.records.changelog import Entry
from guardrails.records.changeset import ID_IN_USE, Changeset, Target
from guardrails.records.consuming.book import Book, Page
from guardrails.records.consuming.entry import differences, entry_of, source
from guardrails.records.consuming.plans import Consumed, Disposal, Plan, Refusal, Told, Write
from guardrails.records.decisions import Place, unreadable
from guardrails.records.gating import ENTRY_CONFLICT, FOREIGN_LEDGER, LEDGER_MISSING, RELEASED_WHILE_PENDING, REPEATED_ENTRY
from guardrails.records.profile import Profile
from guardrails.records.stored import Records, Stored

NOT_PENDING = Code(
    name="not-pending",
    summary="The record does not stand in the pending directory under its own id.",
    cure="Move it to <pending directory>/<id>.yaml, or create it with `evidraft changeset create`.",
    section="Intent Changesets 5",
)
ARCHIVE_TAKEN = Code(
    name="archive-taken",
    summary="Another file stands where the consumed record would be archived.",
    cure="Move that file away.",
    section="Intent Changesets 8",
)


def plan(
    profile: Profile,
    chosen: Sequence[Stored[Changeset]],
    records: Records,
    links: Mapping[str, tuple[str, ...]],
    spent: Mapping[str, str],
) -> Plan | tuple[Refusal, ...]:
    """How to consume the `chosen` pending records together, each on top of those before it, or all that stands against it.

    `links` are the commits that link each id and hold, `spent` says of an id where another record had it that is gone now. With
    one refusal nothing is planned. Messages quote nothing of a record that is not public.
    """
    planning = _Planning(profile, records, Book.of(records), links, spent)
    paths = {stored.path for stored in chosen}
    refusals = [Refusal(path, fault) for path, fault in unreadable(records) if path not in paths]
    consumed = []
    for stored in chosen:
        refusals += planning.refusals(stored)
        if not refusals and isinstance(stored.record, Changeset):
            consumed.append(planning.consume(stored, stored.record))
    if refusals:
        return tuple(dict.fromkeys(refusals))
    written = [page.written(profile) for page in planning.needed.values()]
    ledgers = tuple(one for one in written if isinstance(one, Write))
    untold = tuple(refusal for one in written if not isinstance(one, Write) for refusal in one)
    disposals = tuple(one for stored in chosen if (one := _disposal(stored, profile)) is not None)
    return untold or Plan(ledgers, disposals, tuple(consumed))


def _archive_path(record: Changeset, profile: Profile) -> str | None:
    directory = profile.changesets.archive_directory
    return f"{directory}/{record.id}.yaml" if directory else None


def _disposal(stored: Stored[Changeset], profile: Profile) -> Disposal | None:
    after = profile.changesets.after_consumption
    if after == "keep" or not isinstance(stored.record, Changeset):
        return None
    return Disposal(stored.path, stored.data, _archive_path(stored.record, profile) if after == "archive" else None)


@dataclass(slots=True)
class _Planning:
    """A plan while it grows: `needed` are the ledgers that targets have."""

    profile: Profile
    records: Records
    book: Book
    links: Mapping[str, tuple[str, ...]]
    spent: Mapping[str, str]
    needed: dict[str, Page] = field(default_factory=dict)
    _owners: dict[str, list[Stored[Changeset]]] = field(default_factory=dict)
    _others: dict[str, Stored[Changeset]] = field(default_factory=dict)
    _ledger_faults: dict[str, tuple[Finding, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note who has each id, and what stands in the archive."""
        for stored in chain(self.records.pending, self.records.archived):
            if isinstance(stored.record, Changeset):
                self._owners.setdefault(stored.record.id, []).append(stored)
        self._others = {stored.path: stored for stored in self.records.archived}

    def refusals(self, stored: Stored[Changeset]) -> Iterator[Refusal]:
        """Everything that keeps one record from being consumed."""
        record = stored.record
        faults = changeset.validate(record, self.profile) if isinstance(record, Changeset) else record
        yield from (Refusal(stored.path, fault) for fault in blocking(faults))
        if not isinstance(record, Changeset):
            return
        place = Place(stored.path, (), record.document)
        yield from (Refusal(stored.path, fault) for fault in self._identity(stored, record, place))
        if not blocking(faults):
            for number in range(len(record.targets)):
                yield from self._against(record, number, Place(stored.path, ("targets", number), record.document))
            yield from (Refusal(stored.path, fault) for fault in self._elsewhere(record, place))

    def consume(self, stored: Stored[Changeset], record: Changeset) -> Consumed:
        """Plan the entry of each target of a record against which there is nothing."""
        told = []
        for target in record.targets:
            page = self.book.pages[self._ledger_path(target)]
            here = self._here(record, page)
            act = page.take(self._entry(record, target), stored.path, here[0] if here else None)
            self.needed[page.path] = page
            told.append(Told(page.path, target.release_unit, target.stream or "", act))
        return Consumed(stored.path, record.id, record.disclosure.is_public, tuple(told))

    def _identity(self, stored: Stored[Changeset], record: Changeset, place: Place) -> Iterator[Finding]:
        """Whether the record stands where it should, and its id and its place in the archive are its own (5, 6.3)."""
        expected = f"{self.profile.changesets.directory}/{record.id}.yaml"
        if stored.path != expected:
            yield place.at(NOT_PENDING, f"got another place, expected {expected}", "id")
        archive = _archive_path(record, self.profile)
        for other in self._owners.get(record.id, ()):
            is_half_archived = other.path == archive and other.data == stored.data
            if other.path != stored.path and (not is_half_archived or self._is_untold(record)):
                yield place.at(ID_IN_USE, f"{other.path} has the same id", "id")
        disposal = _disposal(stored, self.profile)
        goes_to = disposal.archive if disposal is not None else None
        taken = self._others.get(goes_to or "")
        if goes_to == stored.path:
            yield place.at(ARCHIVE_TAKEN, "the archive directory is the pending directory, expected another one", "id")
        elif taken is not None and not (isinstance(taken.record, Changeset) and taken.record.id == record.id):
            yield place.at(ARCHIVE_TAKEN, f"{archive} holds another record", "id")
        if record.id in self.spent:
            yield place.at(ID_IN_USE, f"another record had this id: {self.spent[record.id]}", "id")

    def _is_untold(self, record: Changeset) -> bool:
        """Whether a target has no entry yet: what was archived had all of them, so that the archived one is another record."""
        pages = (self.book.pages.get(self._ledger_path(target)) for target in record.targets)
        return any(page is None or not self._here(record, page) for page in pages)

    def _against(self, record: Changeset, number: int, place: Place) -> Iterator[Refusal]:
        """What keeps the target with this number from its ledger."""
        target = record.targets[number]
        path = self._ledger_path(target)
        page = self.book.pages.get(path)
        if page is None:
            if not any(stored.path == path for stored in self.records.ledgers):
                yield Refusal(path, LEDGER_MISSING.at("", "got no file, expected a ledger"))
            return
        yield from (Refusal(path, fault) for fault in self._faults(page))
        here = self._here(record, page)
        where = path if record.disclosure.is_public else "its ledger"
        if (page.ledger.release_unit, page.ledger.stream) != (target.release_unit, target.stream):
            yield Refusal(place.path, place.at(FOREIGN_LEDGER, f"{where} is of another release unit or stream"))
        elif len(here) > 1:
            told = f"{len(here)} entries of {where} name it, expected one"
            yield Refusal(place.path, place.at(REPEATED_ENTRY, told))
        elif here and page.ledger.date is None and (told := self._differences(record, number, page, here[0])):
            yield Refusal(place.path, place.at(ENTRY_CONFLICT, f"entries[{here[0]}] of {where} {told}"))

    def _differences(self, record: Changeset, number: int, page: Page, at: int) -> str:
        """What an entry that stands there says otherwise than the target with this number; both sides with their lines."""
        found = page.ledger.entries[at]
        if record.id not in found.changesets:
            return "has its id and does not name it under provenance.changesets"
        sides = []
        for name in differences(self._entry(record, record.targets[number]), found):
            there = page.ledger.document.line(("entries", at, *name.split(".")))
            sides.append(f"{name} (line {there} there, line {record.document.line(source(name, number))} here)")
        return f"says something else, and is kept: {', '.join(sides)}" if sides else ""

    def _elsewhere(self, record: Changeset, place: Place) -> Iterator[Finding]:
        """Entries that tell the decision where it has no target, or where nothing can be added: its id is spent (6.3)."""
        own = {self._ledger_path(target) for target in record.targets}
        for page, number in self.book.told(record.id):
            if record.id not in page.ledger.entries[number].changesets:
                continue
            where = f"entries[{number}] of {page.path}" if record.disclosure.is_public else "an entry"
            if page.ledger.date is not None:
                yield place.at(ID_IN_USE, f"{where} names it, in a ledger that is released", "id")
            elif page.path not in own:
                yield place.at(ENTRY_CONFLICT, f"{where} names it, which is not the ledger of one of its targets", "targets")

    def _faults(self, page: Page) -> tuple[Finding, ...]:
        """What is wrong with a ledger that a target needs."""
        if page.path not in self._ledger_faults:
            found = blocking(changelog_rules.validate(page.ledger, self.profile))
            if page.ledger.date is not None:
                line = page.ledger.document.line(("date",))
                found += (RELEASED_WHILE_PENDING.at("date", "got a date, expected an unreleased ledger", line=line),)
            self._ledger_faults[page.path] = found
        return self._ledger_faults[page.path]

    def _here(self, record: Changeset, page: Page) -> list[int]:
        return [number for told, number in self.book.told(record.id) if told is page]

    def _entry(self, record: Changeset, target: Target) -> Entry:
        return entry_of(record, target, self.links.get(record.id, ()))

    def _ledger_path(self, target: Target) -> str:
        unit = self.profile.release_units.get(target.release_unit)
        stream = unit.streams.get(target.stream or "") if unit is not None else None
        return stream.changelog if stream is not None else ""
