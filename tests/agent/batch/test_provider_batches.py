"""Releases drafted by a provider's batches: one life from the plan to the folder, whatever happens on the way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeAlias

import httpx
import pytest
import respx

from agent.batch import outputs
from agent.batch.events import Answered, Asked, Event, Waiting, Why
from agent.batch.journal import Journal
from agent.batch.planning import Plan
from agent.batch.provider_batches import batching
from agent.batch.release import Release
from agent.batch.runner import Bounds, Run, run
from agent.errors import LimitReached, NotConfigured, RunStopped, UsageFailure
from agent.replies.batching import called_off
from agent.replies.metering import Limits
from agent.replies.polling import Patience, Polling
from guardrails.redaction.secrets import SecretEngine
from tests.agent.batch.releasing import CONDITIONS, history, releases
from tests.agent.batch.stub_server import answered
from tests.agent.model.conftest import _trusting_nobody  # noqa: F401 - for every test here
from tests.agent.model.depot import DEPOTS, Depot, OpenAIDepot
from tests.agent.model.wired import ENVIRON
from tests.agent.replies.parked import Killed

EACH = pytest.mark.parametrize("kind", DEPOTS, ids=lambda one: one.wire.prefix)
NUMBER = 3
NAMES = {"openai:": "openai:gpt-4o", "anthropic:": "anthropic:claude-sonnet-4-5"}


GATHERING = Patience(gather=1.0)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, ...]:
    return releases(history(tmp_path_factory.mktemp("history"), NUMBER), NUMBER)


def speaks(asked: str) -> str:
    """The words of the stub server."""
    told = json.loads(answered({"messages": [{"content": asked}]}))
    return str(told["choices"][0]["message"]["content"])


@dataclass
class Scene:
    """Runs of one plan over one provider, with one journal."""

    depot: Depot
    plan: tuple[Release, ...]
    engine: SecretEngine
    place: Path
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self.depot.speaks = speaks
        self.events: list[Event] = []
        self.notes: list[str] = []
        self.interrupt: Callable[[], None] = lambda: None
        self.asks = NUMBER

    @property
    def spec(self) -> str:
        return NAMES[self.depot.wire.prefix]

    def run(self) -> Run:
        async def go() -> Run:
            self.gathered = asyncio.Event()
            with Journal.open(self.place / "journal.sqlite3") as journal:
                workers = batching(
                    self.spec,
                    journal,
                    self.engine,
                    environ=ENVIRON,
                    limits=self.limits,
                    listener=self.told,
                    note=self.notes.append,
                    polled=lambda batches: Polling(batches, GATHERING, sleep=self.sleep),
                )
                conditions = replace(CONDITIONS, model=self.spec)
                try:
                    return await run(self.plan, conditions, journal, workers, bounds=Bounds(len(self.plan), 20_000))
                finally:
                    await workers.close()

        return asyncio.run(go())

    async def sleep(self, seconds: float) -> None:
        """Evidence is gathered by threads, which take their time; the provider takes none."""
        self.interrupt()
        await asyncio.sleep(0)
        if seconds == GATHERING.gather:
            await self.gathered.wait()

    def told(self, event: Event) -> None:
        self.events.append(event)
        if sum(isinstance(one, Asked) for one in self.events) >= self.asks:
            self.gathered.set()

    def files(self, ended: Run) -> dict[str, bytes]:
        return {path: text.encode() for path, text in outputs.files(Plan(self.plan), ended.finished).items()}


Scened: TypeAlias = Callable[..., Scene]


@pytest.fixture
def scened(plan: tuple[Release, ...], engine: SecretEngine, tmp_path: Path) -> Scened:
    """The scene over a provider, in a folder of its own."""
    return partial(Scene, plan=plan, engine=engine, place=tmp_path)


@EACH
def test_a_run_of_batches_drafts_what_calls_would_and_the_journal_ends_it(
    httpx2_mock: respx.Router, kind: type[Depot], scened: Scened
) -> None:
    depot = kind(httpx2_mock)
    scene = scened(depot)
    ended = scene.run()
    assert {one.status for one in ended.finished} == {"DRAFTED"}
    assert [len(batch.rows) for batch in depot.held] == [NUMBER]
    assert all("The" in one.pages["notes.md"] for one in ended.finished)
    told = [event for event in scene.events if isinstance(event, Answered)]
    assert len(told) == sum(isinstance(event, Asked) for event in scene.events) == NUMBER
    assert all(one.dollars is not None and one.dollars > 0 for one in told)
    assert {event.why for event in scene.events if isinstance(event, Waiting)} == {Why.PROVIDER_BATCH}
    asked = len(depot.told)
    assert scene.files(scene.run()) == scene.files(ended)
    assert len(depot.told) == asked


@EACH
def test_wherever_runs_are_killed_the_outputs_are_those_of_one_that_was_not_and_nothing_is_paid_twice(
    httpx2_mock: respx.Router, kind: type[Depot], scened: Scened
) -> None:
    whole: dict[str, bytes] = {}
    for moment in (1_000, 5, 8, 12):
        httpx2_mock.clear()
        depot = kind(httpx2_mock)
        times = count()
        depot.fate = lambda _name, time: "expired" if time == 1 and next(times) == 1 else "good"  # noqa: B023 - within its turn
        place = scened(depot).place / str(moment)
        place.mkdir()
        scene = scened(depot, place=place)
        steps = count()

        def step(_when: str, _request: httpx.Request) -> None:
            if next(steps) >= moment:  # noqa: B023 - as above
                raise Killed

        depot.meets = step
        try:
            ended = scene.run()
        except (Killed, BaseExceptionGroup):
            depot.meets = lambda _when, _request: None
            scene.asks = 0
            ended = scene.run()
        whole = whole or scene.files(ended)
        assert scene.files(ended) == whole
        assert sorted(depot.paid.values()) == [1] * NUMBER


@EACH
def test_an_interrupted_run_ends_at_once_leaves_its_batch_and_goes_on_later(
    httpx2_mock: respx.Router, kind: type[Depot], scened: Scened
) -> None:
    depot = kind(httpx2_mock, polls=1_000_000)
    scene = scened(depot)
    scene.interrupt = lambda: _interrupt() if depot.held else None
    ended = scene.run()
    assert (len(ended.finished), len(ended.undone)) == (0, NUMBER)
    assert "--resume" in str(ended.end)
    assert [note for note in scene.notes if "batch_1" in note]
    depot.held[0].polls = 1
    scene.interrupt, scene.asks = (lambda: None), 0
    assert len(scene.run().finished) == NUMBER
    assert set(depot.rows.values()) == {1}


def _interrupt() -> None:
    import os  # noqa: PLC0415
    import signal  # noqa: PLC0415

    os.kill(os.getpid(), signal.SIGINT)


@EACH
def test_what_was_given_to_a_provider_can_be_called_off(httpx2_mock: respx.Router, kind: type[Depot], scened: Scened) -> None:
    depot = kind(httpx2_mock, polls=1_000_000)
    scene = scened(depot)
    scene.interrupt = lambda: _interrupt() if depot.held else None
    scene.run()

    def call_off() -> tuple[str, ...]:
        with Journal.open(scene.place / "journal.sqlite3") as journal:
            return asyncio.run(called_off(scene.spec, journal, environ=ENVIRON))

    assert call_off() == ("batch_1",)
    assert call_off() == ()
    depot.polls = 2
    scene.interrupt, scene.asks = (lambda: None), 0
    assert len(scene.run().finished) == NUMBER
    assert set(depot.paid.values()) == {1}


@EACH
def test_a_key_that_is_not_taken_any_more_ends_the_run_and_the_next_one_goes_on(
    httpx2_mock: respx.Router, kind: type[Depot], scened: Scened
) -> None:
    depot = kind(httpx2_mock)
    scene = scened(depot)
    depot.meets = lambda _when, _request: httpx.Response(401, json={}) if depot.held else None
    ended = scene.run()
    assert isinstance(ended.end, RunStopped)
    assert "does not accept the key" in str(ended.end)
    assert len(ended.undone) == NUMBER
    depot.meets = lambda _when, _request: None
    assert len(scene.run().finished) == NUMBER
    assert set(depot.rows.values()) == {1}


@EACH
@pytest.mark.parametrize(("calls", "waves"), [(2.5, [2, 1]), (1.5, [1, 1, 1])])
def test_a_limit_makes_waves_smaller_and_holds_nobody_up_for_ever(
    httpx2_mock: respx.Router,
    kind: type[Depot],
    scened: Scened,
    calls: float,
    waves: list[int],
) -> None:
    """Only so many go as fit with what they may cost at most; what they did cost leaves room for the others."""
    depot = kind(httpx2_mock)
    most = kind.wire.model().provider.output + 4_000  # type: ignore[attr-defined]
    ended = scened(depot, limits=Limits(tokens=int(calls * most))).run()
    assert ([len(batch.rows) for batch in depot.held], len(ended.finished)) == (waves, NUMBER)


def test_a_limit_that_no_call_fits_ends_the_run_before_anything_goes(httpx2_mock: respx.Router, scened: Scened) -> None:
    depot = OpenAIDepot(httpx2_mock)
    httpx2_mock.clear()
    ended = scened(depot, limits=Limits(tokens=10)).run()
    assert isinstance(ended.end, LimitReached)
    assert (len(ended.undone), depot.told) == (NUMBER, [])


@pytest.mark.parametrize("spec", ["extractive", "http://127.0.0.1/v1#x", "recorded:DIR", "openai:", "openai", "gpt-4o"])
def test_only_two_providers_have_batches(spec: str, engine: SecretEngine, tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "journal.sqlite3") as journal,
        pytest.raises(UsageFailure, match="only openai:NAME and anthropic:NAME answer in batches"),
    ):
        batching(spec, journal, engine, environ=ENVIRON, limits=Limits(), listener=print, note=print)


def test_without_a_key_or_a_price_no_batch_is_begun(engine: SecretEngine, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        for spec, environ in (("openai:gpt-4o", {}), ("openai:no-such-model", ENVIRON)):
            with pytest.raises(NotConfigured):
                batching(spec, journal, engine, environ=environ, limits=Limits(Decimal(1)), listener=print, note=print)
