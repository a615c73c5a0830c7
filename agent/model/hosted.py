"""What drafters behind a provider's own interface share: name, key, address, one connection, one way to ask (evidraft).

What a prompt is sent as and how an answer is read do not depend on when it is sent: a batch of prompts goes the same way.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar, Union

import httpx2

from agent.model import windows, wire
from agent.model.client import Model, Prompt, Reply

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

_Sdk = TypeVar("_Sdk", bound=Union["AsyncOpenAI", "AsyncAnthropic"])
_Answer = TypeVar("_Answer")
_LINES: Final = {"accept": "application/binary", **wire.STREAMED}
_GONE: Final = frozenset((404, 410))


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider as its drafters need it.

    `keys` are the variables that may hold the key, `base` the one with another address than `address`; prompts go to `path`
    there, and answers have at most `output` tokens; the header `request_id` names a request.
    """

    name: str
    keys: tuple[str, ...]
    base: str
    address: str
    path: str
    output: int
    request_id: str

    @property
    def prefix(self) -> str:
        """What `--model` says before the name of a model."""
        return f"{self.name}:"


class Hosted(Model, Generic[_Sdk]):
    """A model of a provider, or of whoever serves its interface at another address."""

    provider: ClassVar[Provider]

    def __init__(self, name: str, *, environ: Mapping[str, str], retries: int = 4, timeout: float = 120.0) -> None:
        """Take the model's name and what the person's environment says; nothing is loaded or opened yet.

        Raises:
            agent.errors.NotConfigured: there is no key, or the name or the address is none.
        """
        self._model = wire.named(name, prefix=self.provider.prefix)
        key = wire.key(environ, *self.provider.keys, where=self.name)
        self._endpoint = wire.based(environ, self.provider.base, self.provider.address, where=self.name)
        headers = {"authorization": f"Bearer {key}", **self._billed(environ)}
        self._sdk = wire.Held(lambda: self._connected(key, headers, retries=retries, timeout=timeout))

    @property
    def name(self) -> str:
        """The provider's name, a colon, and the model's."""
        return f"{self.provider.prefix}{self._model}"

    @property
    def parameters(self) -> Mapping[str, object]:
        """Where the prompt goes, and the bounds of the answer."""
        return {"endpoint": self._endpoint, "max-output-tokens": self.provider.output}

    async def room(self) -> int | None:
        """What its context window leaves beside the answer."""
        return windows.room(self.provider.name, self._model, reserve=self.provider.output)

    @abstractmethod
    def body(self, prompt: Prompt) -> dict[str, object]:
        """What is sent for a prompt, as JSON types."""
        raise NotImplementedError

    @abstractmethod
    def reply(self, answer: bytes, *, request_id: str | None = None) -> Reply:
        """What the JSON of an answer says.

        Raises:
            agent.errors.ProviderFailure: it says nothing that the interface promises, or that the provider failed.
            agent.errors.TooLong: the prompt left no room for an answer.
        """
        raise NotImplementedError

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            agent.errors.ProviderFailure: it cannot be reached or refuses, or (TooLong) the prompt does not fit.
        """
        begun = time.monotonic()
        answer = await self.post(self.provider.path, self.body(prompt))
        reply = self.reply(answer.content, request_id=answer.headers.get(self.provider.request_id))
        return replace(reply, seconds=round(time.monotonic() - begun, 3))

    async def get(self, path: str) -> bytes | None:
        """What the provider tells at `path`; None where it has nothing there, or no more.

        Raises:
            agent.errors.ProviderFailure: it cannot be reached, or refuses.
        """
        answer = await self.called(self._there(self.sdk.get(path, cast_to=httpx2.Response)))
        return None if answer is None else answer.content

    async def post(self, path: str, body: Mapping[str, object], *, once: bool = False) -> httpx2.Response:
        """What the provider answers at `path`; what is sent `once` is not sent again whatever happens to it.

        Raises:
            agent.errors.ProviderFailure: it cannot be reached, or refuses.
        """
        sdk = self.sdk.with_options(max_retries=0) if once else self.sdk
        return await self.called(sdk.post(path, cast_to=httpx2.Response, body=dict(body)))

    async def lines(self, path: str) -> AsyncIterator[bytes]:
        """The lines of what the provider has at `path`, as they come; none where it has nothing there.

        Raises:
            agent.errors.ProviderFailure: it cannot be reached, or refuses, or breaks off.
        """
        call = self.sdk.get(path, cast_to=httpx2.Response, options={"headers": _LINES})
        answer = await self.called(self._there(call))
        if answer is None:
            return
        try:
            pieces = wire.lines(answer)
            while (line := await self.called(anext(pieces, None))) is not None:
                yield line
        finally:
            await answer.aclose()

    async def called(self, call: Awaitable[_Answer]) -> _Answer:
        """What a call of the provider's SDK gives.

        Raises:
            agent.errors.ProviderFailure: it failed.
        """
        return await wire.answered(call, self._errors(), where=self.name, keys=" or ".join(self.provider.keys))

    async def _there(self, call: Awaitable[httpx2.Response]) -> httpx2.Response | None:
        try:
            return await call
        except self._errors() as error:
            if getattr(error, "status_code", None) in _GONE:
                return None
            raise

    @property
    def sdk(self) -> _Sdk:
        """The provider's client in the running loop."""
        return self._sdk.get()

    async def close(self) -> None:
        """Let go of connections."""
        await self._sdk.close()

    def _billed(self, environ: Mapping[str, str]) -> Mapping[str, str]:
        """Headers that say whom a call is billed to, where a key may serve several."""
        del environ
        return {}

    @abstractmethod
    def _connected(self, key: str, headers: Mapping[str, str], *, retries: int, timeout: float) -> _Sdk:
        """The SDK's client over a connection of ours; the SDK is loaded for it."""
        raise NotImplementedError

    @abstractmethod
    def _errors(self) -> type[Exception]:
        """The class of the SDK's errors."""
        raise NotImplementedError
