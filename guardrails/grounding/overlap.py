"""The words of a sentence, and of each of its longer clauses, stand in what it cites (Intent Changesets 11.3, 11.4).

No understanding: a low overlap warns, and only what shares next to nothing with its evidence is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.commonplace import COMMONPLACE, MATTERS
from guardrails.grounding.items import Item, content
from guardrails.grounding.statements import Statement

CLAIM_UNSUPPORTED = Code(
    name="claim-unsupported",
    summary="A sentence shares no word, or one of many, with the evidence it cites.",
    cure="Say what the cited evidence says, or cite the evidence that carries the sentence.",
    section="Intent Changesets 11.3",
)
CLAIM_WEAK = Code(
    name="claim-weak",
    summary="Few words of a sentence stand in the evidence it cites.",
    cure="Compare the sentence with its evidence before accepting it.",
    section="evidraft",
    severity=Severity.WARNING,
)
CLAUSE_UNSUPPORTED = Code(
    name="clause-unsupported",
    summary="A clause of a sentence shares no word with the evidence that the sentence cites.",
    cure="Take the clause out, or cite the evidence that carries it.",
    section="Intent Changesets 11.3",
)

_CLAUSES: Final = re.compile(
    r"[,;:()—]\s|\s[-–—]\s|\b(?:and|but|or|so|because|which|who|while|when|if|since|as|that)\b", re.IGNORECASE
)
_CODE: Final = re.compile(r"`[^`]*`")
_WEAK: Final = 0.4
_STRAY: Final = 0.2
_MISPLACED: Final = 0.25
_MOSTLY: Final = 0.5
_ENOUGH: Final = 2
_FEW: Final = 3
_LONG: Final = 4
"""How many words a clause has that no chance keeps out of all the evidence."""
_MANY: Final = 5


def whole(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """A statement's words stand in what it cites; those of a reason in a text that can give one, or a person confirms it."""
    is_rationale = statement.where == "rationale"
    cited = [item for item in citable.cited(statement.evidence) if item.reasons or not is_rationale]
    if is_rationale and not cited:
        return
    said = content(statement.text)
    common_ = shared(said, cited)
    told = said if is_rationale else said - (COMMONPLACE - (MATTERS & common_))
    common = len(told & common_)
    message = f"{common} of {len(told)} content words stand in the cited evidence"
    is_stray = not common_ or (not common and len(told) >= _FEW) or (not is_rationale and _is_stray(told, common_, citable))
    if is_stray and len(told) >= _ENOUGH and comparable(told, cited) and not _names_something(statement, citable):
        yield CLAIM_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)
    elif len(told) >= _FEW and common < _WEAK * len(told):
        severity = Severity.NEEDS_INPUT if is_rationale else Severity.WARNING
        yield CLAIM_WEAK.at(statement.where, message, evidence=statement.evidence, severity=severity)


def clauses(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """A sentence that begins with the evidence may go on without it: each longer clause shares a word with what it cites."""
    told_apart, cited = split(statement.text), citable.cited(statement.evidence)
    for told in map(content, told_apart if len(told_apart) > 1 else ()):
        count = len(told - COMMONPLACE)
        if count >= _FEW and not shared(told, cited) and comparable(told, cited):
            message = f"got a clause of {count} content words, none of which stands in the cited evidence"
            severity = Severity.ERROR if count >= _LONG else Severity.WARNING
            yield CLAUSE_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence, severity=severity)


def _is_stray(told: frozenset[str], common: frozenset[str], citable: Citable) -> bool:
    """Whether too few words stand in what is cited.

    Words that nobody has may be another way to say it. Where most of them stand in other evidence, another change is told.
    """
    count, missing = len(told & common), told - common
    if len(told) >= _MANY and count <= _STRAY * len(told):
        return True
    is_thin = len(told) >= _LONG and count <= _MISPLACED * len(told)
    return is_thin and len(citable.shown().shared(missing)) >= _MOSTLY * len(missing)


def split(text: str) -> list[str]:
    """The clauses of a sentence, without its code."""
    return _CLAUSES.split(_CODE.sub(" ", text))


def shared(told: frozenset[str], cited: Collection[Item]) -> frozenset[str]:
    """The stems that any of some items has too; a part has none that its whole does not have."""
    ids = {item.id for item in cited}
    return frozenset[str]().union(*(told & item.content for item in cited if item.whole not in ids))


def _names_something(statement: Statement, citable: Citable) -> bool:
    """Whether it names anything by its identifier that the evidence has too."""
    named = mentions(statement.text, trackers=citable.trackers)
    return any(one.kind is not IdentifierKind.QUANTITY and citable.supports(one, statement.evidence) for one in named)


def comparable(told: frozenset[str], cited: Iterable[Item]) -> bool:
    """Whether the evidence has words in a script of the text: across scripts words cannot be compared one by one."""
    scripts = _scripts(told)
    return any(not scripts.isdisjoint(_scripts(item.content)) for item in cited)


def _scripts(words: Iterable[str]) -> frozenset[str]:
    return frozenset(unicodedata.name(word[0], "?").split(" ", 1)[0] for word in words)
