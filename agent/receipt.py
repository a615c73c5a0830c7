"""The draft record: what a reviewer or auditor needs to trust a draft, and to tell when it is stale (evidraft design 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agent.pipeline import Attempt, Outcome
from agent.render import outcomes
from agent.render.json_text import Listed, Named, json_pieces
from agent.render.outcomes import Frame
from agent.replies import spending
from guardrails import digests
from guardrails.evidence.model import Bundle
from guardrails.findings import Finding
from guardrails.grounding.verdict import Accepted, drafted
from guardrails.redaction.redact import RedactedEvidence

VERSION = "1.0.0"


def receipt(outcome: Outcome, frame: Frame) -> dict[str, object]:
    """The record of one run as JSON types.

    It holds digests and counts of what was redacted, never a value; of what was withheld only that there was such a thing.
    """
    told, draft = _told(outcome, frame), drafted(outcome.verdict)
    return {
        **told,
        "drafter": {**_drafter(outcome, frame.instead_of), "attempts": list(map(_attempt, outcome.attempts))},
        "evidence": list(manifest(outcome.evidence.bundle)),
        "fields": outcomes.sources(draft) if draft else {},
    }


def receipt_text(outcome: Outcome, frame: Frame) -> str:
    """The record of one run as the text that is written: `receipt` as JSON."""
    return "".join(receipt_pieces(outcome, frame))


def receipt_pieces(outcome: Outcome, frame: Frame, record: Mapping[str, object] | None = None) -> Iterator[str]:
    """The same piece by piece, never all of it at once; `record` is that of the draft, where it was made before."""
    return json_pieces(_told(outcome, frame, record))


def _told(outcome: Outcome, frame: Frame, record: Mapping[str, object] | None = None) -> dict[str, object]:
    verdict, evidence = outcome.verdict, outcome.evidence
    draft = drafted(verdict)
    return {
        "evidraft-record": VERSION,
        "task": frame.task,
        "status": outcomes.STATUSES[type(verdict)],
        "output-digest": digests.sha256_of(outcomes.pieces(verdict, frame, record)),
        "selection": {
            "kind": evidence.bundle.selection.kind.value,
            "spec": evidence.bundle.selection.spec,
            "base": frame.base,
            "head": frame.head,
        },
        "repository": evidence.bundle.repository,
        "profile": {
            "path": evidence.bundle.profile.path if evidence.bundle.profile else None,
            "digest": frame.profile_digest,
        },
        "policy-digest": evidence.policy_digest,
        "engine": evidence.engine,
        "drafter": _drafter(outcome, frame.instead_of),
        "evidence": Listed(lambda: manifest(evidence.bundle)) if any(manifest(evidence.bundle)) else [],
        "withheld": [{"kind": kind, "state": state} for kind, state in _kinds_withheld(evidence)],
        "redactions": redactions(evidence),
        "left-out": left_out(evidence.bundle),
        "fields": Named(lambda: outcomes.each_source(draft)) if draft and (draft.values or draft.prose) else {},
        "coverage": dict(draft.coverage) if draft else {},
        "findings": [outcomes.finding(found) for found in _findings(outcome)],
    }


def _kinds_withheld(evidence: RedactedEvidence) -> list[tuple[str, str]]:
    """How many there are would tell how much is under embargo."""
    return sorted({(mark.kind, mark.state) for mark in evidence.withheld})


def manifest(bundle: Bundle) -> Iterator[dict[str, str]]:
    """Each evidence item by id, kind, locator and digest of its exact bytes."""
    for commit in (*bundle.commits, *bundle.referenced):
        yield {"id": commit.id, "kind": "commit", "locator": commit.locator, "digest": commit.digest}
    for change in (*bundle.files(), *(bundle.net or ())):
        yield {"id": change.id, "kind": "file", "locator": change.locator, "digest": change.digest}
        for hunk in change.hunks:
            yield {"id": hunk.id, "kind": "hunk", "locator": hunk.locator, "digest": hunk.digest}
    for document in bundle.documents:
        yield {"id": document.id, "kind": document.kind.word, "locator": document.locator, "digest": document.digest}
    for one in bundle.contracts:
        told = {"id": one.id, "kind": "contract", "locator": one.locator, "digest": one.digest}
        yield {**told, "contract-digest": one.contract, "result-digest": one.result, "result": " + ".join(one.status)}
    for record in bundle.records:
        yield {"id": record.id, "kind": "record", "locator": record.locator, "digest": record.digest}
    for answer in bundle.answers:
        kind = "accepted-suggestion" if answer.accepted else "answer"
        yield {"id": answer.id, "kind": kind, "locator": answer.locator, "digest": answer.digest}


def redactions(evidence: RedactedEvidence) -> list[dict[str, object]]:
    """How often which rule took something out of which item."""
    return [{"item": one.item, "rule": one.rule, "count": one.count} for one in evidence.redactions]


def left_out(bundle: Bundle) -> list[dict[str, str]]:
    """What was not read, or read differently, and why."""
    return [{"code": note.code, "where": note.where, "message": note.message} for note in bundle.notes]


def _drafter(outcome: Outcome, instead_of: str) -> dict[str, object]:
    """Who drafted, how it was asked, what that cost in all, and each call."""
    return {
        "client": outcome.model,
        **({"instead-of": instead_of} if instead_of else {}),
        "parameters": dict(outcome.parameters),
        "prompt": _prompt(outcome),
        "usage": spending.counted([attempt.reply for attempt in outcome.attempts]),
        "attempts": Listed(lambda: map(_attempt, outcome.attempts)) if outcome.attempts else [],
    }


def _prompt(outcome: Outcome) -> dict[str, str] | None:
    """Which prompt was asked with; of a draft in parts the digest covers those of all parts."""
    first: dict[str, str] = {}
    for attempt in outcome.attempts:
        first.setdefault(attempt.part, attempt.prompt)
    if not first:
        return None
    digest = digests.digest_of(list(first.values())) if len(first) > 1 else next(iter(first.values()))
    return {"name": outcome.task.prompt_name, "version": outcome.task.version, "digest": digest}


def _attempt(attempt: Attempt) -> dict[str, object]:
    """One call of a drafter, and for which part of the draft where it was not for the whole."""
    reply = attempt.reply
    return {
        **({"part": attempt.part} if attempt.part else {}),
        "prompt-digest": attempt.prompt,
        "left-out": list(attempt.left_out),
        "model": reply.model,
        "request-id": reply.request_id,
        "stop": reply.stop,
        "kept": reply.kept,
        **spending.counted([reply]),
        "findings": [outcomes.finding(found) for found in attempt.findings],
    }


def _findings(outcome: Outcome) -> tuple[Finding, ...]:
    verdict = outcome.verdict
    return verdict.warnings if isinstance(verdict, Accepted) else verdict.findings
