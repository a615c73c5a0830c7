"""The one connection: retries, waits, redirects, bounds, headers, keys; the same for every provider."""

from __future__ import annotations

import asyncio
import gzip
import logging
import traceback
from collections.abc import Callable, Mapping
from email.utils import formatdate
from importlib import import_module

import httpx
import httpx2
import pytest
import respx
from respx.models import AllMockedAssertionError

from agent.errors import NotConfigured, ProviderFailure
from agent.model import wire
from agent.model.client import Reply
from tests.agent.model.wired import ANTHROPIC, ENVIRON, KEY, OPENAI, PROMPT, TEXT, WIRES, Wire, ask

EACH = pytest.mark.parametrize("provider", WIRES, ids=lambda one: one.prefix)
SPENT = {"error": {"code": "insufficient_quota", "type": "insufficient_quota", "message": "?"}}
LIMITED = {"error": {"type": "rate_limit_error", "message": "?"}}


def refused(status: int, body: object = None, **headers: str) -> httpx.Response:
    told = {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.Response(status, json=body if body is not None else {"error": {"message": "?"}}, headers=told)


@EACH
@pytest.mark.parametrize(
    "first",
    [refused(status) for status in (408, 409, 429, 500, 502, 503, 504, 529)]
    + [httpx2.ConnectError("?"), httpx2.ReadTimeout("?"), httpx2.RemoteProtocolError("?")],
    ids=lambda one: str(one.status_code) if isinstance(one, httpx.Response) else type(one).__name__,
)
def test_what_may_pass_is_asked_again(
    httpx2_mock: respx.Router, waits: list[float], provider: Wire, first: httpx.Response | Exception
) -> None:
    route = provider.route(httpx2_mock, first, provider.good())
    assert ask(provider.model(retries=4)).text == TEXT
    assert (route.call_count, len(waits)) == (2, 1)
    assert 0 < waits[0] <= 8


@EACH
@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_what_does_not_pass_is_asked_once(httpx2_mock: respx.Router, waits: list[float], provider: Wire, status: int) -> None:
    route = provider.route(httpx2_mock, refused(status))
    with pytest.raises(ProviderFailure):
        ask(provider.model(retries=4))
    assert (route.call_count, waits) == (1, [])


@EACH
def test_no_more_is_asked_than_was_allowed(httpx2_mock: respx.Router, waits: list[float], provider: Wire) -> None:
    route = provider.route(httpx2_mock, refused(503))
    with pytest.raises(ProviderFailure, match="overloaded"):
        ask(provider.model(retries=3))
    assert (route.call_count, len(waits)) == (4, 3)
    assert waits == sorted(waits)


@EACH
@pytest.mark.parametrize(
    ("headers", "bounds"),
    [
        ({"retry_after": "7"}, (7, 7)),
        ({"retry_after_ms": "1500"}, (1.5, 1.5)),
        ({"retry_after": "60"}, (60, 60)),
        ({"retry_after_ms": "1500", "retry_after": "7000"}, (1.5, 1.5)),
        ({"retry_after": formatdate(usegmt=True)}, (0, 8)),
        ({"retry_after": "soon"}, (0, 8)),
        ({"retry_after": "nan"}, (0, 8)),
        ({"retry_after": "-5"}, (0, 8)),
    ],
)
def test_a_provider_is_waited_for_as_it_asks(
    httpx2_mock: respx.Router, waits: list[float], provider: Wire, headers: Mapping[str, str], bounds: tuple[float, float]
) -> None:
    provider.route(httpx2_mock, refused(429, LIMITED, **headers), provider.good())
    assert ask(provider.model(retries=1)).text == TEXT
    assert len(waits) == 1
    assert bounds[0] <= waits[0] <= bounds[1]


@EACH
@pytest.mark.parametrize(
    "headers",
    [
        {"retry_after": "61"},
        {"retry_after_ms": "3600000"},
        {"retry_after": "inf"},
        {"retry_after": "1e400"},
        {"retry_after": "Fri, 31 Dec 2100 23:59:59 GMT"},
        {"retry_after": "3600", "x_should_retry": "true"},
    ],
)
def test_a_provider_that_wants_more_than_a_minute_is_not_waited_for(
    httpx2_mock: respx.Router, waits: list[float], provider: Wire, headers: Mapping[str, str]
) -> None:
    route = provider.route(httpx2_mock, refused(429, LIMITED, **headers))
    with pytest.raises(ProviderFailure, match="no more requests for now"):
        ask(provider.model(retries=4))
    assert (route.call_count, waits) == (1, [])


@EACH
def test_a_quota_that_is_used_up_is_not_waited_for(httpx2_mock: respx.Router, waits: list[float], provider: Wire) -> None:
    route = provider.route(httpx2_mock, refused(429, SPENT, retry_after="1"))
    with pytest.raises(ProviderFailure, match="quota or credit is used up"):
        ask(provider.model(retries=4))
    assert (route.call_count, waits) == (1, [])


@EACH
@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error": "full"}', b'{"error": {"code": 7}}'])
def test_a_limit_in_no_known_words_is_waited_for(
    httpx2_mock: respx.Router, waits: list[float], provider: Wire, body: bytes
) -> None:
    provider.route(httpx2_mock, httpx.Response(429, content=body), provider.good())
    assert ask(provider.model(retries=1)).text == TEXT
    assert len(waits) == 1


@EACH
@pytest.mark.requirement("AI-2")
@pytest.mark.parametrize(
    ("status", "target"),
    [(301, "/other"), (302, "https://elsewhere.example/"), (303, "http://["), (307, ""), (308, "https://elsewhere.example/")],
)
def test_evidence_follows_no_redirect(httpx2_mock: respx.Router, provider: Wire, status: int, target: str) -> None:
    route = provider.route(httpx2_mock, refused(status, location=target))
    with pytest.raises(ProviderFailure, match="another address, which is not followed"):
        ask(provider.model(retries=4))
    assert route.call_count == 1


@EACH
def test_an_answer_beyond_all_measure_is_a_failure(httpx2_mock: respx.Router, provider: Wire) -> None:
    provider.route(httpx2_mock, httpx.Response(200, content=b"{" + b" " * wire.MAX_BYTES + b"}"))
    with pytest.raises(ProviderFailure, match="larger than") as failed:
        ask(provider.model())
    assert failed.value.where == f"{provider.prefix}some-model"


@EACH
def test_an_answer_just_within_measure_is_read(httpx2_mock: respx.Router, provider: Wire) -> None:
    body = provider.good().content
    provider.route(httpx2_mock, httpx.Response(200, content=body + b" " * (wire.MAX_BYTES - len(body))))
    assert ask(provider.model()).text == TEXT


@EACH
def test_an_answer_is_not_unpacked(httpx2_mock: respx.Router, provider: Wire) -> None:
    """A small one may be endless when it is unpacked; none is asked for."""
    packed = httpx.Response(200, stream=httpx.ByteStream(gzip.compress(provider.good().content)))
    packed.headers["content-encoding"] = "gzip"
    route = httpx2_mock.post(provider.address).mock(return_value=packed)
    with pytest.raises(ProviderFailure, match="something else"):
        ask(provider.model())
    assert route.calls.last.request.headers["accept-encoding"] == "identity"


@EACH
@pytest.mark.parametrize(
    "body", [b"", b"<html>no</html>", b"[]", b"null", b'"text"', b"\xff", b"[" * 100_000, b'{"error": {}}']
)
def test_an_answer_that_is_something_else_is_a_failure(httpx2_mock: respx.Router, provider: Wire, body: bytes) -> None:
    provider.route(
        httpx2_mock,
        httpx.Response(200, content=body, headers={"content-type": "text/html" if b"<" in body else "application/json"}),
    )
    with pytest.raises(ProviderFailure, match="something else"):
        ask(provider.model())


@EACH
def test_half_a_character_in_an_answer_does_not_stop_a_draft(httpx2_mock: respx.Router, provider: Wire) -> None:
    body = provider.good().content.replace(b'{\\"fields\\": []}', b"\\ud83d")
    provider.route(httpx2_mock, httpx.Response(200, content=body))
    assert ask(provider.model()).text == "?"


@EACH
@pytest.mark.parametrize("told", ["a\nb", "x" * 201, "<b>", "", "two words", "\x1b[31m"])
def test_a_word_of_a_provider_that_is_no_plain_word_is_left_out(httpx2_mock: respx.Router, provider: Wire, told: str) -> None:
    provider.route(httpx2_mock, provider.good(model=told))
    assert ask(provider.model()).model == ""


@EACH
def test_nothing_but_our_own_headers_travels(
    httpx2_mock: respx.Router, monkeypatch: pytest.MonkeyPatch, provider: Wire
) -> None:
    custom = "Authorization: Bearer other\nHost: elsewhere.example\nCookie: a=b\nX-Extra: 1\nOpenAI-Organization: org-9"
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", custom)
        monkeypatch.setenv(f"{name}_ADMIN_KEY", "sk-admin")
        monkeypatch.setenv(f"{name}_ORG_ID", "org-9")
        monkeypatch.setenv(f"{name}_BASE_URL", "https://elsewhere.example")
        monkeypatch.setenv(f"{name}_API_KEY", "sk-of-the-process")
    route = provider.route(httpx2_mock, provider.good())
    ask(provider.model())
    headers = dict(route.calls.last.request.headers)
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["host"] == httpx2.URL(provider.address).host
    assert set(headers) <= {
        *("accept", "accept-encoding", "anthropic-version", "authorization", "content-length", "content-type", "host"),
        *("user-agent", "x-stainless-raw-response"),
    }


@EACH
def test_an_address_of_the_persons_environment_is_asked(httpx2_mock: respx.Router, provider: Wire) -> None:
    variable = f"{provider.prefix[:-1].upper()}_BASE_URL"
    route = httpx2_mock.post(url__startswith="https://gate.example/v9/").mock(return_value=provider.good())
    ask(provider.model(environ={**ENVIRON, variable: "https://gate.example/v9/"}))
    assert route.call_count == 1


@EACH
@pytest.mark.parametrize(
    "address",
    [
        "gate.example/v1",
        "ftp://gate.example",
        "https://",
        "https://me:pw@gate.example",
        "https://gate.example?key=1",
        "http://[",
        "#",
    ],
)
def test_an_address_that_is_none_is_not_asked(provider: Wire, address: str) -> None:
    variable = f"{provider.prefix[:-1].upper()}_BASE_URL"
    with pytest.raises(NotConfigured, match=f"{variable} holds no address") as failed:
        provider.model(environ={**ENVIRON, variable: address})
    assert "pw" not in str(failed.value)


@EACH
@pytest.mark.parametrize("name", ["", " ", "two words", "-x", "a" * 201, "a\n", "käse", "a#b"])
def test_a_name_that_is_none_is_not_asked(provider: Wire, name: str) -> None:
    with pytest.raises(NotConfigured, match="needs the name of a model"):
        provider.model(name)


@EACH
@pytest.mark.parametrize("key", ["two words", "käse", "a\nb", "\x00"])
def test_a_key_that_is_none_is_not_sent_nor_shown(provider: Wire, key: str) -> None:
    with pytest.raises(NotConfigured, match="characters that are in no key") as failed:
        provider.model(environ=dict.fromkeys(ENVIRON, key))
    assert key not in str(failed.value)


@EACH
@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    "answer",
    [refused(401, {"error": {"message": f"wrong key {KEY}"}}), refused(500), httpx2.ConnectError("?"), httpx.Response(200)],
    ids=["key", "server", "network", "shape"],
)
def test_neither_key_nor_evidence_hangs_on_a_failure(
    httpx2_mock: respx.Router, provider: Wire, answer: httpx.Response | Exception
) -> None:
    provider.route(httpx2_mock, answer)
    model = provider.model()
    with pytest.raises(ProviderFailure) as failed:
        ask(model)
    shown = "".join(traceback.format_exception(failed.value)) + repr(vars(failed.value)) + repr(model) + repr(model.parameters)
    assert KEY not in shown
    assert PROMPT.data not in shown
    assert (failed.value.__cause__, failed.value.__context__) == (None, None)


@EACH
@pytest.mark.parametrize(
    ("error", "what"),
    [
        (httpx2.ConnectError("?"), "could not be reached"),
        (httpx2.RemoteProtocolError("?"), "could not be reached"),
        (httpx2.ConnectTimeout("?"), "did not answer in time"),
        (httpx2.ReadTimeout("?"), "did not answer in time"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Exception) else "",
)
def test_a_network_that_fails_is_said(httpx2_mock: respx.Router, provider: Wire, error: Exception, what: str) -> None:
    provider.route(httpx2_mock, error)
    with pytest.raises(ProviderFailure, match=what) as failed:
        ask(provider.model())
    assert (failed.value.where, bool(failed.value.cure)) == (f"{provider.prefix}some-model", True)


@EACH
def test_a_call_that_is_cancelled_leaves_nothing_behind(httpx2_mock: respx.Router, provider: Wire) -> None:
    async def cancelled() -> Reply:
        begun, never = asyncio.Event(), asyncio.Event()

        async def hang(_: httpx.Request) -> httpx.Response:
            begun.set()
            await never.wait()
            raise AssertionError

        httpx2_mock.post(provider.address).mock(side_effect=hang)
        model = provider.model(retries=4)
        call = asyncio.create_task(model.draft(PROMPT))
        await begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await model.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        httpx2_mock.post(provider.address).mock(return_value=provider.good())
        try:
            return await model.draft(PROMPT)
        finally:
            await model.close()

    assert asyncio.run(cancelled()).text == TEXT


@EACH
def test_a_drafter_serves_one_loop_after_another(httpx2_mock: respx.Router, provider: Wire) -> None:
    route = provider.route(httpx2_mock, provider.good())
    model = provider.model()
    assert [ask(model).text, ask(model).text] == [TEXT, TEXT]
    assert asyncio.run(model.draft(PROMPT)).text == TEXT
    assert ask(model).text == TEXT
    assert route.call_count == 4


@EACH
def test_several_calls_share_one_connection(httpx2_mock: respx.Router, monkeypatch: pytest.MonkeyPatch, provider: Wire) -> None:
    made: list[Mapping[str, str]] = []
    connected = wire.connected

    def counted(headers: Mapping[str, str], *, timeout: float) -> httpx2.AsyncClient:
        made.append(headers)
        return connected(headers, timeout=timeout)

    monkeypatch.setattr(wire, "connected", counted)
    provider.route(httpx2_mock, provider.good())

    async def several() -> list[Reply]:
        model = provider.model()
        try:
            return await asyncio.gather(*(model.draft(PROMPT) for _ in range(4)))
        finally:
            await model.close()

    assert [reply.text for reply in asyncio.run(several())] == [TEXT] * 4
    assert len(made) == 1


@EACH
def test_closing_what_was_never_used_does_nothing(provider: Wire) -> None:
    asyncio.run(provider.model().close())


@EACH
@pytest.mark.requirement("AI-3")
def test_no_log_holds_evidence_or_key_whatever_the_sdks_are_told(
    httpx2_mock: respx.Router,
    waits: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    provider: Wire,
) -> None:
    name = provider.prefix[:-1]
    monkeypatch.setenv(f"{name.upper()}_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    import_module(f"{name}._utils._logs").setup_logging()  # as when it is loaded
    assert logging.getLogger(name).level == logging.DEBUG
    provider.route(httpx2_mock, refused(503), provider.good())
    ask(provider.model(retries=1))
    assert len(waits) == 1
    assert [record for record in caplog.records if record.name != "asyncio"] == []


def test_no_trace_takes_evidence_elsewhere(httpx2_mock: respx.Router, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE", "content")

    def started(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("anthropic._base_client.start_api_call_span", started)
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good())
    assert ask(ANTHROPIC.model()).text == TEXT


@pytest.mark.parametrize("room", [OPENAI.model("gpt-4o").room, ANTHROPIC.model("claude-sonnet-4-5").room])
def test_no_price_list_is_asked_over_the_network(outside: list[str], room: Callable[[], object]) -> None:
    assert asyncio.run(room()) is not None  # type: ignore[arg-type]
    assert outside == []


@EACH
def test_a_request_that_no_test_answers_fails_the_test(httpx2_mock: respx.Router, outside: list[str], provider: Wire) -> None:
    assert not list(httpx2_mock.routes)
    with pytest.raises((ProviderFailure, AllMockedAssertionError)):
        ask(provider.model())
    assert len(outside) == 1
    outside.clear()


@EACH
def test_no_test_reaches_the_network(outside: list[str], provider: Wire) -> None:
    with pytest.raises(ProviderFailure, match="could not be reached"):
        ask(provider.model())
    assert outside == [httpx2.URL(provider.address).host]
    outside.clear()
