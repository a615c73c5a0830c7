"""The outcome of a draft: Accepted, NeedsInput or Rejected. An outcome, never an exception (evidraft design 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from guardrails.drafts.draft import Draft, without
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.drafts.sourced import Basis
from guardrails.drafts.unusable import UNUSABLE
from guardrails.findings import Finding, Severity, blocking
from guardrails.grounding.unread import NOTHING_SHOWN
from guardrails.resolving.resolved import ProseRequest, Resolved


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that every check let through; `warnings` are for the reviewer. Exit 0."""

    draft: Draft
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class NeedsInput:
    """What a person must settle, and what is resolved so far (`partial`). Exit 3."""

    unresolved: tuple[Unresolved, ...]
    contradictions: tuple[Finding, ...]
    partial: Draft
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A draft in which nothing trustworthy is left, or that a person cannot cure by an answer. Exit 1."""

    findings: tuple[Finding, ...]


Verdict: TypeAlias = Accepted | NeedsInput | Rejected


def drafted(verdict: Verdict) -> Draft | None:
    """The draft, whole or as far as it is resolved; None of a rejected one."""
    match verdict:
        case Accepted():
            return verdict.draft
        case NeedsInput():
            return verdict.partial
        case Rejected():
            return None


_UNUSABLE: Final = frozenset(code.name for code in UNUSABLE)
_CHANGES: Final = frozenset("FH")
"""The letters of changed paths and hunks."""


def decide(draft: Draft, resolved: Resolved, findings: tuple[Finding, ...]) -> Verdict:
    """Judge a draft by its findings and by what is still open.

    Accepted needs both to be empty but for warnings. A blocking finding on a drafter's text takes the text out and asks for the
    field; a contradiction is put to a person. Any other blocking finding rejects, and so does one on a text or value that
    somebody hands in as right. A draft of which nothing is left is rejected too.
    """
    against = blocking(findings)
    told_of = {*draft.prose, *draft.values, *(finding.where for finding in against)}
    unwritten = [request for request in resolved.requests if request.field not in told_of]
    if not against and not resolved.unresolved and not unwritten:
        return Accepted(draft, findings)
    known = frozenset(resolved.contradictions)
    if not all(finding in known or _is_curable(finding, draft) for finding in against):
        return Rejected(findings)
    gone = {finding.where for finding in against}
    partial = without(draft, gone | _built_on(gone, draft))
    is_faulty = any(finding.severity is Severity.ERROR for finding in against)
    if is_faulty and not partial.values and not partial.prose:
        return Rejected(findings)
    asked = (*_questions(draft, resolved, against), *(_unwritten(request) for request in unwritten))
    questions = sorted(asked, key=lambda question: draft.form.order(question.field))
    told = (finding for finding in against if finding.contradicts)
    return NeedsInput(tuple(questions), tuple(dict.fromkeys((*resolved.contradictions, *told))), partial, findings)


def _built_on(gone: set[str], draft: Draft) -> set[str]:
    """The texts that a program put together out of others: with one of those refused they would say it once more."""
    is_built = {path for path, text in draft.prose.items() if text.basis is Basis.RULE}
    return is_built if not gone.isdisjoint(draft.prose.keys() - is_built) else set()


def _is_curable(finding: Finding, draft: Draft) -> bool:
    """Whether a person's answer settles it: a question or contradiction, or a fault of a text that a drafter wrote."""
    if finding.severity is Severity.NEEDS_INPUT or finding.contradicts:
        return True
    text = draft.prose.get(finding.where)
    return text is not None and text.basis is not Basis.GIVEN


def _questions(draft: Draft, resolved: Resolved, against: tuple[Finding, ...]) -> Iterator[Unresolved]:
    """What was open already, with what the draft itself says of it, and each field that a finding touches, once."""
    yield from (_with_given(question, draft) for question in resolved.unresolved)
    asked = {question.field for question in resolved.unresolved}
    touched: dict[str, list[Finding]] = {}
    for finding in against:
        if finding.where not in asked:
            touched.setdefault(finding.where, []).append(finding)
    yield from (_question(where, tuple(findings), draft) for where, findings in touched.items())


def _with_given(question: Unresolved, draft: Draft) -> Unresolved:
    """The question; where the evidence suggests nothing, somebody else's draft may."""
    own = draft.values.get(question.field)
    if question.suggestions or own is None or own.basis is not Basis.GIVEN or not own.value:
        return question
    return replace(question, suggestions=(Suggestion(own.value, ()),))


def _unwritten(request: ProseRequest) -> Unresolved:
    """The question for a text for which the drafter found no words. A person reads messages first, so they alone are named."""
    worded = tuple(item_id for item_id in request.sources if item_id[:1] not in _CHANGES)
    evidence = worded or request.sources
    return Unresolved(request.field, Reason.NO_EVIDENCE, request.question, accepts=("<text>",), evidence=evidence)


def _question(where: str, findings: tuple[Finding, ...], draft: Draft) -> Unresolved:
    """A question that names what failed; a given value that nothing confirms is suggested back."""
    faults = "; ".join(f"{finding.code}: {finding.message}" for finding in findings)
    evidence = tuple(dict.fromkeys(item_id for finding in findings for item_id in finding.evidence))
    value = draft.values[where].value if where in draft.values else None
    suggestions = (Suggestion(value, evidence),) if value and _reason(findings) is Reason.NO_EVIDENCE else ()
    question = f"{draft.form.question(where)} ({faults})"
    return Unresolved(where, _reason(findings), question, suggestions=suggestions, evidence=evidence)


def _reason(findings: tuple[Finding, ...]) -> Reason:
    if any(finding.contradicts for finding in findings):
        return Reason.CONTRADICTION
    if any(finding.code in _UNUSABLE for finding in findings):
        return Reason.NO_ANSWER
    if any(finding.code == NOTHING_SHOWN.name for finding in findings):
        return Reason.NOT_READ
    is_open = all(finding.severity is Severity.NEEDS_INPUT for finding in findings)
    return Reason.NO_EVIDENCE if is_open else Reason.UNSUPPORTED_CLAIM
