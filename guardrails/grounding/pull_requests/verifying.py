"""No drafter says that something was verified: what a sentence tells of passed tests or of reviews is its evidence's own.

(Intent Changesets 11.3; Intent Pull Requests 1.0.0.) Word tables, no understanding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.evidence.code_spans import without_code
from guardrails.evidence.identifiers import fold
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.statements import statements
from guardrails.wording.words import phrases

VERIFICATION_UNSUPPORTED: Final = Code(
    name="verification-unsupported",
    summary="A sentence says that something was tested, verified, reviewed or approved, and its evidence does not say that.",
    cure="Take it out; tell under `verification` what was run, how it ended, and where that can be seen.",
    section="Intent Changesets 11.3",
)

_CLAIMS: Final = phrases(
    r"(?:tests?|test suite|suite|ci|pipelines?|builds?|checks?|benchmarks?|scans?|workflows?)(?: \w+){0,3}?"
    r" (?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|clean)",
    r"(?:all|every|\d+)(?: \w+){0,3} (?:tests?|checks?) (?:pass(?:es|ed)?|succeed(?:s|ed)?)",
    "(?:was|were|is|are|been|fully|manually|thoroughly|successfully) "
    r"(?:\w+ )?(?:tested|verified|validated|reviewed|approved|audited|signed off|benchmarked)",
    r"(?:tested|verified|validated|reviewed|approved|audited|benchmarked) (?:\w+ )?(?:by|in|on|with|against|manually)",
)


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Each sentence that a drafter found words for, unless it stands in its evidence as it is."""
    own = {path: text for path, text in draft.prose.items() if text.basis is Basis.SYNTHESIS}
    for statement in statements(own, citable):
        said = _CLAIMS.search(without_code(fold(statement.text)).casefold())
        if said is None or citable.copies(statement.text, statement.evidence):
            continue
        if not any(said[0] in item.spoken for item in citable.cited(statement.evidence)):
            message = "got a result of a verification, of which no cited evidence tells"
            yield VERIFICATION_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)
