"""A drafter whose prompts go to its provider together, as batches, and are answered within a day at half the price (evidraft).

Who asks waits. Prompts are gathered until nothing new comes for a moment; then they go as a wave, or as several where one would
be too large. A wave is written down before it goes and after it went (`agent.replies.waves`): after a kill in between the
provider is asked which batch it became, and a prompt that went once is awaited, not sent again. Only what the provider says it
did not answer goes once more. What keeps a whole wave from going or coming ends the run: no other wave would fare better.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from contextvars import Context
from functools import partial
from typing import Final

from agent.errors import Denied, Passing, ProviderFailure, RunStopped, TooLong
from agent.model import calls
from agent.model.batches.client import End, Phase, State, cancelled, expired, unfinished
from agent.model.client import Model, Prompt, Reply
from agent.replies.around import Around
from agent.replies.polling import Polling
from agent.replies.waiting import Rows, Waiting, divided
from agent.replies.waves import Notes, Wave, Waves

MOST_BYTES: Final = 64 * 1024 * 1024
"""Of one wave: it is held as text when it goes."""
_MISSING: Final = {Phase.EXPIRED: expired, Phase.CANCELLED: cancelled}
"""What became of a row that no result tells of."""


class Batched(Around):
    """A drafter that is asked in batches. What has to outlive this process stands in the notes."""

    def __init__(
        self,
        model: Model,
        polling: Polling,
        notes: Notes,
        *,
        named: Callable[[Prompt], str],
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Ask `model` by batches.

        `named` gives the name of the call under way, at most 64 letters, digits and dashes: the same after a restart, another
        one where a prompt is asked again for another answer. `note` is told what stays behind.
        """
        super().__init__(model)
        self._polling, self._batches, self._again = polling, polling.batches, polling.patience.again
        self._named, self._note = named, note
        self._waves = Waves(notes, client=model.name, endpoint=str(model.parameters.get("endpoint", "")))
        self._most = self._batches.most_rows
        self._own: set[str] = set()
        self._surely: set[str] = set()
        self._stopped: RunStopped | None = None
        self._forget()

    async def draft(self, prompt: Prompt) -> Reply:
        """Park the prompt, and wait for its answer.

        Raises:
            ProviderFailure: it was not answered: as the drafter, or because its batch expired or was cancelled.
            RunStopped: the provider takes or tells nothing any more; what went there can be had by another run.
        """
        if self._stopped is not None:
            raise _again(self._stopped)
        name = self._named(prompt)
        waiting = self._waiting.get(name)
        if waiting is None:
            waiting = self._waiting[name] = Waiting(prompt, len(self._batches.row(name, prompt)))
            self._park(name, waiting)
        caller: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        waiting.callers.append(caller)
        return await caller

    def stop(self, end: RunStopped) -> None:
        """Have nobody wait any more, now or later: `end` says why. What went is awaited by another run."""
        self._stopped = self._stopped or end
        waiting = list(self._waiting.values())
        self._waiting.clear()
        self._parked.clear()
        for one in waiting:
            one.end(_again(end))
        self._call_off()

    async def close(self) -> None:
        """Let go of connections. Batches under way stay with the provider, and it is told which."""
        left = ", ".join(self._open)
        await asyncio.gather(*self._call_off(), return_exceptions=True)
        self._forget()
        if left:
            self._note(f"note: {self.name} goes on with what it was given ({left}): the next run awaits it")
        await super().close()

    def _forget(self) -> None:
        """All that belongs to one loop."""
        self._waiting: Rows = {}
        self._parked: Rows = {}
        self._arrived = 0
        self._open: dict[str, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._leaving: asyncio.Task[None] | None = None
        self._turn: asyncio.Lock | None = None
        self._sending = asyncio.Lock()

    def _call_off(self) -> set[asyncio.Task[None]]:
        """Have nothing go and nothing awaited any more."""
        tasks = {*self._tasks, *([self._leaving] if self._leaving else ())}
        for task in tasks:
            task.cancel()
        return tasks

    def _park(self, name: str, waiting: Waiting) -> None:
        self._parked[name] = waiting
        self._arrived += 1
        if self._leaving is None and self._stopped is None:
            self._leaving = _task(self._leave())

    async def _leave(self) -> None:
        """Let go what is parked once nothing more comes."""
        arrived = -1
        while arrived != self._arrived:
            arrived = self._arrived
            await self._polling.sleep(self._polling.patience.gather)
        parked, self._parked, self._leaving = self._parked, {}, None
        known: dict[str, Rows] = {}
        fresh: Rows = {}
        for name, waiting in parked.items():
            wave = None if waiting.anew else self._waves.of(name)
            (fresh if wave is None else known.setdefault(wave.name, {}))[name] = waiting
        for rows in known.values():
            self._begin(rows, self._resume(rows))
        for rows in divided(fresh, most=self._most, most_bytes=min(self._batches.most_bytes, MOST_BYTES)):
            self._begin(rows, self._send(rows))

    def _begin(self, rows: Rows, work: Coroutine[None, None, None]) -> None:
        task = _task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._over, rows))

    def _over(self, rows: Rows, task: asyncio.Task[None]) -> None:
        """Nobody is left waiting for work that broke off, whatever it met."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, ProviderFailure):
            self.stop(_ending(error))
        elif error is not None:
            self._end(rows, error)

    async def _send(self, rows: Rows) -> None:
        """Submit rows as a wave and see it through."""
        async with self._turn or nullcontext():
            try:
                wave = await self._submitted(rows)
            except TooLong as failure:
                self._narrow(rows, failure)
                return
            self._own.add(wave.name)
            await self._collect(wave, rows)

    async def _submitted(self, rows: Rows) -> Wave:
        wave = self._waves.begin(rows, after=await self._polling.until(self._batches.newest))

        may_have_gone = False

        async def once() -> Wave:
            nonlocal may_have_gone
            if may_have_gone and (found := await self._located(wave)) is not None:
                return found
            async with self._sending:  # so that no two waves are held as text
                lines = [self._batches.row(name, waiting.prompt) for name, waiting in rows.items()]
                may_have_gone = True
                with calls.named(wave.name):
                    batch = await self._batches.submit(wave.name, lines)
            self._surely.add(batch)
            return self._waves.went(wave, [batch])

        return await self._polling.until(once)

    async def _located(self, wave: Wave) -> Wave | None:
        """A wave of which it is not known whether it went, with what it may have become; None where it did not go."""
        found = await self._batches.found(wave.name, rows=len(wave.rows), after=wave.after)
        others = [batch for batch in found if batch not in self._surely]
        return self._waves.went(wave, others) if others else None

    async def _resume(self, rows: Rows) -> None:
        """See a wave through that was written down earlier."""
        wave = self._waves.of(next(iter(rows)))
        if wave is not None and not wave.batches:
            wave = await self._polling.until(partial(self._located, wave))
        if wave is None:
            self._anew(rows)
        else:
            await self._collect(wave, rows)

    async def _collect(self, wave: Wave, rows: Rows) -> None:
        """Await the batches of a wave, and give each row its end."""
        state, torn = State(Phase.COMPLETED), None
        for batch in wave.batches:
            self._open[batch] = None
            state = await self._polling.ended(batch)
            torn = await self._polling.until(partial(self._read, batch, state, wave, rows))
            self._open.pop(batch, None)  # two waves may wait for one batch: it is the one's or the other's
        if isinstance(state.failure, Passing):
            self._narrow(rows, state.failure)
        else:
            self._settle(rows, state.failure or torn or _MISSING.get(state.phase, unfinished)(self.name), wave)

    async def _read(self, batch: str, state: State, wave: Wave, rows: Rows) -> ProviderFailure | None:
        """Give each row its end that a batch tells of; the failure of a line that cannot be read, if there is one."""
        torn: ProviderFailure | None = None
        async for name, end in self._batches.ends(batch, state):
            if not name and isinstance(end, ProviderFailure):
                torn = end
            elif name in rows:
                self._settle({name: rows.pop(name)}, end, wave)
        return torn

    def _settle(self, rows: Rows, end: End, wave: Wave) -> None:
        """Give rows of a wave their end, or have them go again where there may be a better one.

        What was not answered in an earlier run was not paid, and that it is asked for again is the person's wish.
        """
        in_vain = isinstance(end, ProviderFailure) and not isinstance(end, TooLong)
        goes_again = in_vain and (isinstance(end, Passing) or wave.name not in self._own)
        again = {name: waiting for name, waiting in rows.items() if goes_again and waiting.tries < self._again}
        for name, waiting in again.items():
            waiting.tries += 1
            del rows[name]
        self._anew(again)
        self._end(rows, end)

    def _narrow(self, rows: Rows, failure: ProviderFailure) -> None:
        """Have rows go again that were too many at once: half as many, and one wave after another."""
        if len(rows) <= 1:
            self._end(rows, failure)
            return
        self._most = max(1, min(self._most, len(rows) // 2))
        self._turn = self._turn or asyncio.Lock()
        self._anew(rows)

    def _anew(self, rows: Rows) -> None:
        for name, waiting in rows.items():
            waiting.anew = True
            self._park(name, waiting)
        rows.clear()

    def _end(self, rows: Rows, end: Reply | BaseException) -> None:
        if isinstance(end, Denied):
            self.stop(_ending(end))
            return
        for name, waiting in rows.items():
            self._waiting.pop(name, None)
            waiting.end(end)
        rows.clear()


def _ending(failure: ProviderFailure) -> RunStopped:
    return RunStopped(failure.what, where=failure.where, cure=f"{failure.cure}, and go on with --resume")


def _again(end: RunStopped) -> RunStopped:
    """The same failure for somebody else: each who is told raises one of their own."""
    return RunStopped(end.what, where=end.where, cure=end.cure)


def _task(work: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """Work for many calls, which is not part of the one that happened to begin it."""
    return asyncio.create_task(work, context=Context())
