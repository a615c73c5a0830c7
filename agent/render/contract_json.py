"""What verifying or reviewing says, as the JSON of the seed (Change Contracts: results). Equal input gives equal bytes."""

from __future__ import annotations

from typing import Any

from guardrails.code_facts.model import Blind, Fact, Kind
from guardrails.contracts.assessment import LIMITS, Assessment, Check
from guardrails.contracts.inventory import EXCLUDED, Category, Change
from guardrails.contracts.observations import Observation
from guardrails.contracts.results import Ran, Result
from guardrails.contracts.verification import Read, Review, Verification

_REVIEW = "0.2"


def verification(told: Verification) -> dict[str, Any]:
    """The results, and all that they rest on. `analysis` and `observations` are there as far as clauses asked for facts."""
    return {
        "schema": "0.3" if told.schema == "0.3" else "0.2",
        "version": told.review.origin.version,
        "contractDigest": told.contract,
        "candidateContractDigest": told.candidate,
        "base": told.review.base,
        "head": told.review.head,
        "status": told.status,
        "exitCode": told.exit_code,
        "results": [_result(result, told.review) for result in told.results],
        "findings": [_finding(result) for result in told.failing],
        "assessment": _assessment(told.assessment),
        **_sides(told.review),
    }


def review(told: Review) -> dict[str, Any]:
    """What a change changes, without a contract."""
    names = {"schema": _REVIEW, "version": told.origin.version, "base": told.base, "head": told.head}
    return {**names, **_sides(told)}


def _sides(told: Review) -> dict[str, Any]:
    origin = told.origin
    commits = {"requestedBase": origin.requested_base, "base": origin.base, "head": origin.head}
    sides = dict(zip(("base", "head"), zip(told.undecodable, told.read, strict=True), strict=True))
    return {
        "comparison": {"mode": origin.mode, **({} if origin.mode == "directories" else commits)},
        "files": [_change(change) for change in told.changes],
        "coverage": {
            "unmodeledChangedFiles": [change.path for change in told.changes if _is_unmodeled(change)],
            "undecodableFiles": {name: list(files) for name, (files, _) in sides.items()},
            "excludedDirectories": sorted(EXCLUDED),
        },
        "analysis": {name: None if read is None else [_read(one) for one in read] for name, (_, read) in sides.items()},
        "observations": None if told.observations is None else [_observation(one, told) for one in told.observations],
    }


def _is_unmodeled(change: Change) -> bool:
    entry = change.after or change.before
    return entry is not None and entry.category not in {Category.SOURCE, Category.CONFIGURATION}


def _change(change: Change) -> dict[str, Any]:
    sides = {"before": change.before, "after": change.after}
    entries = {name: entry.document() for name, entry in sides.items() if entry is not None}
    return {"path": change.path, "change": change.touch.value, **entries}


def _result(result: Result, told: Review) -> dict[str, Any]:
    return {
        "id": result.id,
        "clause": result.clause.value,
        "status": result.status.value,
        "message": result.message,
        "facts": [_fact(fact, told) for fact in result.facts],
        **({"finding": result.finding} if result.finding else {}),
        **({"details": list(result.details)} if result.details else {}),
        **({"evidence": _ran(result.ran)} if result.ran is not None else {}),
    }


def _ran(ran: Ran) -> dict[str, str]:
    return {
        "artifactDigest": ran.artifact,
        "trust": "self-attested",
        "file": ran.file,
        "scenario": ran.scenario,
        **({"title": ran.title} if ran.title else {}),
        "status": ran.status,
    }


def _finding(result: Result) -> dict[str, Any]:
    details = {"details": list(result.details)} if result.details else {}
    return {"id": f"{result.id}:{result.finding}", "status": result.status.value, "message": result.message, **details}


def _assessment(told: Assessment) -> dict[str, Any]:
    return {
        **LIMITS,
        "checks": [_check(check) for check in told.checks],
        "unresolved": [{"id": name, "reason": reason} for name, reason in told.unresolved],
        "changedScenarioFiles": list(told.changed_scenarios),
        "manualReview": [{"id": one.id, "reason": one.reason.value, "what": one.what} for one in told.manual],
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "status": check.status.value,
        "basis": check.basis.value,
        "sources": [source.value for source in check.sources],
        **({"evidence": [_ran(ran) for ran in check.ran]} if check.ran else {}),
    }


def _fact(fact: Fact, told: Review) -> dict[str, Any]:
    ends = {"from": fact.origin, "to": fact.target, "typeOnly": fact.type_only}
    reader = told.reader(fact)
    return {
        "id": fact.id,
        "kind": fact.kind.value,
        "file": fact.file,
        "name": fact.name,
        **{name: end for name, end in ends.items() if end is not None},
        "fingerprint": fact.fingerprint,
        "provenance": {
            **({"provider": reader.provider, "version": reader.version} if reader is not None else {}),
            "line": fact.line,
            "stage": "test" if fact.kind is Kind.TEST_DEFINITION else "implementation",
            "trust": "static-analysis",
        },
    }


def _read(one: Read) -> dict[str, Any]:
    return {
        "provider": one.provider,
        "version": one.version,
        "kinds": [kind.value for kind in one.kinds],
        "facts": one.facts,
        "diagnostics": [_blind(blind) for blind in one.blind],
    }


def _blind(one: Blind) -> dict[str, Any]:
    return {
        "file": one.file,
        "line": one.line,
        "kinds": sorted(kind.value for kind in one.kinds),
        "reason": one.reason,
        "blocking": one.is_blocking,
    }


def _observation(one: Observation, told: Review) -> dict[str, Any]:
    before_after = {"before": one.before, "after": one.after}
    facts = {name: _fact(fact, told) for name, fact in before_after.items() if fact is not None}
    return {"change": one.touch.value, "kind": one.fact.kind.value, "id": one.fact.id, **facts}
