"""The way to one server through the openai SDK: requests as JSON, and refusals as values, so that a plainer one may follow."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx2
import openai

from agent.errors import ProviderFailure
from agent.model import refusals, wire
from agent.model.refusals import Refusal
from agent.model.serving import refusing
from agent.model.serving.address import KEY, Address
from agent.model.serving.answers import Completion
from guardrails import strict_json

_NO_KEY: Final = "none"
"""The SDK wants a key, and so do some servers: any will do where none is needed."""
_SOON: Final = 20.0
"""Seconds in which a server tells what it has; only answers to prompts take longer."""
_ABSENT: Final = frozenset((400, 404, 405, 501))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered, and the id that it gave the request."""

    completion: Completion = field(repr=False)
    request_id: str


@dataclass(frozen=True, slots=True)
class Line:
    """A connection to the server at an address; it belongs to the loop that it was made in."""

    address: Address
    sdk: openai.AsyncOpenAI = field(repr=False)

    @classmethod
    def opened(cls, address: Address, key: str, *, retries: int, timeout: float) -> Line:
        """Make one; an empty `key` is no key."""
        http = wire.connected({"authorization": f"Bearer {key or _NO_KEY}"}, timeout=timeout)
        # Without the timeouts of the connection the SDK would wait as long for the host as for its answer.
        sdk = openai.AsyncOpenAI(
            base_url=address.url, api_key=key or _NO_KEY, max_retries=retries, timeout=http.timeout, http_client=http
        )
        return cls(address, sdk)

    async def complete(self, body: Mapping[str, object]) -> Answer | Refusal:
        """What the chat interface answers to a request, or how it refuses it.

        Raises:
            agent.errors.ProviderFailure: the server cannot be reached, or answers with something else.
        """
        answer = await self._answered(_post(self.sdk, "/chat/completions", body))
        if isinstance(answer, Refusal):
            return answer
        refusal = refusing.within(_json(answer.content))
        if refusal is not None:
            return refusal
        completion = wire.read(answer.content, Completion, where=self.address.spec)
        return Answer(completion, answer.headers.get("x-request-id", ""))

    async def listed(self, path: str) -> object:
        """What the server tells at `path`, as JSON; None where it has no such interface.

        Raises:
            agent.errors.ProviderFailure: the server cannot be reached, or does not serve us.
        """
        answer = await self._answered(_get(self.sdk.with_options(timeout=_SOON), path))
        if not isinstance(answer, Refusal):
            return _json(answer.content)
        if answer.status in _ABSENT:
            return None
        raise refusals.refused(answer, where=self.address.spec, keys=KEY)

    async def hinted(self, address: str, body: Mapping[str, object] | None = None) -> object:
        """What an interface beside the chat interface tells, which many servers do not have; None for whatever is no answer."""
        once = self.sdk.with_options(max_retries=0, timeout=_SOON)
        try:
            answer = await self._answered(_get(once, address) if body is None else _post(once, address, body))
        except ProviderFailure:
            return None
        return None if isinstance(answer, Refusal) else _json(answer.content)

    async def close(self) -> None:
        """Let go of the connection."""
        await self.sdk.close()

    async def _answered(self, call: Awaitable[httpx2.Response]) -> httpx2.Response | Refusal:
        async def refusable() -> httpx2.Response | Refusal:
            try:
                return await call
            except openai.APIStatusError as error:
                return refusing.read(error.status_code, error.body)

        return await wire.answered(refusable(), openai.OpenAIError, where=self.address.spec, keys=KEY)


def _get(sdk: openai.AsyncOpenAI, address: str) -> Awaitable[httpx2.Response]:
    return sdk.get(address, cast_to=httpx2.Response)


def _post(sdk: openai.AsyncOpenAI, address: str, body: Mapping[str, object]) -> Awaitable[httpx2.Response]:
    return sdk.post(address, cast_to=httpx2.Response, body=dict(body))


def _json(content: bytes) -> object:
    """The value of JSON; None for whatever is none."""
    try:
        return strict_json.read(content)
    except strict_json.JsonFault:
        return None
