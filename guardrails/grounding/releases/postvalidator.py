"""The post-validator of a release: every rule of envelopes, and what holds of release notes besides (Describe Changes)."""

from __future__ import annotations

from guardrails.drafts.draft import Draft
from guardrails.findings import Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import postvalidator as envelopes
from guardrails.grounding.releases import migrations, unmapped
from guardrails.redaction.redact import Guard
from guardrails.resolving.resolved import Resolved


def postvalidate(draft: Draft, citable: Citable, resolved: Resolved, guard: Guard) -> tuple[Finding, ...]:
    """Hold the envelope of a release against what was shown and resolved, and ask what its readers need besides."""
    found = envelopes.postvalidate(draft, citable, resolved, guard)
    return (*found, *(() if resolved.names_no_decision else migrations.check(draft)), *unmapped.check(draft))
