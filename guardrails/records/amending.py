"""Amending a released ledger: a correction is added, and what was released stays as it was (Intent Changelog 1.0.0)."""

from __future__ import annotations

from typing import Final

from guardrails.findings import Code, Finding, blocking
from guardrails.records import changelog_rules
from guardrails.records.changelog import Amendment, Changelog
from guardrails.records.publishing import changed

NOT_RELEASED: Final = Code(
    name="not-released",
    summary="The ledger that is to be amended is not released.",
    cure="Edit its entry: what is not released needs no amendment.",
    section="Intent Changelog 1.0.0",
)


def amend(ledger: Changelog, amendment: Amendment) -> bytes | tuple[Finding, ...]:
    """The bytes of a released ledger with one more amendment and every other byte kept; or why it cannot be amended."""
    found = blocking(changelog_rules.validate(ledger))
    if ledger.date is None:
        line = ledger.document.line(("date",))
        found += (NOT_RELEASED.at("date", "got null, expected the date of a released ledger", line=line),)
    told = {
        "id": amendment.id,
        "date": amendment.date,
        "summary": amendment.summary,
        "provenance": {kind: list(references) for kind, references in amendment.provenance.items()},
    }
    return found or changed(ledger, ("amendments", len(ledger.amendments)), told)
