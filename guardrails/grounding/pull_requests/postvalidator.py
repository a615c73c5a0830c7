"""The post-validator of a request: every rule over a whole draft, findings in a fixed order (Intent Changesets 11)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.findings import Finding, Severity
from guardrails.grounding.changesets import decisions
from guardrails.grounding.changesets.postvalidator import common, in_order
from guardrails.grounding.changesets.prose import MIGRATION_NOT_ACTIONABLE, SUMMARY_ACTIVITY
from guardrails.grounding.citable import Citable
from guardrails.grounding.pull_requests import verifying, whole
from guardrails.redaction.redact import Guard
from guardrails.resolving.resolved import Resolved

_OF_WORDING: Final = frozenset((SUMMARY_ACTIVITY.name, MIGRATION_NOT_ACTIONABLE.name))
_REQUIRED: Final = (
    "id",
    "title.type",
    "title.description",
    "state",
    "summary",
    "rationale",
    "approach",
    "trade-offs",
    "targets",
    "risks",
    "rollout",
    "rollback",
    "verification",
    "provenance",
    "disclosure.state",
    "base-revision",
    "evidence-revision",
)
_REQUIRED_OF_TARGET: Final = ("release-unit", "stream", "impact", "migration")


def postvalidate(draft: Draft, citable: Citable, resolved: Resolved, guard: Guard) -> tuple[Finding, ...]:
    """Hold `draft` against what was shown and what was resolved; each finding once, by field, code and message.

    The wording of a reviewed decision is used as it stands: what rules of wording find in it is for the reviewer.
    """
    judged = (_told(one, resolved) for one in common(draft, citable, resolved, guard))
    found = (
        *judged,
        *resolved.warnings,
        *decisions.check(draft, citable, resolved, _REQUIRED, _REQUIRED_OF_TARGET),
        *verifying.check(draft, citable),
        *whole.check(draft, citable, resolved),
    )
    return in_order(draft, found)


def _told(finding: Finding, resolved: Resolved) -> Finding:
    reviewed = resolved.prose.get(finding.where)
    is_reviewed = reviewed is not None and reviewed.basis is Basis.EVIDENCE
    return replace(finding, severity=Severity.WARNING) if is_reviewed and finding.code in _OF_WORDING else finding
