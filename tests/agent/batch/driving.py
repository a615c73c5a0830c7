"""A run in a process of its own, so that it can be killed."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import openai

from agent import engines
from agent.batch import outputs
from agent.batch.asking import Asking
from agent.batch.events import Event, document
from agent.batch.journal import Journal
from agent.batch.planning import Plan
from agent.batch.release import Release
from agent.batch.runner import Bounds, run
from agent.model.compatible import Compatible
from agent.replies.metering import Limits
from agent.replies.pacing import Rates
from tests.agent.batch.releasing import CONDITIONS, releases
from tests.agent.batch.stub_server import NAME
from tests.repositories import GitFolder

JOBS = 16
OBJECTS = 50_000
"""As the command line has it."""
_LOADED = openai
"""So that processes that are forked from one that loaded this need not."""


def drive(folder: GitFolder, number: int, address: str, out: Path, watcher: Connection, *, jobs: int = JOBS) -> None:
    """Draft all releases, tell the watcher of each event, and write what they came to once all have ended."""
    gc.set_threshold(OBJECTS)
    asyncio.run(_drive(releases(folder, number), address, out, watcher, jobs))


async def _drive(plan: tuple[Release, ...], address: str, out: Path, watcher: Connection, jobs: int) -> None:
    client = Compatible(f"{address}/v1", NAME, environ={})

    def told(event: Event) -> None:
        watcher.send(document(event))

    with Journal.open(out.with_suffix(".journal")) as journal:
        asking = Asking.of(client, journal, engines.secret_engine(), rates=Rates(jobs), limits=Limits(), listener=told)
        ended = await run(plan, replace(CONDITIONS, model=client.name), journal, asking, listener=told, bounds=Bounds(jobs))
        await asking.close()
    if not ended.undone:
        outputs.write(out, Plan(plan), ended.finished)
