"""Everything that one verification or review says, for whoever prints it (Change Contracts: results).

These are names, digests and findings alone: the texts of both sides are left behind, so that all that is there may be masked
and printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from guardrails.code_facts.model import Blind, Fact, Kind
from guardrails.contracts import evidence_envelope
from guardrails.contracts.assessment import Assessment, assess
from guardrails.contracts.budget import counted
from guardrails.contracts.coverage import Side
from guardrails.contracts.evaluate import CODES, Compared, Contracts, Evaluation
from guardrails.contracts.inventory import Change
from guardrails.contracts.observations import Observation, observe
from guardrails.contracts.results import Result, Status, exit_code, verdict

WORDS: Final = frozenset((*CODES, *evidence_envelope.WORDS, "directories", "exact", "pr"))
"""Words of ours that stand for themselves in a verification."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where both sides come from, and by which `version` of us they were read: `mode` is `directories`, or `exact` or `pr`
    with the full object names of commits.
    """

    version: str
    mode: str
    requested_base: str = ""
    base: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """What one provider read of one side: how many facts, and what it could not read."""

    provider: str
    version: str
    suffixes: tuple[str, ...]
    kinds: tuple[Kind, ...]
    facts: int
    blind: tuple[Blind, ...] = field(repr=False)

    @classmethod
    def of(cls, side: Side) -> tuple[Read, ...]:
        """Of every provider that read a side."""
        return tuple(
            cls(
                provider.name,
                provider.version,
                provider.suffixes,
                tuple(sorted(provider.kinds)),
                len(reading.facts),
                reading.blind,
            )
            for provider, reading in side.readings
        )


BySide: TypeAlias = tuple[tuple[Read, ...] | None, tuple[Read, ...] | None]
"""What was read of base and of head; None where nothing had to be."""


@dataclass(frozen=True, slots=True)
class Review:
    """Both sides, and what differs between them: paths, and facts as far as both were read for them."""

    origin: Origin
    base: str
    head: str
    changes: tuple[Change, ...] = field(repr=False)
    undecodable: tuple[tuple[str, ...], tuple[str, ...]] = field(repr=False)
    read: BySide = field(repr=False)
    observations: tuple[Observation, ...] | None = field(repr=False)
    lines: tuple[int, ...] = field(default=(), repr=False)
    """How many lines of each changed path were added or removed, where that was counted."""

    @classmethod
    def of(cls, origin: Origin, compared: Compared, base: Side | None, head: Side | None, *, count: bool = False) -> Review:
        """Without a judgement; `count` counts the lines of each path."""
        sides = (compared.base, compared.head)
        return cls(
            origin,
            compared.base.identity,
            compared.head.identity,
            compared.changes,
            (tuple(sorted(compared.base.undecodable)), tuple(sorted(compared.head.undecodable))),
            (Read.of(base) if base is not None else None, Read.of(head) if head is not None else None),
            observe(_facts(base), _facts(head)) if base is not None and head is not None else None,
            tuple(counted(change, *sides) for change in compared.changes) if count else (),
        )

    def reader(self, fact: Fact) -> Read | None:
        """Who read a fact."""
        read = (one for side in self.read for one in side or ())
        return next((one for one in read if fact.file.endswith(one.suffixes)), None)


@dataclass(frozen=True, slots=True)
class Verification:
    """The results, what they rest on and what they leave to a person, by the digests of the contract that decided (`contract`)
    and of the one that came with the change; `schema` is that of the former, `name` the file of the latter.
    """

    name: str
    schema: str
    contract: str
    candidate: str
    results: tuple[Result, ...]
    assessment: Assessment
    review: Review

    @classmethod
    def of(cls, name: str, contracts: Contracts, origin: Origin, compared: Compared, evaluation: Evaluation) -> Verification:
        """What was evaluated."""
        return cls(
            name,
            contracts.effective.schema,
            contracts.effective.digest,
            contracts.candidate.digest,
            evaluation.results,
            assess(contracts, compared, evaluation.results),
            Review.of(origin, compared, evaluation.base, evaluation.head),
        )

    @property
    def failing(self) -> tuple[Result, ...]:
        """The results that are not PASS."""
        return tuple(result for result in self.results if result.status is not Status.PASS)

    @property
    def status(self) -> str:
        """The verdict over all results."""
        return verdict(self.results)

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        return exit_code(self.results)


def _facts(side: Side) -> Iterable[Fact]:
    return (fact for _, reading in side.readings for fact in reading.facts)
