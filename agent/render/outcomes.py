"""Outcomes as documents and as text: one shape for JSON and for people, in the words of evidraft design 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from guardrails import strict_yaml
from guardrails.drafts.draft import Draft
from guardrails.drafts.questions import Suggestion, Unresolved
from guardrails.drafts.sourced import Sentence, plain
from guardrails.findings import Finding
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, Verdict

EXIT_CODES: dict[type[Verdict], int] = {Accepted: 0, Rejected: 1, NeedsInput: 3}


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around an outcome: the task, the revisions and the profile it was judged by, the command to go on with.

    `instead_of` names the drafter that was asked for where the extractive one stood in for it.
    """

    task: str
    base: str | None
    head: str | None
    profile_digest: str | None
    resume: str
    instead_of: str = ""


STATUSES: dict[type[Verdict], str] = {Accepted: "DRAFTED", Rejected: "REJECTED", NeedsInput: "NEEDS_INPUT"}


def record_text(draft: Draft) -> str:
    """The draft as the text of its record."""
    return draft.form.write(draft.record())


def document(verdict: Verdict, frame: Frame, record: Mapping[str, object] | None = None) -> dict[str, object]:
    """The outcome as JSON types, whichever it is; `record` is that of its draft, where it was made before."""
    evidence: dict[str, object] = {"base": frame.base, "head": frame.head, "profile-digest": frame.profile_digest}
    if frame.instead_of:
        evidence["drafted-instead-of"] = frame.instead_of
    if isinstance(verdict, Accepted):
        return {
            "status": STATUSES[Accepted],
            "task": frame.task,
            "record": verdict.draft.record() if record is None else record,
            "sources": sources(verdict.draft),
            "warnings": [finding(found) for found in verdict.warnings],
            "evidence": evidence,
        }
    if isinstance(verdict, Rejected):
        return {
            "status": STATUSES[Rejected],
            "task": frame.task,
            "findings": [finding(found) for found in verdict.findings],
            "evidence": evidence,
        }
    return {
        "status": STATUSES[NeedsInput],
        "task": frame.task,
        "unresolved": [question_document(question) for question in verdict.unresolved],
        "contradictions": [
            {"code": found.code, "where": found.where, "evidence": list(found.evidence), "message": found.message}
            for found in verdict.contradictions
        ],
        "findings": [finding(found) for found in verdict.findings],
        "partial": verdict.partial.record() if record is None else record,
        "evidence": evidence,
        "resume": frame.resume,
    }


def text(verdict: Verdict, frame: Frame) -> str:
    """The outcome for a person: the record itself, or the NEEDS_INPUT or REJECTED document as YAML."""
    return "".join(pieces(verdict, frame))


def pieces(verdict: Verdict, frame: Frame, record: Mapping[str, object] | None = None) -> Iterator[str]:
    """The same text piece by piece; `record` is that of its draft, where it was made before."""
    if isinstance(verdict, Accepted):
        yield from verdict.draft.form.pieces(verdict.draft.record() if record is None else record)
        return
    told = {name: value for name, value in document(verdict, frame, record).items() if value not in ([], {})}
    yield strict_yaml.write(told).decode()


def sources(draft: Draft) -> dict[str, object]:
    """Per field the basis and the evidence ids, for prose sentence by sentence (Intent Changesets 11.4)."""
    return dict(each_source(draft))


def each_source(draft: Draft) -> Iterator[tuple[str, object]]:
    """Each field of `sources` by itself: all of them at once are large."""
    for path in draft.paths:
        if path in draft.prose:
            prose = draft.prose[path]
            yield path, {"basis": prose.basis.value, "sentences": [_sentence(one) for one in prose.sentences]}
        else:
            value = draft.values[path]
            yield path, {"basis": value.basis.value, "evidence": list(value.evidence)}


def _sentence(told: Sentence) -> dict[str, object]:
    """A sentence and its evidence, and where it stands on a page that has headings."""
    place: dict[str, object] = {"heading": told.heading.value if told.heading else None, "places": list(told.places)}
    return {"text": told.text, "evidence": list(told.evidence)} | {name: value for name, value in place.items() if value}


def question_document(question: Unresolved) -> dict[str, object]:
    """One open field as JSON types; empty lists are left out."""
    told: dict[str, object] = {
        "field": question.field,
        "reason": question.reason.value,
        "question": question.question,
        "accepts": list(question.accepts),
        "suggestions": [_suggestion(suggestion) for suggestion in question.suggestions],
        "evidence": list(question.evidence),
    }
    return {name: value for name, value in told.items() if value != [] or name in {"field", "reason", "question"}}


def _suggestion(told: Suggestion) -> dict[str, object]:
    """A suggestion and what it rests on; `by` names the drafter where it is a drafter's."""
    return {"value": plain(told.value), "evidence": list(told.evidence), **({"by": told.by} if told.by else {})}


def finding(found: Finding) -> dict[str, object]:
    """One finding as JSON types."""
    return {
        "code": found.code,
        "severity": found.severity.value,
        "where": found.where,
        "message": found.message,
        "evidence": list(found.evidence),
        "line": found.line,
    }
