"""Replies that outlive the run that paid for them: each is kept before it is used, and used instead of a call ever after.

Unlike a cache this keeps every reply, also one that is of no use, and for one run alone: a run that was killed and goes on must
meet what it met before, decide the same, and pay for nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from agent.errors import InputFailure, TooLong
from agent.model import calls, written
from agent.model.calls import Heard
from agent.model.client import Model, Prompt, Reply
from agent.model.recorded import Turns
from agent.model.written import WrittenReply
from agent.replies import cleaning
from agent.replies.around import Around
from agent.replies.desk import Brought, Desk, Wanted
from agent.replies.metering import at_most
from guardrails.digests import digest_of

_FORMAT: Final = 1
"""Part of each key: with another one, nothing that was kept before is found."""


class Journaled(Around):
    """A drafter of one draft whose replies are kept for the whole run.

    The key of a reply names the drafter, its parameters, the prompt and the how manieth time this draft asks it, so that it
    does not matter in which order drafts are made, and two drafts that ask the same are answered by one call.
    """

    def __init__(self, model: Model, desk: Desk) -> None:
        """Ask `model` when `desk` says so, which keeps what it answers."""
        super().__init__(model)
        self._desk = desk
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
        wanted = Wanted(self._key(prompt), prompt.size, *at_most(prompt, self.parameters))
        return _read(await self._desk.reply(wanted, partial(self._made, wanted.key, prompt)), self.name)

    def _key(self, prompt: Prompt) -> str:
        """Parameters that a drafter learns of its server are known by now: a draft begins with asking for room."""
        turn = self._turns.next(prompt.digest)
        asked = {"client": self.name, "parameters": dict(self.parameters), "prompt": prompt.digest, "turn": turn}
        return digest_of({**asked, "format": _FORMAT}).removeprefix("sha256:")

    async def _made(self, key: str, prompt: Prompt, told: Callable[[Heard], None]) -> Brought:
        """Make the call; nothing that may not leave is in what it brings."""
        try:
            with calls.named(key), calls.heard(told):
                reply = await self._model.draft(prompt)
        except TooLong as failure:
            share = min(max(failure.share, 0.0), 1.0)
            return Brought(WrittenReply(prompt=prompt.digest, client=self.name, too_long=share).json_text())
        clean = cleaning.reply(prompt.evidence.guard, reply)
        text = WrittenReply.of(clean, prompt=prompt.digest, client=self.name).json_text()
        return Brought(text, reply.usage, reply.cost, reply.kept)


def _read(text: str, client: str) -> Reply:
    found = written.read(text.encode("utf-8", "backslashreplace"))
    if not isinstance(found, WrittenReply):
        raise InputFailure("a reply that was kept is none", where=client, cure="begin the run anew, without --resume")
    if found.too_long is not None:
        raise TooLong("the prompt does not fit", where=client, share=found.too_long)
    return replace(found.reply(), kept=False)
