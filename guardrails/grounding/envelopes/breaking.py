"""A text that calls its change breaking stands beside the kind breaking (Describe Changes: kind)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import changes
from guardrails.evidence.code_spans import without_code
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.contradictions import says_breaking
from guardrails.grounding.statements import Statement

BREAKING_BESIDE_KIND = Code(
    name="breaking-beside-kind",
    summary="A text calls the change breaking, and its kind is another.",
    cure="Correct the kind or the wording; the two must not disagree.",
    section="Describe Changes: kind",
    contradicts=True,
)

_BREAKING: Final = "breaking"


def check(told: tuple[Statement, ...], draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Hold sentences of one's own that say breaking against the kinds; words copied from evidence may be about anything."""
    kinds = {path: draft.get(f"{path}.kind") for path in changes(draft)}
    for statement in told:
        part = draft.form.part(statement.where)
        own = [kinds[part]] if part in kinds else list(kinds.values())
        if _BREAKING in own or None in own or not says_breaking(without_code(statement.text)):
            continue
        if not citable.copies(statement.text, statement.evidence):
            message = f"got a breaking change, and the kind is {', '.join(sorted(set(map(str, own))))}"
            yield BREAKING_BESIDE_KIND.at(statement.where, message, evidence=statement.evidence)
