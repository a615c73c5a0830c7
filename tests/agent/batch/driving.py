"""A run in a process of its own, so that it can be killed."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import openai

from agent import engines
from agent.batch import outputs
from agent.batch.askers import Askers
from agent.batch.asking import Asking, desk, pacing
from agent.batch.events import Event, document
from agent.batch.journal import Journal
from agent.batch.planning import Plan
from agent.batch.release import Release
from agent.batch.runner import Bounds, run
from agent.batch.workers import Workers
from agent.model.compatible import Compatible
from agent.replies.metering import Limits, Metered
from agent.replies.pacing import Rates
from tests.agent.batch.releasing import CONDITIONS, releases
from tests.agent.batch.stub_server import NAME
from tests.repositories import GitFolder

JOBS = 16
OBJECTS = 50_000
"""As the command line has it."""
_LOADED = openai
"""So that processes that are forked from one that loaded this need not."""


def drive(
    folder: GitFolder, number: int, address: str, out: Path, watcher: Connection, *, jobs: int = JOBS, processes: int = 0
) -> None:
    """Draft all releases, tell the watcher of each event, and write what they came to once all have ended."""
    gc.set_threshold(OBJECTS)
    plan = releases(folder, number)
    asyncio.run(_drive(plan, address, out, lambda event: watcher.send(document(event)), jobs=jobs, processes=processes))


def drive_undisturbed(
    folder: GitFolder, number: int, address: str, out: Path, watcher: Connection, *, jobs: int, processes: int
) -> None:
    """The same, and tell the watcher at the end alone: of all events, each with its moment by the clock of the system."""
    gc.set_threshold(OBJECTS)
    plan = releases(folder, number)
    seen: list[tuple[str, float]] = []
    asyncio.run(_drive(plan, address, out, partial(_note, seen), jobs=jobs, processes=processes))
    watcher.send(seen)


def _note(seen: list[tuple[str, float]], event: Event) -> None:
    seen.append((event.word, time.perf_counter()))


async def _drive(
    plan: tuple[Release, ...], address: str, out: Path, told: Callable[[Event], None], *, jobs: int, processes: int
) -> None:
    opens = partial(Compatible, f"{address}/v1", NAME, environ={})
    model = opens()
    with Journal.open(out.with_suffix(".journal")) as journal:
        turns = pacing(Rates(jobs), journal, told)
        own = desk(model.name, journal, turns, limits=Limits(), listener=told)
        workers: Workers = Asking(Metered(model), turns.stop, own, engines.secret_engine(), jobs)
        if processes:
            workers = Askers(processes, opens, jobs, own, turns.stop)
        conditions = replace(CONDITIONS, model=model.name)
        ended = await run(plan, conditions, journal, workers, listener=told, bounds=Bounds(jobs))
        await workers.close()
    if not ended.undone:
        outputs.write(out, Plan(plan), ended.finished)
