"""Whether a change stayed where it was agreed to be (Change Contracts: intent and scope, schema 0.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from guardrails.contracts.globs import fits
from guardrails.contracts.inventory import Change
from guardrails.contracts.results import Clause, Result, Status
from guardrails.contracts.schema import Contract
from guardrails.findings import Code

OUT_OF_SCOPE: Final = Code(
    name="out-of-scope",
    summary="A changed path is none of those that the contract allows.",
    cure="Take the change of that path back, or have a contract approved that allows it.",
    section="Change Contracts, intent and scope",
)


def check(contract: Contract, changes: Sequence[Change]) -> Result | None:
    """Hold every changed path against what is allowed; None where the contract has no scope."""
    if contract.scope is None:
        return None
    allowed = (*contract.scope, *contract.companions, *(glob for claim in contract.claims for glob in claim.files))
    outside = [change for change in changes if not fits(allowed, change.path)]
    if not outside:
        return Result("$scope", Clause.SCOPE, Status.PASS, f"all changed paths are allowed ({len(changes)})")
    is_older = contract.dependencies is None
    details = tuple(change.path if is_older else f"{change.touch.value} {change.path}" for change in outside)
    message = f"changed paths that are not allowed: {len(outside)} of {len(changes)}"
    return Result(
        "$scope",
        Clause.SCOPE,
        Status.DRIFT,
        message,
        OUT_OF_SCOPE.name,
        details,
        paths=tuple(change.path for change in outside),
    )
