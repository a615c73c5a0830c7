"""A run in a process of its own, so that it can be killed: `python -m tests.agent.batch.driving REPOSITORY N URL OUT`."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

from agent import engines
from agent.batch import outputs
from agent.batch.asking import Asking
from agent.batch.events import Event, document
from agent.batch.journal import Journal
from agent.batch.planning import Plan
from agent.batch.runner import Bounds, run
from agent.model.compatible import Compatible
from agent.replies.metering import Limits
from agent.replies.pacing import Rates
from tests.agent.batch.releasing import CONDITIONS, releases
from tests.agent.batch.stub_server import NAME
from tests.repositories import GitFolder

JOBS = 16


def say(line: str) -> None:
    """Tell who started this process."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def drive(folder: GitFolder, number: int, address: str, out: Path) -> int:
    """Draft all releases, and write what they came to once all have ended; the number of those that have not."""
    plan = releases(folder, number)
    client = Compatible(f"{address}/v1", NAME, environ={})

    def told(event: Event) -> None:
        say(json.dumps(document(event)))

    with Journal.open(out.with_suffix(".journal")) as journal:
        asking = Asking.of(client, journal, engines.secret_engine(), rates=Rates(JOBS), limits=Limits(), listener=told)
        ended = await run(plan, replace(CONDITIONS, model=client.name), journal, asking, listener=told, bounds=Bounds(JOBS))
        await asking.close()
    if not ended.undone:
        outputs.write(out, Plan(plan), ended.finished)
    return len(ended.undone)


if __name__ == "__main__":
    repository, releases_, url, place = sys.argv[1:]
    asyncio.run(drive(GitFolder(Path(repository)), int(releases_), url, Path(place)))
