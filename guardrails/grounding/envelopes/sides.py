"""What a sentence says came or went, came or went: names of code are looked up on their side of the diff (Describe Changes).

Only clauses with one such verb and a name of code are judged, and only where all the names stand on the other side alone. New
code may remove something when it runs: where something new is told as removed, that is for the reviewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.evidence.references import place_of
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes.pages import is_pointed
from guardrails.grounding.items import flat, stands_in
from guardrails.grounding.statements import Statement
from guardrails.wording.words import phrases

SIDE_DIFFERS = Code(
    name="side-differs",
    summary="A sentence tells as added what the change only removes, or as removed what it only adds.",
    cure="Tell it as the signs of the diff have it.",
    section="Describe Changes: detail_md",
)

_CLAUSE: Final = re.compile(
    r"[,;:()—]\s|\s[-–—]\s|\b(?:and|but|or|so|because|although|though|which|who|while|when|where|if|since|as|that|instead|for)\b",
    re.IGNORECASE,
)
_COMES: Final = phrases(r"adds?|added|adding|introduc(?:es?|ed|ing)|gains?|gained|new")
_GOES: Final = phrases(r"remov(?:es?|ed|ing)|drops?|dropped|dropping|delet(?:es?|ed|ing)|los(?:es?|t|ing)|gone")
_DENIED: Final = phrases(r"not|never|isn't|aren't|wasn't|doesn't|don't")
_UNSURE: Final = phrases(r"no longer|without|from|previous(?:ly)?|former(?:ly)?|old|replac\w+|mov\w+|renam\w+|back|again")
_NAMES: Final = frozenset({IdentifierKind.CODE, IdentifierKind.SYMBOL})


def check(told: tuple[Statement, ...], citable: Citable) -> tuple[Finding, ...]:
    """Hold what every statement says came or went against the signs of what it cites."""
    return tuple(
        finding
        for statement in told
        if not citable.copies(statement.text, statement.evidence)
        for finding in _check(statement, citable)
    )


def _check(statement: Statement, citable: Citable) -> Iterator[Finding]:
    for clause, names in _clauses(statement.text, citable):
        comes, goes = bool(_COMES.search(clause)), bool(_GOES.search(clause))
        if comes == goes or not names or _UNSURE.search(clause):
            continue
        is_there = comes != bool(_DENIED.search(clause))
        sides = [_sides(name, statement, citable) for name in names]
        if all(came != went and not stayed and went == is_there for came, went, stayed in sides):
            told, done = ("there", "removes") if is_there else ("gone", "adds")
            severity = Severity.ERROR if is_there else Severity.WARNING
            message = f"got {names[0][:60]} as {told}, and the change only {done} it"
            yield SIDE_DIFFERS.at(statement.where, message, evidence=statement.evidence, severity=severity)


def _clauses(text: str, citable: Citable) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each clause in small letters without its names, and the names of code in it."""
    found = [one for one in mentions(text, trackers=citable.trackers) if one.kind in _NAMES]
    plain = list(text.casefold() if len(text.casefold()) == len(text) else text)
    for one in found:
        plain[one.start : one.end] = " " * (one.end - one.start)
    words, start = "".join(plain), 0
    for end in (*(match.end() for match in _CLAUSE.finditer(words)), len(words)):
        names = (one.value for one in found if start <= one.start < end)
        yield words[start:end], tuple(name for name in names if not is_pointed(place_of(name)))
        start = end


def _sides(name: str, statement: Statement, citable: Citable) -> tuple[bool, bool, bool]:
    """Whether a name stands in lines that came, that went, that stayed or in what people said."""
    needle, items = flat(name).removesuffix("()"), citable.cited(statement.evidence)
    came, went, stayed = (any(stands_in(needle, item.sides[side]) for item in items) for side in range(3))
    return came, went, stayed
