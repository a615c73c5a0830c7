"""What is not kept of a contract, as SARIF 2.1.0 (Change Contracts: results)."""

from __future__ import annotations

from typing import Any, Final

from agent.render.contract_places import Place, places
from guardrails.contracts.evaluate import CODES
from guardrails.contracts.results import Result, Status
from guardrails.contracts.verification import Verification

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def verification(told: Verification) -> dict[str, Any]:
    """One result for each place of each finding; what has no place stands at the contract."""
    names = dict.fromkeys(result.finding for result in told.failing)
    rules = [_rule(name) for name in names]
    found = [
        _result(result, place, list(names).index(result.finding))
        for result in told.failing
        for place in places(result, told.name)
    ]
    ended = {"executionSuccessful": True, "exitCode": told.exit_code}
    return _log({"version": told.review.origin.version, "rules": rules}, found, ended)


def error(version: str, said: str, code: int) -> dict[str, Any]:
    """Nothing was verified: `said` is where, why, and what to do."""
    notice = {"level": "error", "message": {"text": f"ERROR {said}"}}
    ended = {"executionSuccessful": False, "exitCode": code, "toolExecutionNotifications": [notice]}
    return _log({"version": version}, [], ended)


def _log(driver: dict[str, Any], results: list[dict[str, Any]], ended: dict[str, Any]) -> dict[str, Any]:
    run = {"tool": {"driver": {"name": "evidraft", **driver}}, "invocations": [ended], "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str) -> dict[str, Any]:
    code = CODES[name]
    return {"id": name, "shortDescription": {"text": code.summary}, "help": {"text": code.cure}}


def _result(result: Result, place: Place | None, rule: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ruleId": result.finding,
        "ruleIndex": rule,
        "level": "warning" if result.status is Status.UNKNOWN else "error",
        "message": {"text": f"{result.status.value} {result.id}: {result.message}"},
    }
    if place is not None:
        region = {"region": {"startLine": place.line}} if place.line else {}
        told["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": place.uri}, **region}}]
    return told
