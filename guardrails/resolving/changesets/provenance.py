"""Stable references, never from prose (Intent Changesets 6.7).

They come from trailers, closing lines, forge citations, given documents, decision files and answers. A reference that prose
mentions is a suggestion at most: naming an issue is not citing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.evidence.identifiers import IdentifierKind, issue_keys, mentions
from guardrails.evidence.model import Change, Document, DocumentKind
from guardrails.paths import matches
from guardrails.records.citing import CLOSING
from guardrails.records.plain_commit import Citation, CitationKind
from guardrails.resolving.answers import as_texts, is_provenance, refuse
from guardrails.resolving.rules import SubjectNumber
from guardrails.resolving.sheet import Sheet, grouped
from guardrails.resolving.trailers import Case, View

ISSUES: Final = "issues"
PULL_REQUESTS: Final = "pull-requests"
DECISIONS: Final = "decisions"
ADVISORIES: Final = "advisories"
CONTRACTS: Final = "contracts"
REFERENCES: Final = "references"

_REQUEST_TRAILERS: Final = frozenset({"pr", "pull-request", "merge-request"})
_CITING: Final = CLOSING.union(
    _REQUEST_TRAILERS,
    ("implement", "implements", "implemented", "reference", "issue", "issues", "ticket", "tickets", "bug", "bugs", "jira"),
    ("story", "see", "see-also", "related", "related-to", "part-of", "tracks", "link", "links"),
    ("incident", "incidents", "advisory", "advisories", "decision", "decisions", "adr"),
)
"""The names of trailers whose values are references."""
_KINDS: Final = {
    IdentifierKind.ISSUE_KEY: ISSUES,
    IdentifierKind.NUMBER: ISSUES,
    IdentifierKind.ADVISORY: ADVISORIES,
    IdentifierKind.DECISION: DECISIONS,
    IdentifierKind.URL: REFERENCES,
}
_URL_PARTS: Final = {"pull": PULL_REQUESTS, "merge_requests": PULL_REQUESTS, "issues": ISSUES, "security": ADVISORIES}
_QUESTION: Final = "Which issue, pull request, decision, incident or advisory does this change come from?"
_FORMAT: Final = ("<issue key, pull-request URL, decision, incident or advisory>",)


@dataclass(frozen=True, slots=True)
class Reference:
    """A stable reference, its kind, and the evidence id of what cites it."""

    kind: str
    text: str
    evidence: str


def resolve_provenance(case: Case, sheet: Sheet, linked: tuple[Reference, ...] = ()) -> None:
    """Settle `provenance.<kind>` for each kind that has references; ask `provenance` when there is none at all.

    `linked` are references that trailers make. A contract that the change was verified against is named too, though it is not
    what the change comes from. Answers add to what the evidence cites: they cannot take a reference away.
    """
    found = [*linked, *_from_commits(case), *_from_documents(case), *_from_decision_files(case)]
    answered = list(_from_answers(case, sheet))
    came_from = bool(found or answered)
    found += [Reference(CONTRACTS, one.contract, one.id) for one in case.bundle.contracts if one.is_verdict]
    kinds = {reference.kind for reference in (*found, *answered)}
    for kind in sorted(kind for kind in kinds if f"provenance.{kind}" not in sheet.unresolved):
        own = [reference for reference in (*found, *answered) if reference.kind == kind]
        basis = Basis.ANSWER if any(reference.kind == kind for reference in answered) else Basis.EVIDENCE
        texts = tuple(dict.fromkeys(reference.text for reference in own))
        sheet.settle(f"provenance.{kind}", texts, basis, (reference.evidence for reference in own))
    if not came_from and not any(path.startswith("provenance") for path in sheet.unresolved):
        suggestions = tuple(_mentioned(case))
        evidence = (item for suggestion in suggestions for item in suggestion.evidence)
        sheet.ask("provenance", Reason.NO_EVIDENCE, _QUESTION, accepts=_FORMAT, suggestions=suggestions, evidence=evidence)


def _from_commits(case: Case) -> Iterator[Reference]:
    for view in (*case.views, *case.merges):
        for trailer in (*view.message.trailers, *view.said.closing):
            name = trailer.name.lower()
            if name in _CITING:
                yield from (
                    Reference(_request_kind(name, kind), text, view.id) for kind, text in _references(trailer.value, case)
                )
        yield from (Reference(kind, text, view.id) for citation in view.said.citations for kind, text in _cited(citation, case))


def _request_kind(trailer: str, kind: str) -> str:
    return PULL_REQUESTS if trailer in _REQUEST_TRAILERS and kind == ISSUES else kind


def _references(text: str, case: Case) -> Iterator[tuple[str, str]]:
    """The references in a citing trailer's value, by kind; words between them are left alone."""
    for mention in mentions(text, trackers=case.rules.trackers):
        if mention.kind is IdentifierKind.URL:
            yield _url_kind(mention.text), mention.text
        elif mention.kind in _KINDS:
            yield _KINDS[mention.kind], mention.text


def _url_kind(url: str) -> str:
    parts = url.partition("://")[2].partition("?")[0].split("/")[1:]
    return next((_URL_PARTS[part] for part in parts if part in _URL_PARTS), REFERENCES)


def _cited(citation: Citation, case: Case) -> Iterator[tuple[str, str]]:
    """What a number that a forge wrote cites; the end of a subject only by the project's rule."""
    if citation.kind is not CitationKind.SUBJECT_NUMBER:
        mark = "!" if citation.kind is CitationKind.MERGE_REQUEST else "#"
        yield PULL_REQUESTS, _request(case, f"{citation.project}{mark}{citation.number}")
    elif case.rules.subject_number is SubjectNumber.PULL_REQUEST:
        yield PULL_REQUESTS, _request(case, f"#{citation.number}")
    elif case.rules.subject_number is SubjectNumber.ISSUE:
        yield ISSUES, f"#{citation.number}"


def _request(case: Case, key: str) -> str:
    """The address of a request where the profile's repository tells it, else its key: `#12`, `!12`, `group/project!12`.

    `!` is GitLab's mark and stays with the project that the key names; `#` is GitHub's.
    """
    repository = case.profile.repository.rstrip("/").removesuffix(".git")
    host, path = urlsplit(repository).netloc.lower(), urlsplit(repository).path.strip("/")
    project, mark, number = key.rpartition("!") if "!" in key else key.rpartition("#")
    if not (number.isascii() and number.isdigit()):
        return key
    if mark == "!" and (project == path or (not project and host == "gitlab.com")):
        return f"{repository}/-/merge_requests/{number}"
    return f"{repository}/pull/{number}" if (project, mark, host) == ("", "#", "github.com") else key


def _from_documents(case: Case) -> Iterator[Reference]:
    kinds = {DocumentKind.PULL_REQUEST: PULL_REQUESTS, DocumentKind.ISSUE: ISSUES, DocumentKind.DECISION: DECISIONS}
    for document in case.bundle.documents:
        if document.kind in kinds:
            yield Reference(kinds[document.kind], _document_key(case, document), document.id)


def _document_key(case: Case, document: Document) -> str:
    """How a document is cited: a pull request by address, anything else by key, the locator as a last resort."""
    if document.kind is DocumentKind.PULL_REQUEST:
        return document.url or _request(case, document.key) or document.locator
    return document.key or document.url or document.locator


def _from_decision_files(case: Case) -> Iterator[Reference]:
    """Decision files that the change itself adds or edits, unless they were given as documents."""
    given = [text for document in case.bundle.documents for text in (document.locator, document.key, document.url)]
    for change in case.files:
        is_decision = any(matches(pattern, change.path) for pattern in case.rules.decisions)
        if is_decision and change.change is not Change.DELETED and not any(change.path in text for text in given):
            yield Reference(DECISIONS, change.path, change.id)


def _from_answers(case: Case, sheet: Sheet) -> Iterator[Reference]:
    for answer in case.answers_below("provenance"):
        kind = answer.path.partition(".")[2]
        texts = as_texts(answer.value)
        if not is_provenance(answer.path):
            continue
        if not texts:
            refuse(sheet, answer, _FORMAT, _QUESTION)
            continue
        yield from (Reference(kind or _kind_of(text, case), text, answer.id) for text in texts)


def _kind_of(text: str, case: Case) -> str:
    """The kind of a reference that a person gave without one."""
    kinds = [kind for kind, reference in _references(text, case) if reference == text]
    return kinds[0] if kinds else REFERENCES


def _mentioned(case: Case) -> Iterator[Suggestion]:
    """What commits mention in passing: issue keys of the project's trackers, and numbers at the end of subjects."""
    said = grouped((text, (view.id,)) for view in case.views for text in _in_passing(view, case))
    yield from (Suggestion((text,), ids) for text, ids in islice(said.items(), 20))


def _in_passing(view: View, case: Case) -> Iterator[str]:
    yield from (f"#{citation.number}" for citation in view.said.citations)
    text = f"{view.message.description}\n{view.message.body}"
    yield from (mention.text for mention in issue_keys(text, case.rules.trackers))
