"""Releases drafted with a model by other processes: the same outcomes, every reply kept by the run, and no process missed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from agent.batch.askers import Askers
from agent.batch.asking import Asking, desk, pacing
from agent.batch.events import Answered, Asked, Cause, Event
from agent.batch.journal import Journal
from agent.batch.release import Finished, Release, Status
from agent.batch.runner import Bounds, Run, run
from agent.batch.workers import Workers
from agent.model.client import Prompt
from agent.replies.metering import Limits, Metered
from agent.replies.pacing import Rates
from guardrails.redaction.secrets import SecretEngine
from tests.agent.batch import standing_in
from tests.agent.batch.releasing import CONDITIONS, history, releases

RELEASES, CHANGES = 3, 4
DRAFTS = RELEASES * CHANGES


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, ...]:
    return releases(history(tmp_path_factory.mktemp("history"), RELEASES, CHANGES), RELEASES)


@dataclass
class Go:
    """Runs a plan by other processes, or by none but this one."""

    plan: tuple[Release, ...]
    place: Path
    engine: SecretEngine
    journal: Journal
    events: list[Event] = field(default_factory=list)

    def __call__(
        self, before: Callable[[Path, Prompt], Awaitable[None]] | None = None, *, jobs: int = 2, processes: int = 1
    ) -> Run:
        opens = partial(standing_in.Marking, self.place, before)

        async def go() -> Run:
            turns = pacing(Rates(jobs), self.journal, self.events.append)
            own = desk("scripted", self.journal, turns, limits=Limits(), listener=self.events.append)
            workers: Workers = Asking(Metered(opens()), turns.stop, own, self.engine, jobs)
            if processes:
                workers = Askers(processes, opens, jobs, own, turns.stop)
            conditions, bounds = replace(CONDITIONS, repairs=0), Bounds(jobs)
            try:
                return await run(self.plan, conditions, self.journal, workers, listener=self.events.append, bounds=bounds)
            finally:
                await workers.close()

        return asyncio.run(go())

    @property
    def calls(self) -> int:
        """How many calls were made, by any process."""
        return len(list(self.place.glob("call-*")))


@pytest.fixture
def go(plan: tuple[Release, ...], engine: SecretEngine, tmp_path: Path) -> Iterator[Go]:
    (tmp_path / "driver").write_text(str(os.getpid()), "ascii")
    with Journal.open(tmp_path / "own" / "journal.sqlite3") as journal:
        yield Go(plan, tmp_path, engine, journal)


def without_times(ended: Run) -> list[Finished]:
    return [replace(one, usage={}) for one in ended.finished]


def test_processes_come_to_what_this_one_comes_to(go: Go) -> None:
    there = go(processes=2)
    assert [one.status for one in there.finished] == [Status.DRAFTED] * RELEASES
    assert (go.calls, go.journal.replies.count()) == (DRAFTS, DRAFTS)
    assert (go.events.count(Asked()), go.events.count(Answered(100, 20))) == (DRAFTS, DRAFTS)
    go.journal.forget()
    assert without_times(go(processes=0)) == without_times(there)


def test_what_is_kept_is_asked_of_no_process(go: Go) -> None:
    first = go()
    go.journal._writer.write("DELETE FROM releases").result()
    again = go()
    assert go.calls == DRAFTS
    assert without_times(again) == without_times(first)


def test_a_process_that_dies_costs_time_and_what_was_under_way(go: Go) -> None:
    ended = go(standing_in.dies_once_in_the_second, processes=2)
    assert [one.status for one in ended.finished] == [Status.DRAFTED] * RELEASES
    assert DRAFTS < go.calls <= DRAFTS + 4
    assert go.journal.replies.under_way() == 0


def test_a_release_that_kills_two_processes_fails_alone(go: Go) -> None:
    ended = go(standing_in.dies_in_the_second)
    assert [one.status for one in ended.finished] == [Status.DRAFTED, Status.FAILED, Status.DRAFTED]
    assert "was ended by SIGKILL, and so did the one before" in ended.finished[1].failure


def test_a_fault_of_ours_fails_its_release_and_quotes_nothing(go: Go, capfd: pytest.CaptureFixture[str]) -> None:
    ended = go(standing_in.is_faulty_in_the_second)
    assert [one.status for one in ended.finished] == [Status.DRAFTED, Status.FAILED, Status.DRAFTED]
    assert "ZeroDivisionError" in ended.finished[1].failure
    assert "hunter2" not in ended.finished[1].failure + "".join(capfd.readouterr())


def test_a_key_that_is_not_taken_ends_the_run_in_all_processes(go: Go) -> None:
    ended = go(standing_in.is_denied_in_the_second)
    assert ended.cause is Cause.STOPPED
    assert str(ended.end) == "scripted: it does not accept the key (set KEY, and go on with --resume)"
    kept, made = go.journal.replies.count(), go.calls
    assert [one.status for one in go().finished] == [Status.DRAFTED] * RELEASES
    assert go.calls - made == DRAFTS - kept


def test_an_interrupted_run_keeps_the_replies_to_calls_under_way(go: Go) -> None:
    ended = go(standing_in.waits_to_be_interrupted, jobs=3)
    assert ended.cause is Cause.INTERRUPTED
    made = go.calls
    assert 0 < made < DRAFTS
    assert (go.journal.replies.count(), go.journal.replies.under_way()) == (made, 0)
    assert [one.status for one in go().finished] == [Status.DRAFTED] * RELEASES
    assert go.calls == DRAFTS
