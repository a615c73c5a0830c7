"""`URL#NAME`: a model behind any server of the OpenAI chat interface, such as llama.cpp, Ollama, vLLM or LM Studio (evidraft).

Servers differ in what they take and tell. What one refuses is left out from then on, and what it has is asked for once. The key
comes from EVIDRAFT_ENDPOINT_KEY alone: settings of a repository may name a server, and no other key may reach it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agent.errors import TooLong
from agent.model import refusals, wire
from agent.model.client import Model, Prompt, Reply
from agent.model.refusals import Refusal
from agent.model.serving import capabilities
from agent.model.serving.address import KEY, Address
from agent.model.serving.answers import Measure
from agent.model.serving.capabilities import Offer
from agent.model.serving.manners import REFUSALS, Manner

if TYPE_CHECKING:
    from agent.model.serving.line import Answer, Line

OUTPUT: Final = 4_096
"""Tokens that one answer may have, or a quarter of all that the model reads and writes at once."""
_CHARACTERS: Final = 3
"""For each token: measured 1.5 to 4.6 over real changes, mostly 3 to 4. Where it is too much, less is sent the next time."""
_TEMPLATE: Final = 64
"""Tokens that a server's own template puts around the messages."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The connection of one loop; nobody else asks what the server has while one does."""

    line: Line
    turn: asyncio.Lock

    async def close(self) -> None:
        """Let go of the connection."""
        await self.line.close()


class Compatible(Model):
    """A model of a server. What the server has and takes is learned once, and remembered also after `close`."""

    def __init__(self, url: str, name: str, *, environ: Mapping[str, str], retries: int = 4, timeout: float = 600.0) -> None:
        """Nothing is sent yet. A server says nothing until an answer is whole, and a machine of one's own may be slow.

        Raises:
            agent.errors.NotConfigured: this can be no server or model, or the key no key.
        """
        self._address = Address.of(url, name)
        self._manner = Manner()
        self._offer: Offer | None = None
        key = wire.key(environ, KEY, where=self.name) if environ.get(KEY, "").strip() else ""

        def make() -> _Way:
            from agent.model.serving.line import Line  # noqa: PLC0415 - the SDK is loaded when it is needed

            return _Way(Line.opened(self._address, key, retries=retries, timeout=timeout), asyncio.Lock())

        self._way = wire.Held(make)

    @property
    def name(self) -> str:
        """The URL and the model's name as given."""
        return self._address.spec

    @property
    def parameters(self) -> Mapping[str, object]:
        """Where requests go and what is asked besides: what a server refuses of it is left out."""
        return {"endpoint": self._address.url, "temperature": 0, "max_tokens": self._output}

    async def room(self) -> int | None:
        """How many characters fit, where the server tells; None where it does not.

        Raises:
            agent.errors.NotConfigured: the server has no such model.
            agent.errors.ProviderFailure: the server cannot be reached, or does not serve us.
        """
        offer = await self._served()
        if offer.context is None:
            return None
        return max(0, offer.context - self._output - _TEMPLATE) * _CHARACTERS

    async def draft(self, prompt: Prompt) -> Reply:
        """Ask as the server takes it, and read what it answers.

        Raises:
            agent.errors.TooLong: the prompt does not fit, or the server read a part of it only.
            agent.errors.NotConfigured: the server has no such model.
            agent.errors.ProviderFailure: the server cannot be reached, or does not serve us.
        """
        offer = await self._served()
        started = time.monotonic()
        manner, answer = await self._answered(prompt, offer)
        reply = answer.completion.reply(
            asked=offer.id, request_id=answer.request_id, seconds=round(time.monotonic() - started, 3)
        )
        texts = tuple(message.content for message in prompt.messages)
        share = Measure.of(texts).share(reply.usage, offer.context)
        if share is not None:
            raise TooLong(
                "it read a part of the prompt only", where=self.name, cure="give the model a larger context", share=share
            )
        if reply.fault is None and not _is_json(reply.text) and self._manner is manner:
            self._manner = manner.unheeded()
        return reply

    async def close(self) -> None:
        """Let go of the connection."""
        await self._way.close()

    @property
    def _output(self) -> int:
        context = self._offer.context if self._offer is not None else None
        return OUTPUT if context is None else max(1, min(OUTPUT, context // 4))

    async def _served(self) -> Offer:
        """The model as the server has it, asked for once."""
        way = self._way.get()
        async with way.turn:
            if self._offer is None:
                self._offer = await capabilities.chosen(way.line, self._address)
        return self._offer

    async def _answered(self, prompt: Prompt, offer: Offer) -> tuple[Manner, Answer]:
        """The answer, and how it was asked for: plainer each time that the server refuses a part of the request."""
        line = self._way.get().line
        while True:
            manner = self._manner
            answer = await line.complete(manner.request(prompt, offer.id, self._output))
            if not isinstance(answer, Refusal):
                return manner, answer
            plainer = self._plainer(manner, answer)
            # Several calls may learn the same at once; who comes later asks as the first one learned.
            if self._manner is manner:
                self._manner = plainer

    def _plainer(self, manner: Manner, refusal: Refusal) -> Manner:
        failure = refusals.refused(refusal, where=self.name, keys=KEY)
        plainer = None
        if refusal.status in REFUSALS and not isinstance(failure, TooLong):
            plainer = manner.plainer(refusal.message)
        if plainer is None:
            raise failure
        return plainer


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
