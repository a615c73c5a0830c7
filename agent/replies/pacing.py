"""How fast a drafter is asked: so many calls at once, so many requests and tokens a minute, fewer as soon as it says so.

The SDKs retry, and nobody else does: what is decided here is when a call begins, and that none begins any more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from agent.errors import Denied, Passing, RunStopped
from agent.model.calls import Heard
from agent.replies.buckets import Bucket
from agent.replies.desk import Turn
from agent.replies.window import Window

OVERLOADED: Final = frozenset({503, 529})
TOO_MANY: Final = 429
LONGEST_REST: Final = 60.0
"""Seconds; after that one asks again, whatever the server said."""
MOST_FAILURES: Final = 8
"""So many calls one after another that the SDK gave up on are no bad luck of one of them."""
_LOOK_UP: Final = 1.0
"""Seconds after which whoever rests looks whether the run goes on at all."""
_CHARACTERS: Final = 3
"""For each token of a prompt; what it was in truth is counted when the reply tells."""


@dataclass(frozen=True, slots=True)
class Rates:
    """The most that a drafter is asked: calls at once, requests and tokens a minute; None for no limit."""

    jobs: int = 4
    requests: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Ears:
    """Who is told: `begins` of the name of each call before it begins, `rests` of seconds and why nothing begins."""

    begins: Callable[[str], Awaitable[None]]
    rests: Callable[[float, str], None] = field(default=lambda _seconds, _why: None)


class Pacing:
    """Lets the calls of all drafts of a run begin no faster than `rates`, and than the drafter likes."""

    def __init__(
        self,
        rates: Rates,
        ears: Ears,
        *,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Tell `ears`. `clock` and `sleep` are for tests; else they are those of the loop."""
        self._ears = ears
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._sleep = sleep
        self._window = Window(rates.jobs)
        self._waiting: deque[asyncio.Future[int]] = deque()
        self._requests, self._tokens = Bucket(rates.requests), Bucket(rates.tokens)
        self._rested = 0.0
        self._failures = 0
        self._end: RunStopped | None = None

    @asynccontextmanager
    async def turn(self, name: str, size: int) -> AsyncIterator[Turn]:
        """The turn of the call `name`, whose prompt has `size` characters; it is made inside.

        Raises:
            agent.errors.RunStopped: the drafter takes nothing of us any more, or `stop` was said.
            agent.errors.Failure: as the call.
        """
        guessed = size // _CHARACTERS
        async with self._place() as number:
            await self._rest(guessed)
            self._require_going()
            await self._ears.begins(name)
            try:
                yield _Turn(self, number, guessed)
            except Denied as failure:
                cure = f"{failure.cure}, and go on with --resume"
                self.stop(RunStopped(failure.what, where=failure.where, cure=cure))
                raise self._ended() from None
            except Passing as failure:
                self._failures += 1
                if self._failures >= MOST_FAILURES:
                    what = f"{failure.what}, {self._failures} calls one after another"
                    self.stop(RunStopped(what, where=failure.where, cure="go on later with --resume"))
                raise
            self._failures = 0
            self._window.widen(number)

    def stop(self, end: RunStopped) -> None:
        """Begin no call any more; those under way end as they may. The first reason counts."""
        self._end = self._end or end
        self._let_in()

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[int]:
        """One of the calls that may be made at once; its number."""
        number = await self._entered()
        try:
            yield number
        finally:
            self._window.leave(number)
            self._let_in()

    async def _entered(self) -> int:
        """Wait for a place, after all who came before; the number of the call."""
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._let_in()
        try:
            return await place
        except asyncio.CancelledError:
            if not place.cancelled() and place.exception() is None:  # it had just been given
                self._window.leave(place.result())
                self._let_in()
            raise

    def _let_in(self) -> None:
        """Give each place that is free to who waits longest; when nothing begins any more, tell all."""
        while self._waiting and (self._end is not None or self._window.is_open):
            place = self._waiting.popleft()
            if place.done():
                continue
            if self._end is None:
                place.set_result(self._window.enter())
            else:
                place.set_exception(self._ended())

    async def _rest(self, tokens: int) -> None:
        """Wait until our own limits and the server let this call begin, or nothing begins any more."""
        now = self._clock()
        owed = max(self._requests.take(1, now), self._tokens.take(tokens, now))
        if owed > 0:
            self._ears.rests(owed, "own-limit")
        while (left := max(now + owed, self._rested) - self._clock()) > 0 and self._end is None:
            await self._sleep(min(left, _LOOK_UP))

    def hear(self, heard: Heard, number: int) -> None:
        """A refusal that waiting may cure makes fewer calls at once; a wish to be left alone holds for all."""
        refused = {TOO_MANY: "rate-limit"} | dict.fromkeys(OVERLOADED, "overload")
        if heard.status in refused:
            self._window.narrow(number)
        until = self._clock() + min(heard.wait, LONGEST_REST)
        if heard.wait > 0 and until > self._rested:
            self._rested = until
            self._ears.rests(min(heard.wait, LONGEST_REST), refused.get(heard.status, "rate-limit"))

    def count(self, tokens: int) -> None:
        """So many tokens more, or less, than was guessed were taken: the next calls have less, or more."""
        self._tokens.take(tokens, self._clock())

    def _require_going(self) -> None:
        if self._end is not None:
            raise self._ended()

    def _ended(self) -> RunStopped:
        assert self._end is not None  # noqa: S101 - whoever asks has seen it
        return RunStopped(self._end.what, where=self._end.where, cure=self._end.cure)


@dataclass(frozen=True, slots=True)
class _Turn:
    """The turn of one call."""

    pacing: Pacing
    number: int
    guessed: int

    def heard(self, heard: Heard) -> None:
        self.pacing.hear(heard, self.number)

    def took(self, tokens: int) -> None:
        self.pacing.count(tokens - self.guessed)
