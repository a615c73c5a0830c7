"""Reviewed decisions: changesets and ledger entries, each decision once, with the words that people agreed on (7.1, 8).

A ledger entry is the later word: a changeset was consumed into it, and it may have been edited under review. So its wording
counts for its release unit; else the changeset's does, as it stands at the head, before older versions of the same record.
Nothing is merged: what the sources of one decision say differently is told (`disagreeing`), and no side is rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.model import Bundle, ExistingRecord
from guardrails.records import changeset
from guardrails.records.changeset import Changeset, Target
from guardrails.records.entries import LEDGER


@dataclass(frozen=True, slots=True)
class Source:
    """One record of a decision: its evidence id, where it stands (`pending`, `archive`, `ledger`), what it says."""

    item: str
    where: str
    record: Changeset = field(repr=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """One release decision. `sources` are all records of it, the one whose words count first.

    `targets` are those of the release unit that is described, all of them where none is; a ledger entry speaks for its own.
    """

    id: str
    sources: tuple[Source, ...]
    targets: tuple[Target, ...] = field(repr=False)

    @property
    def item(self) -> str:
        """The evidence id of the record whose words count."""
        return self.sources[0].item

    @property
    def record(self) -> Changeset:
        """The record whose words count."""
        return self.sources[0].record

    @property
    def newest(self) -> Source:
        """Its newest file where there is one, else the record whose words count."""
        return next((one for one in self.sources if one.where != LEDGER), self.sources[0])

    @property
    def whole(self) -> Changeset:
        """The newest file with all targets; where only ledgers tell it, their entries, which have one each."""
        if self.newest.where != LEDGER:
            return self.newest.record
        targets = {(one.release_unit, one.stream): one for source in self.sources for one in source.record.targets}
        return replace(self.record, targets=tuple(targets.values()))

    @property
    def migration(self) -> str | None:
        """What its targets say that users must do, each guidance once; None where they say nothing."""
        return " ".join(dict.fromkeys(" ".join(one.migration.split()) for one in self.targets if one.migration)) or None


def decisions(bundle: Bundle, unit: str = "") -> Mapping[str, Decision]:
    """The decisions of a bundle by their id; `unit` ("U" or "U@stream") is the one release unit that is described."""
    found: dict[str, list[Source]] = {}
    for record in sorted(bundle.records, key=lambda one: _age(one, bundle)):
        read = changeset.read(record.data)
        if isinstance(read, Changeset):
            found.setdefault(read.id, []).append(Source(record.id, record.where, read))
    return {name: _decision(name, sources, unit) for name, sources in found.items()}


def reviewed(text: str, item: str) -> Prose:
    """Words that people agreed on, as they stand in the record with this evidence id."""
    return Prose(tuple(Sentence(one, (item,)) for one in sentences(" ".join(text.split()))), Basis.EVIDENCE)


def is_of(target: Target, unit: str) -> bool:
    """Whether a target is one of `unit` ("U" or "U@stream", "" for any)."""
    return not unit or unit in {target.release_unit, f"{target.release_unit}@{target.stream}"}


def _age(record: ExistingRecord, bundle: Bundle) -> int:
    """At the head before anything else, then on disk, where later work may lie; what lay at the base comes last."""
    revision = record.locator.partition(":")[2].partition(":")[0]
    if revision == bundle.selection.head:
        return 0
    if record.locator.startswith("file:"):
        return 1
    return 3 if revision == bundle.selection.base else 2


def _decision(name: str, sources: Iterable[Source], unit: str) -> Decision:
    ordered = tuple(sources)
    entries = tuple(one for one in ordered if one.where == LEDGER and _targets(one, unit))
    records = tuple(one for one in ordered if one.where != LEDGER)
    words = {(one.record.summary, one.record.rationale) for one in entries}
    first = entries if len(words) == 1 else (*records, *entries)
    told = tuple({one.item: one for one in (*first, *ordered)}.values())
    by_target = {
        (target.release_unit, target.stream): target
        for one in (*records[:1], *reversed(entries))
        for target in _targets(one, unit)
    }
    return Decision(name, told, tuple(by_target.values()))


def _targets(source: Source, unit: str) -> tuple[Target, ...]:
    return tuple(target for target in source.record.targets if is_of(target, unit))
