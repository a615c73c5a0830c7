"""The release gate: whether every pending target stands in the ledger of its release unit and stream, as it was decided
(Intent Changesets 7.1, 8 and 9).

No profile can say that a pending record need not be consumed, so each must. What cannot be read or is not valid keeps the gate
closed like a target that is not consumed: nobody can tell what it holds. That holds of every ledger, whether or not anything is
pending for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Final, Self, TypeAlias

from guardrails.findings import Code, Finding, blocking
from guardrails.records import changelog_rules, changeset
from guardrails.records.changelog import Changelog, Entry
from guardrails.records.changeset import ID_IN_USE, Changeset, Target
from guardrails.records.decisions import Place, repeated
from guardrails.records.profile import Profile, Stream
from guardrails.records.stored import Records, Stored


def _code(name: str, summary: str, cure: str, section: str, *, contradicts: bool = False) -> Code:
    return Code(name=name, summary=summary, cure=cure, section=f"Intent Changesets {section}", contradicts=contradicts)


TARGET_NOT_CONSUMED = _code(
    "target-not-consumed",
    "A pending target has no entry in the unreleased ledger of its release unit and stream.",
    "Consume the changeset before the release.",
    "9",
)
LEDGER_MISSING = _code(
    "ledger-missing",
    "The profile gives a stream a ledger that is not there.",
    "Create it with `evidraft changelog init`, or mend the path in the profile.",
    "8",
)
FOREIGN_LEDGER = _code(
    "foreign-ledger",
    "The ledger at the place of a stream belongs to another release unit or stream.",
    "Give each stream a ledger of its own, at the place that the profile names.",
    "7.1",
)
RELEASED_WHILE_PENDING = _code(
    "released-while-pending",
    "A target is pending, and its ledger is released already.",
    "Begin the next ledger and consume into it; where the decision was released already, take its pending file away.",
    "8",
)
ENTRY_CONFLICT = _code(
    "entry-conflict",
    "A ledger entry says something else than the decision that it came of.",
    "Decide which side is right and correct the other one; until then neither is written over, and nothing is consumed.",
    "7.1",
    contradicts=True,
)
REPEATED_ENTRY = _code(
    "repeated-entry", "Several entries of a ledger came of one decision.", "Keep one of them.", "8", contradicts=True
)

_KEEP: Final = "keep"
"""Only under this policy does a record remain pending once it is consumed, and so also once its ledger is released."""


Making: TypeAlias = Callable[[], Finding]


@dataclass(frozen=True, slots=True, eq=False)
class GateFinding:
    """Why the gate stays closed: the file that is concerned, and a finding about it.

    The finding is made when it is asked for: of thousands a person is shown the first ones, and its line takes a look.
    """

    path: str
    _made: Making = field(repr=False)

    @property
    def finding(self) -> Finding:
        """What is wrong, with its line."""
        return self._made()

    @classmethod
    def of(cls, path: str, finding: Finding) -> Self:
        """What is wrong with a file, where that is known already."""
        return cls(path, lambda: finding)


def gate(records: Records, profile: Profile) -> tuple[GateFinding, ...]:
    """Everything that keeps a release from being published; none when every pending target was consumed and all ledgers hold.

    A message quotes nothing of a record that is not public. Order: as pending files, then ledgers by their path.
    """
    needed: dict[str, Stream] = {}
    ledgers = _Ledgers.of(records, keeps=profile.changesets.after_consumption == _KEEP)
    found = [*_repeated(records), *_unreadable(records.archived)] if records.pending else []
    for stored in records.pending:
        record = stored.record
        faults = changeset.validate(record, profile) if isinstance(record, Changeset) else record
        if isinstance(record, Changeset) and not blocking(faults):
            for number, target in enumerate(record.targets):
                stream = profile.release_units[target.release_unit].streams[target.stream or ""]
                needed[stream.changelog] = stream
                place = Place(stored.path, ("targets", number), record.document)
                found += (GateFinding(stored.path, made) for made in ledgers.against(record, target, stream, place))
        found += (GateFinding.of(stored.path, fault) for fault in blocking(faults))
    places = {stream.changelog for unit in profile.release_units.values() for stream in unit.streams.values()}
    for path in sorted({*needed, *ledgers.at}):
        found += _ledger(path, ledgers.at.get(path), profile, is_needed=path in needed, has_place=path in places)
    return tuple(found)


def differences(entry: Entry, record: Changeset, target: Target) -> tuple[str, ...]:
    """The fields of a ledger entry that say something else than the decision does for its target.

    Wording, audiences and added guidance are the editor's. Who may see an entry is not: that needs a change of the decision.
    """
    said = {
        "type": entry.type == target.type,
        "impact": entry.impact == target.impact,
        "migration": bool(entry.migration) or not target.migration,
        "affects": target.release_unit in entry.affects,
        "disclosure.state": entry.disclosure.state == record.disclosure.state,
    }
    return tuple(name for name, agrees in said.items() if not agrees)


@dataclass(frozen=True, slots=True)
class _Ledgers:
    """The ledgers of a repository by their path, and which entries came of which decision in which of them."""

    at: dict[str, Stored[Changelog]]
    entries: dict[str, list[tuple[Stored[Changelog], Changelog, int]]] = field(repr=False)
    keeps: bool

    @classmethod
    def of(cls, records: Records, *, keeps: bool) -> _Ledgers:
        known = (stored.record for stored in chain(records.archived, records.pending))
        citing = {one.id: cited for one in known if isinstance(one, Changeset) and (cited := one.provenance.get("changesets"))}
        made = cls({}, {}, keeps)
        for stored in records.ledgers:
            made.at[stored.path] = stored
            if isinstance(stored.record, Changelog):
                for number, entry in enumerate(stored.record.entries):
                    for name in dict.fromkeys(entry.changesets):
                        # A changeset may cite another one, and its entry does so too: that one is not told by it.
                        if entry.id == name or name not in citing.get(entry.id, ()):
                            made.entries.setdefault(name, []).append((stored, stored.record, number))
        return made

    def against(self, record: Changeset, target: Target, stream: Stream, place: Place) -> Iterator[Making]:
        """Why a target of a valid pending record is not consumed, or not as it was decided."""
        owner = (target.release_unit, target.stream)
        told = self.entries.get(record.id, ())
        mine = [(stored, ledger, n) for stored, ledger, n in told if (ledger.release_unit, ledger.stream) == owner]
        here = [one for one in mine if one[0].path == stream.changelog and one[1].date is None]
        released = [one for one in mine if one[1].date is not None]
        fitting = [*here, *released] if here or self.keeps else []
        if len(fitting) > 1:
            yield partial(
                place.at, REPEATED_ENTRY, f"{len(fitting)} entries of its release unit and stream name it, expected one"
            )
        for stored, ledger, number in fitting:
            where = stored.path if record.disclosure.is_public else "its ledger"
            for name in differences(ledger.entries[number], record, target):
                yield partial(
                    place.at, ENTRY_CONFLICT, f"entries[{number}].{name} of {where} says something else than the decision"
                )
        if not fitting:
            where = stream.changelog if record.disclosure.is_public else "its ledger"
            yield self._absent(stream, where, place, is_released=bool(released))

    def _absent(self, stream: Stream, where: str, place: Place, *, is_released: bool) -> Making:
        stored = self.at.get(stream.changelog)
        ledger = stored.record if stored is not None else None
        if is_released:
            return partial(
                place.at, RELEASED_WHILE_PENDING, "an entry of a released ledger came of it, expected an unreleased one"
            )
        if isinstance(ledger, Changelog) and ledger.date is not None:
            return partial(place.at, RELEASED_WHILE_PENDING, f"{where} is released and has no entry of it")
        return partial(place.at, TARGET_NOT_CONSUMED, f"no entry of {where} names this changeset")


def _repeated(records: Records) -> Iterator[GateFinding]:
    pending = {stored.path: stored.record for stored in records.pending}
    for _, first, second in repeated(records):
        for path, other in ((first, second), (second, first)):
            record = pending.get(path)
            if isinstance(record, Changeset):
                place = Place(path, ("id",), record.document)
                yield GateFinding(path, partial(place.at, ID_IN_USE, f"{other} has the same id"))


def _unreadable(archived: Iterable[Stored[Changeset]]) -> Iterator[GateFinding]:
    """Nobody can tell whether such a record has the id of one that is pending."""
    for stored in archived:
        if isinstance(stored.record, tuple):
            yield from (GateFinding.of(stored.path, fault) for fault in stored.record)


def _ledger(
    path: str, stored: Stored[Changelog] | None, profile: Profile, *, is_needed: bool, has_place: bool
) -> Iterator[GateFinding]:
    """What is wrong with a ledger. Policy counts for one that a pending target needs, or that a stream releases next: what was
    released may be older than the profile's words.
    """
    if stored is None:
        yield GateFinding.of(path, LEDGER_MISSING.at("", "got no file, expected a ledger"))
        return
    ledger = stored.record
    is_next = has_place and isinstance(ledger, Changelog) and ledger.date is None
    policy = profile if is_needed or is_next else None
    faults = changelog_rules.validate(ledger, policy) if isinstance(ledger, Changelog) else ledger
    yield from (GateFinding.of(path, fault) for fault in blocking(faults))
    if isinstance(ledger, Changelog) and policy is not None:
        yield from (GateFinding.of(path, fault) for fault in misplaced(path, ledger, profile))


def misplaced(path: str, ledger: Changelog, profile: Profile) -> tuple[Finding, ...]:
    """Whether a ledger stands at `path` where its own release unit and stream have theirs; nothing for an unknown stream."""
    unit = profile.release_units.get(ledger.release_unit)
    stream = unit.streams.get(ledger.stream) if unit is not None else None
    if stream is None or stream.changelog == path:
        return ()
    line = ledger.document.line(("release-unit",))
    told = f"the ledger of {ledger.release_unit}, stream {ledger.stream}, has its place at {stream.changelog}"
    return (FOREIGN_LEDGER.at("release-unit", told, line=line),)
