"""What verifying a contract says, for a person: each obligation, how it stands, and what to do (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrails.code_facts.model import Fact
from guardrails.contracts.coverage import Side
from guardrails.contracts.distance import distance
from guardrails.contracts.distance import lines as lines_of
from guardrails.contracts.evaluate import CODES, Compared
from guardrails.contracts.observations import Observation, observe
from guardrails.contracts.results import WARNING, Result, Status
from guardrails.contracts.verification import Verification

_SHOWN = 20
"""So many details are shown of one obligation; JSON has them all."""


def lines(verification: Verification, *, is_verbose: bool = False) -> Iterator[str]:
    """The lines of a page; `is_verbose` tells all details, those of what is kept too."""
    width = max((len(result.id) for result in verification.results), default=0)
    for result in verification.results:
        yield f"{result.status.value:<10}  {result.id:<{width}}  {result.message}"
        yield from (f"{'':<12}{line}" for line in _under(result, is_verbose=is_verbose))
    failing = len(verification.failing)
    kept = len(verification.results) - failing
    yield f"{verification.status}: {kept} of {len(verification.results)} obligations kept" if verification.results else "PASS"


def review(compared: Compared, base: Side, head: Side) -> Iterator[str]:
    """The lines of a page about a change alone: its files, what came and went in them, and what was not read."""
    for change in compared.changes:
        before, after = (side.texts.get(change.path, "") for side in (compared.base, compared.head))
        count = distance(lines_of(before), lines_of(after))
        yield f"{change.touch.value:<8}{change.path}" + (f" ({count} lines)" if count else "")
    for one in observe(_facts(base), _facts(head)):
        yield f"{one.touch.value:<8}{_observed(one)}"
    for name, side in (("before", base), ("after", head)):
        for _, reading in side.readings:
            for blind in reading.blind:
                if blind.is_blocking:
                    yield f"not read {name}: {blind.file or 'the whole'}: {blind.reason}"
    yield f"{len(compared.changes)} paths changed"


def _under(result: Result, *, is_verbose: bool) -> Iterator[str]:
    if result.status is Status.PASS and not is_verbose:
        yield from (detail for detail in result.details if detail.startswith(("manual: ", WARNING)))
        return
    details: Sequence[str] = result.details
    if is_verbose:
        details = (*details, *(f"fact: {place(fact)}" for fact in result.facts))
    shown = details if is_verbose else details[:_SHOWN]
    yield from shown
    if len(details) > len(shown):
        yield f"and {len(details) - len(shown)} more; --verbose has them all"
    if result.finding in CODES:
        yield f"what to do ({result.finding}): {CODES[result.finding].cure}"


def _facts(side: Side) -> Iterator[Fact]:
    return (fact for _, reading in side.readings for fact in reading.facts)


def _observed(one: Observation) -> str:
    return place(one.fact)


def place(fact: Fact) -> str:
    """A fact and where it stands."""
    way = f"{fact.origin} -> {fact.target}" if fact.origin is not None else fact.name
    return f"{fact.kind.value} {way} ({fact.file}:{fact.line})" if fact.line else f"{fact.kind.value} {way} ({fact.file})"
