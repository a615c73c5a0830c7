"""Whether the contract is the one that was reviewed (Change Contracts: intent and scope)."""

from __future__ import annotations

from typing import Final

from guardrails.contracts.results import Clause, Result, Status
from guardrails.contracts.schema import Contract
from guardrails.findings import Code

INTENT_NOT_APPROVED: Final = Code(
    name="intent-not-approved",
    summary="No approved contract was given, so nobody can tell whether this one was reviewed.",
    cure="Give the reviewed contract with --approved-contract, from a place that the change cannot edit.",
    section="Change Contracts, intent and scope",
)
INTENT_CHANGED: Final = Code(
    name="intent-changed",
    summary="The contract says something else than the approved one.",
    cure="Have the new contract approved, or take back what was changed in it.",
    section="Change Contracts, intent and scope",
)


def check(candidate: Contract, approved: Contract | None) -> Result | None:
    """Hold the contract of a change against the reviewed one; None where schema 0.1 asks for none."""
    if approved is None:
        if candidate.schema == "0.1":
            return None
        message = "no approved contract was given"
        return Result("$intent", Clause.INTENT, Status.UNKNOWN, message, INTENT_NOT_APPROVED.name)
    if candidate.digest != approved.digest:
        details = (f"approved {approved.digest}", f"got {candidate.digest}")
        message = "the contract is not the one that was approved; the approved one decides"
        return Result("$intent", Clause.INTENT, Status.DRIFT, message, INTENT_CHANGED.name, details)
    return Result("$intent", Clause.INTENT, Status.PASS, "the contract is the approved one")
