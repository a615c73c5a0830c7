"""Where a reviewed decision disagrees with its commits, their diff, or another record of it (Intent Changesets 7, 7.1, 11.5).

Every finding names both sides and takes neither; a reviewer decides. So they are warnings: the notes tell what was decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from guardrails.evidence.model import Commit
from guardrails.findings import Code, Finding, Severity
from guardrails.records.changeset import Changeset, Target
from guardrails.records.entries import LEDGER
from guardrails.records.linking import IMPACT_CONFLICT, RELEASE_UNIT_CONFLICT, UNRESOLVED_RELEASE_UNIT, conflicts
from guardrails.records.profile import Profile
from guardrails.resolving.decisions import Decision, is_of
from guardrails.resolving.envelopes.reading import Part, Reading, Statement
from guardrails.resolving.rules import Rules
from guardrails.resolving.trailers import changed_units


def _code(name: str, summary: str, cure: str, section: str = "Intent Changesets 7.1") -> Code:
    return Code(name=name, summary=summary, cure=cure, section=section, severity=Severity.WARNING)


CHANGESET_UNKNOWN = _code(
    "changeset-unknown",
    "A commit links a changeset of which there is no record: none pending, archived or in a ledger.",
    "Correct the trailer, or restore the record.",
    "Intent Changesets 7",
)
DECISION_UNDONE = _code(
    "decision-undone",
    "A reviewed decision stands, and the commits that linked it were taken back.",
    "Record the revert as a decision of its own, or see that the decision is told in another range.",
    "Intent Changesets 6.8",
)
REVERT_UNDECIDED = _code(
    "revert-undecided",
    "A commit takes something back, and the decision that it links names no decision that it reverts.",
    "Name the reverted decision under relations.reverts, or link another decision.",
    "Intent Changesets 6.8",
)
RECORDS_DIFFER = _code(
    "records-differ",
    "The records of one decision say differently what its target is: type, impact or migration.",
    "Decide which holds and correct the other.",
)
_SHORT: Final = 60


def disagreements(
    path: str, part: Part, profile: Profile | None, rules: Rules, *, unit: str, every: Mapping[str, Decision]
) -> Iterator[Finding]:
    """What speaks against the decisions of the change at `path`, of `unit` where one is described.

    A commit may link several: what it touches has to be a target of one, wherever that one is told (`every` decision by id).
    """
    for decision in part.decisions:
        linking = tuple(one for one in part.messages if decision.id in one.said.message.values("Changeset"))
        told = _Told(path, decision, decision.whole, linking, unit, every)
        yield from told.against_messages(profile)
        yield from told.against_records()
        if profile is not None:
            yield from told.against_diff(part.commits, profile, rules)


def unlinked(reading: Reading, coverage: Mapping[str, str], keys: Iterable[str]) -> Iterator[Finding]:
    """Links to no record, and decisions all of whose commits were taken back."""
    items = frozenset(keys)
    by_decision: dict[str, list[str]] = {}
    for item, one in reading.messages.items():
        for name in dict.fromkeys(filter(None, one.said.message.values("Changeset"))):
            by_decision.setdefault(name, []).append(item)
    for name, commits in by_decision.items():
        decision = reading.decisions.get(name)
        if decision is None:
            yield CHANGESET_UNKNOWN.at("", f"got a link to {name[:_SHORT]}, which no record has", evidence=tuple(commits))
        elif all(_is_undone(coverage.get(item, ""), items) for item in commits):
            yield DECISION_UNDONE.at("", f"got {name[:_SHORT]}, nothing of which is left", evidence=(decision.item, *commits))


def _is_undone(account: str, keys: frozenset[str]) -> bool:
    return keys.isdisjoint(account.split(", ")) and account.startswith(("revert", "nothing of it remains"))


@dataclass(frozen=True, slots=True)
class _Told:
    """A decision as the change at `path` tells it: `record` has all its targets, `linking` are the messages that link it."""

    path: str
    decision: Decision
    record: Changeset
    linking: tuple[Statement, ...]
    unit: str
    every: Mapping[str, Decision]

    def against_messages(self, profile: Profile | None) -> Iterator[Finding]:
        """What linking messages say otherwise, by the rules of links; a breaking mark without a major target; a revert."""
        targets = tuple(target for target in self.record.targets if is_of(target, self.unit))
        is_major = any(target.impact == "major" for target in targets)
        for one in self.linking:
            linked = self._linked(one)
            for found in conflicts(one.said.message, self.record, profile, linked) if profile is not None else ():
                if found.code != UNRESOLVED_RELEASE_UNIT.name:  # its paths may tell
                    yield self._warn(found, found.message, one.id)
            if (one.said.breaking or one.said.breaking_notes) and targets and not is_major:
                yield self._at(IMPACT_CONFLICT, "the commit is marked as breaking, no target is major", one.id)
            if one.is_revert and not self.record.relations.reverts:
                yield self._at(REVERT_UNDECIDED, "the commit takes something back", one.id)

    def against_diff(self, commits: Iterable[Commit], profile: Profile, rules: Rules) -> Iterator[Finding]:
        """Units whose paths the linking commits change, and that the decision has no target for."""
        linked = {one.id: (self.record, *self._linked(one)) for one in self.linking}
        for commit in commits:
            if commit.id not in linked:
                continue
            targeted = {target.release_unit for record in linked[commit.id] for target in record.targets}
            for name in changed_units(commit.files, profile, rules):
                if name not in targeted:
                    yield self._at(RELEASE_UNIT_CONFLICT, f"the diff changes {name}, which is no target of it", commit.id)

    def against_records(self) -> Iterator[Finding]:
        """A changeset and the ledger entries that it was consumed into; older versions of either are its history."""
        sources = self.decision.sources
        record = next((one for one in sources if one.where != LEDGER), None)
        if record is None:
            return
        said = {(one.release_unit, one.stream): one for one in record.record.targets}
        entries = [(entry, target) for entry in sources if entry.where == LEDGER for target in entry.record.targets]
        seen: set[tuple[str, str | None]] = set()
        for entry, target in entries:
            key = (target.release_unit, target.stream)
            other = said.get(key) if key not in seen and is_of(target, self.unit) else None
            if other is not None and (found := tuple(_different(target, other))):
                message = f"{self.decision.id[:_SHORT]}: {entry.item} has another {' and '.join(found)} than {record.item}"
                yield RECORDS_DIFFER.at(self.path, message, evidence=(record.item, entry.item))
            seen.add(key)

    def _linked(self, one: Statement) -> tuple[Changeset, ...]:
        """All that a message links, as far as records of it exist."""
        return tuple(self.every[name].whole for name in one.said.message.values("Changeset") if name in self.every)

    def _at(self, code: Code, message: str, other: str) -> Finding:
        return self._warn(code.at(self.path, message), message, other)

    def _warn(self, found: Finding, message: str, other: str) -> Finding:
        """The finding as a warning that names both sides."""
        both = (self.decision.item, other)
        told = f"{self.decision.id[:_SHORT]} against {other}: {message}"
        return replace(found, where=self.path, message=told, severity=Severity.WARNING, evidence=both)


def _different(one: Target, other: Target) -> Iterator[str]:
    """The names of what two targets say differently."""
    pairs = {
        "type": (one.type, other.type),
        "impact": (one.impact, other.impact),
        "migration": ((one.migration or "").split(), (other.migration or "").split()),
    }
    yield from (name for name, (said, meant) in pairs.items() if said != meant)
