"""Whether what is claimed was done, and is shown (Change Contracts: schema 0.3, claims)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from guardrails.contracts.clauses import Claim, ManualItem, TestItem
from guardrails.contracts.globs import fits
from guardrails.contracts.inventory import Change
from guardrails.contracts.results import EVIDENCE_MISSING, UNDECIDED, Clause, Result, Shown, Status
from guardrails.findings import Code

CLAIM_NOT_IMPLEMENTED: Final = Code(
    name="claim-not-implemented",
    summary="None of the files of a claim was changed.",
    cure="Do what is claimed, or correct the files of the claim.",
    section="Change Contracts, schema 0.3",
)
CLAIM_WITHOUT_EVIDENCE: Final = Code(
    name="claim-without-evidence",
    summary="A claim names nothing that shows it.",
    cure="Name a test, or what a person looked at.",
    section="Change Contracts, schema 0.3",
)
MANUAL_EVIDENCE_ONLY: Final = Code(
    name="manual-evidence-only",
    summary="A claim is shown by a person's note alone, which proves nothing by itself.",
    cure="Look at it yourself, or name a test.",
    section="Change Contracts, schema 0.3",
)


def check(claim: Claim, changes: Sequence[Change], show: Callable[[TestItem], Shown]) -> Result:
    """Hold one claim against the changes and its evidence; `show` says how a test stands. Its text is not read."""
    is_done = not claim.files or any(fits(claim.files, change.path) for change in changes)
    shown = [None if isinstance(item, ManualItem) else show(item) for item in claim.evidence]
    tests = [one for one in shown if one is not None]
    details = [f"no changed path fits {', '.join(claim.files)}"] if not is_done else []
    for item, one in zip(claim.evidence, shown, strict=True):
        if isinstance(item, ManualItem):
            details.append(f"manual: {item.note}")
        elif one is not None:
            details.append(f"{one.status.value.lower()}: {one.message}")
    status, message, finding = _stands(claim, [one.status for one in tests], is_done=is_done)
    return Result(claim.id, Clause.CLAIM, status, message, finding, tuple(details), tests=tuple(tests))


def _stands(claim: Claim, tests: list[Status], *, is_done: bool) -> tuple[Status, str, str]:
    """What the claim comes to: the first that is wrong counts."""
    if not is_done:
        return Status.INCOMPLETE, "none of its files was changed", CLAIM_NOT_IMPLEMENTED.name
    if not claim.evidence:
        return Status.INCOMPLETE, "nothing is named that shows it", CLAIM_WITHOUT_EVIDENCE.name
    if Status.INCOMPLETE in tests:
        return Status.INCOMPLETE, "a test that should show it is not there or did not pass", EVIDENCE_MISSING.name
    if Status.UNKNOWN in tests:
        return Status.UNKNOWN, "nobody can tell whether a test shows it", UNDECIDED.name
    if not tests:
        return Status.UNKNOWN, "only a person's note is named, which proves nothing by itself", MANUAL_EVIDENCE_ONLY.name
    return Status.PASS, "its files were changed, and its tests show it" if claim.files else "its tests show it", ""
