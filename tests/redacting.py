"""Redacted evidence for the tests of later stages, made by the redactor itself with an engine that finds nothing."""

from __future__ import annotations

from guardrails.evidence.model import Bundle, Evidence
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import RedactedEvidence, redact
from guardrails.redaction.secrets import SecretEngine, Span

KEEP_PEOPLE = Policy(keep_people=True)


class BlindEngine:
    """A secret engine that finds nothing: pure and instant."""

    version = "blind"

    def find(self, data: bytes) -> list[Span]:
        """No finding."""
        return []


def redacted(
    bundle: Bundle,
    policy: Policy = KEEP_PEOPLE,
    *,
    engine: SecretEngine | None = None,
    client: str = "extractive",
) -> RedactedEvidence:
    """`bundle` as a drafter would get it; people are kept unless `policy` says otherwise."""
    return redact(Evidence(bundle), policy, engine or BlindEngine(), client=client)
