"""Asking a drafter, part by part: several at once, shorter where a prompt does not fit, and what each of them said."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from agent.errors import Failure, TooLong
from agent.model.client import Model, Prompt, Reply
from agent.pipeline.seeing import Seen
from agent.prompting.feedback import feedback
from guardrails.drafts import reply as replies
from guardrails.drafts.draft import Form
from guardrails.drafts.unusable import REPLY_EMPTY, REPLY_SHAPE
from guardrails.findings import Finding
from guardrails.grounding import asking, suggesting
from guardrails.grounding.suggesting import Hint
from guardrails.grounding.unread import NOTHING_SHOWN
from guardrails.resolving.resolved import ProseRequest

Faults: TypeAlias = Mapping[str, tuple[str, ...]]
"""The codes of what is wrong with a field, by its path."""
_SHORTENINGS: Final = 5
"""How often a prompt that does not fit is made shorter before that is a failure."""
_LESS: Final = 0.95
"""Counted tokens are told of one prompt; the next one has others."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a drafter: the part it was asked for, the prompt's digest and what did not fit, its answer, the findings."""

    part: str
    prompt: str
    left_out: tuple[str, ...]
    reply: Reply
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a drafter said of one part, as far as it was asked; where it said nothing that can be read, `unread` tells why.

    There is no `reply` where nothing could be shown: then the drafter was not called.
    """

    part: str
    prompt: str
    left_out: tuple[str, ...]
    reply: Reply | None
    asked: frozenset[str]
    fields: tuple[replies.FieldReply, ...] = ()
    faults: tuple[Finding, ...] = ()
    unread: tuple[Finding, ...] = ()
    hints: tuple[Hint, ...] = ()

    def after(self, earlier: Said | None) -> Said:
        """This answer, with what an earlier one said of fields that were not asked again."""
        if earlier is None:
            return self
        again = {*self.asked, *(finding.where for finding in self.unread)}
        return replace(
            self,
            left_out=tuple(dict.fromkeys((*earlier.left_out, *self.left_out))),
            asked=self.asked | earlier.asked,
            fields=(*(one for one in earlier.fields if one.field not in again), *self.fields),
            unread=(*(finding for finding in earlier.unread if finding.where not in again), *self.unread),
            hints=(*earlier.hints, *self.hints),
        )

    @classmethod
    def of(cls, prompt: Prompt, answer: Reply | None) -> Said:
        """Read an answer, if there was one; neither its text nor that of the prompt is kept."""
        asked = frozenset(request.field for request in prompt.requests)
        if answer is None:
            return cls(prompt.part, prompt.digest, prompt.left_out, None, asked)
        said = cls(prompt.part, prompt.digest, prompt.left_out, replace(answer, text=""), asked)
        fault = answer.fault or (None if answer.text.strip() else REPLY_EMPTY)
        if fault is not None:
            return replace(said, unread=tuple(fault.at(one.field, "got no usable answer") for one in prompt.requests))
        reply = replies.parse(answer.text)
        if isinstance(reply, tuple):
            return replace(said, unread=_unreadable(reply, prompt))
        own = tuple(one for one in reply.fields if one.field in asked)
        hints, dropped = suggesting.sift(reply.suggestions, prompt.open_fields, prompt.shown)
        return replace(said, fields=own, faults=(*asking.check(reply, prompt.requests), *dropped), hints=hints)


@dataclass(slots=True)
class Conversation:
    """What was asked of one drafter for one draft, and what it said. The latest answer of each part counts."""

    model: Model
    seen: Seen
    jobs: int
    parts: Mapping[str, tuple[ProseRequest, ...]]
    said: dict[str, Said] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    rooms: dict[str, int] = field(default_factory=dict)
    """How many characters a prompt may have, of parts of which one did not fit."""

    async def ask(self, waiting: Mapping[str, Faults]) -> tuple[Said, ...]:
        """Ask for the parts that are `waiting`, `jobs` at once; the answers in the order of the parts.

        Of a part with faults only the fields that have them are asked again; what was sound before stays.

        Raises:
            agent.errors.Failure: one of them failed; the others are called off.
        """
        rest = iter(waiting.items())
        answers: dict[str, Said] = {}

        async def one_after_another() -> None:
            for part, faults in rest:
                answers[part] = await self._one(part, faults)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.jobs, len(waiting))):
                    group.create_task(one_after_another())
        except* Failure as failures:
            raise _first(failures) from None
        answered = tuple(answers[part] for part in waiting)
        self.said |= {one.part: one.after(self.said.get(one.part)) for one in answered}
        return answered

    def forget(self, answered: Iterable[Said]) -> tuple[Said, ...]:
        """Let go of the words that were said: a draft has them by now, and nobody is asked again. The answers without them."""
        self.said = {part: replace(one, fields=()) for part, one in self.said.items()}
        return tuple(replace(one, fields=()) for one in answered)

    def keep(self, answered: Iterable[Said], findings: Iterable[Finding], form: Form) -> tuple[tuple[Finding, ...], ...]:
        """Write down each answer with the findings on its part of the draft; those findings, for each that was `answered`."""
        told: dict[str, list[Finding]] = {}
        for finding in findings:
            told.setdefault(form.part(finding.where), []).append(finding)
        latest = [(one, tuple(told.get(one.part, ()))) for one in answered]
        self.attempts += [
            Attempt(one.part, one.prompt, one.left_out, one.reply, own) for one, own in latest if one.reply is not None
        ]
        return tuple(own for _, own in latest)

    @property
    def not_shown(self) -> frozenset[str]:
        """The ids of what was left out of some part's prompt; none where the drafter reads the evidence itself."""
        if self.model.reads_evidence:
            return frozenset()
        return frozenset(item_id for one in self.said.values() for item_id in one.left_out)

    async def _one(self, part: str, faults: Faults) -> Said:
        """No prompt outlives its answer: all of them may be more than fits at once."""
        requests = [request for request in self.parts[part] if not faults or request.field in faults]
        for is_last in (*[False] * _SHORTENINGS, True):
            prompt = self.seen.composer.prompt(requests, part=part, feedback=feedback(faults), room=self.rooms.get(part))
            try:
                said = Said.of(prompt, await self.model.draft(prompt) if prompt.requests else None)
                return replace(said, unread=(*said.unread, *_unasked(requests, prompt)))
            except TooLong as failure:
                if is_last:
                    raise
                self.rooms[part] = int(prompt.size * failure.share * _LESS)
        raise AssertionError("the last shortening returns or raises")


def _first(group: BaseExceptionGroup[Failure]) -> Failure:
    """One failure says what there is to do; the same one usually met them all."""
    one: BaseException = group
    while isinstance(one, BaseExceptionGroup):
        one = one.exceptions[0]
    assert isinstance(one, Failure)  # noqa: S101 - `except*` let nothing else in
    return one


def _unasked(requests: Iterable[ProseRequest], prompt: Prompt) -> Iterator[Finding]:
    """The fields that were not asked since there was no room for anything that they may rest on."""
    asked, left_out = {request.field for request in prompt.requests}, frozenset(prompt.left_out)
    for request in requests:
        if request.field not in asked and not left_out.isdisjoint(request.sources):
            yield NOTHING_SHOWN.at(request.field, f"got no room for any of {len(request.sources)} items")


def _unreadable(faults: tuple[Finding, ...], prompt: Prompt) -> tuple[Finding, ...]:
    """A reply of another shape leaves each asked field open. Where in it the faults stand are words of its own, so not told."""
    kinds = ", ".join(dict.fromkeys(fault.message for fault in faults))
    return tuple(REPLY_SHAPE.at(one.field, f"got a reply of another shape: {kinds}") for one in prompt.requests)
