"""Prose decides nothing: what a record's fields say, and what people have to do, a sentence only says after its evidence.

(Intent Changesets 6.6, 11.1, 11.3.) Word tables, no understanding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.evidence.code_spans import without_code
from guardrails.evidence.identifiers import fold
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.claims import UNIT_UNSUPPORTED
from guardrails.grounding.identifiers import UNSUPPORTED_PATH
from guardrails.grounding.items import Item, as_copied, content, stands_in
from guardrails.grounding.statements import Statement, statements
from guardrails.records.fields import IMPACTS
from guardrails.wording.words import phrases

DECISION_IN_PROSE = Code(
    name="decision-in-prose",
    summary="A sentence states an impact, a disclosure, an audience or another field of the record, and its evidence does not.",
    cure="Tell what changes; a program or a person decides the fields of the record.",
    section="Intent Changesets 11.1",
)
DUTY_UNSUPPORTED = Code(
    name="duty-unsupported",
    summary="A sentence says that people have to do something of which the cited evidence says nothing.",
    cure="Take it out, or cite the text that says what has to be done.",
    section="Intent Changesets 6.6",
)

_LABELS: Final = re.compile(
    r"(?<![\w-])(?:impact|disclosure|audiences?|changeset|release[ -]unit|not[ -]before|provenance|supersedes|target[ -]impact)"
    r"\s*[:=]\s*\S+"
)
_WEIGHTS: Final = (
    re.compile(r"(?<![\w-])(major|minor|patch) (?:impact|release|change|version|bump)s?\b"),
    re.compile(r"(?<![\w-])impact\b[^.\n]{0,60}?\b(none|major|minor|patch)\b"),
    re.compile(r"(?<!\w)(embargo)"),
    re.compile(r"(?<!\w)(supersed)"),
    re.compile(r"(?<!\w)(disclos)"),
)
"""How much a change weighs, and what becomes of it: the word in the group has to be the evidence's."""
_DUTY: Final = phrases(
    r"(?:operators?|users?|customers?|admin\w*|callers?|clients?|developers?|maintainers?|consumers?|everyone|everybody|you|they|we"
    r"|people|integrators?) (?:must|have to|need to|needs to|has to|should|ought to|(?:is|are) required to)(?: now| then| not)*"
)
_DRAFTED: Final = frozenset({Basis.SYNTHESIS})
_JOINED: Final = re.compile(r"(?<![\w/.`-])([a-z][\w.-]{1,40})/([a-z][\w.-]{1,60})(?![\w/-])")
_HALF: Final = 0.5


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Hold each sentence that a drafter found words for; a whole sentence or clause of the evidence is taken as it is."""
    own = {path: text for path, text in draft.prose.items() if text.basis in _DRAFTED}
    impacts = {str(one.value) for path, one in draft.values.items() if path.endswith("].impact")}
    for statement in statements(own, citable):
        if not citable.copies(statement.text, statement.evidence):
            yield from (finding for rule in _RULES for finding in rule(statement, citable))
            yield from _impacts(statement, impacts) if impacts else ()


def _impacts(statement: Statement, impacts: set[str]) -> Iterator[Finding]:
    """An impact that no target has is wrong, whoever says so: evidence may hold orders to say it."""
    words = _words(statement)
    if not {word for pattern in _WEIGHTS for word in pattern.findall(words) if word in IMPACTS} <= impacts:
        message = "got an impact that no target has"
        yield DECISION_IN_PROSE.at(statement.where, message, evidence=statement.evidence)


def _decisions(statement: Statement, citable: Citable) -> Iterator[Finding]:
    said, cited = _words(statement), citable.cited(statement.evidence)
    labels = [as_copied(match[0]).rstrip(".,;") for match in _LABELS.finditer(said)]
    weights = [match[1] for pattern in _WEIGHTS for match in pattern.finditer(said)]
    is_foreign = any(not any(label in as_copied(item.prose) for item in cited) for label in labels)
    if is_foreign or any(not any(word in item.spoken for item in cited) for word in weights):
        message = "got a decision, expected what changes"
        yield DECISION_IN_PROSE.at(statement.where, message, evidence=statement.evidence)


def _duties(statement: Statement, citable: Citable) -> Iterator[Finding]:
    said = _words(statement)
    for match in _DUTY.finditer(said):
        told = content(re.split(r"[,;:.]", said[match.end() :], maxsplit=1)[0])
        cited = citable.cited(statement.evidence)
        if told and sum(any(word in item.content for item in cited) for word in told) < _HALF * len(told):
            message = "got a duty of people, of which no cited evidence tells"
            yield DUTY_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)


def _audiences(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """A word of the profile that is no plain word is taken from there: it says whom or what the record is for."""
    if citable.profile is None:
        return
    text = fold(statement.text)
    for word in (*citable.profile.audiences, *citable.profile.channels):
        if (
            not word.isalpha()
            and stands_in(word, text)
            and not any(stands_in(word, item.text) for item in _own(statement, citable))
        ):
            message = "got a word of the profile that the cited evidence does not name"
            yield UNIT_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)


def _folders(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """Two words joined by a slash are a path where the first is a folder of a changed path."""
    for match in _JOINED.finditer(without_code(fold(statement.text))):
        if citable.shown().is_folder(match[1]) and not any(
            stands_in(match[0], item.text) for item in citable.cited(statement.evidence)
        ):
            message = "got a path that no cited evidence has"
            yield UNSUPPORTED_PATH.at(statement.where, message, evidence=statement.evidence)


def _own(statement: Statement, citable: Citable) -> tuple[Item, ...]:
    """What is cited, without the profile's words, on which every text leans."""
    return tuple(item for item in citable.cited(statement.evidence) if item is not citable.vocabulary)


def _words(statement: Statement) -> str:
    return without_code(fold(statement.text)).casefold()


_RULES: Final[tuple[Callable[[Statement, Citable], Iterator[Finding]], ...]] = (_decisions, _duties, _audiences, _folders)
