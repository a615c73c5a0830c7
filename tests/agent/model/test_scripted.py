"""The double: replies in order, prompts kept."""

from __future__ import annotations

import asyncio

import pytest

from agent.errors import ProviderFailure, TooLong
from agent.model.client import Model, Prompt, Reply, Usage
from agent.model.scripted import Scripted
from agent.prompting import compose
from agent.tasks import CHANGESET
from tests.guardrails.resolving.building import PROFILE, WHOLE, evidence

PROMPT = compose(CHANGESET, evidence(WHOLE), (), PROFILE)


def test_replies_come_in_order_and_prompts_are_kept() -> None:
    scripted = Scripted(["one", Reply("two", Usage(1, 2))])
    assert [asyncio.run(scripted.draft(PROMPT)) for _ in range(2)] == [Reply("one"), Reply("two", Usage(1, 2))]
    assert scripted.prompts == [PROMPT, PROMPT]


def test_no_reply_left_is_a_failure_of_the_provider() -> None:
    scripted = Scripted([])
    with pytest.raises(ProviderFailure, match="no reply left"):
        asyncio.run(scripted.draft(PROMPT))
    assert scripted.prompts == [PROMPT]


def test_it_is_a_model_with_any_name() -> None:
    model: Model = Scripted([], name="openai:example")
    assert (model.name, Scripted([]).name) == ("openai:example", "scripted")


def test_an_answer_may_be_a_function_of_the_prompt_or_a_failure() -> None:
    def answer(prompt: Prompt) -> str | TooLong:
        return TooLong("too long", share=0.5) if prompt.task == "changeset" else "short"

    with pytest.raises(TooLong):
        asyncio.run(Scripted(answer).draft(PROMPT))
    with pytest.raises(ProviderFailure, match="down"):
        asyncio.run(Scripted([ProviderFailure("down")]).draft(PROMPT))


def test_answers_keep_the_order_of_the_questions_while_calls_are_held_up() -> None:
    async def two() -> tuple[list[str], int]:
        opened = asyncio.Event()

        async def gate(_: Prompt) -> None:
            await opened.wait()

        scripted = Scripted(["one", "two"], before=gate)
        tasks = [asyncio.create_task(scripted.draft(PROMPT)) for _ in range(2)]
        for _ in range(5):
            await asyncio.sleep(0)
        done = sum(task.done() for task in tasks)
        opened.set()
        return [reply.text for reply in await asyncio.gather(*tasks)], done

    assert asyncio.run(two()) == (["one", "two"], 0)


def test_it_says_of_itself_what_it_was_told_and_counts_how_often_it_was_closed() -> None:
    scripted = Scripted([], parameters={"max_tokens": 5}, room=7)
    assert (scripted.parameters, asyncio.run(scripted.room())) == ({"max_tokens": 5}, 7)
    asyncio.run(scripted.close())
    assert scripted.closed == 1
    assert (dict(Scripted([]).parameters), asyncio.run(Scripted([]).room())) == ({}, None)
