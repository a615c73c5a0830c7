"""List prices come with a library: exact, offline, and unknown where they are."""

from __future__ import annotations

import socket
import subprocess
import sys
from decimal import Decimal

import pytest

from agent.model.client import Usage
from agent.replies import prices

OPENAI, ANTHROPIC = "openai:gpt-4o", "anthropic:claude-sonnet-4-5"


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_what_a_provider_read_from_its_cache_is_cheaper_and_what_it_put_there_dearer() -> None:
    for client in (OPENAI, ANTHROPIC):
        plain = prices.dollars(client, Usage(10_000, 100))
        cached = prices.dollars(client, Usage(10_000, 100, cached_tokens=8_000))
        assert plain is not None
        assert cached is not None
        assert 0 < cached < plain
    written = prices.dollars(ANTHROPIC, Usage(10_000, 100, written_tokens=8_000))
    assert written is not None
    assert written > (prices.dollars(ANTHROPIC, Usage(10_000, 100)) or 0)


def test_prices_are_exact_and_grow_with_tokens() -> None:
    one = prices.dollars(OPENAI, Usage(1_000, 0))
    assert isinstance(one, Decimal)
    assert prices.dollars(OPENAI, Usage(3_000, 0)) == 3 * one
    assert prices.dollars(OPENAI, Usage(0, 0)) == 0


def test_a_batch_is_cheaper_where_the_list_has_its_price_and_else_as_dear_as_a_call() -> None:
    usage = Usage(10_000, 1_000)
    for client in (OPENAI, ANTHROPIC):
        alone = prices.dollars(client, usage)
        assert alone is not None
        assert prices.dollars(client, usage, in_batch=True) == alone / 2
    old = "anthropic:claude-3-haiku-20240307"
    assert prices.dollars(old, usage, in_batch=True) == prices.dollars(old, usage)
    assert prices.dollars("openai:no-such-model", usage, in_batch=True) is None


@pytest.mark.parametrize(
    ("client", "usage"),
    [
        ("openai:no-such-model", Usage(1, 1)),
        ("anthropic:gpt-4o", Usage(1, 1)),
        ("http://127.0.0.1:8080/v1#gpt-4o", Usage(1, 1)),
        ("recorded", Usage(1, 1)),
        ("scripted", Usage(1, 1)),
        (OPENAI, Usage()),
        (OPENAI, Usage(1, None)),
        (OPENAI, Usage(None, 1)),
        (OPENAI, Usage(10, 1, cached_tokens=11)),
    ],
)
def test_what_nobody_knows_has_no_price(client: str, usage: Usage) -> None:
    assert prices.dollars(client, usage) is None


def test_whether_a_client_has_prices_is_known_before_it_is_asked() -> None:
    assert [prices.is_known(client) for client in (OPENAI, ANTHROPIC, "openai:no-such-model", "http://h/v1#gpt-4o")] == [
        True,
        True,
        False,
        False,
    ]


def test_prices_are_not_loaded_before_they_are_wanted() -> None:
    code = (
        "import sys; import agent.replies.opening; print([name for name in ('genai_prices', 'sqlite3') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
