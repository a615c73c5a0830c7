"""Drafting with a model: all calls of a run paced and metered together, each reply kept before it is used.

Here releases are drafted in this process, which is enough where their calls wait for a batch of the provider;
`agent.batch.askers` has processes draft them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from agent.batch.drafting import draft_release
from agent.batch.events import Answered, Asked, Listener, Waiting, Why
from agent.batch.journal import Journal
from agent.batch.release import Conditions, Finished, Release
from agent.errors import RunStopped
from agent.model.client import Model
from agent.pipeline import Pace
from agent.replies.desk import Brought, Make, OwnDesk, Turns, Wanted, Watcher
from agent.replies.journaled import Journaled
from agent.replies.metering import Limits, Meter
from agent.replies.pacing import Ears, Pacing, Rates
from guardrails.redaction.secrets import SecretEngine

Stop = Callable[[RunStopped], None]
"""Has no call begin any more."""


def pacing(rates: Rates, journal: Journal, listener: Listener) -> Pacing:
    """Turns for calls no faster than `rates`; each is in the journal before it begins, and each wait is told."""
    return Pacing(rates, Ears(journal.replies.asked, lambda seconds, why: listener(Waiting(seconds, Why(why)))))


def desk(name: str, journal: Journal, turns: Turns, *, limits: Limits, listener: Listener, in_batch: bool = False) -> OwnDesk:
    """Where a run asks the drafter `name`, for no more than `limits` with what earlier parts of the run spent.

    Raises:
        NotConfigured: a limit on dollars cannot be held.
    """

    def answered(brought: Brought) -> None:
        usage = brought.usage
        assert usage is not None  # noqa: S101 - it was answered
        listener(Answered(usage.input_tokens, usage.output_tokens, brought.cost, brought.is_kept))

    meter = Meter(name, limits, journal.replies.spent(), in_batch=in_batch)
    return OwnDesk(journal.replies, turns, meter, Watcher(lambda: listener(Asked()), answered))


async def to_its_end(draft: Coroutine[Any, Any, Finished], stop: Stop) -> Finished:
    """What comes of a draft. Who calls it off waits until it ends, or comes to its next call; twice, no longer.

    Raises:
        agent.errors.LimitReached, agent.errors.RunStopped: nothing more can be drafted in this run.
    """
    task = asyncio.create_task(draft)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop(RunStopped("the run was interrupted", cure="go on with --resume"))
        try:
            return await task
        except RunStopped:
            raise asyncio.CancelledError from None


@dataclass(frozen=True, slots=True)
class Asking:
    """Workers that ask `model` in this process, as their `desk` lets them."""

    model: Model
    stop: Stop
    desk: OwnDesk
    engine: SecretEngine
    jobs: int
    calls: set[asyncio.Task[str]] = field(default_factory=set)
    """Those under way. Whoever asked may be called off meanwhile; what they bring is paid for, and kept."""

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        """What became of a release; who calls it off waits as `to_its_end` says.

        Raises:
            agent.errors.LimitReached, agent.errors.RunStopped: nothing more can be drafted in this run.
        """
        pace = Pace(repairs=conditions.repairs, jobs=self.jobs)
        draft = draft_release(release, conditions, Journaled(self.model, self), self.engine, pace)
        return await to_its_end(draft, self.stop)

    async def reply(self, wanted: Wanted, make: Make) -> str:
        """As `Desk.reply`; the call goes on when the draft is called off."""
        call = asyncio.create_task(self.desk.reply(wanted, make))
        self.calls.add(call)
        call.add_done_callback(self.calls.discard)
        return await asyncio.shield(call)

    async def close(self) -> None:
        """Let calls under way be answered and kept, and let go of connections."""
        self.stop(RunStopped("the run has ended", cure="go on with --resume"))
        await asyncio.gather(*self.calls, return_exceptions=True)
        await self.model.close()
