"""The work of `evidraft changelog`: reading, judging and writing one ledger (Intent Changesets 7.1, 8 and 9)."""

from __future__ import annotations

from pathlib import Path

from agent.commands.checking import load_profile, read_operand
from agent.commands.printing import emit_findings
from guardrails.findings import Finding, blocking
from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog
from guardrails.records.profile import Profile


def check_ledger(data: bytes, profile: Profile | None) -> tuple[Finding, ...]:
    """All findings on one ledger: its form, its own rules and, with a profile, the project's policy."""
    ledger = changelog.read(data)
    return changelog_rules.validate(ledger, profile) if isinstance(ledger, Changelog) else ledger


def check_file(file: str, profile: Path | None, *, as_json: bool) -> int:
    """Check one ledger file and print the result; returns the exit code.

    A profile that cannot be used is told only where the ledger is right by itself.

    Raises:
        Failure: the file or the profile cannot be read or used.
    """
    name, data = read_operand(file)
    found = check_ledger(data, None)
    if profile is not None and not blocking(found):
        found = check_ledger(data, load_profile(profile))
    emit_findings(found, name=name, as_json=as_json, valid=f"{name}: valid Intent Changelog record")
    return 1 if blocking(found) else 0
