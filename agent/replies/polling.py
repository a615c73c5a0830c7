"""How a provider that takes its time is asked after: ever more rarely, and for hours where it says nothing at all (evidraft).

The SDKs ask again within a minute what the network spoiled; what is done here is to come back after minutes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from agent.errors import Passing
from agent.model.batches.client import Batches, Phase, State

_Told = TypeVar("_Told")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited, in seconds, and how often a prompt goes again that was not answered.

    `gather` is the moment in which nothing new comes before prompts go. A batch is asked after at `first`, then ever more
    rarely, at last every `most` seconds, a little later each time by chance up to `jitter`; after `silent` questions in a row
    without an answer it is left alone. `again` says how often a prompt goes again.
    """

    gather: float = 20.0
    first: float = 15.0
    most: float = 300.0
    jitter: float = 5.0
    silent: int = 36
    again: int = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a batch stands while it is waited for: how many rows have an end, and when it is asked after next."""

    batch: str
    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Polling:
    """The batches of a provider, asked with patience. `watch` is told where they stand."""

    batches: Batches
    patience: Patience = Patience()
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    watch: Callable[[Standing], None] = lambda _: None

    async def until(self, ask: Callable[[], Awaitable[_Told]]) -> _Told:
        """What the provider says, once it says something.

        Raises:
            agent.errors.ProviderFailure: it refuses, or could not be reached for hours.
        """

        async def once() -> _Told:
            return await ask()

        is_passing = tenacity.retry_if_exception_type(Passing)
        told: _Told = await self._asking(is_passing, tenacity.stop_after_attempt(self.patience.silent))(once)
        return told

    async def ended(self, batch: str) -> State:
        """A batch of which nothing more comes.

        Raises:
            agent.errors.ProviderFailure: the provider does not serve us any more, or could not be reached for hours.
        """

        def told(asked: tenacity.RetryCallState) -> None:
            if asked.outcome is not None and asked.next_action is not None:
                state: State = asked.outcome.result()
                self.watch(Standing(batch, state.done, state.total, asked.next_action.sleep))

        async def once() -> State:
            return await self.until(lambda: self.batches.state(batch))

        is_running = tenacity.retry_if_result(lambda state: state.phase is Phase.RUNNING)
        state: State = await self._asking(is_running, tenacity.stop_never, told)(once)
        return state

    def _asking(
        self,
        retry: tenacity.retry_base,
        stop: Callable[[tenacity.RetryCallState], bool],
        told: Callable[[tenacity.RetryCallState], None] | None = None,
    ) -> tenacity.AsyncRetrying:
        grows = tenacity.wait_exponential(self.patience.first, self.patience.most)
        wait = grows + tenacity.wait_random(0, self.patience.jitter)
        return tenacity.AsyncRetrying(retry=retry, wait=wait, stop=stop, before_sleep=told, sleep=self.sleep, reraise=True)
