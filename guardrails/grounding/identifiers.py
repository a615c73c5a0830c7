"""Every identifier and quantity that a draft mentions stands in what it cites (Intent Changesets 6.7, 11.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, Mention, fold, mentions
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.items import stands_in
from guardrails.grounding.statements import Statement


def _unsupported(word: str, thing: str) -> Code:
    return Code(
        name=f"unsupported-{word}",
        summary=f"The draft mentions {thing} that the evidence it cites does not have.",
        cure="Take it out, cite the evidence that has it, or give it as an answer.",
        section="Intent Changesets 11.3",
    )


UNSUPPORTED_CODE = _unsupported("code", "text in back ticks")
UNSUPPORTED_URL = _unsupported("url", "an address")
UNSUPPORTED_QUOTE = _unsupported("quote", "a quotation")
UNSUPPORTED_EMAIL = _unsupported("email", "an e-mail address")
UNSUPPORTED_HOST = _unsupported("host", "a host")
UNSUPPORTED_ADVISORY = _unsupported("advisory", "an advisory")
UNSUPPORTED_DECISION = _unsupported("decision", "a decision record")
UNSUPPORTED_ISSUE_KEY = _unsupported("issue-key", "an issue key")
UNSUPPORTED_NUMBER = _unsupported("number", "a pull request or issue number")
UNSUPPORTED_DATE = _unsupported("date", "a date")
UNSUPPORTED_VERSION = _unsupported("version", "a version")
UNSUPPORTED_SHA = _unsupported("sha", "a commit")
UNSUPPORTED_SYMBOL = _unsupported("symbol", "a name of code")
UNSUPPORTED_PATH = _unsupported("path", "a path")
UNSUPPORTED_HANDLE = _unsupported("handle", "a person's handle")
UNSUPPORTED_QUANTITY = _unsupported("quantity", "a number or unit")
UNSUPPORTED_NAME = _unsupported("name", "a proper word")

ID_FORM_DIFFERS = Code(
    name="id-form-differs",
    summary="An identifier is written in another form than the evidence has.",
    cure="Copy the identifier as the evidence writes it.",
    section="Intent Changesets 11.3",
)
RESERVED_EXAMPLE = Code(
    name="reserved-example",
    summary="The draft holds a name that only examples have.",
    cure="Write the draft from the evidence; examples in instructions are no evidence.",
    section="Intent Changesets 11.3",
)
UNKNOWN_PLACEHOLDER = Code(
    name="unknown-placeholder",
    summary="The draft holds a redaction placeholder that the evidence it cites does not have.",
    cure="Take the placeholder out.",
    section="Intent Changesets 11.7",
)

COUNT_UNCONFIRMED = Code(
    name="count-unconfirmed",
    summary="A number in words may count what the cited changes hold; no cited text states it.",
    cure="Count again before accepting the sentence.",
    section="evidraft",
    severity=Severity.WARNING,
)

_CODES: Final[Mapping[IdentifierKind, Code]] = {
    IdentifierKind.CODE: UNSUPPORTED_CODE,
    IdentifierKind.URL: UNSUPPORTED_URL,
    IdentifierKind.QUOTE: UNSUPPORTED_QUOTE,
    IdentifierKind.EMAIL: UNSUPPORTED_EMAIL,
    IdentifierKind.HOST: UNSUPPORTED_HOST,
    IdentifierKind.ADVISORY: UNSUPPORTED_ADVISORY,
    IdentifierKind.DECISION: UNSUPPORTED_DECISION,
    IdentifierKind.ISSUE_KEY: UNSUPPORTED_ISSUE_KEY,
    IdentifierKind.NUMBER: UNSUPPORTED_NUMBER,
    IdentifierKind.DATE: UNSUPPORTED_DATE,
    IdentifierKind.VERSION: UNSUPPORTED_VERSION,
    IdentifierKind.SHA: UNSUPPORTED_SHA,
    IdentifierKind.SYMBOL: UNSUPPORTED_SYMBOL,
    IdentifierKind.PATH: UNSUPPORTED_PATH,
    IdentifierKind.HANDLE: UNSUPPORTED_HANDLE,
    IdentifierKind.QUANTITY: UNSUPPORTED_QUANTITY,
    IdentifierKind.NAME: UNSUPPORTED_NAME,
}
_ONE_FORM: Final = frozenset(
    {IdentifierKind.ISSUE_KEY, IdentifierKind.ADVISORY, IdentifierKind.DECISION, IdentifierKind.EMAIL, IdentifierKind.NUMBER}
)
_ANY_FORM: Final = frozenset({IdentifierKind.QUOTE, IdentifierKind.QUANTITY, IdentifierKind.DATE})
_RESERVED: Final = re.compile(
    r"(?i:(?<![\w-])EXAMPLE-\d+|(?<![\w-])example-(?:service|module)\b|CVE-YYYY-N+|\b[\w-]{1,60}\.invalid\b)"
)
_TIMES: Final = re.compile(
    r"(?i:(?:twice|thrice)\b(?! (?:as|the|its)\b)|(?:double|triple) (?!(?:as|the|its|that|what)\b)[a-z])"
)
_MANY: Final = re.compile(r"(?i:\b(?:dozens|scores of|hundreds|thousands|millions|billions)\b)")
_WHEN: Final = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?i:\b(?:last|next) (?:week|month|quarter|year)\b)")
_HEXADECIMAL: Final = re.compile(r"(?<![\w`-])(?!(?:de|ef)faced\b|acceded\b)[a-f]{7,40}(?![\w-])")
"""Seven letters that name a commit as digits would; three English words are written with these letters alone."""
_IN_WORDS: Final = ((_MANY, UNSUPPORTED_QUANTITY), (_WHEN, UNSUPPORTED_DATE), (_HEXADECIMAL, UNSUPPORTED_SHA))
_PLACEHOLDER: Final = re.compile(r"\[[a-z]{2,20}(?::[a-z0-9-]{1,60}){0,2}:\d{1,6}\]")


def check(told: tuple[Statement, ...], citable: Citable) -> tuple[Finding, ...]:
    """Hold every mention of every statement against what the statement cites."""
    return tuple(finding for statement in told for finding in _check(statement, citable))


def _check(statement: Statement, citable: Citable) -> Iterator[Finding]:
    yield from _foreign_words(statement, citable)
    if citable.copies(statement.text, statement.evidence):
        return
    for mention in mentions(statement.text, trackers=citable.trackers):
        yield from _mention(mention, statement, citable)
    yield from _words(statement, citable)


def _mention(mention: Mention, statement: Statement, citable: Citable) -> Iterator[Finding]:
    cited = ", ".join(statement.evidence[:5]) + (" …" if len(statement.evidence) > 5 else "")
    if not citable.supports(mention, statement.evidence):
        message = f"got {mention.text[:80]}, expected one that stands in {cited or 'cited evidence'}"
        code = COUNT_UNCONFIRMED if _may_count(mention, statement, citable) else _CODES[mention.kind]
        yield code.at(statement.where, message, evidence=statement.evidence)
    elif not _stands_as_written(mention, statement, citable):
        message = f"got {mention.text[:80]}, expected the form that {cited} has"
        yield ID_FORM_DIFFERS.at(statement.where, message, evidence=statement.evidence)


def _may_count(mention: Mention, statement: Statement, citable: Citable) -> bool:
    """A bare number word beside changes can be a count of them, which no text states: of no more than lines have changed.

    So can a call that stands there twice, or double quotes; twice as much of something is a measure.
    """
    if mention.kind is not IdentifierKind.QUANTITY or not mention.text.isalpha():
        return False
    count = mention.value.removesuffix(" x") if _TIMES.match(statement.text, mention.start) else mention.value
    return count.isdecimal() and 0 < int(count) <= max(_changed_lines(item.code) for item in citable.cited(statement.evidence))


def _changed_lines(code: str) -> int:
    return sum(line[:1] in {"+", "-"} for line in code.splitlines())


def _words(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """Plain words that tell a number, a time or a commit as well as digits do."""
    for pattern, code in _IN_WORDS:
        for match in pattern.finditer(statement.text):
            if not any(stands_in(match[0].casefold(), item.caseless) for item in citable.cited(statement.evidence)):
                yield code.at(statement.where, f"got {match[0]}, which no cited evidence has", evidence=statement.evidence)


def _stands_as_written(mention: Mention, statement: Statement, citable: Citable) -> bool:
    """Keys have one form only; other names may differ in case or marks, but not in look-alike letters."""
    written = mention.text.strip("`")
    if mention.kind in _ANY_FORM or (mention.kind not in _ONE_FORM and fold(written) == written):
        return True
    return any(stands_in(written, item.raw) for item in citable.cited(statement.evidence))


def _foreign_words(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """Words that can only come from instructions or from redaction, unless the cited evidence has them itself."""
    for code, pattern in ((RESERVED_EXAMPLE, _RESERVED), (UNKNOWN_PLACEHOLDER, _PLACEHOLDER)):
        for match in pattern.finditer(statement.text):
            if not any(match[0] in item.raw for item in citable.cited(statement.evidence)):
                yield code.at(statement.where, f"got {match[0][:80]}, which no cited evidence has", evidence=statement.evidence)
