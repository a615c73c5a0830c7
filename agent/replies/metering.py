"""Limits on what a run may spend: no call is begun that could pass them (evidraft)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Final, Protocol

from agent.errors import LimitReached, NotConfigured
from agent.model.client import Model, Prompt, Reply, Usage
from agent.replies import prices
from agent.replies.around import Around

_BYTES_A_TOKEN: Final = 3
"""Fewer than words and code have in any usual tokenizer, so that input is guessed too large rather than too small."""
_ANSWER: Final = 8_192
"""Tokens of an answer where the client does not say how many it asks for at most."""
_ANSWER_NAMES: Final = ("max_output_tokens", "max-output-tokens", "max_tokens")
"""What the clients call it."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens, and dollars where their price is known."""

    tokens: int = 0
    dollars: Decimal = Decimal()

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.tokens + other.tokens, self.dollars + other.dollars)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.tokens - other.tokens, self.dollars - other.dollars)


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a run may spend; None for no limit."""

    dollars: Decimal | None = None
    tokens: int | None = None

    def passed(self, spent: Spent) -> str | None:
        """The option whose limit `spent` is beyond."""
        if self.dollars is not None and spent.dollars > self.dollars:
            return "--max-cost"
        return "--max-tokens" if self.tokens is not None and spent.tokens > self.tokens else None


class Pay(Protocol):
    """Counts what a call cost instead of what was reserved for it."""

    def __call__(self, usage: Usage, cost: Decimal | None, *, is_kept: bool) -> None:
        """Where the reply does not say what it took, what was reserved counts; what was paid earlier costs nothing."""
        ...


class Meter:
    """What was spent and is about to be, held against limits.

    A call reserves what it may cost at most before it is begun, and is counted with what it did cost afterwards. One that does
    not fit beside those that are under way waits for them.
    """

    def __init__(self, name: str, limits: Limits = Limits(), spent: Spent = Spent(), *, in_batch: bool = False) -> None:
        """Watch over the drafter `name`; `spent` is what an earlier part of the run did, `in_batch` says how it is asked.

        Raises:
            NotConfigured: there is a limit on dollars, and nobody knows the prices of this drafter.
        """
        if limits.dollars is not None and not prices.is_known(name):
            raise NotConfigured("nobody knows what it costs", where=f"--max-cost, {name}", cure="use --max-tokens instead")
        self.price = partial(prices.dollars, name, in_batch=in_batch)
        self._limits = limits
        self._spent = spent
        self._reserved = Spent()
        self._under_way = 0
        self._waiting: list[asyncio.Future[None]] = []

    @asynccontextmanager
    async def reserved(self, read: int, written: int) -> AsyncIterator[Pay]:
        """Room for a call that reads and writes so many tokens at most, for as long as it is made inside.

        Raises:
            LimitReached: the call could pass a limit.
        """
        most = self._most(read, written)
        while option := self._limits.passed(self._spent + self._reserved + most):
            if not self._under_way:
                raise self._reached(option, most)
            freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._reserve(most, calls=1)

        def pay(usage: Usage, cost: Decimal | None, *, is_kept: bool) -> None:
            if not is_kept:
                self._spent += _paid(usage, cost, most)

        try:
            yield pay
        finally:
            self._reserve(Spent() - most, calls=-1)
            self._wake()

    def _reserve(self, more: Spent, *, calls: int) -> None:
        self._reserved += more
        self._under_way += calls

    def _wake(self) -> None:
        """Let those look again who did not fit; who was called off looks no more."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def _most(self, read: int, written: int) -> Spent:
        """What a call may cost at most. To look prices up takes time: only where they count."""
        dollars = None if self._limits.dollars is None else self.price(Usage(read, written))
        return Spent(read + written, dollars or Decimal())

    def _reached(self, option: str, most: Spent) -> LimitReached:
        if option == "--max-cost":
            told = f"{_money(self._spent.dollars)} of {self._limits.dollars} dollars are spent, and the next call may cost"
            told = f"{told} {_money(most.dollars)}"
        else:
            told = f"{self._spent.tokens} of {self._limits.tokens} tokens are spent, and the next call may take {most.tokens}"
        return LimitReached(told, where=option, cure="allow more, or describe a smaller range; kept replies are not paid again")


class Metered(Around):
    """A drafter whose replies have their price, and which is not asked where that could pass a limit."""

    def __init__(self, model: Model, limits: Limits = Limits(), *, in_batch: bool = False) -> None:
        """Watch over `model`; `in_batch` says that it is asked in batches.

        Raises:
            NotConfigured: there is a limit on dollars, and nobody knows the prices of this drafter.
        """
        super().__init__(model)
        self._meter = Meter(model.name, limits, in_batch=in_batch)

    async def draft(self, prompt: Prompt) -> Reply:
        """Ask the drafter, and price its reply.

        Raises:
            LimitReached: the call could pass a limit.
            ProviderFailure: as the drafter.
        """
        async with self._meter.reserved(*at_most(prompt, self.parameters)) as pay:
            reply = await self._model.draft(prompt)
            reply = replace(reply, cost=None if reply.kept else self._meter.price(reply.usage))
            pay(reply.usage, reply.cost, is_kept=reply.kept)
        return reply


def at_most(prompt: Prompt, parameters: Mapping[str, object]) -> tuple[int, int]:
    """The most tokens that a prompt has, and that its answer can have, as far as one can tell before it is asked."""
    sent = sum(len(message.content.encode()) for message in prompt.messages) + len(json.dumps(dict(prompt.schema)))
    asked = (parameters.get(name) for name in _ANSWER_NAMES)
    answer = next((limit for limit in asked if isinstance(limit, int)), _ANSWER)
    return -(-sent // _BYTES_A_TOKEN), answer


def _paid(usage: Usage, cost: Decimal | None, most: Spent) -> Spent:
    """What a call did cost; where its reply does not say, what was reserved for it."""
    read, written = usage.input_tokens, usage.output_tokens
    tokens = most.tokens if read is None or written is None else read + written
    return Spent(tokens, most.dollars if cost is None else cost)


def _money(dollars: Decimal) -> str:
    return f"{dollars:.4f}"
