"""What a check says: a code, a place, a message. Every code is declared once, where its rule stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What a finding does to the outcome."""

    ERROR = "error"
    NEEDS_INPUT = "needs-input"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault in content. `where` is a field path as written in the record (`targets[0].impact`), "" for the whole.

    `line` is the 1-based line in the text that was read, where there is one. A message never quotes withheld text.
    """

    code: str
    where: str
    message: str
    severity: Severity = Severity.ERROR
    evidence: tuple[str, ...] = ()
    line: int | None = None
    contradicts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """The declaration of a finding code: what `evidraft explain` prints, and the only maker of its findings."""

    name: str
    """kebab-case; never changes meaning."""
    summary: str
    """What is wrong when it is raised, in one sentence."""
    cure: str
    """What a person does about it, in one sentence."""
    section: str
    """Where the rule comes from: "Intent Changesets 6.6", "evidraft"."""
    severity: Severity = Severity.ERROR
    contradicts: bool = False
    """Whether it tells that sources disagree: neither wins, a person says which is right."""

    def at(
        self,
        where: str,
        message: str,
        *,
        evidence: tuple[str, ...] = (),
        line: int | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """Make a finding of this code at `where`; `message` says got, expected."""
        return Finding(self.name, where, message, severity or self.severity, evidence, line, self.contradicts)


def blocking(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings that refuse a record or draft: all but the warnings."""
    return tuple(finding for finding in findings if finding.severity is not Severity.WARNING)
