"""Ticket, request and reporter of a change: what is explicitly cited as each, else null (Describe Changes: relations).

The strongest citation counts (`citations` ranks them). Where several are equally strong, none of them is
*the* ticket or *the* request: taking the first would be a guess, and asking at every change that closes two issues would drown
a person in questions whose right answer is that there are two. The key is null then, which is true of it, and the equals are
told as `rivals`, so that a person who wants one of them can say so. A text may still name them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from guardrails.drafts.questions import Suggestion
from guardrails.drafts.sourced import Basis, Sourced
from guardrails.evidence.identifiers import issue_keys
from guardrails.evidence.model import DocumentKind, OperationType
from guardrails.resolving.envelopes.citations import Cited, requests, same, strongest, tickets
from guardrails.resolving.envelopes.operating import owner_and_name
from guardrails.resolving.envelopes.reading import Part, Reading
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import grouped

_LOGIN: Final = r"@(?P<login>[A-Za-z0-9][\w-]{0,38}(?:\.[\w-]{1,38}){0,3})(?![\w@/]|\.\w)"
_CREDITS: Final = (
    re.compile(rf"(?i:\breport(?:ed)?[ -](?:and[ -][a-z]{{1,20}}[ -])?(?:by|from):?)\s{{1,3}}{_LOGIN}"),
    re.compile(rf"(?i:\bthanks?(?: you)?(?: to)?) {_LOGIN}\W{{1,3}}(?i:for (?:the |a |this )?(?:bug )?report(?:ing|s)?)\b"),
)
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")
_MOST_RIVALS: Final = 20


@dataclass(frozen=True, slots=True)
class Related:
    """The three keys as they stand, what each of them may say (`citable`), and candidates that are equally good (`rivals`)."""

    ticket: Sourced[str | None]
    request: Sourced[str | None]
    reporter: Sourced[str | None]
    citable: Mapping[str, frozenset[str]]
    rivals: Mapping[str, tuple[Suggestion, ...]]


def relations(part: Part, reading: Reading, rules: Rules) -> Related:
    """The relations of one change of what was read. Pure; linear in the change."""
    own = _own(reading)
    brought = [*requests(part, rules), *_described(part, reading)]
    taken = {same(one.text, own) for one in brought}
    cited = [one for one in tickets(part, rules) if same(one.text, own) not in taken]
    ticket, tickets_ = _chosen(cited, part, own)
    request, requests_ = _chosen(brought, part, own)
    reporter, reporters = _chosen([*_credited(part), *_authors(part, ticket.value, own)], part, own)
    named = {name for name in (*_texts(_credited(part)), *(document.author for document in part.issues)) if name}
    addresses = {document.url for document in (*part.issues, *part.requests) if document.url}
    return Related(
        ticket,
        request,
        reporter,
        citable={
            "ticket": frozenset(
                (*_texts(cited), *_keys(part, rules), *(url for url in addresses if same(url, own) not in taken))
            ),
            "request": frozenset((*_texts(brought), *(url for url in addresses if same(url, own) in taken))),
            "reporter": frozenset(form for name in named for form in (name, f"@{name}")),
        },
        rivals={
            key: equals for key, equals in (("ticket", tickets_), ("request", requests_), ("reporter", reporters)) if equals
        },
    )


def _chosen(cited: Sequence[Cited], part: Part, own: str) -> tuple[Sourced[str | None], tuple[Suggestion, ...]]:
    """The one that is cited most strongly with all who cite it; null where there is none, or where several are as good."""
    best = {same(one.text, own): one for one in reversed(strongest(cited))}
    carried = grouped((same(one.text, own), (one.evidence,)) for one in cited)
    if len(best) == 1:
        ((key, one),) = best.items()
        return Sourced(one.text, Basis.EVIDENCE, carried[key]), ()
    equals = (Suggestion(one.text, carried[key]) for key, one in reversed(best.items()))
    return Sourced(None, Basis.EVIDENCE, (*part.group.commits, *part.group.documents)), tuple(islice(equals, _MOST_RIVALS))


def _own(reading: Reading) -> str:
    """The repository that a bare number belongs to, as far as anything names it."""
    operation = reading.bundle.operation
    return owner_and_name(reading.bundle.repository) or (operation.repository if operation is not None else "")


def _described(part: Part, reading: Reading) -> Iterator[Cited]:
    """The request that is described itself: before all others where it tells this change, after them where they tell more."""
    operation = reading.bundle.operation
    if operation is None or operation.type is not OperationType.PULL_REQUEST:
        return
    given = (one for one in reading.bundle.documents if one.kind is DocumentKind.PULL_REQUEST)
    document = next((one for one in given if one.key.lstrip("#!") == operation.id), None)
    if document is None:
        yield Cited(f"#{operation.id}", "", 3)
    else:
        yield Cited(document.key, document.id, -1 if document in part.requests else 3)


def _credited(part: Part) -> Iterator[Cited]:
    """Logins that a message or a request credits with the report; a name without a login is nobody who could be cited."""
    for one in () if part.is_update else part.statements:
        message = one.said.message
        for line in (*message.body.split("\n"), *(f"{trailer.name}: {trailer.value}" for trailer in message.trailers)):
            for pattern in _CREDITS if "@" in line else ():
                yield from (Cited(match["login"], one.id, 0) for match in pattern.finditer(line))


def _authors(part: Part, ticket: str | None, own: str) -> Iterator[Cited]:
    """Who wrote the issue that is the ticket, as the forge that keeps it calls them."""
    for document in part.issues:
        is_ticket = ticket is not None and same(ticket, own) in {same(document.key, own), same(document.url, own)}
        if is_ticket and document.url and _NAME.fullmatch(document.author):
            yield Cited(document.author, document.id, 1)


def _keys(part: Part, rules: Rules) -> Iterator[str]:
    """Keys of the project's trackers that are mentioned anywhere: no ticket by themselves, and not made up."""
    for one in part.statements:
        named = issue_keys(f"{one.subject}\n{one.said.message.body}", rules.trackers)
        yield from (mention.text for mention in named)


def _texts(cited: Iterable[Cited]) -> Iterator[str]:
    return (one.text for one in cited)
