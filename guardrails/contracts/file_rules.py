"""Whether files that were to stay did stay (Change Contracts: schema 0.3, file rules)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from guardrails.contracts.clauses import FileRule
from guardrails.contracts.globs import matches
from guardrails.contracts.inventory import Change, Snapshot
from guardrails.contracts.results import PRESERVE_VIOLATED, Clause, Result, Status
from guardrails.findings import Code

RULE_MATCHES_NOTHING: Final = Code(
    name="rule-matches-nothing",
    summary="A rule about files names none that is there before or after the change.",
    cure="Correct the pattern; it may be mistyped.",
    section="Change Contracts, schema 0.3",
)


def check(rule: FileRule, changes: Sequence[Change], base: Snapshot, head: Snapshot) -> Result:
    """Hold the changes against one rule. A rename is a removal and an addition; a change of mode alone is one."""
    violating = [change for change in changes if rule.match.selects(change.path, change.touch)]
    if violating:
        details = tuple(f"{change.touch.value} {change.path}" for change in violating)
        message = f"files that the rule keeps as they are, and that changed: {len(violating)}"
        paths = tuple(change.path for change in violating)
        return Result(rule.id, Clause.PRESERVES, Status.DRIFT, message, PRESERVE_VIOLATED.name, details, paths=paths)
    kept = [path for path in base.entries.keys() | head.entries.keys() if matches(rule.match.path, path)]
    if not kept:
        message = f"no file fits {rule.match.path}, before or after"
        return Result(rule.id, Clause.PRESERVES, Status.UNKNOWN, message, RULE_MATCHES_NOTHING.name)
    return Result(rule.id, Clause.PRESERVES, Status.PASS, f"the files that fit stayed as they were ({len(kept)})")
