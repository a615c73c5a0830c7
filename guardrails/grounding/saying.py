"""A drafter's sentence says something, says it to its end, and calls released only what is (Intent Changesets 6.4, 11.3).

What is copied from the evidence is as its writers left it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from guardrails.drafts.draft import PAGE, Draft
from guardrails.drafts.sourced import Basis
from guardrails.evidence.code_spans import without_code
from guardrails.evidence.identifiers import mentions
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.commonplace import COMMONPLACE
from guardrails.grounding.items import content, stands_in
from guardrails.grounding.statements import Statement, statements
from guardrails.wording.words import phrases

SAYS_NOTHING = Code(
    name="says-nothing",
    summary="A sentence has only words in which any change could be told.",
    cure="Say what changes, in a word of the evidence, or answer the field.",
    section="Intent Changesets 6.4",
)
UNFINISHED = Code(
    name="unfinished-sentence",
    summary="A sentence breaks off before its end.",
    cure="Finish the sentence, or take it out.",
    section="evidraft",
)
RELEASE_STATE = Code(
    name="release-state-unsupported",
    summary="A sentence says of a version or a feature that it is released, latest or coming, and its evidence does not.",
    cure="Tell what changes; whether and where it is released no change can know.",
    section="Intent Changesets 11.3",
)

_DRAFTED: Final = frozenset({Basis.SYNTHESIS})
_BREAKS_OFF: Final = re.compile(
    r"(?:(?<![\w/])(?:an?|the|and|or|but|of|which(?: is| are| was| were)?|its|their|very|than)|[,;:(–—-])[\s.…]*$",
    re.IGNORECASE,
)
_STATE: Final = phrases(
    r"(latest|newest|current|upcoming|next|recent|stable) (?:\w+ )?(?:version|release)s?",
    r"(?:has|have|is|are|was|were)(?: \w+)? (released|shipped|published|deployed|launched)",
    r"(?:coming|available|ready) (soon|shortly|today|tomorrow)",
    r"(?:available|ready) (?:for|to) (download|install|installation|upgrade)",
)


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Hold each sentence that a drafter found words for."""
    own = {path: text for path, text in draft.prose.items() if text.basis in _DRAFTED}
    for statement in statements(own, citable):
        if not citable.copies(statement.text, statement.evidence):
            yield from (finding for rule in _RULES for finding in rule(statement, citable))


def _nothing(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """On a page the place beside a sentence says what it is about."""
    if statement.where.endswith(PAGE):
        return
    named = next(iter(mentions(statement.text, trackers=citable.trackers)), None)
    if named is None and not content(statement.text) - COMMONPLACE:
        yield SAYS_NOTHING.at(statement.where, "got no word of the change", evidence=statement.evidence)


def _unfinished(statement: Statement, _citable: Citable) -> Iterator[Finding]:
    if _BREAKS_OFF.search(statement.text):
        yield UNFINISHED.at(statement.where, "got half a sentence", evidence=statement.evidence)


def _state(statement: Statement, citable: Citable) -> Iterator[Finding]:
    told = [match[match.lastindex or 0] for match in _STATE.finditer(without_code(statement.text).casefold())]
    if any(not any(stands_in(word, item.caseless) for item in citable.cited(statement.evidence)) for word in told):
        message = "got a state of release, expected what changes"
        yield RELEASE_STATE.at(statement.where, message, evidence=statement.evidence)


_RULES: Final[tuple[Callable[[Statement, Citable], Iterator[Finding]], ...]] = (_nothing, _unfinished, _state)
