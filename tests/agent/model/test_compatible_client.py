"""`URL#NAME`: what is sent to a server of the OpenAI chat interface, and what each kind of answer means."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx
import httpx2
import pytest
import respx

from agent.errors import NotConfigured, ProviderFailure, TooLong
from agent.model.client import Usage
from agent.model.compatible import Compatible
from agent.model.serving.manners import bounded
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_FILTERED, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code
from tests.agent.model.serving.servers import (
    CHAT,
    KEY,
    MODELS,
    URL,
    Told,
    ask,
    client,
    completion,
    listing,
    refused,
    room,
    serving,
)
from tests.agent.model.wired import PROMPT, SCHEMA, TEXT

CALLS = [{"id": "c", "type": "function", "function": {"name": "shell", "arguments": "{}"}}]
NO_TYPE = refused("'response_format.type' must be 'text'")


def test_a_prompt_is_sent_whole_with_its_schema_and_nothing_is_offered(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, {})
    ask(client())
    system, user = PROMPT.messages
    assert server.bodies == [
        {
            "model": "some-model",
            "messages": [{"role": "system", "content": system.content}, {"role": "user", "content": user.content}],
            "max_tokens": 4_096,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": bounded(SCHEMA)},
            },
        }
    ]


def test_a_reply_tells_all_that_the_server_tells_of_it(httpx2_mock: respx.Router) -> None:
    usage = {
        "prompt_tokens": 4_000,
        "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 3_000},
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    told = httpx.Response(
        200, json={**completion(), "model": "some-model-q4", "usage": usage}, headers={"x-request-id": "req_7"}
    )
    serving(httpx2_mock, {CHAT: told})
    (reply,) = ask(client())
    assert (reply.text, reply.fault, reply.stop) == (TEXT, None, "stop")
    assert (reply.model, reply.request_id, reply.kept, reply.cost) == ("some-model-q4", "req_7", False, None)
    assert reply.usage == Usage(4_000, 30, cached_tokens=3_000, reasoning_tokens=20)
    assert reply.seconds is not None
    assert reply.seconds >= 0


@pytest.mark.parametrize(
    "usage", [None, {}, [], {"prompt_tokens": "7", "completion_tokens": -1, "prompt_tokens_details": None}]
)
def test_what_a_server_does_not_count_is_unknown_and_not_nothing(httpx2_mock: respx.Router, usage: object) -> None:
    serving(httpx2_mock, {CHAT: {**completion(), "usage": usage}})
    assert ask(client())[0].usage == Usage()


@pytest.mark.parametrize(
    ("changed", "model", "request_id"),
    [
        ({}, "some-model", "chatcmpl-7"),
        ({"model": None, "id": None}, "some-model", ""),
        ({"model": "other/model:7b", "id": "a b"}, "other/model:7b", ""),
        ({"model": "C:\\models\\x.gguf", "id": "x" * 500}, "x.gguf", ""),
        ({"model": "a\x1b[2J\nb", "id": 7}, "a[2Jb", ""),
    ],
)
def test_the_model_and_the_request_are_named_as_the_server_says_as_far_as_that_can_be_shown(
    httpx2_mock: respx.Router, changed: dict[str, Any], model: str, request_id: str
) -> None:
    serving(httpx2_mock, {CHAT: {**completion(), **changed}})
    (reply,) = ask(client())
    assert (reply.model, reply.request_id) == (model, request_id)


@pytest.mark.parametrize(
    ("answer", "fault", "stop"),
    [
        (completion(None, "stop", refusal="I cannot."), REPLY_REFUSED, "stop"),
        (completion(TEXT, "length"), REPLY_CUT_OFF, "length"),
        (completion(TEXT, "abort"), REPLY_CUT_OFF, "abort"),
        (completion("", "content_filter"), REPLY_FILTERED, "content_filter"),
        (completion(None, "tool_calls", tool_calls=CALLS), REPLY_TOOL_CALL, "tool_calls"),
        (completion(TEXT, "stop", tool_calls=CALLS), REPLY_TOOL_CALL, "stop"),
        (completion(TEXT, "function_call", function_call={"name": "shell"}), REPLY_TOOL_CALL, "function_call"),
        (completion(""), REPLY_EMPTY, "stop"),
        (completion(" \n"), REPLY_EMPTY, "stop"),
        (completion(None), REPLY_EMPTY, "stop"),
        (completion(None, "stop", reasoning_content=TEXT), REPLY_EMPTY, "stop"),
        (completion(7, None), REPLY_EMPTY, ""),
        ({**completion(), "choices": []}, REPLY_EMPTY, ""),
        ({**completion(), "choices": [{"index": 0, "message": None}]}, REPLY_EMPTY, ""),
    ],
)
def test_an_answer_that_is_none_has_a_fault_and_no_text(
    httpx2_mock: respx.Router, answer: Mapping[str, Any], fault: Code, stop: str
) -> None:
    serving(httpx2_mock, {CHAT: answer})
    (reply,) = ask(client())
    assert (reply.fault, reply.text, reply.stop) == (fault, "", stop)


@pytest.mark.parametrize(
    "answer",
    [
        completion(TEXT, "stop", reasoning_content="Hm.", reasoning="Hm.", tool_calls=[], refusal=None),
        completion([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": TEXT}]),
        completion(TEXT, "eos"),
        {"choices": [*completion()["choices"], *completion("another")["choices"]]},
    ],
)
def test_what_stands_beside_the_first_answer_is_not_read(httpx2_mock: respx.Router, answer: Mapping[str, Any]) -> None:
    serving(httpx2_mock, {CHAT: answer})
    (reply,) = ask(client())
    assert (reply.fault, reply.text) == (None, TEXT)


@pytest.mark.parametrize(
    "told",
    [
        httpx.Response(200, html="<p>Please log in</p>"),
        httpx.Response(200, text=""),
        httpx.Response(200, json=[completion()]),
        httpx.Response(200, json={"choices": None}),
        httpx.Response(200, json={"choices": ["x"]}),
        httpx.Response(200, json={"response": TEXT, "done": True}),
    ],
)
def test_an_answer_of_another_interface_is_a_failure(httpx2_mock: respx.Router, told: httpx.Response) -> None:
    serving(httpx2_mock, {CHAT: told})
    with pytest.raises(ProviderFailure, match="something else than was asked for"):
        ask(client())


@pytest.mark.parametrize(
    ("told", "what", "share"),
    [
        (
            refused("?", type="exceed_context_size_error", n_prompt_tokens=6_000, n_ctx=4_000),
            "longer than it reads at once",
            0.6,
        ),
        (
            refused(
                "This model's maximum context length is 4000 tokens. However, you requested 8000 tokens (3904 in the messages,"
                " 4096 in the completion). Please reduce the length of the messages or completion."
            ),
            "longer than it reads at once",
            0.45,
        ),
        (
            httpx.Response(400, json={"error": "The model is loaded with context length of only 4096 tokens"}),
            "longer than it reads at once",
            0.5,
        ),
        (
            httpx.Response(200, json={"error": {"code": 400, "message": "maximum context length is 4000 tokens"}}),
            "longer than it reads at once",
            0.5,
        ),
    ],
)
def test_a_prompt_that_does_not_fit_is_told_with_the_share_that_may(
    httpx2_mock: respx.Router, told: httpx.Response, what: str, share: float
) -> None:
    server = serving(httpx2_mock, {CHAT: told})
    with pytest.raises(TooLong, match=what) as failed:
        ask(client())
    assert failed.value.share == pytest.approx(share)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("told", "what"),
    [
        (refused("model 'x' not found, try pulling it first", 404, type="not_found_error"), "does not know the model"),
        (refused("?", 401), "does not accept the key"),
        (refused("?", 429), "takes no more requests"),
        (refused("Loading model", 503), "overloaded"),
        (refused("?", 500), "it failed"),
        (httpx.Response(200, json={"error": {"message": "no such provider"}}), "it failed"),
        (httpx.Response(307, headers={"location": "http://192.0.2.1/v1/chat/completions"}), "leads to another address"),
        (httpx.Response(502, html="<p>Bad gateway</p>"), "it failed"),
        (httpx2.ConnectError("?"), "could not be reached"),
        (httpx2.ReadTimeout("?"), "did not answer in time"),
    ],
)
def test_a_server_that_does_not_serve_us_is_a_failure(httpx2_mock: respx.Router, told: Told, what: str) -> None:
    server = serving(httpx2_mock, {CHAT: told})
    with pytest.raises(ProviderFailure, match=what) as failed:
        ask(client())
    assert not isinstance(failed.value, TooLong)
    assert failed.value.where == f"{URL}#some-model"
    assert failed.value.cure
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("refusals", "left"),
    [
        ([NO_TYPE], {"response_format": {"type": "json_object"}}),
        ([NO_TYPE, NO_TYPE], {"response_format": None}),
        (
            [httpx.Response(400, json={"error": "'response_format.type' must be 'text'"})],
            {"response_format": {"type": "json_object"}},
        ),
        ([httpx.Response(200, json={"error": {"code": 400, "message": "temperature is fixed"}})], {"temperature": None}),
        (
            [httpx.Response(422, json={"detail": [{"loc": ["body", "max_tokens"], "msg": "Extra inputs are not permitted"}]})],
            {"max_tokens": None, "max_completion_tokens": 4_096},
        ),
        ([refused("System role not supported", 500)], {"messages": None}),
        (
            [
                refused("max_tokens"),
                refused("max_completion_tokens"),
                refused("temperature", 501),
                refused("response_format", 404),
            ],
            {"max_tokens": None, "temperature": None, "response_format": {"type": "json_object"}},
        ),
    ],
)
def test_what_a_server_refuses_is_left_out_at_once_and_ever_after(
    httpx2_mock: respx.Router, refusals: list[Told], left: dict[str, object]
) -> None:
    server = serving(httpx2_mock, {CHAT: [*refusals, completion()]})
    model = client()
    replies = ask(model, PROMPT, PROMPT)
    assert [one.text for one in replies] == [TEXT, TEXT]
    first, *_, before, last = server.bodies
    assert before == last
    changed = {**first, **left}
    if "messages" in left:
        changed["messages"] = [{"role": "user", "content": "\n\n".join(one.content for one in PROMPT.messages)}]
    assert last == {key: value for key, value in changed.items() if value is not None}
    ask(model)
    assert server.bodies[-1] == last


def test_calls_at_once_learn_from_each_other_and_none_is_lost(httpx2_mock: respx.Router) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        body = request.content.decode()
        refusing = next((one for one in ("temperature", "max_tokens", "json_schema") if f'"{one}"' in body), None)
        return httpx.Response(200, json=completion()) if refusing is None else refused(f"no {refusing}")

    server = serving(httpx2_mock, {})
    httpx2_mock.routes[0].mock(side_effect=lambda one: answer(one) if one.url.path == CHAT else server.answer(one))
    model = client()

    async def several() -> list[str]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(model.draft(PROMPT)) for _ in range(8)]
        await model.close()
        return [task.result().text for task in tasks]

    assert asyncio.run(several()) == [TEXT] * 8


def test_a_refusal_of_all_that_can_be_left_out_is_a_failure_in_the_end(httpx2_mock: respx.Router) -> None:
    words = "max_tokens temperature system role response_format.type schema response_format"
    server = serving(httpx2_mock, {CHAT: refused(words)})
    with pytest.raises(ProviderFailure, match="does not take the JSON Schema"):
        ask(client())
    assert 5 < len(server.bodies) < 10
    assert set(server.bodies[-1]) == {"model", "messages"}


def test_a_schema_that_a_server_ignores_is_not_sent_again(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, {CHAT: [completion("Sure! Here it is:"), completion()]})
    first, _ = ask(client(), PROMPT, PROMPT)
    assert (first.fault, first.text) == (None, "Sure! Here it is:")
    assert [body["response_format"]["type"] for body in server.bodies] == ["json_schema", "json_object"]


@pytest.mark.parametrize("tokens", [1, 300, 1_500, 8_189, 8_192, 10_000])
def test_a_prompt_that_was_cut_without_a_word_is_too_long_and_its_answer_is_none(
    httpx2_mock: respx.Router, tokens: int
) -> None:
    """Ollama keeps the end of a prompt that is longer than its context, and answers as if nothing had happened."""
    serving(httpx2_mock, {MODELS: listing({"id": "m", "context_length": 8_192}), CHAT: told_tokens(tokens)})
    with pytest.raises(TooLong, match="read a part of the prompt only") as failed:
        ask(client(name="m"), LONG)
    assert 0.05 <= failed.value.share <= 0.8


@pytest.mark.parametrize("tokens", [2_500, 8_188, None, 0])
def test_a_prompt_that_was_read_or_not_counted_is_not_held_against_an_answer(
    httpx2_mock: respx.Router, tokens: int | None
) -> None:
    serving(httpx2_mock, {MODELS: listing({"id": "m", "context_length": 8_192}), CHAT: told_tokens(tokens)})
    (reply,) = ask(client(name="m"), LONG)
    assert reply.text == TEXT


LONG = replace(PROMPT, data="word " * 2_000)


def told_tokens(tokens: int | None) -> dict[str, Any]:
    return {**completion(), "usage": {"prompt_tokens": tokens, "completion_tokens": 3}}


def test_an_answer_may_have_a_quarter_of_what_the_model_reads_and_writes_at_once(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, {MODELS: listing({"id": "m", "max_model_len": 4_096}), CHAT: told_tokens(None)})
    model = client(name="m")
    room(model)
    assert model.parameters == {"endpoint": URL, "temperature": 0, "max_tokens": 1_024}
    ask(model)
    assert server.bodies[0]["max_tokens"] == 1_024


@pytest.mark.parametrize(
    ("environ", "bearer"), [({"EVIDRAFT_ENDPOINT_KEY": KEY}, KEY), ({}, "none"), ({"EVIDRAFT_ENDPOINT_KEY": " "}, "none")]
)
def test_a_server_gets_its_own_key_and_none_of_a_provider(
    httpx2_mock: respx.Router, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], bearer: str
) -> None:
    others = {
        "OPENAI_API_KEY": "sk-of-a-provider",
        "OPENAI_ADMIN_KEY": "sk-of-an-admin",
        "OPENAI_ORG_ID": "org-of-someone",
        "OPENAI_PROJECT_ID": "project-of-someone",
        "OPENAI_BASE_URL": "http://192.0.2.1/v1",
        "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-of-a-proxy\nX-Secret: of-someone",
        "ANTHROPIC_API_KEY": "sk-of-another",
    }
    for name, text in others.items():
        monkeypatch.setenv(name, text)
    server = serving(httpx2_mock, {})
    model = client(environ={**others, **environ})
    ask(model)
    assert {one.headers["authorization"] for one in server.requests} == {f"Bearer {bearer}"}
    sent = "".join(f"{one.url} {dict(one.headers)} {one.content.decode()}" for one in server.requests)
    assert not [text for text in ("sk-of", "of-someone", "192.0.2.1") if text in sent]
    assert KEY not in f"{model!r} {model.name} {model.parameters}"


def test_a_key_stands_in_no_failure(httpx2_mock: respx.Router) -> None:
    serving(httpx2_mock, {CHAT: refused(f"Incorrect key: {KEY}", 401)})
    with pytest.raises(ProviderFailure) as failed:
        ask(client(environ={"EVIDRAFT_ENDPOINT_KEY": KEY}))
    assert KEY not in "".join(traceback.format_exception(failed.value))
    assert "EVIDRAFT_ENDPOINT_KEY" in failed.value.cure


@pytest.mark.parametrize(
    ("url", "name", "environ"),
    [
        ("http://someone:geheim@127.0.0.1/v1", "m", {}),
        ("ftp://127.0.0.1/v1", "m", {}),
        (URL, "m\n", {}),
        (URL, "m", {"EVIDRAFT_ENDPOINT_KEY": "two words"}),
    ],
)
def test_what_can_be_no_server_is_refused_before_anything_is_sent(url: str, name: str, environ: dict[str, str]) -> None:
    with pytest.raises(NotConfigured):
        Compatible(url, name, environ=environ)


def test_retries_are_those_of_the_sdk_and_probes_have_none(httpx2_mock: respx.Router, waits: list[float]) -> None:
    server = serving(httpx2_mock, {"/props": refused("?", 503), CHAT: [refused("?", 503), refused("?", 503), completion()]})
    ask(client(retries=2))
    assert server.paths.count("/props") == 1
    assert server.paths.count(CHAT) == 3
    assert len(waits) == 2
