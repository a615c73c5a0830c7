"""What verifying a contract says, for a person: each obligation, how it stands, what to do, and what nobody else can judge
(Change Contracts: results).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from guardrails.code_facts.model import Blind, Fact
from guardrails.contracts.assessment import Open, Reason
from guardrails.contracts.evaluate import CODES
from guardrails.contracts.results import Result, Status
from guardrails.contracts.verification import Read, Review, Verification

_SHOWN: Final = 20
"""So many details are shown of one obligation; JSON has them all."""
_LOOK: Final[Mapping[Reason, str]] = {
    Reason.INTENT: "is it what was meant? ",
    Reason.CLAIM: "is it true? ",
    Reason.MANUAL: "a note says: ",
    Reason.NOT_EXECUTED: "",
    Reason.SELF_ATTESTED: "only the report says so: ",
    Reason.CHANGED_SCENARIO: "the change also changed its test: ",
    Reason.WARNING: "warning: ",
}
"""What a person has to ask."""


def verification(told: Verification, *, is_verbose: bool = False) -> Iterator[str]:
    """The lines of a page; `is_verbose` tells all details, those of what is kept too."""
    width = max((len(result.id) for result in told.results), default=0)
    for result in told.results:
        yield f"{result.status.value:<10}  {result.id:<{width}}  {result.message}"
        yield from (f"{'':<12}{line}" for line in _under(result, is_verbose=is_verbose))
    yield from _left(told.assessment.manual, is_verbose=is_verbose)
    kept = len(told.results) - len(told.failing)
    yield f"{told.status}: {kept} of {len(told.results)} obligations kept" if told.results else "PASS"


def review(told: Review) -> Iterator[str]:
    """The lines of a page about a change alone: its files, what came and went in them, and what was not read."""
    for change, count in zip(told.changes, told.lines, strict=True):
        yield f"{change.touch.value:<8}{change.path}" + (f" ({count} lines)" if count else "")
    for one in told.observations or ():
        yield f"{one.touch.value:<8}{place(one.fact)}"
    yield from _unread(*(dict.fromkeys(map(_blind, _blocking(side))) for side in told.read))
    yield f"{len(told.changes)} paths changed"


def _unread(before: Collection[str], after: Collection[str]) -> Iterator[str]:
    """What was not read of one side or of both."""
    yield from (f"not read before{' and after' if blind in after else ''}: {blind}" for blind in before)
    yield from (f"not read after: {blind}" for blind in after if blind not in before)


def _blocking(side: Iterable[Read] | None) -> Iterator[Blind]:
    return (blind for read in side or () for blind in read.blind if blind.is_blocking)


def _blind(one: Blind) -> str:
    place = (one.folder or "the whole") if one.file is None else f"{one.file}:{one.line}" if one.line else one.file
    return f"{place}: {one.reason}"


def _under(result: Result, *, is_verbose: bool) -> Iterator[str]:
    if result.status is Status.PASS and not is_verbose:
        return
    details: Sequence[str] = result.details
    if is_verbose:
        in_order = sorted(result.facts, key=lambda fact: (fact.file, fact.line, fact.name))
        details = (*details, *(f"fact: {place(fact)}" for fact in in_order))
    yield from _some(details, is_verbose=is_verbose)
    if result.finding in CODES:
        yield f"what to do ({result.finding}): {CODES[result.finding].cure}"


def _left(manual: Sequence[Open], *, is_verbose: bool) -> Iterator[str]:
    """What a person has to look at, whatever the verdict is."""
    if manual:
        yield "Left to a person:"
        yield from (
            f"  {line}" for line in _some([f"{one.id}: {_LOOK[one.reason]}{one.what}" for one in manual], is_verbose=is_verbose)
        )


def _some(lines: Sequence[str], *, is_verbose: bool) -> Iterator[str]:
    shown = lines if is_verbose else lines[:_SHOWN]
    yield from shown
    if len(lines) > len(shown):
        yield f"and {len(lines) - len(shown)} more; --verbose has them all"


def place(fact: Fact) -> str:
    """A fact and where it stands."""
    way = f"{fact.origin} -> {fact.target}" if fact.origin is not None else fact.name
    return f"{fact.kind.value} {way} ({fact.file}:{fact.line})" if fact.line else f"{fact.kind.value} {way} ({fact.file})"
