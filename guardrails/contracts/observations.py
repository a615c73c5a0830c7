"""What a change does to facts, told without judging it (Change Contracts: results)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from guardrails.code_facts.model import Fact, Kind
from guardrails.contracts.inventory import Touch

_CALLS = frozenset({Kind.CALL_SITE, Kind.RESOLVED_CALL})


@dataclass(frozen=True, slots=True)
class Observation:
    """One fact that came, went, or says something else."""

    touch: Touch
    before: Fact | None
    after: Fact | None

    @property
    def fact(self) -> Fact:
        """The fact as it is after the change, or was before where it went."""
        found = self.after or self.before
        if found is None:
            raise ValueError("an observation of nothing")
        return found


def observe(before: Iterable[Fact], after: Iterable[Fact]) -> tuple[Observation, ...]:
    """The facts that differ, in order of id. A call that went and one like it that came are one that changed."""
    old, new = ({fact.id: fact for fact in side} for side in (before, after))
    found = [
        Observation(Touch.CHANGED, old[name], new[name])
        for name in old.keys() & new.keys()
        if old[name].fingerprint != new[name].fingerprint
    ]
    gone = [old[name] for name in old.keys() - new.keys()]
    came = [new[name] for name in new.keys() - old.keys()]
    found += [Observation(Touch.REMOVED, fact, None) for fact in gone if fact.kind not in _CALLS]
    found += [Observation(Touch.ADDED, None, fact) for fact in came if fact.kind not in _CALLS]
    found += _paired([fact for fact in gone if fact.kind in _CALLS], [fact for fact in came if fact.kind in _CALLS])
    return tuple(sorted(found, key=lambda one: (one.fact.id, one.touch.value)))


def _paired(gone: Sequence[Fact], came: Sequence[Fact]) -> list[Observation]:
    groups: dict[tuple[object, ...], tuple[list[Fact], list[Fact]]] = defaultdict(lambda: ([], []))
    for side, facts in enumerate((gone, came)):
        for fact in sorted(facts, key=lambda fact: (fact.line, fact.id)):
            groups[fact.kind, fact.file, fact.name, fact.origin, fact.target, fact.type_only][side].append(fact)
    return [
        Observation(Touch.CHANGED if before and after else Touch.REMOVED if before else Touch.ADDED, before, after)
        for both in groups.values()
        for before, after in zip_longest(*both)
    ]
