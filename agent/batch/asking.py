"""Drafting with a model: every release in this process, all their calls paced together, each reply kept before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Self

from agent.batch.drafting import draft_release
from agent.batch.events import Answered, Asked, Listener, Waiting, Why
from agent.batch.journal import Journal
from agent.batch.release import Conditions, Finished, Release
from agent.errors import RunStopped
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Pace
from agent.replies.around import Around
from agent.replies.journaled import Journaled
from agent.replies.metering import Limits, Metered
from agent.replies.pacing import Ears, Paced, Rates
from guardrails.redaction.secrets import SecretEngine


class Watched(Around):
    """A drafter whose calls are told to whoever watches the run."""

    def __init__(self, model: Model, listener: Listener) -> None:
        """Tell `listener` of each call of `model`."""
        super().__init__(model)
        self._listener = listener

    async def draft(self, prompt: Prompt) -> Reply:
        """As the drafter."""
        self._listener(Asked())
        reply = await self._model.draft(prompt)
        self._listener(Answered(reply.usage.input_tokens, reply.usage.output_tokens, reply.cost, reply.kept))
        return reply


@dataclass(frozen=True, slots=True)
class Asking:
    """Workers that ask one drafter. `stop` makes it begin no call any more."""

    model: Model
    stop: Callable[[RunStopped], None]
    journal: Journal
    engine: SecretEngine
    jobs: int
    calls: set[asyncio.Task[str]] = field(default_factory=set)
    """Those under way. Whoever asked may be called off meanwhile; what they bring is paid for, and kept."""

    @classmethod
    def of(
        cls, client: Model, journal: Journal, engine: SecretEngine, *, rates: Rates, limits: Limits, listener: Listener
    ) -> Self:
        """Ask `client` no faster than `rates` and for no more than `limits`, with what earlier parts of the run spent.

        Raises:
            NotConfigured: a limit on dollars cannot be held.
        """
        metered = Metered(client, limits, journal.replies.spent())
        ears = Ears(journal.replies.asked, lambda seconds, why: listener(Waiting(seconds, Why(why))))
        paced = Paced(Watched(metered, listener), rates, ears)
        return cls(paced, paced.stop, journal, engine, rates.jobs)

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        """What became of a release. Who calls it off waits until its draft ends, or comes to its next call; twice, no longer.

        Raises:
            agent.errors.LimitReached, agent.errors.RunStopped: nothing more can be drafted in this run.
        """
        model = Journaled(self.model, self.journal.replies, spare=self._spared)
        pace = Pace(repairs=conditions.repairs, jobs=self.jobs)
        draft = asyncio.create_task(draft_release(release, conditions, model, self.engine, pace))
        try:
            return await asyncio.shield(draft)
        except asyncio.CancelledError:
            self.stop(RunStopped("the run was interrupted", cure="go on with --resume"))
            try:
                return await draft
            except RunStopped:
                raise asyncio.CancelledError from None

    async def close(self) -> None:
        """Let calls under way be answered and kept, and let go of connections."""
        self.stop(RunStopped("the run has ended", cure="go on with --resume"))
        await asyncio.gather(*self.calls, return_exceptions=True)
        await self.model.close()

    def _spared(self, call: Coroutine[Any, Any, str]) -> Awaitable[str]:
        task = asyncio.create_task(call)
        self.calls.add(task)
        task.add_done_callback(self.calls.discard)
        return asyncio.shield(task)
