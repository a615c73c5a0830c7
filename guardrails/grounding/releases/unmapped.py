"""Commits of no release unit are told in no unit's notes: a reviewer gets to hear of each (Intent Changesets 6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.drafts.draft import Draft
from guardrails.findings import Code, Finding, Severity
from guardrails.resolving.units import OF_NO_UNIT

COMMIT_OF_NO_UNIT = Code(
    name="commit-of-no-unit",
    summary="A commit of the range touches no release unit that the profile or the rules know, so no unit's notes tell it.",
    cure="Give its scope a unit in the profile, map its paths in the rules, or see that it needs no telling.",
    section="Intent Changesets 6.6",
    severity=Severity.WARNING,
)


def check(draft: Draft) -> Iterator[Finding]:
    """Tell of all such commits of a selection at once."""
    found = tuple(item for item, account in draft.coverage.items() if account == OF_NO_UNIT)
    if found:
        yield COMMIT_OF_NO_UNIT.at("", f"got {len(found)} of {len(draft.coverage)} commits without a unit", evidence=found)
