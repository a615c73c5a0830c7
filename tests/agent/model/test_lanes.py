"""Connections of many calls at once: each in a lane of its own, which trusts certificates, or is for what shows none."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from agent.model.lanes import Lanes


class Server(ThreadingHTTPServer):
    """Answers each request with the number of the connection that it came over."""

    connections = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1
        self.number = self.server.connections

    def do_GET(self) -> None:
        body = str(self.number).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Nothing."""


@pytest.fixture(autouse=True)
def outside() -> None:
    """What the server of these tests is: it stands on loopback."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}/"


def test_calls_one_after_another_share_a_connection_and_those_at_once_do_not(address: str) -> None:
    async def go() -> tuple[list[str], list[str]]:
        async with httpx2.AsyncClient(transport=Lanes()) as client:
            alone = [(await client.get(address)).text for _ in range(3)]
            together = await asyncio.gather(*(client.get(address) for _ in range(3)))
            return alone, [answer.text for answer in together]

    alone, together = asyncio.run(go())
    assert (alone, len(set(together))) == (["1", "1", "1"], 3)


def test_a_lane_that_asks_for_no_certificate_is_taken_for_no_address_that_needs_one(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted: list[ssl.SSLContext] = []

    def made() -> ssl.SSLContext:
        trusted.append(ssl.create_default_context())
        return trusted[-1]

    monkeypatch.setattr(httpx2, "create_ssl_context", made)

    async def go() -> None:
        async with httpx2.AsyncClient(transport=Lanes()) as client:
            assert (await client.get(address)).text == "1"
            assert trusted == []
            for _ in range(2):
                # The server speaks no TLS: what counts is that the connection asks for it, and trusts no one else.
                with pytest.raises(httpx2.ConnectError):
                    await client.get(address.replace("http:", "https:"))
            assert (await client.get(address)).text == "1"

    asyncio.run(go())
    assert [context.verify_mode for context in trusted] == [ssl.CERT_REQUIRED]


def test_lanes_that_were_closed_are_opened_anew(address: str) -> None:
    async def go() -> list[str]:
        lanes, told = Lanes(), []
        for _ in range(2):
            response = await lanes.handle_async_request(httpx2.Request("GET", address))
            told.append((await response.aread()).decode())
            await response.aclose()
            await lanes.aclose()
        return told

    assert asyncio.run(go()) == ["1", "2"]
