"""Where all drafts of a run ask for their replies: one place knows what is kept, whose turn it is, and what may still be spent.

The calls themselves are made where the drafts are, in this process or in another one, so that only small values come here.
"""

from __future__ import annotations

from asyncio import Lock
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol, TypeAlias

from agent.errors import Failure
from agent.model.calls import Heard
from agent.model.client import Usage
from agent.replies.metering import Meter, Spent


@dataclass(frozen=True, slots=True)
class Wanted:
    """A reply that a draft wants: what it is kept by, the characters of its prompt, the most tokens it reads and writes."""

    key: str
    size: int
    read: int
    written: int


@dataclass(frozen=True, slots=True)
class Brought:
    """What a call brought, as it may be kept: the text, and what it cost. `usage` is None where the prompt was not answered."""

    text: str = field(repr=False)
    usage: Usage | None = None
    cost: Decimal | None = None
    is_kept: bool = False
    """Whether it was paid for earlier: it comes from a recording."""

    @property
    def spent(self) -> Spent:
        """What was paid, as far as the reply tells."""
        if self.usage is None or self.is_kept:
            return Spent()
        return Spent((self.usage.input_tokens or 0) + (self.usage.output_tokens or 0), self.cost or Decimal())


Make: TypeAlias = Callable[[Callable[[Heard], None]], Coroutine[Any, Any, Brought]]
"""Makes a call, and tells of each answer of the server."""


class Desk(Protocol):
    """Gives replies out."""

    async def reply(self, wanted: Wanted, make: Make) -> str:
        """The text that is kept, or else what `make` brings when it is its turn; it is kept when this returns.

        Raises:
            agent.errors.LimitReached, agent.errors.RunStopped: no call may be made any more.
            agent.errors.Failure: as the call; that is not kept.
        """
        ...


class Keeper(Protocol):
    """Keeps texts by key, for all drafts of a run."""

    def turn(self, key: str) -> Lock:
        """What whoever asks for a key must hold."""
        ...

    def get(self, key: str) -> str | None:
        """The text that is kept."""
        ...

    async def unasked(self, key: str) -> None:
        """Note that a call brought no reply."""
        ...

    async def keep(self, key: str, text: str, spent: Spent) -> None:
        """Keep a text, and what it cost; it is on the disk when this returns."""
        ...


class Turn(Protocol):
    """A call that may be made now."""

    def heard(self, heard: Heard) -> None:
        """The server answered so."""
        ...

    def took(self, tokens: int) -> None:
        """The call took so many tokens in truth."""
        ...


class Turns(Protocol):
    """Lets calls begin."""

    def turn(self, name: str, size: int) -> AbstractAsyncContextManager[Turn]:
        """Waits for the turn of a call, which is made inside."""
        ...


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told of each call that goes out, and of what each brought."""

    asked: Callable[[], None] = lambda: None
    answered: Callable[[Brought], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class OwnDesk:
    """The desk of this process."""

    keeper: Keeper
    turns: Turns
    meter: Meter
    watcher: Watcher = Watcher()

    async def reply(self, wanted: Wanted, make: Make) -> str:
        """As `Desk.reply`."""
        async with self.keeper.turn(wanted.key):
            text = self.keeper.get(wanted.key)
            return await self._asked(wanted, make) if text is None else text

    async def _asked(self, wanted: Wanted, make: Make) -> str:
        try:
            async with self.turns.turn(wanted.key, wanted.size) as turn:
                brought = await self._made(wanted, make, turn)
        except Failure:
            await self.keeper.unasked(wanted.key)
            raise
        await self.keeper.keep(wanted.key, brought.text, brought.spent)
        return brought.text

    async def _made(self, wanted: Wanted, make: Make, turn: Turn) -> Brought:
        self.watcher.asked()
        async with self.meter.reserved(wanted.read, wanted.written) as pay:
            brought = await make(turn.heard)
            if brought.usage is not None:
                pay(brought.usage, brought.cost, is_kept=brought.is_kept)
                self.watcher.answered(brought)
        if brought.usage is not None and brought.usage.input_tokens is not None:
            turn.took(brought.usage.input_tokens + (brought.usage.output_tokens or 0))
        return brought


class Untimed:
    """Turns for calls that wait elsewhere, as those of a batch do."""

    @asynccontextmanager
    async def turn(self, _name: str, _size: int) -> AsyncIterator[Turn]:
        """At once."""
        yield self

    def heard(self, _heard: Heard) -> None:
        """Nobody waits for it."""

    def took(self, _tokens: int) -> None:
        """Nobody counts them."""
