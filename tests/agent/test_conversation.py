"""Asking a drafter: several parts at once in a fixed order, shorter where it does not fit, called off as one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from agent import pipeline
from agent.errors import ProviderFailure, TooLong
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome, Pace, Terms
from guardrails.drafts.questions import Reason
from guardrails.drafts.unusable import FINAL, REPLY_CUT_OFF, REPLY_EMPTY, UNUSABLE
from guardrails.evidence.model import Evidence
from guardrails.findings import Code
from guardrails.grounding.verdict import Accepted, NeedsInput
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.rules import Rules
from tests.agent.test_parts import NOTES, many, say

MENDED = "It is mended."


@dataclass
class Slow(Model):
    """A drafter that answers when it is let, and knows how many calls are open at once."""

    says: Callable[[Prompt], Awaitable[Reply]]
    name: str = "slow"
    opened: int = 0
    most: int = 0
    called_off: int = 0
    prompts: list[Prompt] = field(default_factory=list)

    async def draft(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        self.opened += 1
        self.most = max(self.most, self.opened)
        try:
            return await self.says(prompt)
        except asyncio.CancelledError:
            self.called_off += 1
            raise
        finally:
            self.opened -= 1


def walked(engine: SecretEngine, model: Model, pace: Pace, commits: int = 6) -> Outcome:
    terms = Terms(None, Rules(), Policy(), engine)
    return asyncio.run(pipeline.draft(NOTES, Evidence(many(commits)), terms, model, pace))


def parts(commits: int) -> list[str]:
    return [f"notes[C{number}]" for number in range(1, commits + 1)]


@pytest.mark.parametrize("jobs", [1, 2, 4, 50])
def test_so_many_parts_are_asked_at_once_and_their_order_is_that_of_the_draft(engine: SecretEngine, jobs: int) -> None:
    async def later(prompt: Prompt) -> Reply:
        for _ in range(20 - 3 * int(prompt.part[7:-1])):  # the first are the last to answer
            await asyncio.sleep(0)
        return Reply(say(prompt, MENDED))

    model = Slow(later)
    outcome = walked(engine, model, Pace(jobs=jobs))
    assert isinstance(outcome.verdict, Accepted)
    assert [attempt.part for attempt in outcome.attempts] == parts(6)
    assert model.most == min(jobs, 6)


def test_a_failure_calls_the_other_parts_off_and_is_told_as_itself(engine: SecretEngine) -> None:
    async def fails(prompt: Prompt) -> Reply:
        if prompt.part == "notes[C2]":
            raise ProviderFailure("it is gone")
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")

    model = Slow(fails)
    with pytest.raises(ProviderFailure, match="it is gone"):
        walked(engine, model, Pace(jobs=3))
    assert (model.opened, model.called_off) == (0, 2)


def test_a_draft_that_takes_too_long_is_called_off(engine: SecretEngine) -> None:
    async def never(_prompt: Prompt) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")

    model = Slow(never)
    with pytest.raises(ProviderFailure, match="not there within 0 seconds") as failed:
        walked(engine, model, Pace(jobs=2, deadline=0))
    assert failed.value.cure == "allow more with --timeout"
    assert model.opened == 0


def test_who_stops_a_draft_stops_its_calls(engine: SecretEngine) -> None:
    async def never(prompt: Prompt) -> Reply:
        if prompt.part == "notes[C3]":
            asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")

    async def stopped(model: Model) -> None:
        terms = Terms(None, Rules(), Policy(), engine)
        task = asyncio.create_task(pipeline.draft(NOTES, Evidence(many(3)), terms, model, Pace(jobs=3)))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asked, slow = asyncio.Event(), Slow(never)
    asyncio.run(stopped(slow))
    assert (slow.opened, slow.called_off) == (0, 3)


def test_a_prompt_that_does_not_fit_is_made_shorter_and_asked_again(engine: SecretEngine) -> None:
    async def narrow(prompt: Prompt) -> Reply:
        if prompt.size > room:
            raise TooLong("it does not fit", share=room / prompt.size)
        return Reply(say(prompt, MENDED))

    model = Slow(narrow)
    room = 1 << 30
    whole = walked(engine, model, Pace(), commits=1)
    assert len(model.prompts) == 1
    room = model.prompts[0].size - 1
    shorter = walked(engine, Slow(narrow), Pace(), commits=1)
    assert (whole.attempts[0].left_out, shorter.attempts) == ((), ()), "without anything shown there is nothing to ask"
    assert "nothing-shown" in {finding.code for finding in shorter.verdict.findings}  # type: ignore[union-attr]


@pytest.mark.parametrize("code", UNUSABLE, ids=lambda code: code.name)
def test_an_answer_that_is_none_is_asked_for_again_where_that_can_help(engine: SecretEngine, code: Code) -> None:
    answers = iter([Reply("", fault=code)])

    async def at_first(prompt: Prompt) -> Reply:
        return next(answers, Reply(say(prompt, MENDED)))

    model = Slow(at_first)
    outcome = walked(engine, model, Pace(), commits=1)
    assert [finding.code for finding in outcome.attempts[0].findings] == [code.name]
    if code in FINAL:
        assert isinstance(outcome.verdict, NeedsInput)
        assert [(one.field, one.reason) for one in outcome.verdict.unresolved] == [("notes[C1].text", Reason.NO_ANSWER)]
        assert len(model.prompts) == 1
    else:
        assert isinstance(outcome.verdict, Accepted)
        assert model.prompts[1].feedback == (f"notes[C1].text: {code.name}: {code.summary}",)


@pytest.mark.parametrize("code", [REPLY_EMPTY, REPLY_CUT_OFF], ids=lambda code: code.name)
def test_asking_again_is_bounded_and_every_attempt_is_kept(engine: SecretEngine, code: Code) -> None:
    async def never(_prompt: Prompt) -> Reply:
        return Reply("half a", fault=code)

    outcome = walked(engine, Slow(never), Pace(repairs=2), commits=2)
    assert [attempt.part for attempt in outcome.attempts] == [*parts(2)] * 3
    assert isinstance(outcome.verdict, NeedsInput)
    assert outcome.verdict.partial.prose == {}
    assert "half a" not in repr(outcome)
