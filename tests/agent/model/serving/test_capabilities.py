"""What a server has: found where each kind of server tells it, asked for once, and never taken for more than it says."""

from __future__ import annotations

import asyncio
import json

import httpx
import httpx2
import pytest
import respx

from agent.errors import NotConfigured, ProviderFailure
from tests.agent.model.serving.servers import CHAT, MODELS, URL, Told, ask, client, completion, listing, refused, room, serving
from tests.agent.model.wired import PROMPT

LLAMA_CPP: dict[str, Told] = {
    MODELS: listing({"id": "/home/someone/models/small.Q4.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 131_072}}),
    "/props": {"default_generation_settings": {"n_ctx": 8_192, "params": {"n_predict": -1}}, "total_slots": 4},
}
VLLM: dict[str, Told] = {
    MODELS: listing({"id": "org/some-model", "owned_by": "vllm", "root": "org/some-model", "max_model_len": 8_192})
}
LM_STUDIO: dict[str, Told] = {
    MODELS: listing("some-model", "text-embedding-model"),
    "/props": {"error": "Unexpected endpoint or method. (GET /props)"},
    "/api/v0/models": {
        "object": "list",
        "data": [
            {"id": "text-embedding-model", "type": "embeddings", "state": "not-loaded", "max_context_length": 2_048},
            {
                "id": "some-model",
                "type": "llm",
                "state": "loaded",
                "max_context_length": 131_072,
                "loaded_context_length": 8_192,
            },
        ],
    },
}
SHOWN = {"parameters": 'stop "<|end|>"\ntemperature 0.7', "model_info": {"llama.context_length": 131_072}}
OLLAMA: dict[str, Told] = {
    MODELS: listing({"id": "some-model:latest", "owned_by": "library"}),
    "/api/show": {**SHOWN, "parameters": "temperature 0.7\nnum_ctx                        8192\n"},
}


@pytest.mark.parametrize(
    ("server", "name", "characters"),
    [
        (LLAMA_CPP, "", (8_192 - 2_048 - 64) * 3),
        (LLAMA_CPP, "small.Q4.gguf", (8_192 - 2_048 - 64) * 3),
        (LLAMA_CPP, "small.Q4", (8_192 - 2_048 - 64) * 3),
        (VLLM, "org/some-model", (8_192 - 2_048 - 64) * 3),
        ({MODELS: listing({"id": "big", "context_length": 131_072})}, "big", (131_072 - 4_096 - 64) * 3),
        (LM_STUDIO, "some-model", (8_192 - 2_048 - 64) * 3),
        (OLLAMA, "some-model", (8_192 - 2_048 - 64) * 3),
        (OLLAMA | {"/api/show": SHOWN}, "some-model", (4_096 - 1_024 - 64) * 3),
        (
            OLLAMA | {"/api/show": SHOWN, "/api/ps": {"models": [{"name": "some-model:latest", "context_length": 16_384}]}},
            "some-model:latest",
            (16_384 - 4_096 - 64) * 3,
        ),
        (
            OLLAMA | {"/api/show": {**SHOWN, "model_info": {"bert.context_length": 512}}},
            "some-model",
            (512 - 128 - 64) * 3,
        ),
        ({MODELS: listing("some-model")}, "some-model", None),
        (
            {MODELS: httpx.Response(200, json=[{"id": "some-model", "context_length": 8_192}])},
            "some-model",
            (8_192 - 2_048 - 64) * 3,
        ),
        ({MODELS: refused("there is no list", 404)}, "some-model", None),
        ({MODELS: listing({"id": "some-model", "max_model_len": "8192"})}, "some-model", None),
        ({MODELS: listing({"id": "some-model", "max_model_len": True})}, "some-model", None),
        ({MODELS: listing({"id": "some-model", "max_model_len": 1})}, "some-model", 0),
    ],
)
def test_each_kind_of_server_tells_how_much_its_model_reads_at_once(
    httpx2_mock: respx.Router, server: dict[str, Told], name: str, characters: int | None
) -> None:
    serving(httpx2_mock, server)
    assert room(client(name=name)) == characters


def test_a_server_is_asked_what_it_has_once_also_by_several_calls_and_loops(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, VLLM)
    model = client(name="org/some-model")

    async def several() -> None:
        await asyncio.gather(model.room(), model.draft(PROMPT), model.draft(PROMPT))
        await model.close()

    asyncio.run(several())
    ask(model)
    assert server.paths == [MODELS, CHAT, CHAT, CHAT]


def test_a_model_is_asked_for_as_the_server_calls_it_and_shown_without_the_path_of_its_file(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, LLAMA_CPP | {CHAT: {**completion(), "model": "/home/someone/models/small.Q4.gguf"}})
    (reply,) = ask(client(name=""))
    assert server.bodies[0]["model"] == "/home/someone/models/small.Q4.gguf"
    assert reply.model == "small.Q4.gguf"


def test_ollama_is_told_the_name_of_the_model_and_nothing_else(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, OLLAMA)
    room(client())
    assert [json.loads(one.content) for one in server.requests if one.method == "POST"] == [{"model": "some-model:latest"}]


@pytest.mark.parametrize(
    ("models", "name", "what", "cure"),
    [
        (listing("one", "two"), "three", "it has no model of this name", "it has one, two"),
        (listing("one", "two"), "", "it has several models, and none is named", "it has one, two"),
        (listing("/a/same.gguf", "/b/same.gguf"), "same", "several of its models may be meant", "it has same.gguf"),
        (listing(), "one", "it has no model", "load one there"),
        (listing(), "", "it has no model", "load one there"),
        (listing("a\x1b[31m\nb" + "c" * 500), "one", "it has no model of this name", "it has a[31mb" + "c" * 74),
        (
            listing(*(f"m{number:02}" for number in range(20))),
            "one",
            "it has no model of this name",
            "it has m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11 and 8 more",
        ),
        ({"data": [{"name": "x"}, "y", {"id": 7}]}, "", "it has no model", "load one there"),
    ],
)
def test_a_name_that_fits_no_model_or_several_is_answered_with_those_that_there_are(
    httpx2_mock: respx.Router, models: Told, name: str, what: str, cure: str
) -> None:
    server = serving(httpx2_mock, {MODELS: models})
    with pytest.raises(NotConfigured) as failed:
        ask(client(name=name))
    assert (failed.value.what, failed.value.where, failed.value.cure) == (what, f"{URL}#{name}", cure)
    assert server.paths == [MODELS]


def test_a_missing_version_in_the_address_is_told_and_not_guessed(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, {})
    with pytest.raises(NotConfigured) as failed:
        ask(client("http://127.0.0.1:8080/"))
    assert "below /v1" in failed.value.what
    assert failed.value.cure == "name it as http://127.0.0.1:8080/v1#some-model"
    assert server.paths == ["/models", MODELS]


def test_a_server_that_lists_nothing_is_asked_by_name_and_not_without_one(httpx2_mock: respx.Router) -> None:
    server = serving(httpx2_mock, {MODELS: refused("no", 404)})
    ask(client())
    assert server.bodies[0]["model"] == "some-model"
    with pytest.raises(NotConfigured, match="does not tell which models it has"):
        ask(client(name=""))


@pytest.mark.parametrize(
    ("told", "what"),
    [
        (refused("?", 401), "it does not accept the key"),
        (refused("?", 403), "the key may not do this"),
        (refused("?", 503), "it is overloaded"),
        (httpx.Response(302, headers={"location": "http://192.0.2.1/v1/models"}), "it leads to another address"),
        (httpx.ConnectError("?"), "it could not be reached"),
        (httpx.ReadTimeout("?"), "it did not answer in time"),
    ],
)
def test_a_server_that_cannot_be_asked_is_a_failure_before_any_evidence_is_sent(
    httpx2_mock: respx.Router, told: Told, what: str
) -> None:
    server = serving(httpx2_mock, {MODELS: told})
    with pytest.raises(ProviderFailure, match=what) as failed:
        ask(client())
    assert failed.value.where == f"{URL}#some-model"
    assert server.paths == [MODELS]


@pytest.mark.parametrize(
    "told",
    [
        httpx.Response(200, html="<p>Welcome</p>"),
        httpx2.ReadTimeout("?"),
        httpx.Response(500),
        httpx.Response(200, json=[]),
        {"models": 7},
    ],
)
def test_what_is_said_beside_the_chat_interface_in_other_words_is_not_heard(httpx2_mock: respx.Router, told: Told) -> None:
    paths = ("/props", "/api/v0/models", "/api/show", "/api/ps")
    serving(httpx2_mock, dict.fromkeys(paths, told))
    assert room(client()) is None
