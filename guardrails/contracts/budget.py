"""Whether a change is as small as was agreed (Change Contracts: schema 0.3, budget)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from guardrails.contracts.distance import changed
from guardrails.contracts.inventory import Change, Snapshot
from guardrails.contracts.results import UNDECIDED, Clause, Result, Status
from guardrails.contracts.schema import Contract
from guardrails.findings import Code

OVER_BUDGET: Final = Code(
    name="over-budget",
    summary="The change touches more files, or more lines, than the contract allows.",
    cure="Make the change smaller, or have a larger budget approved.",
    section="Change Contracts, schema 0.3",
)


def check(contract: Contract, changes: Sequence[Change], base: Snapshot, head: Snapshot) -> Result | None:
    """Hold the size of a change against the budget; None where the contract has none.

    A file without a text counts no lines. Where one should have a text and cannot be decoded, nobody can tell.
    """
    budget = contract.budget
    if budget is None:
        return None
    counts = [("files", len(changes), budget.files)]
    unread: tuple[str, ...] = ()
    if budget.lines is not None:
        counts.append(("lines", sum(counted(change, base, head) for change in changes), budget.lines))
        unread = tuple(change.path for change in changes if change.path in base.undecodable | head.undecodable)
    details = tuple(f"{name}: {count} of {limit}" for name, count, limit in counts if limit is not None and count > limit)
    if details:
        message = f"the change is larger than agreed: {', '.join(details)}"
        return Result("$budget", Clause.BUDGET, Status.DRIFT, message, OVER_BUDGET.name, details)
    if unread:
        message = "lines cannot be counted in files that are no UTF-8 text"
        return Result("$budget", Clause.BUDGET, Status.UNKNOWN, message, UNDECIDED.name, unread, paths=unread)
    said = ", ".join(f"{name}: {count} of {limit}" for name, count, limit in counts if limit is not None)
    return Result("$budget", Clause.BUDGET, Status.PASS, f"within budget: {said}")


def counted(change: Change, base: Snapshot, head: Snapshot) -> int:
    """The lines of one path that were added or removed; a side without a text has none."""
    before, after = base.texts.get(change.path, ""), head.texts.get(change.path, "")
    return 0 if before == after else changed(before, after)
