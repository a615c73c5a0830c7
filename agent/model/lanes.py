"""Many calls at once over connections that stay open, each in a lane of its own (evidraft).

A connection pool looks at all of its connections, and asks the system about each that rests, whenever a request comes or ends.
With 64 calls at once that took as long as everything else that a call needs; a lane is a pool of one.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Final

import httpx2

_ONE: Final = httpx2.Limits(max_connections=1, max_keepalive_connections=1)


class Lanes(httpx2.AsyncBaseTransport):
    """As many connections as there are calls at once; a call takes the one that came free last."""

    def __init__(self) -> None:
        """Open nothing yet. All lanes trust the same certificates, which take their time to load."""
        self._trusted: Final[ssl.SSLContext] = httpx2.create_ssl_context()
        self._free: list[httpx2.AsyncHTTPTransport] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request; its lane is free again when the answer was read or let go of."""
        lane = self._free.pop() if self._free else httpx2.AsyncHTTPTransport(verify=self._trusted, limits=_ONE)
        with ExitStack() as leaving:
            leaving.callback(self._free.append, lane)
            response = await lane.handle_async_request(request)
            if not isinstance(response.stream, httpx2.AsyncByteStream):
                raise TypeError("got an answer for another kind of client")
            response.stream = _Leaving(response.stream, leaving.pop_all())
        return response

    async def aclose(self) -> None:
        """Close all lanes that are free."""
        free, self._free = self._free, []
        for lane in free:
            await lane.aclose()


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
