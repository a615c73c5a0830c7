"""The road: redact, resolve, compose, draft, parse, validate, decide. Every drafting command walks it (evidraft design 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from agent.collecting.request import Gathered
from agent.model.client import Model, Prompt, Reply, Usage
from agent.prompting import Composer
from agent.tasks import CHANGESET, ENVELOPE, Task
from guardrails.drafts import changeset as changesets
from guardrails.drafts import envelope_form, envelope_rules
from guardrails.drafts import reply as replies
from guardrails.drafts.draft import Draft, Form
from guardrails.drafts.envelope import Envelope
from guardrails.evidence.model import Evidence
from guardrails.findings import Finding, blocking
from guardrails.grounding import asking, origin
from guardrails.grounding.changesets import matching
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import allowing
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
    """One call of a drafter: the part it was asked for, the prompt's digest, what it cost, and the findings on what it said."""

    part: str
    prompt: str
    usage: Usage
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with all that a receipt tells about how it came about."""

    task: Task
    verdict: Verdict
    evidence: RedactedEvidence
    resolved: Resolved
    model: str
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a drafter would see: redacted evidence, what is resolved without it, and a prompt for each part left to ask."""

    evidence: RedactedEvidence
    resolved: Resolved
    composer: Composer

    def prompts(self) -> Iterator[Prompt]:
        """The prompts, put together one at a time: all of them may be more than fits at once."""
        return (self.composer.prompt(requests, part=part) for part, requests in self.resolved.parts().items())


@dataclass(frozen=True, slots=True)
class _Said:
    """What a drafter said of one part, as far as it was asked; a reply of another shape says nothing, `unread` tells why."""

    part: str
    prompt: str
    usage: Usage
    asked: frozenset[str]
    fields: tuple[replies.FieldReply, ...] = ()
    faults: tuple[Finding, ...] = ()
    unread: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, prompt: Prompt, answer: Reply) -> _Said:
        """Read an answer; the text of the prompt is not kept."""
        asked = frozenset(request.field for request in prompt.requests)
        said = cls(prompt.part, prompt.digest, answer.usage, asked)
        reply = replies.parse(answer.text)
        if isinstance(reply, tuple):
            return replace(said, unread=_unreadable(reply, prompt))
        own = tuple(one for one in reply.fields if one.field in asked)
        return replace(said, fields=own, faults=asking.check(reply, prompt.requests))


def see(task: Task, evidence: Evidence, terms: Terms, *, client: str, reads_evidence: bool = False) -> Seen:
    """Walk the road up to the drafter, sending nothing: `--dry-run`, `evidraft evidence`, and the first half of `draft`.

    `client` and `reads_evidence` are the drafter's name, and whether it reads more than the text of a prompt.
    """
    redacted = redact(evidence, terms.policy, terms.engine, client=client)
    resolved = task.resolve(redacted, terms.profile, terms.rules)
    composer = Composer.of(task, redacted, terms.profile, reads_evidence=reads_evidence)
    return Seen(redacted, resolved, composer)


async def draft(task: Task, evidence: Evidence, terms: Terms, model: Model, *, repairs: int = 2) -> Outcome:
    """Draft one record, part by part, and judge it as a whole.

    For each part the drafter is asked at most `1 + repairs` times, with the same evidence each time. Only parts with findings
    that another wording can cure are asked again.

    Raises:
        agent.errors.ProviderFailure: the drafter could not be reached.
    """
    seen = see(task, evidence, terms, client=model.name, reads_evidence=model.reads_evidence)
    citable = Citable.of(seen.evidence, terms.profile, terms.rules.trackers)
    parts = seen.resolved.parts()
    said: dict[str, _Said] = {}
    attempts: list[Attempt] = []
    waiting: dict[str, tuple[str, ...]] = dict.fromkeys(parts, ())
    for _ in range(1 + repairs):
        answered = await _ask(model, (seen.composer.prompt(parts[part], part=part, feedback=waiting[part]) for part in waiting))
        said |= {one.part: one for one in answered}
        current, findings = _judge(task, seen, citable, said)
        latest = _attempts(answered, findings, current.form)
        attempts += latest
        told = zip(answered, latest, strict=True)
        waiting = {one.part: again for one, attempt in told if (again := _curable(attempt.findings, one.asked))}
        if not waiting:
            break
    return Outcome(task, decide(current, seen.resolved, findings), seen.evidence, seen.resolved, model.name, tuple(attempts))


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


def judge_envelope(told: Envelope, evidence: Evidence, terms: Terms, *, client: str) -> Verdict:
    """Hold an envelope that someone else wrote against the evidence: its words by themselves, what was shown, what rules allow.

    Nothing is resolved for it: whatever it says is given, and stands or falls with the evidence.
    """
    redacted = redact(evidence, terms.policy, terms.engine, client=client)
    citable = Citable.of(redacted, terms.profile, terms.rules.trackers)
    draft_ = envelope_form.given(told, citable.whole)
    resolved = Resolved({}, {}, (), (), (), {}, form=draft_.form)
    findings = (
        *envelope_rules.validate(told),
        *ENVELOPE.rules(draft_, citable, resolved, redacted.guard),
        *allowing.check(draft_, redacted.bundle, terms.rules),
    )
    return decide(draft_, resolved, tuple(dict.fromkeys(_showable(findings, redacted.guard))))


async def _ask(model: Model, prompts: Iterable[Prompt]) -> tuple[_Said, ...]:
    """Ask for each part, one after another; no prompt outlives its answer."""
    return tuple([_Said.of(prompt, await model.draft(prompt)) for prompt in prompts])


def _judge(task: Task, seen: Seen, citable: Citable, said: Mapping[str, _Said]) -> tuple[Draft, tuple[Finding, ...]]:
    """The whole draft out of what is resolved and what was said of its parts, and all findings on it."""
    fields = tuple(field for one in said.values() for field in one.fields)
    # Each was read by itself; together they may be more than one reply may hold.
    reply = replies.ProseReply.model_construct(fields=fields) if fields else None
    draft_ = origin.marked(task.assemble(seen.evidence, seen.resolved, reply), citable)
    return draft_, (*_held(task, draft_, citable, seen), *(fault for one in said.values() for fault in one.faults))


def _held(task: Task, draft_: Draft, citable: Citable, seen: Seen) -> tuple[Finding, ...]:
    guard = seen.evidence.guard
    return _showable(task.rules(draft_, citable, seen.resolved, guard), guard)


def _showable(findings: tuple[Finding, ...], guard: Guard) -> tuple[Finding, ...]:
    """The findings without anything that may not leave: what they quote comes from whoever wrote the draft."""
    shown = guard.cleaned([text for finding in findings for text in (finding.where, finding.message)])
    told = zip(findings, shown[::2], shown[1::2], strict=True)
    return tuple(replace(finding, where=where, message=message) for finding, where, message in told)


def _unreadable(faults: tuple[Finding, ...], prompt: Prompt) -> tuple[Finding, ...]:
    """A reply of another shape leaves each asked field open. Where in it the faults stand are words of its own, so not told."""
    kinds = ", ".join(dict.fromkeys(fault.message for fault in faults))
    return tuple(replies.REPLY_SHAPE.at(one.field, f"got a reply of another shape: {kinds}") for one in prompt.requests)


def _attempts(answered: Iterable[_Said], findings: Iterable[Finding], form: Form) -> tuple[Attempt, ...]:
    """Each answer with the findings on its part of the draft."""
    told: dict[str, list[Finding]] = {}
    for finding in findings:
        told.setdefault(form.part(finding.where), []).append(finding)
    return tuple(Attempt(one.part, one.prompt, one.usage, (*told.get(one.part, ()), *one.unread)) for one in answered)


def _curable(findings: tuple[Finding, ...], asked: frozenset[str]) -> tuple[str, ...]:
    """Field and code of each blocking finding that another wording can cure: those on asked fields."""
    return tuple(dict.fromkeys(f"{one.where}: {one.code}" for one in blocking(findings) if one.where in asked))
