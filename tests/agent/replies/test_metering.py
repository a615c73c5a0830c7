"""No call is begun that could pass a limit, also not beside others."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal

import pytest

from agent.errors import LimitReached, NotConfigured, ProviderFailure
from agent.model.client import Prompt, Reply, Usage
from agent.model.scripted import Scripted
from agent.replies import prices
from agent.replies.metering import Limits, Metered
from tests.agent.replies.asked import asked, prompt

CLIENT = "openai:gpt-4o"
PROMPT = prompt()
SENT = "".join(message.content for message in PROMPT.messages) + json.dumps(dict(PROMPT.schema))
INPUT = -(-len(SENT.encode()) // 3)
MOST = INPUT + 100
"""What a call with an answer of 100 tokens reserves: a third of the bytes, and the answer."""
SHORT = {"max_output_tokens": 100}


def scripted(*usages: Usage | None, name: str = CLIENT) -> Scripted:
    return Scripted([Reply("x", usage or Usage()) for usage in usages], name=name, parameters=SHORT)


def test_a_reply_gets_its_price() -> None:
    usage = Usage(1_000, 100, 500)
    (reply,) = asked(Metered(scripted(usage)), PROMPT)
    assert reply.cost == prices.dollars(CLIENT, usage)
    assert reply.cost is not None
    (unknown,) = asked(Metered(scripted(usage, name="http://127.0.0.1/v1#x")), PROMPT)
    assert unknown.cost is None


def test_a_reply_of_a_batch_gets_the_price_of_batches_and_reserves_by_it() -> None:
    usage, most = Usage(1_000, 100), prices.dollars(CLIENT, Usage(INPUT, 100), in_batch=True)
    limits = Limits(most)
    (reply,) = asked(Metered(scripted(usage), limits, in_batch=True), PROMPT)
    assert reply.cost == prices.dollars(CLIENT, usage, in_batch=True)
    with pytest.raises(LimitReached):
        asked(Metered(scripted(usage), limits), PROMPT)


def test_the_call_that_could_pass_the_limit_on_tokens_is_not_begun() -> None:
    model = scripted(Usage(40, 2), Usage(40, 2), Usage(40, 2))
    metered = Metered(model, Limits(tokens=MOST + 2 * 42 - 1))
    with pytest.raises(LimitReached) as reached:
        asked(metered, PROMPT, PROMPT, PROMPT)
    assert len(model.prompts) == 2
    assert f"84 of {MOST + 83} tokens are spent, and the next call may take {MOST}" in str(reached.value)
    assert reached.value.where == "--max-tokens"


def test_a_limit_that_is_just_met_stops_nothing() -> None:
    model = scripted(Usage(40, 2), Usage(40, 2), Usage(40, 2))
    assert len(asked(Metered(model, Limits(tokens=MOST + 2 * 42)), PROMPT, PROMPT, PROMPT)) == 3


def test_the_limit_on_dollars_counts_what_was_paid() -> None:
    one, most = prices.dollars(CLIENT, Usage(4_000, 20)), prices.dollars(CLIENT, Usage(INPUT, 100))
    assert one is not None
    assert most is not None
    limit = most + one
    model = scripted(*[Usage(4_000, 20)] * 3)
    with pytest.raises(LimitReached) as reached:
        asked(Metered(model, Limits(dollars=limit)), PROMPT, PROMPT, PROMPT)
    assert len(model.prompts) == 2
    assert f"{2 * one:.4f} of {limit} dollars are spent" in str(reached.value)
    assert reached.value.where == "--max-cost"


@pytest.mark.parametrize("name", ["openai:no-such-model", "http://127.0.0.1:8080/v1#x"])
def test_a_limit_on_dollars_without_prices_is_refused_before_anything_is_sent(name: str) -> None:
    model = scripted(Usage(1, 1), name=name)
    with pytest.raises(NotConfigured, match="nobody knows what it costs") as refused:
        Metered(model, Limits(dollars=Decimal(1)))
    assert refused.value.cure == "use --max-tokens instead"
    assert model.prompts == []


def test_a_reply_that_does_not_say_what_it_took_counts_as_what_was_reserved() -> None:
    model = scripted(None, None, None)
    with pytest.raises(LimitReached, match=f"{2 * MOST} of"):
        asked(Metered(model, Limits(tokens=3 * MOST - 1)), PROMPT, PROMPT, PROMPT)


def test_a_reply_that_was_kept_costs_nothing() -> None:
    model = Scripted([Reply("x", Usage(10**9, 10**9), kept=True)] * 3, name=CLIENT, parameters=SHORT)
    replies = asked(Metered(model, Limits(dollars=Decimal(1))), PROMPT, PROMPT, PROMPT)
    assert [reply.cost for reply in replies] == [None] * 3


def test_a_failed_call_gives_back_what_it_reserved() -> None:
    model = Scripted([ProviderFailure("down"), Reply("x", Usage(40, 2))], name=CLIENT, parameters=SHORT)
    metered = Metered(model, Limits(tokens=MOST))
    with pytest.raises(ProviderFailure, match="down"):
        asked(metered, PROMPT)
    assert len(asked(metered, PROMPT)) == 1


@pytest.mark.parametrize(
    ("parameters", "answer"),
    [
        ({"max_output_tokens": 7}, 7),
        ({"max_tokens": 7}, 7),
        ({"max-output-tokens": 7}, 7),
        ({}, 8_192),
        ({"max_tokens": "?"}, 8_192),
    ],
)
def test_what_is_reserved_for_an_answer_is_what_the_client_asks_for_at_most(parameters: dict[str, object], answer: int) -> None:
    model = Scripted(["x"], name=CLIENT, parameters=parameters)
    assert len(asked(Metered(model, Limits(tokens=INPUT + answer)), PROMPT)) == 1
    with pytest.raises(LimitReached):
        asked(Metered(model, Limits(tokens=INPUT + answer - 1)), PROMPT)


# Several calls at once


class Gate:
    """Holds calls up until it is opened, and counts how many wait at it."""

    def __init__(self) -> None:
        self.waiting = 0
        self._open: asyncio.Event | None = None

    async def __call__(self, _: Prompt) -> None:
        self._open = self._open or asyncio.Event()
        self.waiting += 1
        await self._open.wait()
        self.waiting -= 1

    def open(self) -> None:
        assert self._open is not None
        self._open.set()


async def settled() -> None:
    """Let everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_call_that_does_not_fit_beside_others_waits_for_them() -> None:
    gate = Gate()
    model = Scripted([Reply("x", Usage(1, 1))] * 4, name=CLIENT, parameters=SHORT, before=gate)
    metered = Metered(model, Limits(tokens=2 * MOST + 6))

    async def four() -> int:
        tasks = [asyncio.create_task(metered.draft(PROMPT)) for _ in range(4)]
        await settled()
        waiting = gate.waiting
        gate.open()
        await asyncio.gather(*tasks)
        return waiting

    assert asyncio.run(four()) == 2
    assert len(model.prompts) == 4


def test_calls_at_once_never_pass_the_limit_together() -> None:
    gate = Gate()
    model = Scripted([Reply("x", Usage(MOST, 0))] * 4, name=CLIENT, parameters=SHORT, before=gate)
    metered = Metered(model, Limits(tokens=2 * MOST + 6))

    async def four() -> list[object]:
        tasks = [asyncio.create_task(metered.draft(PROMPT)) for _ in range(4)]
        await settled()
        gate.open()
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    said = asyncio.run(four())
    assert [type(one) for one in said] == [Reply, Reply, LimitReached, LimitReached]
    assert len(model.prompts) == 2


def test_a_call_that_is_called_off_frees_those_that_wait_for_it() -> None:
    gate = Gate()
    model = Scripted([Reply("x", Usage(1, 1))] * 2, name=CLIENT, parameters=SHORT, before=gate)
    metered = Metered(model, Limits(tokens=MOST + 2))

    async def two() -> Reply:
        first, second = (asyncio.create_task(metered.draft(PROMPT)) for _ in range(2))
        await settled()
        first.cancel()
        await settled()
        gate.open()
        return await second

    assert asyncio.run(two()).text == "x"


def test_it_serves_one_loop_after_another() -> None:
    for _ in range(2):
        test_a_call_that_does_not_fit_beside_others_waits_for_them()
    model = scripted(Usage(1, 1), Usage(1, 1))
    metered = Metered(model, Limits(tokens=2 * MOST))
    assert [len(asked(metered, PROMPT)) for _ in range(2)] == [1, 1]
    assert model.closed == 2
