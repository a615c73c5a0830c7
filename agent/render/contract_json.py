"""What verifying a contract says, as the JSON of the seed (Change Contracts: results). Equal input gives equal bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.render.json_text import json_text
from guardrails.code_facts.model import Blind, Fact, Kind
from guardrails.contracts.coverage import Side
from guardrails.contracts.evaluate import Compared
from guardrails.contracts.inventory import EXCLUDED, Category, Change
from guardrails.contracts.observations import Observation, observe
from guardrails.contracts.results import Result
from guardrails.contracts.verification import Origin, Verification

_REVIEW = "0.2"


def text(verification: Verification) -> str:
    """The document as text, ending in a line break."""
    return json_text(document(verification))


def document(verification: Verification) -> dict[str, Any]:
    """The results, and all that they rest on. `analysis` and `observations` are there as far as clauses asked for facts."""
    contracts, compared, evaluation = verification.contracts, verification.compared, verification.evaluation
    sides = (evaluation.base, evaluation.head)
    return {
        "schema": "0.3" if contracts.effective.schema == "0.3" else "0.2",
        "version": verification.version,
        "contractDigest": contracts.effective.digest,
        "candidateContractDigest": contracts.candidate.digest,
        "base": compared.base.identity,
        "head": compared.head.identity,
        "status": verification.status,
        "exitCode": verification.exit_code,
        "results": [_result(result, sides) for result in verification.results],
        "findings": [_finding(result) for result in verification.failing],
        **_sides(verification.origin, compared),
        "analysis": _analysis(sides),
        "observations": _observations(*sides),
    }


def review(version: str, origin: Origin, compared: Compared, base: Side, head: Side) -> dict[str, Any]:
    """What a change changes, without a contract."""
    return {
        "schema": _REVIEW,
        "version": version,
        "base": compared.base.identity,
        "head": compared.head.identity,
        **_sides(origin, compared),
        "analysis": _analysis((base, head)),
        "observations": _observations(base, head),
    }


def _sides(origin: Origin, compared: Compared) -> dict[str, Any]:
    commits = {"requestedBase": origin.requested_base, "base": origin.base, "head": origin.head}
    return {
        "comparison": {"mode": origin.mode, **({} if origin.mode == "directories" else commits)},
        "files": [_change(change) for change in compared.changes],
        "coverage": {
            "unmodeledChangedFiles": [change.path for change in compared.changes if _is_unmodeled(change)],
            "undecodableFiles": {"base": sorted(compared.base.undecodable), "head": sorted(compared.head.undecodable)},
            "excludedDirectories": sorted(EXCLUDED),
        },
    }


def _is_unmodeled(change: Change) -> bool:
    entry = change.after or change.before
    return entry is not None and entry.category not in {Category.SOURCE, Category.CONFIGURATION}


def _change(change: Change) -> dict[str, Any]:
    sides = {"before": change.before, "after": change.after}
    entries = {name: entry.document() for name, entry in sides.items() if entry is not None}
    return {"path": change.path, "change": change.touch.value, **entries}


def _result(result: Result, sides: Iterable[Side | None]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": result.id,
        "clause": result.clause.value,
        "status": result.status.value,
        "message": result.message,
        "facts": [_fact(fact, sides) for fact in result.facts],
    }
    if result.finding:
        told["finding"] = result.finding
    if result.details:
        told["details"] = list(result.details)
    if result.ran is not None:
        ran = result.ran
        told["evidence"] = {
            "artifactDigest": ran.artifact,
            "trust": "self-attested",
            "file": ran.file,
            "scenario": ran.scenario,
            **({"title": ran.title} if ran.title else {}),
            "status": ran.status,
        }
    return told


def _finding(result: Result) -> dict[str, Any]:
    details = {"details": list(result.details)} if result.details else {}
    return {"id": f"{result.id}:{result.finding}", "status": result.status.value, "message": result.message, **details}


def _fact(fact: Fact, sides: Iterable[Side | None]) -> dict[str, Any]:
    ends = {"from": fact.origin, "to": fact.target, "typeOnly": fact.type_only}
    return {
        "id": fact.id,
        "kind": fact.kind.value,
        "file": fact.file,
        "name": fact.name,
        **{name: end for name, end in ends.items() if end is not None},
        "fingerprint": fact.fingerprint,
        "provenance": {
            **_reader(fact, sides),
            "line": fact.line,
            "stage": "test" if fact.kind is Kind.TEST_DEFINITION else "implementation",
            "trust": "static-analysis",
        },
    }


def _reader(fact: Fact, sides: Iterable[Side | None]) -> dict[str, str]:
    readers = (provider for side in sides if side is not None for provider, _ in side.readings)
    reader = next((reader for reader in readers if fact.file.endswith(reader.suffixes)), None)
    return {"provider": reader.name, "version": reader.version} if reader is not None else {}


def _analysis(sides: tuple[Side | None, Side | None]) -> dict[str, Any]:
    return {name: None if side is None else _side(side) for name, side in zip(("base", "head"), sides, strict=True)}


def _side(side: Side) -> list[dict[str, Any]]:
    return [
        {
            "provider": provider.name,
            "version": provider.version,
            "kinds": sorted(kind.value for kind in provider.kinds),
            "facts": len(reading.facts),
            "diagnostics": [_blind(one) for one in reading.blind],
        }
        for provider, reading in side.readings
    ]


def _blind(one: Blind) -> dict[str, Any]:
    return {
        "file": one.file,
        "line": one.line,
        "kinds": sorted(kind.value for kind in one.kinds),
        "reason": one.reason,
        "blocking": one.is_blocking,
    }


def _observations(base: Side | None, head: Side | None) -> list[dict[str, Any]] | None:
    if base is None or head is None:
        return None
    return [_observation(one, (base, head)) for one in observe(_facts(base), _facts(head))]


def _facts(side: Side) -> Iterable[Fact]:
    return (fact for _, reading in side.readings for fact in reading.facts)


def _observation(one: Observation, sides: Iterable[Side]) -> dict[str, Any]:
    before_after = {"before": one.before, "after": one.after}
    facts = {name: _fact(fact, sides) for name, fact in before_after.items() if fact is not None}
    return {"change": one.touch.value, "kind": one.fact.kind.value, "id": one.fact.id, **facts}
