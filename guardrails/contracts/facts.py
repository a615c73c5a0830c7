"""What facts must be there, must not be there, and must stay as they are (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from guardrails.code_facts.model import Fact, Kind
from guardrails.contracts.clauses import FactRule, Selector
from guardrails.contracts.coverage import Side
from guardrails.contracts.results import PRESERVE_VIOLATED, UNDECIDED, Clause, Result, Shown, Status
from guardrails.findings import Code

REQUIRED_FACT_MISSING: Final = Code(
    name="required-fact-missing",
    summary="Something that the change must bring is not there.",
    cure="Write it, or correct the selector: it is compared exactly, with case.",
    section="Change Contracts, fact clauses",
)
FORBIDDEN_FACT_PRESENT: Final = Code(
    name="forbidden-fact-present",
    summary="Something is there that must not be, whether it is new or not.",
    cure="Take it away, or have another contract approved.",
    section="Change Contracts, fact clauses",
)
T = TypeVar("T")
_SHOWN: Final = 20
"""So many places are listed of one obligation; how many there are is told as well."""


def requires(rule: FactRule, head: Side) -> Result:
    """A fact must be in head; it need not be new."""
    found, faults, gaps = _look(head, rule.match)
    if faults:
        return _undecided(rule, Clause.REQUIRES, "what is there cannot be relied on", faults, found)
    if found:
        return Result(rule.id, Clause.REQUIRES, Status.PASS, f"{len(found)} found", facts=found)
    if gaps:
        return _undecided(rule, Clause.REQUIRES, "none found, and not everything was read", gaps)
    message = f"no {_words(rule.match)} is there"
    return Result(rule.id, Clause.REQUIRES, Status.INCOMPLETE, message, REQUIRED_FACT_MISSING.name)


def forbids(rule: FactRule, head: Side) -> Result:
    """No such fact may be in head, nor one that was there before."""
    found, faults, gaps = _look(head, rule.match)
    if faults:
        return _undecided(rule, Clause.FORBIDS, "what is there cannot be relied on", faults, found)
    if found:
        message = f"{len(found)} found that must not be there"
        return Result(rule.id, Clause.FORBIDS, Status.DRIFT, message, FORBIDDEN_FACT_PRESENT.name, _places(found, head), found)
    if gaps:
        return _undecided(rule, Clause.FORBIDS, "none found, and not everything was read", gaps)
    return Result(rule.id, Clause.FORBIDS, Status.PASS, "none is there, and everything was read where one could be")


def preserves(rule: FactRule, base: Side, head: Side) -> Result:
    """Every such fact of base must be in head with what it says; more may be there."""
    before, after = base.matching(rule.match), head.matching(rule.match)
    both = (*before, *after)
    if not before:
        gaps = base.gaps(rule.match)
        message = "none found before, and not everything was read" if gaps else f"no {_words(rule.match)} was there before"
        return _undecided(rule, Clause.PRESERVES, message, gaps, both)
    kept = {(fact.id, fact.fingerprint) for fact in after}
    now = {fact.id: fact for fact in after}
    lost = tuple(fact for fact in before if (fact.id, fact.fingerprint) not in kept)
    drifted = tuple(now.get(fact.id, fact) for fact in lost)
    told = _limited(
        drifted, lambda fact: f"changed {_place(fact, head)}" if fact.id in now else f"removed {_place(fact, base)}"
    )
    gaps = (
        *(f"before: {gap}" for gap in (*base.faults(rule.match), *base.gaps(rule.match))),
        *(f"after: {gap}" for gap in (*head.faults(rule.match), *head.gaps(rule.match))),
    )
    if gaps:
        unsure = _undecided(
            rule, Clause.PRESERVES, "not everything was read on both sides", (*told, *dict.fromkeys(gaps)), both
        )
        return replace(unsure, drifted=drifted)
    if lost:
        message = f"{len(lost)} of {len(before)} did not stay as they were"
        return Result(rule.id, Clause.PRESERVES, Status.DRIFT, message, PRESERVE_VIOLATED.name, told, both, drifted=drifted)
    return Result(rule.id, Clause.PRESERVES, Status.PASS, f"all {len(before)} stayed as they were", facts=both)


def defined(name: str, file: str | None, head: Side) -> Shown:
    """Whether a test of that name is defined, in `file` where one is given. That it is defined shows no run of it."""
    selector = Selector(kind=Kind.TEST_DEFINITION, file=file, name=name)
    found, faults, gaps = _look(head, selector)
    if faults:
        return Shown(Status.UNKNOWN, f"nobody can tell whether {name!r} is defined: {faults[0]}")
    if found:
        files = tuple(dict.fromkeys(fact.file for fact in found))
        return Shown(Status.PASS, f"{name!r} is defined in {files[0]}, which does not show that it was executed", files=files)
    if gaps:
        more = f" and {len(gaps) - 1} more" if len(gaps) > 1 else ""
        return Shown(Status.UNKNOWN, f"nobody can tell whether {name!r} is defined: {gaps[0]}{more}")
    return Shown(Status.INCOMPLETE, f"{name!r} is not defined{f' in {file}' if file else ''}")


def _look(side: Side, selector: Selector) -> tuple[tuple[Fact, ...], tuple[str, ...], tuple[str, ...]]:
    found = side.matching(selector)
    return found, side.faults(selector), () if found else side.gaps(selector)


def _undecided(rule: FactRule, clause: Clause, message: str, why: Sequence[str], facts: tuple[Fact, ...] = ()) -> Result:
    return Result(rule.id, clause, Status.UNKNOWN, message, UNDECIDED.name, _limited(why, str), facts)


def _words(selector: Selector) -> str:
    given = (
        ("in", selector.file),
        ("called", selector.name),
        ("from", selector.origin),
        ("to", selector.target),
        ("of types only:", None if selector.type_only is None else str(selector.type_only).lower()),
    )
    return " ".join([selector.kind.value, *(f"{word} {value}" for word, value in given if value is not None)])


def _places(found: Sequence[Fact], side: Side) -> tuple[str, ...]:
    return _limited(found, lambda fact: _place(fact, side))


def _place(fact: Fact, side: Side) -> str:
    """Where a fact stands; of a dependency the whole way that it takes."""
    place = f"{fact.file}:{fact.line}" if fact.line else fact.file
    ends = side.way(fact) or (fact.origin or "", fact.target or "")
    if fact.origin is None:
        return f"{place} {fact.name}"
    return " -> ".join((place, *ends[1:])) if ends[0] == fact.file else f"{place} {' -> '.join(ends)}"


def _limited(things: Sequence[T], tell: Callable[[T], str]) -> tuple[str, ...]:
    """The first of some things in words; the way of a dependency is looked for only where it is shown."""
    shown = tuple(tell(one) for one in things[:_SHOWN])
    return (*shown, f"and {len(things) - _SHOWN} more") if len(things) > _SHOWN else shown
