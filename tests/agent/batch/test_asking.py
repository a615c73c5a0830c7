"""A run with a model: refused for good it stops at once, interrupted it keeps what it paid for, and it never pays twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from agent.batch.asking import Asking, desk, pacing
from agent.batch.events import Answered, Asked, Cause, Event, Resumed
from agent.batch.journal import Journal
from agent.batch.release import Release, Status
from agent.batch.runner import Bounds, Run, run
from agent.errors import Denied, LimitReached, NotConfigured, Passing
from agent.model.client import Model, Prompt, Reply, Usage
from agent.model.scripted import Answer, Scripted
from agent.replies.metering import Limits
from agent.replies.pacing import Rates
from guardrails.redaction.secrets import SecretEngine
from tests.agent.batch.releasing import CONDITIONS, history, releases
from tests.agent.batch.stub_server import answered

RELEASES, CHANGES = 3, 4
DRAFTS = RELEASES * CHANGES
ENDLESS = Limits()


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, ...]:
    return releases(history(tmp_path_factory.mktemp("history"), RELEASES, CHANGES), RELEASES)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite3") as opened:
        yield opened


def honest(prompt: Prompt) -> Reply:
    """What the stub server says."""
    told = json.loads(answered({"messages": [{"content": message.content} for message in prompt.messages]}))
    return Reply(told["choices"][0]["message"]["content"], Usage(100, 20))


def first(count: int, then: Callable[[Prompt], Answer]) -> Scripted:
    """A drafter that is honest so many times."""
    model = Scripted(lambda prompt: honest(prompt) if len(model.prompts) <= count else then(prompt))
    return model


class Go:
    """Runs a plan with a drafter, one call at a time unless told otherwise."""

    def __init__(self, plan: tuple[Release, ...], journal: Journal, engine: SecretEngine) -> None:
        self.plan, self.journal, self.engine = plan, journal, engine
        self.told: list[Event] = []

    def __call__(self, model: Model, jobs: int = 1, limits: Limits = ENDLESS) -> Run:
        async def go() -> Run:
            listener = self.told.append
            turns = pacing(Rates(jobs), self.journal, listener)
            own = desk(model.name, self.journal, turns, limits=limits, listener=listener)
            asking = Asking(model, turns.stop, own, self.engine, jobs)
            conditions, bounds = replace(CONDITIONS, repairs=0), Bounds(jobs)
            try:
                return await run(self.plan, conditions, self.journal, asking, listener=listener, bounds=bounds)
            finally:
                await asking.close()

        return asyncio.run(go())


@pytest.fixture
def go(plan: tuple[Release, ...], journal: Journal, engine: SecretEngine) -> Go:
    return Go(plan, journal, engine)


def test_a_key_that_is_not_taken_ends_the_run_and_what_is_done_stays(go: Go) -> None:
    model = first(5, lambda _: Denied("it does not accept the key", where="scripted", cure="set KEY"))
    ended = go(model)
    assert len(model.prompts) == 6
    assert (ended.cause, len(ended.finished), len(ended.undone)) == (Cause.STOPPED, 1, 2)
    assert str(ended.end) == "scripted: it does not accept the key (set KEY, and go on with --resume)"
    again = first(DRAFTS, lambda _: "")
    assert [one.status for one in go(again).finished] == [Status.DRAFTED] * RELEASES
    assert len(again.prompts) == DRAFTS - 5
    assert Resumed(1, 5) in go.told


def test_a_call_that_fails_fails_its_release_alone_and_is_made_again_later(go: Go) -> None:
    model = Scripted(lambda prompt: Passing("it is overloaded") if len(model.prompts) == 3 else honest(prompt))
    statuses = [one.status for one in go(model).finished]
    assert statuses.count(Status.FAILED) == 1
    again = first(DRAFTS, lambda _: "")
    assert [one.status for one in go(again).finished] == [Status.DRAFTED] * RELEASES
    assert len(model.prompts) - 1 + len(again.prompts) == DRAFTS


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_an_interrupted_run_keeps_the_replies_to_calls_under_way(go: Go, jobs: int) -> None:
    """Also those of a release of which another call may not begin any more."""
    later: list[asyncio.Event] = []

    async def interrupt(_: Prompt) -> None:
        if len(model.prompts) < 3:
            return
        if not later:
            later.append(asyncio.Event())
            asyncio.get_running_loop().call_later(0.05, later[0].set)
            os.kill(os.getpid(), signal.SIGINT)
        await later[0].wait()

    model = Scripted(honest, before=interrupt)
    ended = go(model, jobs=jobs)
    assert ended.cause is Cause.INTERRUPTED
    assert len(model.prompts) < DRAFTS
    assert go.journal.replies.count() == len(model.prompts)
    assert go.journal.replies.under_way() == 0
    again = first(DRAFTS, lambda _: "")
    assert len(go(again).finished) == RELEASES
    assert len(model.prompts) + len(again.prompts) == DRAFTS


def test_a_limit_counts_what_earlier_parts_of_the_run_spent(go: Go) -> None:
    model, again = (Scripted(lambda prompt: replace(honest(prompt), usage=Usage(6_000, 1_000))) for _ in range(2))
    limits = Limits(tokens=26_000)
    assert isinstance(go(model, limits=limits).end, LimitReached)
    assert 0 < len(model.prompts) < DRAFTS
    assert isinstance(go(again, limits=limits).end, LimitReached)
    assert again.prompts == []
    assert len(go(first(DRAFTS, lambda _: "")).finished) == RELEASES


def test_a_limit_on_dollars_needs_prices(go: Go) -> None:
    with pytest.raises(NotConfigured):
        go(first(0, lambda _: ""), limits=Limits(dollars=Decimal(1)))


def test_who_watches_is_told_of_each_call(go: Go) -> None:
    go(first(DRAFTS, lambda _: ""), jobs=4)
    assert go.told.count(Asked()) == DRAFTS
    assert go.told.count(Answered(100, 20)) == DRAFTS


def test_what_was_paid_is_told_the_same_by_a_run_that_went_on(go: Go) -> None:
    whole = go(first(DRAFTS, lambda _: ""))
    usage = [{**one.usage, "drafting-seconds": 0, "seconds": 0} for one in whole.finished]
    go.journal._writer.write("DELETE FROM releases").result()
    again = go(Scripted([]))
    assert [replace(one, usage={}) for one in again.finished] == [replace(one, usage={}) for one in whole.finished]
    assert [{**one.usage, "drafting-seconds": 0, "seconds": 0} for one in again.finished] == usage
