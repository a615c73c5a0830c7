"""Workers: releases drafted beside one another, each in a process of its own that may die without taking another along.

What a worker is sent and what it tells are plain values; a repository is read where the worker is. A worker that dies, killed
by the system for its memory or by anyone, costs the time of its release and nothing else: another process takes its place and
the release is drafted once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from agent.batch import processes
from agent.batch.drafting import drafted, failed
from agent.batch.processes import End
from agent.batch.release import Conditions, Finished, Release
from agent.errors import Failure, RunStopped

Draft: TypeAlias = Callable[[Release, Conditions], Finished]
"""Drafts one release; a function of a module, so that another process finds it."""
_TRIES: Final = 2
_DYING: Final = 1.0
"""Seconds for a process that left the line to be gone, so that it can be said how it went."""


class Workers(Protocol):
    """Who drafts releases without a model, as many at once as there are workers."""

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        """What became of a release, once a worker was free for it and is done. A worker that dies is no failure of the run.

        Raises:
            agent.errors.GuardNotReady: redaction cannot be guaranteed where the worker is.
            agent.errors.RunStopped: no worker can be had any more.
        """
        ...

    async def close(self) -> None:
        """End every worker, whatever it is doing."""
        ...


class Local:
    """Processes of this machine, started when they are first needed."""

    def __init__(self, most: int, draft: Draft = drafted) -> None:
        """Have at most so many processes, at least one, that do `draft`."""
        self._draft = draft
        self._seats = asyncio.Semaphore(most)
        self._resting: list[_Worker] = []
        self._at_work: set[_Worker] = set()
        self._closed = False

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        """As `Workers.submit`."""
        async with self._seats:
            ends: list[int] = []
            while len(ends) < _TRIES:
                worker = self._worker()
                try:
                    return await worker.drafted(release, conditions)
                except EOFError:
                    ends.append(worker.kill())
                finally:
                    self._rest(worker)
            return failed(release, processes.lost(ends[-1]))

    async def close(self) -> None:
        """As `Workers.close`."""
        self._closed = True
        for worker in self._at_work:
            worker.kill()
        for worker in self._resting:
            worker.end()
        self._resting.clear()

    def _worker(self) -> _Worker:
        if self._closed:
            raise RunStopped("the workers were ended", where="workers", cure="run it again with --resume")
        worker = self._resting.pop() if self._resting else _Worker(self._draft)
        self._at_work.add(worker)
        return worker

    def _rest(self, worker: _Worker) -> None:
        """Keep a worker that is done for the next release, and end one that is not: nobody waits for what it would tell."""
        self._at_work.discard(worker)
        if worker.is_busy or self._closed:
            worker.end()
        else:
            self._resting.append(worker)


class _Worker:
    """One process that drafts one release after another, and the line to it."""

    def __init__(self, draft: Draft) -> None:
        self._line, theirs = processes.FRESH.Pipe()
        self._process = processes.start(_serve, theirs, draft)
        theirs.close()
        self.is_busy = False

    async def drafted(self, release: Release, conditions: Conditions) -> Finished:
        """What the process tells of a release.

        Raises:
            EOFError: it died.
            agent.errors.Failure: what it met concerns the whole run.
        """
        self.is_busy = True
        try:
            self._line.send((release, conditions))
            await _spoken(self._line)
            told: Finished | Failure = self._line.recv()
        except (EOFError, OSError):
            self._process.join(_DYING)
            raise EOFError from None
        self.is_busy = False
        if isinstance(told, Failure):
            raise told
        return told

    def kill(self) -> int:
        """End the process; how it ended."""
        return processes.kill(self._process)

    def end(self) -> None:
        """End the process and the line to it, on which nobody may be waiting."""
        self.kill()
        self._line.close()


async def _spoken(line: End) -> None:
    """Wait until something came over a line, or its other end is gone."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(line.fileno(), came.set)
    try:
        await came.wait()
    finally:
        loop.remove_reader(line.fileno())


def _serve(line: End, draft: Draft) -> None:
    """Draft what is asked until nobody asks."""
    while True:
        line.send(_told(draft, *line.recv()))


def _told(draft: Draft, release: Release, conditions: Conditions) -> Finished | Failure:
    try:
        return draft(release, conditions)
    except Failure as failure:
        return failure
