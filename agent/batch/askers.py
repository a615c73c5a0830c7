"""Processes that draft releases with a model, each many at once, for one alone cannot keep up with a fast provider.

They read, prompt, call and judge; the desk of the run lets each call begin and keeps what it brings. A process that dies costs
the time of the releases that it had: each is drafted once more, in a process of its own, so that it takes no other along.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, Final

from agent.batch import distant, processes
from agent.batch.asking import Stop, to_its_end
from agent.batch.distant import Opens
from agent.batch.drafting import failed
from agent.batch.line import Line
from agent.batch.release import Conditions, Finished, Release
from agent.batch.words import Bring, Draft, Drafted, Give, Go, Heard, Want
from agent.errors import Failure, RunStopped
from agent.model import calls
from agent.replies.desk import Brought, Desk

_DYING: Final = 1.0
"""Seconds for a process that left the line to be gone, so that it can be said how it went."""


class Askers:
    """At most so many processes, started when they are first needed."""

    def __init__(self, most: int, opens: Opens, jobs: int, desk: Desk, stop: Stop) -> None:
        """Have each process open its drafter with `opens`, and ask it for a release at most `jobs` times at once."""
        self._most, self._opens, self._jobs, self._desk = most, opens, jobs, desk
        self.stop = stop
        self._processes: list[_Process] = []
        self._alone = asyncio.Lock()

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        """What became of a release; who calls it off waits as `to_its_end` says.

        Raises:
            agent.errors.GuardNotReady: redaction cannot be guaranteed.
            agent.errors.LimitReached, agent.errors.RunStopped: nothing more can be drafted in this run.
        """
        return await to_its_end(self._drafted(release, conditions), self.stop)

    async def close(self) -> None:
        """Let calls under way be answered and kept, and end the processes."""
        self.stop(RunStopped("the run has ended", cure="go on with --resume"))
        await asyncio.gather(*(process.called() for process in self._processes))
        for process in self._processes:
            process.end()
        self._processes.clear()

    async def _drafted(self, release: Release, conditions: Conditions) -> Finished:
        try:
            return await self._free().drafted(release, conditions)
        except EOFError:
            pass
        async with self._alone:
            process = self._begun()
            try:
                return await process.drafted(release, conditions)
            except EOFError:
                return failed(release, processes.lost(await process.ended()))
            finally:
                process.end()

    def _free(self) -> _Process:
        """The process that has the least to do; one more, as long as there may be."""
        self._processes = [process for process in self._processes if process.is_there]
        least = min(self._processes, key=lambda process: process.load, default=None)
        if least is not None and (least.load == 0 or len(self._processes) >= self._most):
            return least
        self._processes.append(self._begun())
        return self._processes[-1]

    def _begun(self) -> _Process:
        return _Process(self._opens, self._jobs, self._desk)


class _Process:
    """One process, the line to it, and what is under way there."""

    def __init__(self, opens: Opens, jobs: int, desk: Desk) -> None:
        ours, theirs = processes.FRESH.Pipe()
        with theirs:
            self._process = processes.start(distant.serve, theirs, opens, jobs)
        self._line = Line(ours, self._take, self._lose)
        self._desk = desk
        self._numbers = itertools.count()
        self._drafts: dict[int, asyncio.Future[Finished]] = {}
        self._brought: dict[int, asyncio.Future[Brought]] = {}
        self._told: dict[int, Callable[[calls.Heard], None]] = {}
        self._calls: set[asyncio.Task[None]] = set()
        self.is_there = True

    @property
    def load(self) -> int:
        """How many releases are under way there."""
        return len(self._drafts)

    async def drafted(self, release: Release, conditions: Conditions) -> Finished:
        """What the process tells of a release.

        Raises:
            EOFError: it died.
            agent.errors.Failure: what it met concerns the whole run.
        """
        if not self.is_there:
            raise EOFError
        number = next(self._numbers)
        draft: asyncio.Future[Finished] = asyncio.get_running_loop().create_future()
        self._drafts[number] = draft
        self._line.tell(Draft(number, release, conditions))
        try:
            return await draft
        finally:
            del self._drafts[number]

    async def called(self) -> None:
        """Wait until no call is under way."""
        while self._calls:
            await asyncio.gather(*self._calls)

    async def ended(self) -> int:
        """How a process ended that is about to be gone."""
        await asyncio.to_thread(self._process.join, _DYING)
        return processes.kill(self._process)

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._lose()
        processes.kill(self._process)
        self._line.close()

    def _lose(self) -> None:
        """Tell all who wait for it that it is gone."""
        self.is_there = False
        for draft in self._drafts.values():
            _settle(draft, EOFError())
        for brought in self._brought.values():
            _settle(brought, Failure("the process that made the call is gone", where="workers"))

    def _take(self, message: Drafted | Want | Heard | Bring) -> None:
        match message:
            case Want():
                call = asyncio.create_task(self._give(message))
                self._calls.add(call)
                call.add_done_callback(self._calls.discard)
            case Heard():
                self._told[message.number](message.heard)
            case Bring():
                _settle(self._brought[message.number], message.brought)
            case Drafted():
                _settle(self._drafts[message.number], message.told)

    async def _give(self, message: Want) -> None:
        """Give the reply that is wanted, or say why there is none."""
        number = message.number

        async def make(told: Callable[[calls.Heard], None]) -> Brought:
            if not self.is_there:
                raise Failure("the process that wanted the call is gone", where="workers")
            brought: asyncio.Future[Brought] = asyncio.get_running_loop().create_future()
            self._told[number], self._brought[number] = told, brought
            self._line.tell(Go(number))
            try:
                return await brought
            finally:
                del self._brought[number], self._told[number]

        try:
            text: str | Failure = await self._desk.reply(message.wanted, make)
        except Failure as failure:
            text = failure
        self._line.tell(Give(number, text))


def _settle(future: asyncio.Future[Any], outcome: object) -> None:
    """Give an outcome to who waits for it, if anybody does."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
