"""What is not kept of a contract, as SARIF 2.1.0 (Change Contracts: results)."""

from __future__ import annotations

from typing import Any, Final

from agent.render.contract_places import Place, places
from agent.render.json_text import json_text
from guardrails.contracts.evaluate import CODES
from guardrails.contracts.results import Result, Status
from guardrails.contracts.verification import Verification

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def text(verification: Verification) -> str:
    """The document as text, ending in a line break."""
    return json_text(document(verification))


def document(verification: Verification) -> dict[str, Any]:
    """One result for each place of each finding; what has no place stands at the contract."""
    names = dict.fromkeys(result.finding for result in verification.failing)
    rules = [_rule(name) for name in names]
    found = [
        _result(result, place, list(names).index(result.finding))
        for result in verification.failing
        for place in places(result, verification.name)
    ]
    driver = {"name": "evidraft", "version": verification.version, "rules": rules}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}


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
