"""The run: every release of a plan to its end, as many at once as may be, and each in the journal before the next begins.

A run ends early where the world ends it: a limit is reached, a drafter takes nothing more of us, a disk is full, or a person
interrupts it. Then what is done is kept, and the same run goes on later from there.
"""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from agent.batch import events
from agent.batch.drafting import ENDS_THE_RUN
from agent.batch.events import Cause, Listener, Planned, Resumed, Started
from agent.batch.journal import Journal
from agent.batch.keys import key
from agent.batch.release import Conditions, Finished, Release, Status
from agent.batch.workers import Workers
from agent.errors import Failure, RunStopped

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is under way at once: releases, and commits in them, for their evidence has to be held. One always may be."""

    releases: int = 1
    commits: int = 4_000


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended: what became of its releases, those of which nothing did, and why it ended early, if it did."""

    finished: tuple[Finished, ...]
    undone: tuple[Release, ...] = ()
    cause: Cause = Cause.DONE
    end: Failure | None = None


async def run(
    plan: Sequence[Release],
    conditions: Conditions,
    journal: Journal,
    workers: Workers,
    *,
    listener: Listener = events.nobody,
    bounds: Bounds = Bounds(),
) -> Run:
    """Have `workers` draft what the journal does not know the end of; results in the order of the plan, whichever was first.

    What failed in an earlier part of the run is tried again; everything else that ended has ended. SIGINT and SIGTERM end the
    run as soon as what is under way can be kept, a second one at once.

    Raises:
        agent.errors.GuardNotReady: redaction cannot be guaranteed.
    """
    listener(Planned(len(plan)))
    keys = {release.name: key(release, conditions) for release in plan}
    known = {name: done for name, own in keys.items() if (done := _known(journal, own)) is not None}
    if journal.releases or journal.replies.count() or journal.replies.under_way():
        listener(Resumed(len(known), journal.replies.count(), journal.replies.under_way()))
    for name, done in known.items():
        listener(events.Finished(name, done.status, resumed=True))

    async def draft(release: Release) -> Finished:
        listener(Started(release.name))
        done = await workers.submit(release, conditions)
        await journal.finishing(keys[release.name], done)
        listener(events.Finished(release.name, done.status))
        return done

    course = _Course(draft, bounds, deque(release for release in plan if release.name not in known))
    with _interruptible(course):
        await course.run()
    listener(events.Ended(course.cause))
    ends = known | course.done
    finished = tuple(ends[release.name] for release in plan if release.name in ends)
    return Run(finished, tuple(release for release in plan if release.name not in ends), course.cause, course.end)


def _known(journal: Journal, own: str) -> Finished | None:
    """What became of a release in an earlier part of the run; a failure may pass, so that it is no end."""
    done = journal.finished(own)
    return None if done is None or done.status is Status.FAILED else done


@dataclass(slots=True)
class _Course:
    """Releases on their way: those that wait, those under way, and what became of the others."""

    draft: Callable[[Release], Coroutine[Any, Any, Finished]]
    bounds: Bounds
    waiting: deque[Release]
    under_way: dict[asyncio.Task[Finished], Release] = field(default_factory=dict)
    done: dict[str, Finished] = field(default_factory=dict)
    end: Failure | None = None
    cause: Cause = Cause.DONE

    async def run(self) -> None:
        """Let one in after another while there is room, until none is left. A fault of ours in one waits for the others."""
        ended: asyncio.Queue[asyncio.Task[Finished]] = asyncio.Queue()
        faults: list[BaseException] = []
        while True:
            while self.waiting and self._is_room(self.waiting[0]):
                release = self.waiting.popleft()
                task = asyncio.create_task(self.draft(release))
                task.add_done_callback(ended.put_nowait)
                self.under_way[task] = release
            if not self.under_way:
                break
            faults += self._take(await ended.get())
        for fault in faults:
            raise fault

    def stop(self, cause: Cause, end: Failure) -> None:
        """Let no more in, and call off those under way. The first reason counts."""
        if self.end is None:
            self.cause, self.end = cause, end
        self.waiting.clear()
        for task in self.under_way:
            task.cancel()

    def _take(self, task: asyncio.Task[Finished]) -> list[BaseException]:
        """Take what a release ended with, and what it met that nobody expected."""
        release = self.under_way.pop(task)
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, ENDS_THE_RUN):
            self.stop(Cause.STOPPED, failure)
        elif failure is not None:
            return [failure]
        elif not task.cancelled():
            self.done[release.name] = task.result()
        return []

    def _is_room(self, release: Release) -> bool:
        commits = sum(one.commits for one in self.under_way.values())
        is_free = len(self.under_way) < self.bounds.releases and commits + release.commits <= self.bounds.commits
        return is_free or not self.under_way


@contextmanager
def _interruptible(course: _Course) -> Iterator[None]:
    """Have each signal to end call off what is under way. Who is called off once may still finish what is paid for."""
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        course.stop(Cause.INTERRUPTED, RunStopped("the run was interrupted", cure="go on with --resume"))

    with suppress(ValueError, RuntimeError, NotImplementedError):  # in a thread nobody can be told
        for number in _SIGNALS:
            loop.add_signal_handler(number, interrupt)
    try:
        yield
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
