"""All checks of a contract over one change, in their fixed order (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from guardrails.contracts import budget, claims, file_rules, intent, scope
from guardrails.contracts.clauses import FileRule, TestItem
from guardrails.contracts.inventory import Change, Snapshot, changes
from guardrails.contracts.results import Result, Shown, Status
from guardrails.contracts.schema import Contract


@dataclass(frozen=True, slots=True)
class Compared:
    """Two snapshots, and what differs between them."""

    base: Snapshot = field(repr=False)
    head: Snapshot = field(repr=False)
    changes: tuple[Change, ...] = field(repr=False)

    @classmethod
    def of(cls, base: Snapshot, head: Snapshot) -> Compared:
        """Compare two snapshots."""
        return cls(base, head, changes(base, head))


@dataclass(frozen=True, slots=True)
class Contracts:
    """The contract that comes with a change, and the one that was reviewed, where it was given."""

    candidate: Contract
    approved: Contract | None

    @property
    def effective(self) -> Contract:
        """The one that decides, whatever became of the other."""
        return self.approved or self.candidate


def evaluate(contracts: Contracts, compared: Compared) -> tuple[Result, ...]:
    """Hold a change against its contract: a result for each obligation.

    They come in this order: $intent, $scope, $budget, $dependencies, requires, forbids, preserves, evidence, claims.
    """
    return tuple(_results(contracts, compared))


def _results(contracts: Contracts, compared: Compared) -> Iterator[Result]:
    contract, base, head, touched = contracts.effective, compared.base, compared.head, compared.changes
    first = (
        intent.check(contracts.candidate, contracts.approved),
        scope.check(contract, touched),
        budget.check(contract, touched, base, head),
    )
    yield from (result for result in first if result is not None)
    # dependencies.check(contract, touched, base, head) -> Result stands here
    # facts.clauses(contract, base, head, readings) -> Mapping[id, Result] tells of requires, forbids and FactRules
    for rule in contract.preserves:
        if isinstance(rule, FileRule):
            yield file_rules.check(rule, touched, base, head)
    # evidence.clauses(contract, head, envelope, definitions) -> results of contract.evidence
    for claim in contract.claims:
        yield claims.check(claim, touched, _show)


def _show(item: TestItem) -> Shown:
    return Shown(Status.UNKNOWN, f"{item.name}: nothing reads tests yet")
