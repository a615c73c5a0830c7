"""A drafter in batches: what goes, what comes, what goes again, and that nothing goes twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from itertools import count

import httpx
import pytest
import respx

from agent.errors import Passing, ProviderFailure, RunStopped
from agent.model.client import Reply
from agent.replies.polling import Patience
from tests.agent.model.depot import DEPOTS, AnthropicDepot, Depot, OpenAIDepot
from tests.agent.replies.parked import Killed, Memory, Run, numbered, row, text, texts

EACH = pytest.mark.parametrize("kind", DEPOTS, ids=lambda one: one.wire.prefix)


@EACH
def test_prompts_that_are_asked_together_go_as_one_batch_and_each_gets_its_own_answer(
    httpx2_mock: respx.Router, kind: type[Depot]
) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)
    assert texts(run.ask(range(5))) == {number: text(number) for number in range(5)}
    assert [len(batch.rows) for batch in depot.held] == [5]
    assert set(depot.rows.values()) == {1}


@EACH
def test_a_batch_is_asked_after_ever_more_rarely_and_whoever_watches_is_told(
    httpx2_mock: respx.Router, kind: type[Depot]
) -> None:
    run = Run(kind(httpx2_mock, polls=8))
    run.ask([1, 2])
    gathered, *polled = run.slept
    assert gathered == run.patience.gather
    assert polled == [15, 30, 60, 120, 240, 300, 300]
    assert [(one.batch, one.total, one.seconds) for one in run.seen] == [("batch_1", 2, seconds) for seconds in polled]


@EACH
def test_what_is_asked_after_an_answer_goes_with_the_next_wave(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)

    async def twice(first: int, then: int) -> tuple[str, str]:
        return (await model.draft(numbered(first))).text, (await model.draft(numbered(then))).text

    async def ask() -> tuple[tuple[str, str], ...]:
        return await asyncio.gather(twice(1, 11), twice(2, 12), twice(3, 13))

    model = run.model()
    assert list(asyncio.run(ask())) == [(text(number), text(10 + number)) for number in (1, 2, 3)]
    assert [len(batch.rows) for batch in depot.held] == [3, 3]


@EACH
def test_a_prompt_that_two_ask_at_once_goes_once_and_is_paid_once(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)

    async def both() -> tuple[Reply, Reply]:
        model = run.model()
        return await asyncio.gather(model.draft(numbered(1)), model.draft(numbered(1)))

    replies = asyncio.run(both())
    assert [(reply.text, reply.kept) for reply in replies] == [(text(1), False), (text(1), True)]
    assert depot.rows == {row(1): 1}


@EACH
@pytest.mark.parametrize("fate", ["expired", "500", "missing"])
def test_what_was_not_answered_goes_again_by_itself(httpx2_mock: respx.Router, kind: type[Depot], fate: str) -> None:
    depot = kind(httpx2_mock)
    depot.fate = lambda name, time: fate if name in {row(1), row(3)} and time == 1 else "good"
    run = Run(depot)
    assert texts(run.ask(range(5))) == {number: text(number) for number in range(5)}
    assert [len(batch.rows) for batch in depot.held] == [5, 2]
    assert set(depot.paid.values()) == {1}


@EACH
@pytest.mark.parametrize(("fate", "what"), [("expired", "its batch expired"), ("500", r"failed \(status 500\)")])
def test_what_is_never_answered_fails_by_itself_after_a_few_times(
    httpx2_mock: respx.Router, kind: type[Depot], fate: str, what: str
) -> None:
    depot = kind(httpx2_mock)
    depot.fate = lambda name, _: fate if name == row(1) else "good"
    run = Run(depot, patience=Patience(again=2))
    ends = run.ask(range(3))
    with pytest.raises(Passing, match=what):
        raise ends[1]  # type: ignore[misc]
    assert texts({number: ends[number] for number in (0, 2)}) == {0: text(0), 2: text(2)}
    assert depot.rows[row(1)] == 3


@EACH
@pytest.mark.parametrize(
    ("fate", "what"), [("400", "does not take the request"), ("torn", "something else"), ("cancel", "was cancelled")]
)
def test_what_another_try_would_not_cure_goes_once(httpx2_mock: respx.Router, kind: type[Depot], fate: str, what: str) -> None:
    fate = {"cancel": "cancelled" if kind is OpenAIDepot else "canceled"}.get(fate, fate)
    depot = kind(httpx2_mock)
    depot.fate = lambda name, _: fate if name == row(1) else "good"
    ends = Run(depot).ask(range(3))
    with pytest.raises(ProviderFailure, match=what) as failed:
        raise ends[1]  # type: ignore[misc]
    assert "quoted" not in str(failed.value)
    assert set(depot.rows.values()) == {1}
    assert texts({0: ends[0], 2: ends[2]}) == {0: text(0), 2: text(2)}


@EACH
def test_a_row_that_its_key_may_not_ask_ends_the_run(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    depot.fate = lambda _name, _time: "401"
    run = Run(depot)
    ends = run.ask([1])
    with pytest.raises(RunStopped, match="does not accept the key") as stopped:
        raise ends[1]  # type: ignore[misc]
    assert "--resume" in stopped.value.cure


@EACH
@pytest.mark.parametrize(
    ("refused", "what"),
    [
        (httpx.Response(401, json={"error": {"message": "quoted"}}), "does not accept the key"),
        (httpx.Response(200, content=b"<html>"), "something else"),
        (httpx.Response(200, json={"id": "../x", "status": "completed", "processing_status": "ended"}), "something else"),
        (httpx.Response(200, json={"id": "x", "status": "new", "processing_status": "new"}), "something else"),
    ],
    ids=["401", "html", "id", "state"],
)
def test_a_provider_that_refuses_in_the_middle_ends_the_run_and_the_next_one_goes_on(
    httpx2_mock: respx.Router, kind: type[Depot], refused: httpx.Response, what: str
) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)
    depot.meets = lambda when, request: refused if when == "before" and request.url.path.endswith("batch_1") else None
    ends = run.ask([1, 2])
    for end in ends.values():
        with pytest.raises(RunStopped, match=what) as stopped:
            raise end  # type: ignore[misc]
        assert "--resume" in stopped.value.cure
        assert "quoted" not in str(stopped.value)
    assert run.said == [f"note: {depot.wire.prefix}some-model goes on with what it was given (batch_1): the next run awaits it"]
    depot.meets = lambda _when, _request: None
    assert texts(Run(depot, run.memory).ask([1, 2])) == {1: text(1), 2: text(2)}
    assert set(depot.rows.values()) == {1}


@EACH
def test_a_run_that_is_stopped_sends_nothing_more_and_tells_everyone(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    """Also not what was gathered already, nor what would have gone again."""
    depot = kind(httpx2_mock)
    depot.fate = lambda _name, _time: "expired"
    run = Run(depot)

    async def ask() -> None:
        model = run.model()
        asking = [asyncio.create_task(model.draft(numbered(number))) for number in (1, 2)]
        await run.polled.wait()
        late = asyncio.create_task(model.draft(numbered(3)))
        await asyncio.sleep(0)
        model.stop(RunStopped("enough", cure="go on"))
        for end in await asyncio.gather(*asking, late, return_exceptions=True):
            assert isinstance(end, RunStopped)
            assert (end.what, end.cure) == ("enough", "go on")
        told = len(depot.told)
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(depot.told) == told
        await model.close()

    asyncio.run(ask())
    assert set(depot.rows) == {row(1), row(2)}


@EACH
def test_after_the_run_was_stopped_nothing_more_goes(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    depot.meets = lambda _when, _request: httpx.Response(401, json={})
    run = Run(depot)

    async def ask() -> None:
        model = run.model()
        for number in (1, 2):
            with pytest.raises(RunStopped, match="does not accept the key"):
                await model.draft(numbered(number))

    asyncio.run(ask())
    assert len(depot.told) == 1


@EACH
@pytest.mark.parametrize(
    "met",
    [httpx.Response(429, json={"error": {"message": "?"}}), httpx.Response(503), httpx.ConnectError("?")],
    ids=["429", "503", "network"],
)
def test_a_provider_that_does_not_serve_for_now_is_come_back_to(
    httpx2_mock: respx.Router, kind: type[Depot], met: httpx.Response | Exception
) -> None:
    """Every request fails three times, and is not done then."""
    depot = kind(httpx2_mock)
    times: dict[str, int] = {}

    def meets(when: str, request: httpx.Request) -> httpx.Response | Exception | None:
        if when == "after":
            return None
        step = f"{request.method} {request.url}"
        times[step] = times.get(step, 0) + 1
        return met if times[step] <= 3 else None

    depot.meets = meets
    assert texts(Run(depot).ask([1, 2])) == {1: text(1), 2: text(2)}
    assert len(depot.held) == 1


@EACH
def test_a_provider_that_says_nothing_for_hours_is_left_alone(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot, patience=Patience(jitter=0.0, silent=4))
    depot.meets = lambda _when, request: httpx.ConnectError("?") if request.url.path.endswith("batch_1") else None
    with pytest.raises(RunStopped, match="could not be reached"):
        raise run.ask([1])[1]  # type: ignore[misc]
    assert sum(step.endswith("batch_1") for step in depot.told) == 4


@EACH
@pytest.mark.parametrize("met", [httpx.Response(500), httpx.ReadTimeout("?")], ids=["500", "timeout"])
@pytest.mark.parametrize("silent", [0, 3])
def test_a_batch_that_was_taken_although_the_answer_was_lost_is_found(
    httpx2_mock: respx.Router, kind: type[Depot], met: httpx.Response | Exception, silent: int
) -> None:
    """However often the provider does not say at first what it has: until it says so, nothing goes again."""
    depot = kind(httpx2_mock)
    depot.take({"old": {}}, {})
    lost = iter([met])
    unsaid = iter([httpx.Response(503)] * silent)

    def meets(when: str, request: httpx.Request) -> httpx.Response | Exception | None:
        is_batches = request.url.path.endswith("batches")
        if when == "before" and request.method == "GET" and is_batches and len(depot.held) > 1:
            return next(unsaid, None)
        return next(lost, None) if when == "after" and request.method == "POST" and is_batches else None

    depot.meets = meets
    assert texts(Run(depot).ask([1, 2])) == {1: text(1), 2: text(2)}
    assert len(depot.held) == 2
    assert next(unsaid, None) is None


@EACH
def test_a_batch_of_a_stranger_is_not_taken_for_ours(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    """A wave was noted and never went; meanwhile somebody submitted as many rows."""
    depot = kind(httpx2_mock)
    run = Run(depot)

    def meets(when: str, request: httpx.Request) -> httpx.Response | Exception | None:
        if when == "before" and request.method == "POST":
            depot.meets = lambda _when, _request: None
            depot.take({"theirs-1": _foreign(depot), "theirs-2": _foreign(depot)}, {"evidraft-wave": "another"})
            raise Killed
        return None

    depot.meets = meets
    assert all(isinstance(end, Killed) for end in run.ask([1, 2]).values())
    assert texts(Run(depot, run.memory).ask([1, 2])) == {1: text(1), 2: text(2)}
    assert depot.paid == dict.fromkeys((row(1), row(2), "theirs-1", "theirs-2"), 1)


def _foreign(depot: Depot) -> object:
    if isinstance(depot, AnthropicDepot):
        return {"params": {"messages": [{"content": "another"}]}}
    return {"body": {"input": "another"}}


@EACH
def test_a_row_that_nobody_asked_for_is_passed_over(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)
    take = depot.take

    def with_more(rows: dict[str, object], metadata: dict[str, str] | None = None) -> object:
        held = take(rows, metadata)
        held.rows["not-ours"] = _foreign(depot)
        return held

    depot.take = with_more  # type: ignore[assignment,method-assign]
    assert texts(run.ask([1, 2])) == {1: text(1), 2: text(2)}


def test_a_batch_that_failed_as_a_whole_says_why_and_is_not_repeated(httpx2_mock: respx.Router) -> None:
    depot = OpenAIDepot(httpx2_mock)
    depot.whole = "failed"
    ends = Run(depot).ask([1, 2])
    for end in ends.values():
        with pytest.raises(ProviderFailure, match="does not take the request"):
            raise end  # type: ignore[misc]
    assert len(depot.held) == 1


def test_what_is_too_much_at_once_goes_in_halves_one_after_another(httpx2_mock: respx.Router) -> None:
    depot = OpenAIDepot(httpx2_mock)
    take = depot.take
    at_work: list[int] = []

    def bounded(rows: dict[str, object], metadata: dict[str, str] | None = None) -> object:
        at_work.append(sum(held.polls > 0 and held.status != "failed" for held in depot.held))
        if len(rows) > 3:
            depot.whole = "failed"
        held = take(rows, metadata)
        if len(rows) > 3:
            held.ends[""] = "token_limit_exceeded"
        return held

    depot.take = bounded  # type: ignore[assignment,method-assign]
    assert texts(Run(depot).ask(range(10))) == {number: text(number) for number in range(10)}
    assert [len(held.rows) for held in depot.held] == [10, 5, 5, 2, 2, 1, 2, 2, 1]
    assert at_work[3:] == [0] * 6


@EACH
def test_a_wave_that_would_be_too_large_goes_in_parts(
    httpx2_mock: respx.Router, kind: type[Depot], monkeypatch: pytest.MonkeyPatch
) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)
    batches = type(run.model()._batches)
    monkeypatch.setattr(batches, "most_rows", property(lambda _: 4))
    run.ask(range(10))
    assert [len(held.rows) for held in depot.held] == [4, 4, 2]
    size = len(run.model()._batches.row("x" * 64, numbered(1)))
    monkeypatch.setattr(batches, "most_bytes", property(lambda _: 3 * size))
    run.ask(range(20, 26))
    assert [len(held.rows) for held in depot.held[3:]] == [2, 2, 2]


@EACH
def test_whoever_is_called_off_leaves_the_others_their_answers(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    run = Run(kind(httpx2_mock, polls=4))

    async def ask() -> str:
        model = run.model()
        one, two = (asyncio.create_task(model.draft(numbered(number))) for number in (1, 1))
        await asyncio.sleep(0)
        one.cancel()
        reply = await two
        await model.close()
        return reply.text

    assert asyncio.run(ask()) == text(1)


@EACH
def test_a_run_that_is_interrupted_leaves_its_batch_and_says_so(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock, polls=1_000_000)
    run = Run(depot)

    async def ask() -> None:
        model = run.model()
        asking = asyncio.create_task(model.draft(numbered(1)))
        await run.polled.wait()
        asking.cancel()
        await model.close()

    asyncio.run(ask())
    assert run.said == [f"note: {depot.wire.prefix}some-model goes on with what it was given (batch_1): the next run awaits it"]
    depot.held[0].polls = 1
    assert texts(Run(depot, run.memory).ask([1])) == {1: text(1)}
    assert len(depot.held) == 1


@EACH
@pytest.mark.parametrize("most", [4, 2], ids=["one wave", "two waves at once"])
def test_wherever_runs_are_killed_no_prompt_is_answered_twice(
    httpx2_mock: respx.Router, kind: type[Depot], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """At each request, before and after it had its effect, and at each note, before and after it was written; and once more."""
    monkeypatch.setattr(type(Run(kind(httpx2_mock)).model()._batches), "most_rows", property(lambda _: most))
    numbers = range(4)
    wanted, once = {number: text(number) for number in numbers}, dict.fromkeys(map(row, numbers), 1)
    for moment in range(1_000):
        httpx2_mock.clear()
        depot, memory = kind(httpx2_mock), Memory()
        depot.take({"old": {}}, {})
        depot.paid.clear()
        depot.fate = lambda name, time: "expired" if name == row(2) and time == 1 else "good"
        kept = run_until(depot, memory, numbers, moment)
        was_killed = len(kept) < len(numbers)
        kept |= run_until(depot, memory, set(numbers) - kept.keys(), moment * 7 % 20)
        kept |= run_until(depot, memory, set(numbers) - kept.keys(), None)
        assert (kept, dict(depot.paid)) == (wanted, once), f"killed at {moment}"
        # Replies that were given and not kept are had again.
        assert (run_until(depot, memory, numbers, None), dict(depot.paid)) == (wanted, once), f"killed at {moment}"
        if not was_killed:
            break
    assert moment > 20


def run_until(depot: Depot, memory: Memory, numbers: Iterable[int], moment: int | None) -> dict[int, str]:
    """What was answered by the moment at which the run was killed; None for never."""
    steps = count()

    def step(*_: object) -> None:
        if moment is not None and next(steps) >= moment:
            raise Killed

    depot.meets, memory.step = step, step  # type: ignore[method-assign]
    ends = Run(depot, memory).ask(sorted(numbers))
    assert {str(end) for end in ends.values() if not isinstance(end, Reply | Killed)} == set()
    return {number: end.text for number, end in ends.items() if isinstance(end, Reply)}


@EACH
def test_batches_that_are_gone_after_a_long_time_are_asked_anew(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)
    run.ask([1])
    depot.held.clear()
    assert texts(Run(depot, run.memory).ask([1])) == {1: text(1)}


@EACH
def test_waves_of_another_drafter_or_address_are_let_be(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    run = Run(depot)
    run.ask([1])
    run.memory.notes = {key: {**note, "client": "openai:another"} for key, note in run.memory.notes.items()}
    run.ask([1])
    assert depot.rows == {row(1): 2}


@EACH
def test_a_reply_of_a_batch_is_that_of_a_call_without_its_seconds(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    reply = Run(depot).ask([1])[1]
    assert isinstance(reply, Reply)
    wire = depot.wire
    whole = wire.model().reply(wire.good().content)  # type: ignore[attr-defined]
    assert replace(reply, text="", request_id="") == replace(whole, text="", request_id="")
    assert reply.seconds is None
