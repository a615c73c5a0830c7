"""The road: redact, resolve, compose, draft, parse, validate, decide. Every drafting command walks it (evidraft design 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.collecting.request import Gathered
from agent.model.client import Model, Prompt, Usage
from agent.prompting import compose
from agent.tasks import CHANGESET, Task
from guardrails.drafts import changeset as changesets
from guardrails.drafts import reply as replies
from guardrails.drafts.draft import Draft
from guardrails.evidence.model import Evidence
from guardrails.findings import Finding, blocking
from guardrails.grounding import asking, matching, origin
from guardrails.grounding.citable import Citable
from guardrails.grounding.verdict import Rejected, Verdict, decide
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import Guard, RedactedEvidence, redact
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run is judged by: the active profile if any, the reviewed rules, the redaction policy and its secret engine."""

    profile: Profile | None
    rules: Rules
    policy: Policy
    engine: SecretEngine

    @classmethod
    def of(cls, gathered: Gathered, engine: SecretEngine) -> Terms:
        """What was gathered to judge by, with the engine that this machine has."""
        return cls(gathered.profile, gathered.rules, gathered.policy, engine)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a drafter: the prompt's digest, what it cost, and the findings on what it said."""

    prompt: str
    usage: Usage
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with all that a receipt tells about how it came about."""

    verdict: Verdict
    evidence: RedactedEvidence
    resolved: Resolved
    model: str
    prompt: Prompt | None
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a drafter would see: redacted evidence, what is resolved without it, and the prompt for what is left to ask."""

    evidence: RedactedEvidence
    resolved: Resolved
    prompt: Prompt | None


def see(task: Task, evidence: Evidence, terms: Terms, *, client: str) -> Seen:
    """Walk the road up to the drafter, sending nothing: `--dry-run`, `evidraft evidence`, and the first half of `draft`."""
    redacted = redact(evidence, terms.policy, terms.engine, client=client)
    resolved = task.resolve(redacted, terms.profile, terms.rules)
    prompt = compose(task, redacted, resolved.requests, terms.profile) if resolved.requests else None
    return Seen(redacted, resolved, prompt)


async def draft(task: Task, evidence: Evidence, terms: Terms, model: Model, *, repairs: int = 2) -> Outcome:
    """Draft one record. The drafter is asked at most `1 + repairs` times, with the same evidence each time.

    Raises:
        agent.errors.ProviderFailure: the drafter could not be reached.
    """
    seen = see(task, evidence, terms, client=model.name)
    citable = Citable.of(seen.evidence, terms.profile, terms.rules.trackers)
    current, findings = _judge(task, seen, citable)
    attempts: tuple[Attempt, ...] = ()
    prompt = seen.prompt
    while prompt is not None and len(attempts) <= repairs:
        answer = await model.draft(prompt)
        reply = replies.parse(answer.text)
        if isinstance(reply, tuple):
            current, findings = _judge(task, seen, citable)
            told = (*findings, *_unreadable(reply, prompt))
        else:
            current, findings = _judge(task, seen, citable, reply)
            told = findings = (*findings, *asking.check(reply, prompt.requests))
        attempts += (Attempt(prompt.digest, answer.usage, told),)
        feedback = tuple(dict.fromkeys(f"{finding.where}: {finding.code}" for finding in _curable(told, prompt)))
        prompt = compose(task, seen.evidence, prompt.requests, terms.profile, feedback=feedback) if feedback else None
    verdict = decide(current, seen.resolved, findings)
    return Outcome(verdict, seen.evidence, seen.resolved, model.name, seen.prompt, attempts)


def judge(task: Task, draft_: Draft, seen: Seen, terms: Terms, also: tuple[Finding, ...] = ()) -> Verdict:
    """The gate by itself: hold a draft that someone else wrote against the same evidence, `also` with findings made before."""
    citable = Citable.of(seen.evidence, terms.profile, terms.rules.trackers)
    return decide(draft_, seen.resolved, (*_held(task, draft_, citable, seen), *also))


def judge_changeset(record: Changeset, seen: Seen, terms: Terms) -> Verdict:
    """Hold a changeset that someone else wrote against the same evidence (`evidraft verify`).

    What rejects it is told at the places of the record; what is asked, at those that answers have.
    """
    own = changesets.given(record, Citable.of(seen.evidence, terms.profile, terms.rules.trackers).whole)
    places = matching.places(own, seen.resolved)
    draft_ = matching.renumbered(own, places)
    verdict = judge(CHANGESET, draft_, seen, terms, matching.missing(draft_, seen.resolved))
    return Rejected(matching.told(verdict.findings, places)) if isinstance(verdict, Rejected) else verdict


def _judge(
    task: Task, seen: Seen, citable: Citable, reply: replies.ProseReply | None = None
) -> tuple[Draft, tuple[Finding, ...]]:
    draft_ = origin.marked(task.assemble(seen.evidence, seen.resolved, reply), citable)
    return draft_, _held(task, draft_, citable, seen)


def _held(task: Task, draft_: Draft, citable: Citable, seen: Seen) -> tuple[Finding, ...]:
    guard = seen.evidence.guard
    return _showable(task.rules(draft_, citable, seen.resolved, guard), guard)


def _showable(findings: tuple[Finding, ...], guard: Guard) -> tuple[Finding, ...]:
    """The findings without anything that may not leave: what they quote comes from whoever wrote the draft."""
    return tuple(
        replace(finding, where=guard.clean(finding.where), message=guard.clean(finding.message)) for finding in findings
    )


def _unreadable(faults: tuple[Finding, ...], prompt: Prompt) -> tuple[Finding, ...]:
    """A reply of another shape leaves each asked field open. Where in it the faults stand are words of its own, so not told."""
    kinds = ", ".join(dict.fromkeys(fault.message for fault in faults))
    return tuple(replies.REPLY_SHAPE.at(one.field, f"got a reply of another shape: {kinds}") for one in prompt.requests)


def _curable(findings: tuple[Finding, ...], prompt: Prompt) -> tuple[Finding, ...]:
    """Blocking findings that another wording can cure: those on asked fields."""
    asked = {request.field for request in prompt.requests}
    return tuple(finding for finding in blocking(findings) if finding.where in asked)
