"""A drafter is asked no faster than it may be and than it likes, and not at all once it says no for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from agent.errors import Denied, Failure, Passing, ProviderFailure, RunStopped, TooLong
from agent.model import calls
from agent.model.calls import Heard
from agent.model.client import Model, Prompt, Reply, Usage
from agent.model.scripted import Scripted
from agent.replies.buckets import Bucket
from agent.replies.pacing import MOST_FAILURES, Ears, Pacing, Rates
from agent.replies.window import Window
from tests.agent.replies.asked import prompt

PROMPT = prompt()


@dataclass
class Paced:
    """A drafter whose calls have their turn."""

    model: Model
    pacing: Pacing

    async def draft(self, prompt: Prompt) -> Reply:
        async with self.pacing.turn(calls.current().name, prompt.size) as turn:
            with calls.heard(turn.heard):
                reply = await self.model.draft(prompt)
            if reply.usage.input_tokens is not None:
                turn.took(reply.usage.input_tokens + (reply.usage.output_tokens or 0))
            return reply

    def stop(self, end: RunStopped) -> None:
        self.pacing.stop(end)


@dataclass
class Time:
    """A clock that only sleeping moves."""

    now: float = 100.0
    rests: list[tuple[float, str]] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)

    async def begins(self, name: str) -> None:
        self.begun.append(name)

    def paced(self, model: Model, rates: Rates) -> Paced:
        ears = Ears(self.begins, lambda seconds, why: self.rests.append((seconds, why)))
        return Paced(model, Pacing(rates, ears, clock=lambda: self.now, sleep=self.sleep))


class Server(Scripted):
    """A drafter of a server that says `heard` before it answers, and knows how many were there at once."""

    def __init__(
        self, heard: Callable[[int], Heard | None] = lambda _: None, fails: Callable[[int], Failure | None] = lambda _: None
    ) -> None:
        super().__init__([])
        self._heard, self._fails = heard, fails
        self.inside = self.most = 0
        self.full = asyncio.Event()

    async def draft(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        number = len(self.prompts)
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside > 1:
            self.full.set()
        try:
            for _ in range(3):
                await asyncio.sleep(0)
            if heard := self._heard(number):
                calls.current().told(heard)
            if failure := self._fails(number):
                raise failure
            return Reply("x", Usage(10, 10))
        finally:
            self.inside -= 1


def ask(paced: Paced, times: int) -> list[Reply | BaseException]:
    async def all_() -> list[Reply | BaseException]:
        return await asyncio.gather(*(paced.draft(PROMPT) for _ in range(times)), return_exceptions=True)

    return asyncio.run(all_())


def test_no_more_calls_are_made_at_once_than_may_be() -> None:
    server = Server()
    replies = ask(Time().paced(server, Rates(jobs=3)), 20)
    assert all(isinstance(reply, Reply) for reply in replies)
    assert server.most == 3


def test_each_call_is_told_when_it_begins_and_not_before_its_turn() -> None:
    time, server = Time(), Server()
    with calls.named("name"):
        ask(time.paced(server, Rates(jobs=1)), 3)
    assert time.begun == ["name"] * 3


@pytest.mark.parametrize(
    ("rates", "seconds"),
    [(Rates(jobs=9, requests=2), 60.0), (Rates(jobs=9, tokens=PROMPT.size // 3 * 2), 60.0), (Rates(jobs=9), 0.0)],
    ids=["requests", "tokens", "unlimited"],
)
def test_what_is_beyond_a_minute_waits_for_the_next(rates: Rates, seconds: float) -> None:
    time, server = Time(), Server()
    ask(time.paced(server, rates), 4)
    assert time.now - 100.0 == pytest.approx(seconds, abs=1.0)
    assert {why for _, why in time.rests} == ({"own-limit"} if seconds else set())


@pytest.mark.parametrize("status", [429, 503, 529])
def test_fewer_calls_are_made_at_once_after_a_refusal_that_may_pass(status: int) -> None:
    server = Server(lambda number: Heard(status) if number == 1 else None)
    paced = Time().paced(server, Rates(jobs=8))
    ask(paced, 8)
    server.most = 0
    ask(paced, 5)
    assert server.most == 5
    server.most = 0
    server._heard = lambda _: Heard(status)
    ask(paced, 40)
    server.most = 0
    ask(paced, 3)
    assert server.most == 1


def test_nobody_asks_while_the_server_wants_to_be_left_alone() -> None:
    time = Time()
    server = Server(lambda number: Heard(429, 7.0) if number == 1 else None)
    paced = time.paced(server, Rates(jobs=1))
    ask(paced, 2)
    assert time.now == pytest.approx(107.0)
    assert time.rests == [(7.0, "rate-limit")]


def test_no_rest_is_longer_than_a_minute() -> None:
    time = Time()
    ask(time.paced(Server(lambda number: Heard(503, 1e6) if number == 1 else None), Rates(jobs=1)), 2)
    assert time.now == pytest.approx(160.0)
    assert time.rests == [(60.0, "overload")]


def test_a_key_that_is_not_taken_stops_the_asking_at_once() -> None:
    server = Server(
        fails=lambda number: Denied("it does not accept the key", where="x", cure="set KEY") if number > 2 else None
    )
    ends = ask(Time().paced(server, Rates(jobs=2)), 50)
    assert len(server.prompts) <= 4
    assert sum(isinstance(end, Reply) for end in ends) == 2
    failures = [end for end in ends if isinstance(end, RunStopped)]
    assert len(failures) == 48
    assert str(failures[-1]) == "x: it does not accept the key (set KEY, and go on with --resume)"


def test_calls_that_fail_one_after_another_stop_the_asking() -> None:
    server = Server(fails=lambda _: Passing("it is overloaded"))
    ends = ask(Time().paced(server, Rates(jobs=2)), 50)
    assert MOST_FAILURES <= len(server.prompts) <= MOST_FAILURES + 1
    assert [type(end) for end in ends].count(RunStopped) >= 50 - MOST_FAILURES - 1


@pytest.mark.parametrize("failure", [Passing("it is overloaded"), ProviderFailure("strange"), TooLong("no")])
def test_a_call_that_fails_now_and_then_stops_nothing(failure: ProviderFailure) -> None:
    server = Server(fails=lambda number: failure if number % 2 else None)
    ends = ask(Time().paced(server, Rates(jobs=1)), 50)
    assert [type(end) for end in ends].count(RunStopped) == 0
    assert len(server.prompts) == 50


def test_calls_under_way_are_answered_when_no_more_are_to_begin() -> None:
    server = Server()
    paced = Time().paced(server, Rates(jobs=2))

    async def interrupted() -> list[Reply | BaseException]:
        drafts = [asyncio.create_task(paced.draft(PROMPT)) for _ in range(6)]
        await server.full.wait()
        paced.stop(RunStopped("the run was interrupted"))
        return await asyncio.gather(*drafts, return_exceptions=True)

    ends = asyncio.run(interrupted())
    assert [type(end) for end in ends] == [Reply] * 2 + [RunStopped] * 4


@pytest.mark.parametrize("steps", range(8))
def test_a_call_that_is_called_off_leaves_its_place_to_the_next_whenever_that_happens(steps: int) -> None:
    server = Server()
    paced = Time().paced(server, Rates(jobs=1))

    async def impatient() -> list[Reply | BaseException]:
        drafts = [asyncio.create_task(paced.draft(PROMPT)) for _ in range(4)]
        for _ in range(steps):
            await asyncio.sleep(0)
        for draft in drafts[:2]:
            draft.cancel()
        return await asyncio.wait_for(asyncio.gather(*drafts, return_exceptions=True), 30)

    assert [isinstance(end, Reply) for end in asyncio.run(impatient())][2:] == [True, True]
    assert server.most <= 1


def test_who_rests_looks_up_when_no_more_calls_are_to_begin() -> None:
    time, server = Time(), Server()
    paced = time.paced(server, Rates(jobs=1, requests=1))

    async def interrupted() -> None:
        await paced.draft(PROMPT)
        late = asyncio.create_task(paced.draft(PROMPT))
        await asyncio.sleep(0)
        paced.stop(RunStopped("the run was interrupted"))
        with pytest.raises(RunStopped):
            await late

    asyncio.run(interrupted())
    assert time.now < 105.0


def room(window: Window) -> int:
    """How many may begin now. They leave again."""
    numbers = []
    while window.is_open:
        numbers.append(window.enter())
    for number in numbers:
        window.leave(number)
    return len(numbers)


def test_a_window_is_halved_once_for_calls_that_were_begun_together_and_opens_one_by_one() -> None:
    window = Window(8)
    numbers = [window.enter() for _ in range(8)]
    for number in numbers:
        window.narrow(number)
    for number in numbers:
        window.widen(number)
        window.leave(number)
    assert room(window) == 4
    for number in range(9, 14):
        window.widen(number)
    assert room(window) == 5
    for number in range(14, 100):
        window.widen(number)
    assert room(window) == 8


def test_a_bucket_saves_up_a_minute_at_most_and_lets_debts_be_waited_for() -> None:
    bucket = Bucket(60)
    assert bucket.take(60, 0.0) == 0.0
    assert bucket.take(10, 0.0) == 10.0
    assert bucket.take(0, 10.0) == 0.0
    assert bucket.take(60, 1_000.0) == 0.0
    assert bucket.take(1, 1_000.0) == 1.0
    assert bucket.take(-31, 1_000.0) == 0.0
    assert bucket.take(30, 1_000.0) == 0.0
