"""Every selected commit is in the decision or accounted for; nothing leans on one that is not (Intent Changesets 11.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.statements import Statement
from guardrails.resolving.coverage import DECISION, MERGE

COMMIT_UNACCOUNTED = Code(
    name="commit-unaccounted",
    summary="A selected commit is neither in the decision nor accounted for.",
    cure="Say which commits the decision covers, and why the others have no part in it.",
    section="Intent Changesets 11.1",
)
COMMIT_NOT_SELECTED = Code(
    name="commit-not-selected",
    summary="The draft accounts for a commit that was not selected.",
    cure="Cover the selected commits only.",
    section="Intent Changesets 11.1",
)
CITES_EXCLUDED_COMMIT = Code(
    name="cites-excluded-commit",
    summary="A sentence leans only on commits that have no part in the decision.",
    cure="Cite the commits of the decision; a reverted change is not in effect.",
    section="Intent Changesets 11.3",
)


def check(coverage: Mapping[str, str], told: tuple[Statement, ...], citable: Citable) -> tuple[Finding, ...]:
    """Hold `coverage` (commit id to "decision" or a reason) against the selection, and statements against coverage."""
    return check_parts(coverage, frozenset({DECISION}), told, citable)


def check_parts(
    coverage: Mapping[str, str], parts: frozenset[str], told: tuple[Statement, ...], citable: Citable
) -> tuple[Finding, ...]:
    """The same where a commit may have several `parts`, joined by ", "; any other account is a reason why it has none."""
    selected = frozenset(citable.selected)
    return (
        *(
            COMMIT_UNACCOUNTED.at("", f"got no account of {item_id}, expected its part or a reason", evidence=(item_id,))
            for item_id in citable.selected
            if not coverage.get(item_id, "").strip()
        ),
        *(
            COMMIT_NOT_SELECTED.at("", f"got {item_id[:20]}, expected the id of a selected commit")
            for item_id in coverage
            if item_id not in selected
        ),
        *_leaning_on(_without_part(coverage, parts, citable), told),
    )


def _leaning_on(excluded: frozenset[str], told: tuple[Statement, ...]) -> Iterator[Finding]:
    for statement in told:
        if statement.evidence and excluded.issuperset(statement.evidence):
            message = f"got {', '.join(statement.evidence[:5])}, which has no part in the decision"
            yield CITES_EXCLUDED_COMMIT.at(statement.where, message, evidence=statement.evidence)


def _without_part(coverage: Mapping[str, str], parts: frozenset[str], citable: Citable) -> frozenset[str]:
    """Selected commits with no part in what is told. A bare merge changes nothing, but may carry the words of its request."""
    in_one = parts | {MERGE}
    return frozenset(one for one in citable.selected if one in coverage and in_one.isdisjoint(coverage[one].split(", ")))
