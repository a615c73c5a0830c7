"""What the tests of drafters may ask for; none of them reaches the network, and none sees the keys of whoever runs it."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterator

import anyio
import httpcore2
import pytest
import respx.router
from respx.models import AllMockedAssertionError

_OURS = ("OPENAI_", "ANTHROPIC_", "EVIDRAFT_")
_PROXIES = frozenset({"http_proxy", "https_proxy", "all_proxy", "no_proxy"})


@pytest.fixture(autouse=True)
def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(_OURS) or name.lower() in _PROXIES:
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _trusting_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No certificate is read: that takes longer than all the rest of a test, and none is shown."""
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    monkeypatch.setattr(httpcore2, "default_ssl_context", lambda **_: nobody)


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Whatever was about to be sent where no test answers. It fails the test, also where an SDK swallows the exception."""
    seen: list[str] = []

    class Unmocked(AllMockedAssertionError):
        def __init__(self, what: str) -> None:
            super().__init__(what)
            seen.append(what)

    def connect(one: socket.socket, address: tuple[str, int] | str) -> None:
        if one.family == socket.AF_UNIX:
            return real(one, address)
        seen.append(str(address))
        raise ConnectionRefusedError

    def resolve(host: object, *_: object, **__: object) -> None:
        seen.append(host.decode() if isinstance(host, bytes) else str(host))
        raise socket.gaierror

    real = socket.socket.connect
    monkeypatch.setattr(respx.router, "AllMockedAssertionError", Unmocked)
    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    yield seen
    assert not seen, "a request was not answered by the test"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the SDKs wanted to wait before they ask again; nothing waits."""
    asked: list[float] = []

    async def sleep(seconds: float) -> None:
        asked.append(seconds)

    monkeypatch.setattr(anyio, "sleep", sleep)
    return asked
