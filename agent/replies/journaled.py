"""Replies that outlive the run that paid for them: each is kept before it is used, and used instead of a call ever after.

Unlike a cache this keeps every reply, also one that is of no use, and for one run alone: a run that was killed and goes on must
meet what it met before, decide the same, and pay for nothing twice.
"""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, Protocol, TypeAlias

from agent.errors import Failure, InputFailure, TooLong
from agent.model import calls, written
from agent.model.client import Model, Prompt, Reply
from agent.model.recorded import Turns
from agent.model.written import WrittenReply
from agent.replies import cleaning
from agent.replies.around import Around
from agent.replies.metering import Spent
from guardrails.digests import digest_of

_FORMAT: Final = 1
"""Part of each key: with another one, nothing that was kept before is found."""

Spare: TypeAlias = Callable[[Coroutine[Any, Any, str]], Awaitable[str]]
"""Takes over a call that was not begun yet."""


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


class Journaled(Around):
    """A drafter of one draft whose replies are kept for the whole run.

    The key of a reply names the drafter, its parameters, the prompt and the how manieth time this draft asks it, so that it
    does not matter in which order drafts are made, and two drafts that ask the same are answered by one call.
    """

    def __init__(self, model: Model, keeper: Keeper, *, spare: Spare = lambda call: call) -> None:
        """Keep with `keeper` what `model` answers. `spare` may let a call go on when whoever waits for it is called off."""
        super().__init__(model)
        self._keeper = keeper
        self._spare = spare
        self._turns = Turns()

    async def room(self) -> int | None:
        """As the drafter."""
        self._turns.begin()
        return await self._model.room()

    async def draft(self, prompt: Prompt) -> Reply:
        """The reply that is kept, or else the drafter's, which is kept from now on: either way as it was paid for.

        Raises:
            agent.errors.TooLong: that was the answer.
            agent.errors.Failure: as the drafter; that is not kept.
            agent.errors.InputFailure: what is kept is no reply that we wrote.
        """
        key = self._key(prompt)
        async with self._keeper.turn(key):
            text = self._keeper.get(key)
            if text is None:
                text = await self._spare(self._asked(key, prompt))
        return _read(text, self.name)

    def _key(self, prompt: Prompt) -> str:
        """Parameters that a drafter learns of its server are known by now: a draft begins with asking for room."""
        turn = self._turns.next(prompt.digest)
        asked = {"client": self.name, "parameters": dict(self.parameters), "prompt": prompt.digest, "turn": turn}
        return digest_of({**asked, "format": _FORMAT}).removeprefix("sha256:")

    async def _asked(self, key: str, prompt: Prompt) -> str:
        try:
            with calls.named(key):
                reply = await self._model.draft(prompt)
        except TooLong as failure:
            share = min(max(failure.share, 0.0), 1.0)
            return await self._kept(key, WrittenReply(prompt=prompt.digest, client=self.name, too_long=share), Spent())
        except Failure:
            await self._keeper.unasked(key)
            raise
        clean = cleaning.reply(prompt.evidence.guard, reply)
        return await self._kept(key, WrittenReply.of(clean, prompt=prompt.digest, client=self.name), _spent(reply))

    async def _kept(self, key: str, answer: WrittenReply, spent: Spent) -> str:
        text = answer.json_text()
        await self._keeper.keep(key, text, spent)
        return text


def _read(text: str, client: str) -> Reply:
    found = written.read(text.encode("utf-8", "backslashreplace"))
    if not isinstance(found, WrittenReply):
        raise InputFailure("a reply that was kept is none", where=client, cure="begin the run anew, without --resume")
    if found.too_long is not None:
        raise TooLong("the prompt does not fit", where=client, share=found.too_long)
    return replace(found.reply(), kept=False)


def _spent(reply: Reply) -> Spent:
    if reply.kept:
        return Spent()
    tokens = (reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0)
    return Spent(tokens, reply.cost or Decimal())
