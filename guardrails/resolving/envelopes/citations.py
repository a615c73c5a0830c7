"""What a change cites as its ticket and as its request, and how strongly (Describe Changes: relations).

Only an explicit citation counts: `#56` in a sentence, a number in a quoted subject, in a template's comment or in the notes of
somebody else's release is none. Identifiers stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, Mention, issue_keys, mentions
from guardrails.records.citing import cited
from guardrails.records.commit import Trailer
from guardrails.records.plain_commit import Citation, CitationKind
from guardrails.resolving.envelopes.reading import Part, Statement
from guardrails.resolving.rules import Rules, SubjectNumber
from guardrails.wording.words import words

_CURING: Final = words("close closes closed fix fixes fixed resolve resolves resolved implement implements implemented")
_NAMING: Final = words("issue issues ticket tickets bug bugs jira story")
_POINTING: Final = words("ref refs reference references")
_REQUESTING: Final = words("pr pr-url pull-request pull-requests merge-request")
_REQUEST_URL: Final = re.compile(r"/(?:pull|merge_requests)/\d")
_TICKET_URL: Final = re.compile(
    r"/(?:issues?|work_items|browse|tickets?|bugs?|tasks?|cards?|story|stories)/[\w-]+|[?&](?:id|issue)=\w+|/T\d+(?:$|[/?#])"
)
_NUMBERED_URL: Final = re.compile(
    r"\w+://[^/\s]+/(?P<owner>\S{1,300}?)(?:/-)?/(?:issues|work_items|pull|merge_requests)/(?P<number>\d{1,10})(?:[/?#]\S*)?"
)
_NUMBER: Final = re.compile(r"(?P<owner>[\w./-]*)(?:[#!]|(?i:gh-))(?P<number>\d{1,10})")


@dataclass(frozen=True, slots=True)
class Cited:
    """One identifier as it is written, who cites it, and how strongly: the smaller the rank, the stronger."""

    text: str
    evidence: str
    rank: int


def tickets(part: Part, rules: Rules) -> Iterator[Cited]:
    """What the change is said to cure, to belong to, or to point at, the weakest last:

    0 a key of the project's trackers, 1 a number in the subject, 2 one in the message or that a forge ties to the request,
    3 a key and 4 a number that is only pointed at, 5 an issue that was handed over.
    """
    for one in part.statements:
        yield from (Cited(mention.text, one.id, 0) for mention in issue_keys(one.subject, rules.trackers))
        subject = {trailer.value for trailer in cited(one.subject)}
        trailers = cited(one.subject) if part.is_update else chain(one.said.message.trailers, one.said.closing)
        for trailer in trailers:
            yield from _by_trailer(trailer, one.id, rules, in_subject=trailer.value in subject)
        if rules.subject_number is SubjectNumber.ISSUE:
            yield from (Cited(f"#{number.number}", one.id, 1) for number in _of_subject(one))
    for document in part.requests:
        yield from (Cited(key, document.id, 2) for key in document.closes)
    for document in part.issues:
        if name := document.key or document.url:
            yield Cited(name, document.id, 5)


def requests(part: Part, rules: Rules) -> Iterator[Cited]:
    """The requests that brought the change in: given ones, those that a merge or a trailer names, the number after a subject.

    A number after a subject is what a forge appends to a squashed request, unless the project's rules say otherwise.
    """
    for document in part.requests:
        if name := document.key or document.url:
            yield Cited(name, document.id, 0)
    for one in part.statements:
        for citation in one.said.citations:
            if citation.kind is not CitationKind.SUBJECT_NUMBER:
                yield Cited(_written(citation), one.id, 1)
        for trailer in one.said.message.trailers:
            if trailer.name.lower() in _REQUESTING:
                yield from (Cited(text, one.id, 1) for text in _requested(trailer.value))
        if rules.subject_number in {None, SubjectNumber.PULL_REQUEST}:
            yield from (Cited(_written(citation), one.id, 2) for citation in _of_subject(one))


def strongest(cited: Iterable[Cited]) -> tuple[Cited, ...]:
    """Those that nothing cites more strongly, in order."""
    found = tuple(cited)
    least = min((one.rank for one in found), default=0)
    return tuple(one for one in found if one.rank == least)


def same(text: str, own: str) -> str:
    """What is one for all ways to write one identifier; `own` is the "owner/name" that a bare number belongs to."""
    match = _NUMBERED_URL.fullmatch(text) or _NUMBER.fullmatch(text)
    if match is None:
        return text.casefold()
    owner = match["owner"].casefold()
    return f"{'' if not own or owner == own.casefold() else owner}#{match['number']}"


def _by_trailer(trailer: Trailer, evidence: str, rules: Rules, *, in_subject: bool) -> Iterator[Cited]:
    name = trailer.name.lower()
    is_pointing = name in _POINTING
    if not is_pointing and name not in _CURING | _NAMING:
        return
    for mention in mentions(trailer.value, trackers=rules.trackers):
        if mention.kind is IdentifierKind.ISSUE_KEY:
            yield Cited(mention.text, evidence, 3 if is_pointing else 0)
        elif _is_ticket(mention):
            yield Cited(mention.text, evidence, 4 if is_pointing else 2 - in_subject)


def _is_ticket(mention: Mention) -> bool:
    if mention.kind is IdentifierKind.URL:
        return _TICKET_URL.search(mention.text) is not None
    return mention.kind is IdentifierKind.NUMBER and "!" not in mention.text


def _requested(text: str) -> Iterator[str]:
    for mention in mentions(text):
        is_url = mention.kind is IdentifierKind.URL and _REQUEST_URL.search(mention.text) is not None
        if is_url or mention.kind is IdentifierKind.NUMBER:
            yield mention.text


def _of_subject(one: Statement) -> Iterator[Citation]:
    return (citation for citation in one.said.citations if citation.kind is CitationKind.SUBJECT_NUMBER)


def _written(citation: Citation) -> str:
    return f"{citation.project}{'!' if citation.kind is CitationKind.MERGE_REQUEST else '#'}{citation.number}"
