"""All checks of a contract over one change, in their fixed order (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.model import Kind, Provider
from guardrails.code_facts.providers import PROVIDERS
from guardrails.contracts import budget, claims, dependencies, evidence, facts, file_rules, intent, scope
from guardrails.contracts.budget import OVER_BUDGET
from guardrails.contracts.claims import CLAIM_NOT_IMPLEMENTED, CLAIM_WITHOUT_EVIDENCE, MANUAL_EVIDENCE_ONLY
from guardrails.contracts.clauses import FactRule, FileRule, TestItem
from guardrails.contracts.coverage import Side, for_several, read
from guardrails.contracts.dependencies import MANIFEST_UNREADABLE, UNAPPROVED_DEPENDENCY
from guardrails.contracts.evidence import Evidence
from guardrails.contracts.evidence_envelope import Envelope
from guardrails.contracts.facts import FORBIDDEN_FACT_PRESENT, REQUIRED_FACT_MISSING
from guardrails.contracts.file_rules import RULE_MATCHES_NOTHING
from guardrails.contracts.intent import INTENT_CHANGED, INTENT_NOT_APPROVED
from guardrails.contracts.inventory import Change, Snapshot, changes
from guardrails.contracts.results import EVIDENCE_MISSING, PRESERVE_VIOLATED, UNDECIDED, Result
from guardrails.contracts.schema import Contract
from guardrails.contracts.scope import OUT_OF_SCOPE
from guardrails.findings import Code

CODES: Final[Mapping[str, Code]] = {
    code.name: code
    for code in (
        INTENT_NOT_APPROVED,
        INTENT_CHANGED,
        OUT_OF_SCOPE,
        OVER_BUDGET,
        UNAPPROVED_DEPENDENCY,
        MANIFEST_UNREADABLE,
        REQUIRED_FACT_MISSING,
        FORBIDDEN_FACT_PRESENT,
        PRESERVE_VIOLATED,
        RULE_MATCHES_NOTHING,
        CLAIM_NOT_IMPLEMENTED,
        CLAIM_WITHOUT_EVIDENCE,
        EVIDENCE_MISSING,
        MANUAL_EVIDENCE_ONLY,
        UNDECIDED,
    )
}
"""What a result that is not PASS may find, by name."""


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


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A result for each obligation, in order, and the facts of both sides as far as they were asked for."""

    results: tuple[Result, ...]
    base: Side | None = field(default=None, repr=False)
    head: Side | None = field(default=None, repr=False)


def evaluate(
    contracts: Contracts, compared: Compared, providers: Sequence[Provider] = PROVIDERS, envelope: Envelope | None = None
) -> Evaluation:
    """Hold a change against its contract, with what a test run said, where one is given.

    Results come in this order: $intent, $scope, $budget, $dependencies, requires, forbids, preserves, evidence, claims.
    Facts are read only where a clause asks for them.
    """
    contract = contracts.effective
    preserved = frozenset(rule.match.kind for rule in contract.preserves if isinstance(rule, FactRule))
    wanted = preserved | _wanted(contract)
    readers = for_several(providers) if preserved else providers
    head = read(compared.head, readers, wanted) if wanted else None
    base = read(compared.base, readers, preserved) if preserved else None
    results = (*_of_change(contracts, compared), *_of_clauses(contract, compared, (base, head), envelope))
    return Evaluation(results, base, head)


def _wanted(contract: Contract) -> frozenset[Kind]:
    """The kinds of fact that clauses and claims ask of head alone."""
    items = (item for claim in contract.claims for item in claim.evidence)
    asks_for_tests = bool(contract.evidence) or any(isinstance(item, TestItem) for item in items)
    kinds = {rule.match.kind for rule in (*contract.requires, *contract.forbids)}
    return frozenset(kinds | ({Kind.TEST_DEFINITION} if asks_for_tests else set()))


def _of_change(contracts: Contracts, compared: Compared) -> Iterator[Result]:
    """What the files alone tell."""
    contract, base, head, touched = contracts.effective, compared.base, compared.head, compared.changes
    found = (
        intent.check(contracts.candidate, contracts.approved),
        scope.check(contract, touched),
        budget.check(contract, touched, base, head),
        dependencies.check(contract, touched, base, head),
    )
    yield from (result for result in found if result is not None)


def _of_clauses(
    contract: Contract, compared: Compared, read_: tuple[Side | None, Side | None], envelope: Envelope | None
) -> Iterator[Result]:
    """What clauses and claims come to."""
    before, after = read_[0] or Side(compared.base), read_[1] or Side(compared.head)
    known = Evidence.of(envelope, contract, compared.head)
    yield from (facts.requires(rule, after) for rule in contract.requires)
    yield from (facts.forbids(rule, after) for rule in contract.forbids)
    for rule in contract.preserves:
        if isinstance(rule, FileRule):
            yield file_rules.check(rule, compared.changes, compared.base, compared.head)
        else:
            yield facts.preserves(rule, before, after)
    yield from (evidence.clause(wanted, known, after) for wanted in contract.evidence)
    for claim in contract.claims:
        shown = claims.check(claim, compared.changes, lambda item: evidence.shows(item, known, after))
        yield evidence.warned(shown, known)
