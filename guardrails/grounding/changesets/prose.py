"""Wording rules for the prose of a changeset: what a text says of itself, without evidence (Intent Changesets 6.4 to 6.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from guardrails.drafts.draft import Draft
from guardrails.drafts.register import PLACEHOLDER_TEXT
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.guidance import is_actionable
from guardrails.grounding.reason import gives_reason, repeats
from guardrails.records.changeset import RATIONALE_REPEATS_SUMMARY
from guardrails.wording.activity import is_activity
from guardrails.wording.placeholders import is_placeholder

SUMMARY_LENGTH = 140

SUMMARY_ACTIVITY = Code(
    name="summary-activity",
    summary="The summary tells only what was done to the code.",
    cure="Say what a consumer notices: what works, changes, appears or is gone.",
    section="Intent Changesets 6.4",
)
SUMMARY_TOO_LONG = Code(
    name="summary-too-long",
    summary=f"The summary is longer than {SUMMARY_LENGTH} characters, too long to start a changelog entry with.",
    cure="Keep the result in the summary and move the why to the rationale.",
    section="Intent Changesets 6.4",
    severity=Severity.WARNING,
)
RATIONALE_WITHOUT_REASON = Code(
    name="rationale-without-reason",
    summary="No reason was recognised in the rationale: no cause, purpose or problem.",
    cure="Check that the rationale explains why; a reason in other words may stand.",
    section="Intent Changesets 6.5",
    severity=Severity.WARNING,
)
MIGRATION_NOT_ACTIONABLE = Code(
    name="migration-not-actionable",
    summary="The migration guidance tells nobody what to do.",
    cure="Say which steps a consumer takes, or use null when there is none.",
    section="Intent Changesets 6.6",
)


def check(draft: Draft) -> tuple[Finding, ...]:
    """All wording findings of a draft, in the order of its fields. Absent fields are another rule's matter."""
    return tuple(finding for where, prose in draft.prose.items() for finding in _field(where, prose.text, draft))


def _field(where: str, text: str, draft: Draft) -> Iterator[Finding]:
    rule = next((rule for pattern, rule in _RULES if pattern.fullmatch(where)), None)
    if rule is None:
        return
    if is_placeholder(text):
        yield PLACEHOLDER_TEXT.at(where, "got a placeholder, expected text")
    else:
        yield from rule(where, text, draft)


def _summary(where: str, text: str, _draft: Draft) -> Iterator[Finding]:
    if is_activity(text):
        yield SUMMARY_ACTIVITY.at(where, "got an activity, expected a result that consumers notice")
    if len(text) > SUMMARY_LENGTH:
        yield SUMMARY_TOO_LONG.at(where, f"got {len(text)} characters, expected at most {SUMMARY_LENGTH}")


def _rationale(where: str, text: str, draft: Draft) -> Iterator[Finding]:
    summary = draft.prose.get("summary")
    if summary is not None and repeats(summary.text, text):
        yield RATIONALE_REPEATS_SUMMARY.at(where, "got the summary again, expected a reason")
    elif not gives_reason(text):
        yield RATIONALE_WITHOUT_REASON.at(where, "got no recognisable reason, expected a cause, a purpose or a problem")


def _migration(where: str, text: str, _draft: Draft) -> Iterator[Finding]:
    if not is_actionable(text):
        yield MIGRATION_NOT_ACTIONABLE.at(where, "got no step to take, expected guidance or null")


_RULES: tuple[tuple[re.Pattern[str], Callable[[str, str, Draft], Iterator[Finding]]], ...] = (
    (re.compile("summary"), _summary),
    (re.compile("rationale"), _rationale),
    (re.compile(r"targets\[\d+\]\.migration"), _migration),
)
