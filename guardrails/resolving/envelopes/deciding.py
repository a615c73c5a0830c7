"""The wording of a change that a reviewed decision tells: used, not rewritten (Intent Changesets 6.4, 6.5, 7.1, 8).

Title and short text are the summary, the paragraph is the rationale, and what the targets say of migration stands on the page.
A text that the contract of an envelope does not let stand there is for a drafter, who is shown the decision. Where a change
advances several decisions none of them is its wording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from guardrails.drafts import register
from guardrails.drafts.envelope_form import MIGRATION
from guardrails.drafts.sourced import Prose
from guardrails.findings import Finding, blocking
from guardrails.resolving.decisions import Decision, reviewed
from guardrails.resolving.envelopes.reading import Part

_RULES: Final[Mapping[str, Callable[[str, str], Iterator[Finding]]]] = {
    "title": register.title,
    "short_md": register.short,
    "medium_md": register.medium,
}


def decision_of(part: Part) -> Decision | None:
    """The one decision that tells a change, for the unit that is described; None where there is none, or several."""
    own = tuple(one for one in part.decisions if one.targets)
    return own[0] if len(own) == 1 and len(part.decisions) == 1 else None


def wording(decision: Decision) -> Mapping[str, Prose]:
    """What a decision gives to the texts of its change, by field: those that can stand there, and migration if it has any."""
    summary = " ".join(decision.record.summary.split())
    plain = summary[:-1] if summary.endswith(".") and not summary.endswith("..") else summary
    told = {"title": plain, "short_md": plain, "medium_md": " ".join(decision.record.rationale.split())}
    fitting = {name: text for name, text in told.items() if not blocking(tuple(_RULES[name](name, text)))}
    if decision.migration is not None:
        fitting[MIGRATION] = decision.migration
    return {name: reviewed(text, decision.item) for name, text in fitting.items()}
