"""The post-validator: every rule over a whole draft, findings in a fixed order (Intent Changesets 11.3 to 11.7)."""

from __future__ import annotations

from collections.abc import Iterable

from guardrails.drafts.draft import Draft, Place
from guardrails.findings import Finding
from guardrails.grounding import (
    claims,
    contradictions,
    coverage,
    decided,
    identifiers,
    kept,
    language,
    leaks,
    own_words,
    polarity,
    saying,
    statements,
)
from guardrails.grounding.changesets import decisions, prose, provenance, reverting
from guardrails.grounding.citable import Citable
from guardrails.redaction.redact import Guard
from guardrails.resolving.resolved import Resolved


def postvalidate(draft: Draft, citable: Citable, resolved: Resolved, guard: Guard) -> tuple[Finding, ...]:
    """Hold `draft` against what was shown and what was resolved; each finding once, by field, code and message."""
    return in_order(draft, (*common(draft, citable, resolved, guard), *decisions.check(draft, citable, resolved)))


def common(draft: Draft, citable: Citable, resolved: Resolved, guard: Guard) -> tuple[Finding, ...]:
    """What every record that tells decisions is held against.

    A draft that someone else wrote has no coverage of its own: it is held against that of `resolved`.
    """
    told = statements.statements(draft.prose, citable)
    return (
        *statements.check(told, citable),
        *identifiers.check(told, citable),
        *claims.check(told, citable),
        *polarity.check(told, citable),
        *own_words.check(draft, citable),
        *saying.check(draft, citable),
        *kept.check(draft, citable),
        *language.check(draft, citable),
        *decided.check(draft, citable),
        *prose.check(draft),
        *reverting.check(draft, citable),
        *provenance.check(draft, citable),
        *contradictions.check(draft, citable, resolved),
        *coverage.check(draft.coverage or resolved.coverage, told, citable),
        *leaks.check(draft, guard),
        *resolved.warnings,
    )


def in_order(draft: Draft, found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, by field, code and message."""

    def order(finding: Finding) -> tuple[Place, str, str]:
        return draft.form.order(finding.where), finding.code, finding.message

    return tuple(sorted(dict.fromkeys(found), key=order))
