"""What all drafters that are reached over HTTP share: one hardened connection, and Failures for an SDK's errors (evidraft).

The SDKs retry, and nobody else does. What they may not decide is settled here: no redirect is followed, since evidence goes to
the named host alone; no wait is longer than a minute; no answer is larger than a few megabytes; and what is sent besides the
request itself is what we say, whatever variables like OPENAI_CUSTOM_HEADERS ask for. A proxy and certificates of the
environment are honoured: they are how a machine reaches the network at all.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Final, Generic, Protocol, TypeVar

import httpx2
from pydantic import BaseModel, ConfigDict, Field

from agent.errors import NotConfigured, ProviderFailure
from agent.model import calls, refusals, resting
from agent.model.calls import Heard
from agent.model.lanes import Lanes
from guardrails import strict_json

LONGEST_WAIT: Final = 60.0
"""A provider is not waited for longer at once, whatever it asks for: the failure says to come again."""
MAX_BYTES: Final = 8 * 1024 * 1024
MAX_STREAM: Final = 512 * 1024 * 1024
"""Of an answer that is read line by line; each line has at most `MAX_BYTES`."""
STREAMED: Final[Mapping[str, str]] = MappingProxyType({"x-stainless-raw-response": "stream"})
"""Has an SDK hand an answer on before it is read."""
_CONNECT: Final = 10.0
_TOO_MANY: Final = 429
_KEPT: Final = frozenset(
    (
        "accept",
        "anthropic-version",
        "content-length",
        "content-type",
        "transfer-encoding",
        "user-agent",
        "x-stainless-raw-response",
    )
)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
_WORD: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._:/@+-]{0,199}")
_HOST: Final = re.compile(rb"[A-Za-z0-9._:-]+")
_LOGGERS: Final = ("openai", "anthropic", "httpx2", "httpcore2")

Count = Annotated[int, Field(ge=0)]
"""A number of tokens."""

_Answer = TypeVar("_Answer")
_Shape = TypeVar("_Shape", bound=BaseModel)


class Sdk(Protocol):
    """What the SDKs' clients have in common."""

    async def close(self) -> None:
        """Let go of all connections."""


_Sdk = TypeVar("_Sdk", bound=Sdk)


class OpenShape(BaseModel):
    """A part of a provider's answer: what is not asked for is passed over, and errors never quote the input."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, hide_input_in_errors=True)


class Held(Generic[_Sdk]):
    """An SDK's client, made when it is first needed in a loop, and anew after it was closed."""

    def __init__(self, make: Callable[[], _Sdk]) -> None:
        """Keep how to make one; nothing is loaded or opened yet."""
        self._make = make
        self._held: tuple[asyncio.AbstractEventLoop, _Sdk] | None = None

    def get(self) -> _Sdk:
        """The client of the running loop."""
        loop = asyncio.get_running_loop()
        if self._held is None or self._held[0] is not loop:
            self._held = (loop, self._make())
        return self._held[1]

    async def close(self) -> None:
        """Let go of connections; where they belong to a loop that is gone, they went with it."""
        held, self._held = self._held, None
        if held is not None and held[0] is asyncio.get_running_loop():
            await held[1].close()


def connected(headers: Mapping[str, str], *, timeout: float) -> httpx2.AsyncClient:
    """A connection for an SDK, to be made after the SDK is loaded and inside the loop that uses it.

    `headers` are what is sent besides those of the request itself: the key, and nothing that an SDK took from the environment.
    """
    # The SDKs turn their logging on by OPENAI_LOG and ANTHROPIC_LOG when they are loaded, and print requests then.
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)

    async def only_ours(request: httpx2.Request) -> None:
        kept = {name: value for name, value in request.headers.items() if name in _KEPT}
        if (name := calls.current().name) and request.method == "POST":
            # The length tells requests of one call apart: one that asks in a plainer way is another.
            kept["idempotency-key"] = f"{name}-{request.headers.get('content-length', '')}"
        host = {"host": request.url.netloc.decode("ascii"), "accept-encoding": "identity"}
        request.headers = httpx2.Headers({**host, **kept, **headers})

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(timeout, connect=min(timeout, _CONNECT)),
        transport=Lanes(),
        follow_redirects=False,
        event_hooks={"request": [only_ours], "response": [_bounded, _overheard, _patient]},
    )


async def answered(call: Awaitable[_Answer], errors: type[Exception], *, where: str, keys: str = "a variable") -> _Answer:
    """What `call` gives; `errors` is the SDK's class of errors, the rest as `refusals.failure`.

    Raises:
        ProviderFailure: the drafter cannot be reached, refuses, or (TooLong) the prompt does not fit.
    """
    try:
        return await call
    except (errors, ProviderFailure) as error:
        failed = refusals.failure(error, where=where, keys=keys)
    # Raised out here, so that the SDK's error, which holds key and evidence, does not hang on ours.
    raise failed


def read(body: bytes, shape: type[_Shape], *, where: str) -> _Shape:
    """The JSON of an answer in the shape that the interface promises; half characters in its texts become question marks.

    Raises:
        ProviderFailure: it is no JSON or has another shape.
    """
    try:
        sound = json.dumps(json.loads(body), ensure_ascii=False).encode("utf-8", "replace")
        return shape.model_validate_json(sound)
    except (ValueError, RecursionError):
        pass
    raise refusals.strange(where)


async def lines(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The lines of an answer that was not read yet, without their ends; empty ones are passed over.

    Raises:
        ProviderFailure: one is too long, or the connection breaks.
    """
    held = b""
    try:
        async for piece in response.aiter_bytes():
            *whole, held = (held + piece).split(b"\n")
            if max(map(len, (*whole, held))) > MAX_BYTES:
                raise _too_large(MAX_BYTES)
            for line in filter(bytes.strip, whole):
                yield line
    except httpx2.TransportError:
        raise refusals.broken() from None
    if held.strip():
        yield held


def key(environ: Mapping[str, str], *variables: str, where: str) -> str:
    """The first key that is set among `variables`.

    Raises:
        NotConfigured: none is set, or it holds what no key holds.
    """
    found = next(((name, text) for name in variables if (text := environ.get(name, "").strip())), None)
    if found is None:
        raise NotConfigured("there is no key for it", where=where, cure=f"set {' or '.join(variables)}")
    name, text = found
    if not text.isascii() or not text.isprintable() or " " in text:
        raise NotConfigured(f"{name} holds characters that are in no key", where=where, cure=f"set {name} to the key alone")
    return text


def named(text: str, *, prefix: str) -> str:
    """The name of a provider's model, as it was given.

    Raises:
        NotConfigured: it is none.
    """
    if not _NAME.fullmatch(text):
        raise NotConfigured(f"{prefix} needs the name of a model", where=f"--model {prefix}", cure=f"give {prefix}NAME")
    return text


def word(text: str | None) -> str:
    """A provider's own word (a model, an id, why it stopped) as it may stand in a record; "" for what is no plain word."""
    return text if text is not None and _WORD.fullmatch(text) else ""


def based(environ: Mapping[str, str], variable: str, default: str, *, where: str) -> str:
    """The address of a provider: what the person's environment says, else its own.

    Raises:
        NotConfigured: the variable holds no address, or one with a user or a query.
    """
    try:
        return endpoint(environ.get(variable, "").strip() or default)
    except ValueError:
        pass
    raise NotConfigured(
        f"{variable} holds no address that can be used", where=where, cure=f"set {variable} to https://HOST/PATH"
    )


def endpoint(address: str) -> str:
    """Where requests go, for the record: scheme, host, port and path, never user or query.

    Raises:
        ValueError: it is no address of http or https, or it holds a user, a query or a fragment.
    """
    try:
        url = httpx2.URL(address)
    except httpx2.InvalidURL:
        raise ValueError from None
    if url.scheme not in {"http", "https"} or not _HOST.fullmatch(url.raw_host) or url.userinfo or url.query or url.fragment:
        raise ValueError
    return str(url).rstrip("/")


class _Bounded(httpx2.AsyncByteStream):
    """The body of an answer up to some bytes; it is not compressed, so that what is counted is what it is."""

    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream, self._most = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > self._most:
                raise _too_large(self._most)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bounded(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise refusals.strange("")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        is_streamed = all(response.request.headers.get(name) == value for name, value in STREAMED.items())
        response.stream = _Bounded(response.stream, MAX_STREAM if is_streamed else MAX_BYTES)


async def _overheard(response: httpx2.Response) -> None:
    """Tell who paces the calls, also of answers that the SDK only waits for."""
    wait = max(resting.asked(response.headers), resting.spent(response.headers))
    calls.current().told(Heard(response.status_code, wait))


async def _patient(response: httpx2.Response) -> None:
    """Have the SDK give up where waiting is too long, or of no use."""
    if resting.asked(response.headers) > LONGEST_WAIT or (response.status_code == _TOO_MANY and await _spent(response)):
        response.headers["x-should-retry"] = "false"


async def _spent(response: httpx2.Response) -> bool:
    try:
        body = strict_json.read(await response.aread())
    except strict_json.JsonFault:
        return False
    return bool(refusals.SPENT & refusals.codes(body))


def _too_large(most: int) -> ProviderFailure:
    return ProviderFailure(f"its answer is larger than {most} bytes", cure="check the address, or take another model")
