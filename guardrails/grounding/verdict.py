"""The outcome of a draft: Accepted, NeedsInput or Rejected. An outcome, never an exception (evidraft design 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from guardrails.drafts.changeset import ChangesetDraft
from guardrails.drafts.questions import Unresolved
from guardrails.findings import Finding


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that every check let through; `warnings` are for the reviewer. Exit 0."""

    draft: ChangesetDraft
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class NeedsInput:
    """What a person must settle, and what is resolved so far (`partial`). Exit 3."""

    unresolved: tuple[Unresolved, ...]
    contradictions: tuple[Finding, ...]
    partial: ChangesetDraft
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A draft in which nothing trustworthy is left, or that a person cannot cure by an answer. Exit 1."""

    findings: tuple[Finding, ...]


Verdict: TypeAlias = Accepted | NeedsInput | Rejected
