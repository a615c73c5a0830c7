"""Limits on what a run may spend: no call is begun that could pass them (evidraft)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Final

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


class Metered(Around):
    """A drafter whose replies have their price, and which is not asked where that could pass a limit.

    A call reserves what it may cost at most before it is begun, and is counted with what it did cost afterwards. One that does
    not fit beside those that are under way waits for them.
    """

    def __init__(self, model: Model, limits: Limits = Limits(), spent: Spent = Spent(), *, in_batch: bool = False) -> None:
        """Watch over `model`; `spent` is what an earlier part of the run did, `in_batch` says that it is asked in batches.

        Raises:
            NotConfigured: there is a limit on dollars, and nobody knows the prices of this drafter.
        """
        if limits.dollars is not None and not prices.is_known(model.name):
            raise NotConfigured(
                "nobody knows what it costs", where=f"--max-cost, {model.name}", cure="use --max-tokens instead"
            )
        super().__init__(model)
        self._limits = limits
        self._spent = spent
        self._price = partial(prices.dollars, model.name, in_batch=in_batch)
        self._reserved = Spent()
        self._under_way = 0
        self._waiting: list[asyncio.Future[None]] = []

    async def draft(self, prompt: Prompt) -> Reply:
        """Ask the drafter, and price its reply.

        Raises:
            LimitReached: the call could pass a limit.
            ProviderFailure: as the drafter.
        """
        most = self._most(prompt)
        while option := self._limits.passed(self._spent + self._reserved + most):
            if not self._under_way:
                raise self._reached(option, most)
            freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._reserve(most, calls=1)
        try:
            reply = await self._model.draft(prompt)
            reply = replace(reply, cost=None if reply.kept else self._price(reply.usage))
            self._spent += _paid(reply, most)
        finally:
            self._reserve(Spent() - most, calls=-1)
            self._wake()
        return reply

    def _reserve(self, more: Spent, *, calls: int) -> None:
        self._reserved += more
        self._under_way += calls

    def _wake(self) -> None:
        """Let those look again who did not fit; who was called off looks no more."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def _most(self, prompt: Prompt) -> Spent:
        """What a call may cost at most, as far as one can tell before. To look prices up takes time: only where they count."""
        read, written = at_most(prompt, self.parameters)
        dollars = None if self._limits.dollars is None else self._price(Usage(read, written))
        return Spent(read + written, dollars or Decimal())

    def _reached(self, option: str, most: Spent) -> LimitReached:
        if option == "--max-cost":
            told = f"{_money(self._spent.dollars)} of {self._limits.dollars} dollars are spent, and the next call may cost"
            told = f"{told} {_money(most.dollars)}"
        else:
            told = f"{self._spent.tokens} of {self._limits.tokens} tokens are spent, and the next call may take {most.tokens}"
        return LimitReached(told, where=option, cure="allow more, or describe a smaller range; kept replies are not paid again")


def at_most(prompt: Prompt, parameters: Mapping[str, object]) -> tuple[int, int]:
    """The most tokens that a prompt has, and that its answer can have, as far as one can tell before it is asked."""
    sent = sum(len(message.content.encode()) for message in prompt.messages) + len(json.dumps(dict(prompt.schema)))
    asked = (parameters.get(name) for name in _ANSWER_NAMES)
    answer = next((limit for limit in asked if isinstance(limit, int)), _ANSWER)
    return -(-sent // _BYTES_A_TOKEN), answer


def _paid(reply: Reply, most: Spent) -> Spent:
    """What a reply did cost; where it does not say, what was reserved for it."""
    if reply.kept:
        return Spent()
    read, written = reply.usage.input_tokens, reply.usage.output_tokens
    tokens = most.tokens if read is None or written is None else read + written
    return Spent(tokens, most.dollars if reply.cost is None else reply.cost)


def _money(dollars: Decimal) -> str:
    return f"{dollars:.4f}"
