"""Many calls at once over connections that stay open, each in a lane of its own (evidraft).

A connection pool looks at all of its connections, and asks the system about each that rests, whenever a request comes or ends.
With 64 calls at once that took as long as everything else that a call needs; a lane is a pool of one.
"""

from __future__ import annotations

import ssl
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import ExitStack
from functools import cached_property
from typing import Final

import httpx2

_ONE: Final = httpx2.Limits(max_connections=1, max_keepalive_connections=1)


class Lanes(httpx2.AsyncBaseTransport):
    """As many connections as there are calls at once; a call takes the one that came free last."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._free: defaultdict[str, list[httpx2.AsyncHTTPTransport]] = defaultdict(list)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request; its lane is free again when the answer was read or let go of."""
        free = self._free[request.url.scheme]
        lane = free.pop() if free else self._opened(request.url.scheme)
        with ExitStack() as leaving:
            leaving.callback(free.append, lane)
            response = await lane.handle_async_request(request)
            if not isinstance(response.stream, httpx2.AsyncByteStream):
                raise TypeError("got an answer for another kind of client")
            response.stream = _Leaving(response.stream, leaving.pop_all())
        return response

    async def aclose(self) -> None:
        """Close all lanes that are free."""
        while self._free:
            _, free = self._free.popitem()
            for lane in free:
                await lane.aclose()

    def _opened(self, scheme: str) -> httpx2.AsyncHTTPTransport:
        """One more lane. All trust the same certificates, whose loading takes its time: where none is shown they are not."""
        return httpx2.AsyncHTTPTransport(verify=False if scheme == "http" else self._trusted, limits=_ONE)

    @cached_property
    def _trusted(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context()


class _Leaving(httpx2.AsyncByteStream):
    """The body of an answer that tells once when it is let go of."""

    def __init__(self, stream: httpx2.AsyncByteStream, leaving: ExitStack) -> None:
        self._stream, self._leaving = stream, leaving

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    async def aclose(self) -> None:
        with self._leaving:
            await self._stream.aclose()
