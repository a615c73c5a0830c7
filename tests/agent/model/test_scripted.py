"""The double: replies in order, prompts kept."""

from __future__ import annotations

import asyncio

import pytest

from agent.errors import ProviderFailure
from agent.model.client import Model, Reply, Usage
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
