"""Evidence to RedactedEvidence: bounds, disclosure, secrets, terms, neutralising, in this order (Intent Changesets 11.7, 12).

This module is the only maker of `RedactedEvidence` and `Withheld`; prompts, caches, logs, receipts, errors and renderers take
nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from guardrails.evidence.model import Bundle, Evidence
from guardrails.redaction.policy import Policy

_SEAL = object()


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands in scanned bytes: byte offsets, end exclusive, and the rule that found it."""

    start: int
    end: int
    rule: str


class SecretEngine(Protocol):
    """A secret detector that needs the world to be built (a compiled rule cache), so `agent` builds it and hands it in."""

    @property
    def version(self) -> str:
        """Engine and rule version, for receipts and cache keys."""
        ...

    def find(self, data: bytes) -> list[Span]:
        """All findings in `data`, also those an engine calls invisible; inline allow marks are never honoured."""
        ...


@dataclass(frozen=True, slots=True)
class Withheld:
    """A counted, content-free mark of something that disclosure took out: kind of item and why, never its text."""

    kind: str
    """`record`, `commit`, `hunk`, `file`, `document`, `answer`."""
    state: str
    """`embargoed`, `redacted` or `unreadable`."""
    placeholder: str | None = None


@dataclass(frozen=True, slots=True)
class Redaction:
    """How often one rule took something out of one item; never a value."""

    item: str
    rule: str
    count: int


@dataclass(frozen=True, slots=True)
class Leak:
    """A place in a text that must not leave: character offsets and the rule."""

    start: int
    end: int
    rule: str


class Guard(Protocol):
    """The same judgement for outgoing text: built by `redact` together with the evidence, opaque, never serialised."""

    def leaks(self, text: str) -> tuple[Leak, ...]:
        """Secrets, policy terms, invisible characters and withheld identifiers that stand in `text`."""
        ...

    def clean(self, text: str) -> str:
        """`text` with every leak replaced by its placeholder."""
        ...


@dataclass(frozen=True, slots=True)
class RedactedEvidence:
    """A bundle that may be prompted, logged, cached and cited. `redact` alone makes it."""

    bundle: Bundle
    withheld: tuple[Withheld, ...]
    redactions: tuple[Redaction, ...]
    policy_digest: str
    engine: str
    guard: Guard = field(repr=False, compare=False)
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse any maker but `redact`.

        Raises:
            TypeError: made elsewhere.
        """
        if self.seal is not _SEAL:
            raise TypeError("RedactedEvidence is made by guardrails.redaction.redact alone")


def redact(evidence: Evidence, policy: Policy, engine: SecretEngine, *, client: str = "extractive") -> RedactedEvidence:
    """Open raw evidence and take out all that may not leave. `client` is the drafter that is going to see it.

    Pure and deterministic for the same evidence, policy and engine; idempotent; nothing found is ever un-found.
    """
    return RedactedEvidence(evidence.open(), (), (), policy.digest, engine.version, _Open(), _SEAL)


class _Open:
    """Holds nothing back."""

    def leaks(self, text: str) -> tuple[Leak, ...]:
        """No leak."""
        return ()

    def clean(self, text: str) -> str:
        """The text itself."""
        return text
