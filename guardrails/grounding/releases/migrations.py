"""A breaking change of a release tells what its users must do, or a person is asked (Intent Changesets 6.6; Describe Changes).

The contract of an envelope has no field for migration: guidance stands under its heading on the page, or in another text. Notes
are all that many users read, so a breaking change that tells nobody what to do is not whole. No drafter is asked again for it:
guidance that no evidence holds would be made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import MIGRATION, changes
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.envelopes.pages import passages
from guardrails.wording.words import folded, phrases

MIGRATION_UNTOLD = Code(
    name="migration-untold",
    summary="A breaking change of a release tells nobody what to do.",
    cure="Say what those who use it must do, or null where there is nothing to do.",
    section="Intent Changesets 6.6",
    severity=Severity.NEEDS_INPUT,
)
_TEXTS: Final = ("short_md", "medium_md", "detail_md")
_GUIDES: Final = phrases(
    r"must|ha(?:s|ve) to|needs? to|should|instead|requires?|minimum|make sure|migrat\w*|upgrad\w*|do not|don['’]t",
    r"(?:replace|rename|move|change|switch) \S+(?: \S+){0,8} (?:to|with|by)",
)
"""What guides somebody, whatever it is about. Other forms of these verbs tell what was done, and so do drop or remove."""
_MIGRATING: Final = phrases(r"migrat\w*|upgrad\w*")
"""Headings of pages under which guidance stands."""


def check(draft: Draft) -> Iterator[Finding]:
    """Ask for the migration of each breaking change that tells none."""
    for path in changes(draft):
        if draft.get(f"{path}.kind") == "breaking" and not _guides(path, draft):
            yield MIGRATION_UNTOLD.at(f"{path}.{MIGRATION}", "got no word of what to do")


def _guides(path: str, draft: Draft) -> bool:
    """Whether anything in a change object tells what to do; a person may have said that there is nothing."""
    if f"{path}.{MIGRATION}" in {*draft.prose, *draft.values}:
        return True
    texts = [draft.prose[at].text for name in _TEXTS if (at := f"{path}.{name}") in draft.prose]
    page = texts[-1] if f"{path}.detail_md" in draft.prose else ""
    is_said = any(_GUIDES.search(folded(text)) for text in texts)
    return is_said or any(_MIGRATING.search(folded(one.heading)) for one in passages(page))
