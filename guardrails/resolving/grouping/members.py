"""One commit as grouping reads it: what it says it belongs to, and whether it states a result of its own (Describe Changes).

A number counts for what the text calls it: a forge's merge names its request; `(#12)` at the end of a subject is a request
where the project's rules or a given document say so. `Fixes #12` names what a change cures, `Refs #12` only points at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, issue_keys, mentions
from guardrails.evidence.model import Bundle, Commit, DocumentKind, OperationType
from guardrails.evidence.roles import Role, role
from guardrails.records.citing import without_citations
from guardrails.records.commit import Trailer
from guardrails.records.plain_commit import AnyMessage, Citation, CitationKind, read_any
from guardrails.resolving.grouping.dependency_updates import is_update
from guardrails.resolving.rules import Rules, SubjectNumber
from guardrails.wording.activity import is_activity, is_upkeep
from guardrails.wording.words import words

_FIXING: Final = words("close closes closed fix fixes fixed resolve resolves resolved implement implements implemented")
_REQUEST_TRAILERS: Final = words("pr pr-url pull-request merge-request")
_TICKET_TRAILERS: Final = _FIXING | words("issue issues ticket tickets jira bug bugs story")
_REFERRING: Final = words("ref refs references")
_ALONG_TYPES: Final = words("test tests doc docs style")
"""Types of what may go along with a change, whatever it says."""
_RELEASE: Final = re.compile(
    r"(?:(?:prepare|cut|tag|make) )?(?:for )?(?:(?:the|a) )?(?:(?:next|new) )?releas(?:e|es|ed|ing)"
    r"(?:[ :-]{1,3}(?:v?\d|notes?\b|candidate\b|versions?\b|packages?\b|\S{1,60} v?\d).*)?"
    r"|\(?v?\d+\.\d+[\w.-]{0,40}\)?|version packages\b.*|version (?:bump|v?\d).*"
    r"|(?:bump|update|set|increment|increase)(?:s|ed)?(?: the| to)?(?: package| project| crate)? versions?"
    r"(?: (?:to|for|from|number|numbers|string|in)\b.*)?"
    r"|(?:(?:update|prepare|generate|regenerate|add) )?(?:the )?change(?:log|s)(?:\.md)?(?: for v?\d.*)?"
    r"|(?:(?:start|begin|back to)(?: the)? next|post|back to)[ -](?:release|version|development|dev)\b.*"
)
"""Subjects, in small letters, of the steps of a release: they touch what every change touches."""
_SHARED: Final = re.compile(
    r"(?:change(?:log|s)|news|history|readme|contributors|authors|releases?)(?:[._-][\w.-]{1,40})?", re.IGNORECASE
)
"""Documents that every change may touch."""
TELLING: Final = frozenset((Role.SOURCE, Role.TESTS, Role.DOCUMENTATION))
"""Roles of what is written for one change; manifests, automation and generated files go along with any."""


@dataclass(frozen=True, slots=True)
class Member:
    """One selected commit, the `place`-th of all."""

    place: int
    commit: Commit = field(repr=False)
    said: AnyMessage = field(repr=False)
    paths: frozenset[str]
    """The paths that it changed, both sides of a rename."""
    changesets: frozenset[str]
    """The decisions that it links."""
    request: str
    """The request that it was, as people cite it: "#12", "!12", "group/project!12"; "" for none.

    A merge that somebody gave a title of its own is one without a number: its object name stands for it.
    """
    fixes: frozenset[str]
    """The issues that it says it cures."""
    refers: frozenset[str]
    """The issues that it points at by convention."""
    tells: bool
    """Whether it tells more than mere activity."""
    states: bool
    """Whether that is a result of its own, rather than tests, documents or style, which go along with one."""

    @property
    def id(self) -> str:
        """The evidence id."""
        return self.commit.id

    @property
    def short(self) -> str:
        """How a reason names it."""
        return self.commit.oid[:7]

    @property
    def requests(self) -> tuple[str, ...]:
        """The request as others may cite it: with its project and without; none for a merge that only has a title."""
        mark = max(self.request.rfind("#"), self.request.rfind("!"))
        return (self.request, self.request[mark:]) if mark >= 0 else ()

    @property
    def is_merge(self) -> bool:
        """Whether it has several parents."""
        return len(self.commit.parents) > 1

    @property
    def is_bare(self) -> bool:
        """Whether it changes nothing by itself."""
        return not self.commit.files and (self.commit.diff_known or self.is_merge)

    @property
    def is_release(self) -> bool:
        """Whether it is a step of making a release."""
        message = self.said.message
        named = message.type == "release" or message.scope == "release"
        return named or _RELEASE.fullmatch(without_citations(message.description).casefold().rstrip(" .")) is not None


def is_telling(path: str) -> bool:
    """Whether two commits that touch `path` may belong together for that: manifests and the changelog belong to all."""
    what = role(path)
    return what in TELLING and not (what is Role.DOCUMENTATION and _SHARED.fullmatch(path.rpartition("/")[2]))


def members(bundle: Bundle, rules: Rules) -> tuple[Member, ...]:
    """Every selected commit, read once. The request that is described itself says nothing of what belongs together in it."""
    requests = {document.key for document in bundle.documents if document.kind is DocumentKind.PULL_REQUEST}
    operation = bundle.operation
    own = operation.id if operation is not None and operation.type is OperationType.PULL_REQUEST else None
    return tuple(_member(place, commit, rules, requests, own) for place, commit in enumerate(bundle.commits))


def _member(place: int, commit: Commit, rules: Rules, requests: set[str], own: str | None) -> Member:
    said = read_any(commit.message)
    message = said.message
    title = without_citations(said.request_title(len(commit.parents)) or message.description)
    tells = not is_upkeep(title) and not is_activity(title)
    states = tells and message.type not in _ALONG_TYPES
    is_merge = len(commit.parents) > 1
    request = next(_requests(said, rules, requests, is_merge=is_merge), "")
    if is_merge and not request and states and not title.startswith("Merge"):
        request = commit.oid
    quotes = is_update(commit)  # a bot repeats what others wrote about their own issues
    return Member(
        place=place,
        commit=commit,
        said=said,
        paths=frozenset(path for file in commit.files for path in (file.path, file.old_path) if path is not None),
        changesets=frozenset(value for value in message.values("Changeset") if value),
        request="" if own is not None and request.endswith((f"#{own}", f"!{own}")) else request,
        fixes=frozenset[str]() if quotes else frozenset(_issues(said, rules, requests, _TICKET_TRAILERS)),
        refers=frozenset[str]() if quotes else frozenset(_issues(said, rules, requests, _REFERRING)),
        tells=tells,
        states=states,
    )


def _requests(said: AnyMessage, rules: Rules, requests: set[str], *, is_merge: bool) -> Iterator[str]:
    """The request of a commit: what a forge's merge says, a trailer, then the number at the end of the subject."""
    named = [citation for citation in said.citations if citation.kind is not CitationKind.SUBJECT_NUMBER]
    yield from map(_key, named)
    for trailer in said.message.trailers:
        if trailer.name.lower() in _REQUEST_TRAILERS and (number := re.search(r"\d{1,10}$", trailer.value.strip())):
            yield f"{'!' if '!' in trailer.value or 'merge_requests' in trailer.value else '#'}{number[0]}"
    is_request = is_merge or rules.subject_number is SubjectNumber.PULL_REQUEST
    yield from (key for key in map(_key, said.citations) if is_request or key in requests)


def _key(citation: Citation) -> str:
    mark = "!" if citation.kind is CitationKind.MERGE_REQUEST else "#"
    return f"{citation.project}{mark}{citation.number}"


def _issues(said: AnyMessage, rules: Rules, requests: set[str], names: frozenset[str]) -> Iterator[str]:
    """The issues that trailers and closing lines of these names cite; keys of the project's trackers in the subject cure."""
    trailers: tuple[Trailer, ...] = (*said.message.trailers, *said.closing)
    cited = [trailer.value for trailer in trailers if trailer.name.lower() in names]
    for mention in (one for value in cited for one in mentions(value, trackers=rules.trackers)):
        is_issue = mention.kind in {IdentifierKind.NUMBER, IdentifierKind.ISSUE_KEY}
        if is_issue or (mention.kind is IdentifierKind.URL and "/issues/" in mention.value):
            yield mention.value
    if names is _TICKET_TRAILERS:
        yield from (mention.value for mention in issue_keys(said.message.header, rules.trackers))
        if rules.subject_number is SubjectNumber.ISSUE:
            ends = (_key(one) for one in said.citations if one.kind is CitationKind.SUBJECT_NUMBER)
            yield from (key for key in ends if key not in requests)
