"""What a verdict rests on, what it does not say, and what it leaves to a person (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from guardrails.contracts.clauses import Claim, EvidenceClause, FileRule, ManualItem
from guardrails.contracts.evaluate import Compared, Contracts
from guardrails.contracts.results import WARNING, Clause, Ran, Result, Status
from guardrails.contracts.schema import Contract

LIMITS: Final[Mapping[str, str]] = {
    "verdictScope": "declared-obligations",
    "meaning": "What the contract declares is held against what was read; whether the change is right is not judged.",
    "intentInterpretation": "none",
    "testAdequacy": "not-assessed",
    "behavioralCompleteness": "not-assessed",
}
"""What no verdict goes beyond, in the words of the document."""


class Basis(StrEnum):
    """What kind of check an obligation was held against."""

    POLICY = "policy"
    """Rules about files and their lines."""
    CLAIM = "claim"
    STATIC_STRUCTURE = "static-structure"
    TEST_DEFINITION = "test-definition"
    TEST_EXECUTION = "test-execution"
    UNSUPPORTED = "unsupported"
    """Nothing can be known of it."""


class Source(StrEnum):
    """What was read for a check."""

    CONTRACT = "contract"
    APPROVED_CONTRACT = "approved-contract"
    INVENTORY = "inventory"
    """Paths, digests and modes of both sides."""
    FILE_TEXT = "file-text"
    STATIC_FACTS = "static-facts"
    TEST_REPORT = "test-report"
    NOTE = "note"
    """A person's own, in the contract."""


class Reason(StrEnum):
    """Why a person has to look at something."""

    INTENT = "intent-not-interpreted"
    CLAIM = "claim-not-interpreted"
    MANUAL = "manual-note"
    NOT_EXECUTED = "defined-not-executed"
    SELF_ATTESTED = "self-attested-run"
    CHANGED_SCENARIO = "changed-scenario"
    """The test that shows something was changed as well."""
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Check:
    """One result: what it was held against, what was read for it, and the runs of tests that it rests on."""

    id: str
    status: Status
    basis: Basis
    sources: tuple[Source, ...]
    ran: tuple[Ran, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """Something that is left to a person, by the id of its result: `reason` in a word, `what` in full."""

    id: str
    reason: Reason
    what: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Assessment:
    """One check for each result, in order, and what is left to a person, in the order of the contract."""

    checks: tuple[Check, ...] = field(repr=False)
    unresolved: tuple[tuple[str, str], ...] = field(repr=False)
    """The id of every result that is UNKNOWN, and why it is."""
    changed_scenarios: tuple[str, ...] = field(repr=False)
    """Changed files that hold a test which the contract names, in order of path."""
    manual: tuple[Open, ...] = field(repr=False)


def assess(contracts: Contracts, compared: Compared, results: Iterable[Result]) -> Assessment:
    """What `results` rest on and leave open."""
    told = tuple(results)
    parts = _parts(contracts.effective)
    changed = {change.path for change in compared.changes}
    scenarios = {result.id: tuple(file for file in _files(result, parts.get(result.id)) if file in changed) for result in told}
    return Assessment(
        tuple(_check(result, parts.get(result.id), contracts) for result in told),
        tuple((result.id, result.message) for result in told if result.status is Status.UNKNOWN),
        tuple(sorted({file for files in scenarios.values() for file in files})),
        tuple(_manual(contracts.effective, told, parts, scenarios)),
    )


_Part = EvidenceClause | Claim | FileRule


def _parts(contract: Contract) -> Mapping[str, _Part]:
    """The parts of a contract that tell more of a check than its kind does."""
    rules = (rule for rule in contract.preserves if isinstance(rule, FileRule))
    parts: tuple[_Part, ...] = (*rules, *contract.evidence, *contract.claims)
    return {part.id: part for part in parts}


def _check(result: Result, part: _Part | None, contracts: Contracts) -> Check:
    basis, sources = _rests(result, part, contracts)
    return Check(result.id, result.status, basis, sources, tuple(test.ran for test in result.tests if test.ran is not None))


def _rests(result: Result, part: _Part | None, contracts: Contracts) -> tuple[Basis, tuple[Source, ...]]:
    """What a check is held against, and what is read for it."""
    match part:
        case FileRule():
            return Basis.POLICY, (Source.INVENTORY,)
        case EvidenceClause():
            return _STAGES.get((part.stage, part.method), (Basis.UNSUPPORTED, ()))
        case Claim():
            return Basis.CLAIM, tuple(_of_claim(result, part))
    if result.clause in _POLICIES:
        return Basis.POLICY, tuple(source for source in _POLICIES[result.clause] if _is_read(source, result, contracts))
    return Basis.STATIC_STRUCTURE, (Source.STATIC_FACTS,)


_STAGES: Final = {
    ("test", "definition"): (Basis.TEST_DEFINITION, (Source.STATIC_FACTS,)),
    ("test", "execution"): (Basis.TEST_EXECUTION, (Source.TEST_REPORT,)),
}
_POLICIES: Final = {
    Clause.INTENT: (Source.CONTRACT, Source.APPROVED_CONTRACT),
    Clause.SCOPE: (Source.INVENTORY,),
    Clause.BUDGET: (Source.INVENTORY, Source.FILE_TEXT),
    Clause.DEPENDENCIES: (Source.INVENTORY, Source.FILE_TEXT),
}


def _is_read(source: Source, result: Result, contracts: Contracts) -> bool:
    """Without an approved contract there is nothing to compare, and without a budget of lines none are counted."""
    if source is Source.APPROVED_CONTRACT:
        return contracts.approved is not None
    budget = contracts.effective.budget
    return result.clause is not Clause.BUDGET or source is Source.INVENTORY or (budget is not None and budget.lines is not None)


def _of_claim(result: Result, claim: Claim) -> Iterator[Source]:
    if claim.files:
        yield Source.INVENTORY
    if any(test.ran is None for test in result.tests):
        yield Source.STATIC_FACTS
    if any(test.ran is not None for test in result.tests):
        yield Source.TEST_REPORT
    if any(isinstance(item, ManualItem) for item in claim.evidence):
        yield Source.NOTE


def _files(result: Result, part: _Part | None) -> Iterator[str]:
    """The files of the tests that a result names, as they are known or as the contract says."""
    told = [file for test in result.tests for file in test.files]
    if isinstance(part, EvidenceClause):
        told += [part.file] if part.file else []
    elif isinstance(part, Claim):
        told += [item.file for item in part.evidence if not isinstance(item, ManualItem) and item.file]
    yield from sorted(set(told))


def _manual(
    contract: Contract, results: Iterable[Result], parts: Mapping[str, _Part], scenarios: Mapping[str, tuple[str, ...]]
) -> Iterator[Open]:
    """What nobody but a person can judge."""
    if contract.intent:
        yield Open("$intent", Reason.INTENT, contract.intent)
    for result in results:
        part = parts.get(result.id)
        if isinstance(part, Claim):
            yield Open(result.id, Reason.CLAIM, part.text)
            notes = (item.note for item in part.evidence if isinstance(item, ManualItem))
            yield from (Open(result.id, Reason.MANUAL, note) for note in notes)
        for test in result.tests:
            if test.status is Status.PASS:
                reason = Reason.NOT_EXECUTED if test.ran is None else Reason.SELF_ATTESTED
                yield Open(result.id, reason, test.message)
        yield from (Open(result.id, Reason.CHANGED_SCENARIO, file) for file in scenarios[result.id])
        warned = (detail.removeprefix(WARNING) for detail in result.details if detail.startswith(WARNING))
        yield from (Open(result.id, Reason.WARNING, warning) for warning in warned)
