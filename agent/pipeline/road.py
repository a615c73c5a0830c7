"""Drafting: ask for each part, hold the whole against the evidence, ask again for what another wording can cure, decide."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import tenacity

from agent.errors import ProviderFailure
from agent.model.client import Model
from agent.pipeline.conversation import Attempt, Conversation, Faults
from agent.pipeline.judging import held
from agent.pipeline.seeing import Terms, see
from agent.tasks import Task
from guardrails.drafts import reply as replies
from guardrails.drafts.draft import Draft
from guardrails.drafts.unusable import FINAL
from guardrails.evidence.model import Evidence
from guardrails.findings import Finding, blocking
from guardrails.grounding import origin, unread
from guardrails.grounding.citable import Citable
from guardrails.grounding.suggesting import suggested
from guardrails.grounding.verdict import Verdict, decide
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.resolved import Resolved


@dataclass(frozen=True, slots=True)
class Pace:
    """How a drafter is asked: how often again for one part, how many parts at once, how many seconds for all of it."""

    repairs: int = 2
    jobs: int = 1
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with all that a receipt tells about how it came about."""

    task: Task
    verdict: Verdict
    evidence: RedactedEvidence
    resolved: Resolved
    model: str
    parameters: Mapping[str, object]
    attempts: tuple[Attempt, ...]


async def draft(task: Task, evidence: Evidence, terms: Terms, model: Model, pace: Pace = Pace()) -> Outcome:
    """Draft one record, part by part, and judge it as a whole.

    For each part the drafter is asked at most `1 + repairs` times, with the same evidence each time. Only parts with findings
    that another wording can cure are asked again.

    Raises:
        agent.errors.Failure: the drafter could not be reached or does not serve us, took too long, or a limit is reached.
    """
    async with _within(pace.deadline, model.name):
        room = await model.room()
        seen = see(task, evidence, terms, client=model.name, reads_evidence=model.reads_evidence, room=room)
        citable = Citable.of(seen.evidence, terms.profile, terms.rules.trackers)
        conversation = Conversation(model, seen, pace.jobs, seen.resolved.parts())
        drafted, findings = await _until_sound(conversation, task, citable, pace.repairs)
    hints = (hint for one in conversation.said.values() for hint in one.hints)
    verdict = decide(drafted, suggested(seen.resolved, hints, model.name), findings)
    return Outcome(task, verdict, seen.evidence, seen.resolved, model.name, model.parameters, tuple(conversation.attempts))


async def _until_sound(
    conversation: Conversation, task: Task, citable: Citable, repairs: int
) -> tuple[Draft, tuple[Finding, ...]]:
    """The draft and the findings on it, once nothing is left that asking again could cure, or that was asked often enough."""
    waiting: dict[str, Faults] = {part: {} for part in conversation.parts}
    rounds = itertools.count()

    async def once() -> tuple[Draft, tuple[Finding, ...]]:
        nonlocal waiting
        answered = await conversation.ask(waiting)
        shown = citable.without(conversation.not_shown)
        drafted = _drafted(task, conversation, shown)
        if next(rounds) == repairs:
            answered = conversation.forget(answered)
        findings = tuple(_findings(task, conversation, drafted, shown))
        latest = conversation.keep(answered, findings, drafted.form)
        told = zip(answered, latest, strict=True)
        waiting = {one.part: again for one, own in told if (again := _curable(own, one.asked))}
        return drafted, findings

    asked = tenacity.AsyncRetrying(
        stop=tenacity.stop_after_attempt(1 + repairs),
        retry=tenacity.retry_if_result(lambda _: bool(waiting)),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )
    drafted: tuple[Draft, tuple[Finding, ...]] = await asked(once)
    return drafted


@asynccontextmanager
async def _within(seconds: float | None, client: str) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise ProviderFailure(
            f"the draft was not there within {seconds:g} seconds", where=client, cure="allow more with --timeout"
        ) from None


def _drafted(task: Task, conversation: Conversation, shown: Citable) -> Draft:
    """The whole draft out of what is resolved and what was said of its parts."""
    seen = conversation.seen
    fields = tuple(field for one in conversation.said.values() for field in one.fields)
    # Each was read by itself; together they may be more than one reply may hold.
    reply = replies.ProseReply.model_construct(fields=fields) if fields else None
    return origin.marked(task.assemble(seen.evidence, seen.resolved, reply), shown)


def _findings(task: Task, conversation: Conversation, drafted: Draft, shown: Citable) -> Iterator[Finding]:
    """All that is found on a draft, on what was said for it, and on what was not shown."""
    yield from held(task, drafted, shown, conversation.seen)
    yield from (finding for one in conversation.said.values() for finding in (*one.faults, *one.unread))
    yield from unread.check(conversation.seen.evidence.bundle, conversation.not_shown)


def _curable(findings: tuple[Finding, ...], asked: frozenset[str]) -> Faults:
    """The codes of each blocking finding that another wording can cure, by field: those on asked fields."""
    final = {code.name for code in FINAL}
    cured: dict[str, tuple[str, ...]] = {}
    for one in blocking(findings):
        if one.where in asked and one.code not in final and one.code not in cured.get(one.where, ()):
            cured[one.where] = (*cured.get(one.where, ()), one.code)
    return cured
