"""A call keeps its name through all retries, and who paces calls hears every answer of the server."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx
import pytest
import respx

from agent.model import calls
from agent.model.calls import Heard
from tests.agent.model.wired import PROMPT, WIRES, Wire, ask

EACH = pytest.mark.parametrize("provider", WIRES, ids=lambda one: one.prefix)
NAME = "3f" * 32


def refused(status: int, **headers: str) -> httpx.Response:
    told = {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.Response(status, json={"error": {"message": "?"}}, headers=told)


def names(route: respx.Route) -> list[str]:
    return [call.request.headers.get("idempotency-key", "") for call in route.calls]


@EACH
def test_a_call_has_the_same_name_each_time_that_it_is_tried(
    httpx2_mock: respx.Router, waits: list[float], provider: Wire
) -> None:
    route = provider.route(httpx2_mock, refused(503), refused(429), provider.good())
    with calls.named(NAME):
        ask(provider.model(retries=4))
        ask(provider.model(retries=4))
    assert len(names(route)) == 4
    assert len(set(names(route))) == 1
    assert names(route)[0].startswith(f"{NAME}-")


@EACH
def test_another_request_of_one_call_has_another_name(httpx2_mock: respx.Router, provider: Wire) -> None:
    route = provider.route(httpx2_mock, provider.good())
    with calls.named(NAME):
        ask(provider.model())
        asyncio.run(provider.model().draft(replace(PROMPT, question="Asked in another way")))
    assert len(set(names(route))) == 2


@EACH
def test_a_call_that_nobody_named_bears_no_name(httpx2_mock: respx.Router, provider: Wire) -> None:
    route = provider.route(httpx2_mock, provider.good())
    with calls.named(NAME):
        pass
    ask(provider.model())
    assert names(route) == [""]


@EACH
def test_who_paces_calls_hears_every_answer(httpx2_mock: respx.Router, waits: list[float], provider: Wire) -> None:
    provider.route(httpx2_mock, refused(429, retry_after_ms="1500"), refused(529), provider.good())
    heard: list[Heard] = []
    with calls.heard(heard.append):
        ask(provider.model(retries=4))
    ask(provider.model())
    assert heard == [Heard(429, 1.5), Heard(529), Heard(200)]
