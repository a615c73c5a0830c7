"""`evidraft models`: what there is, what each lacks, where it would go; only a server that is named is asked anything."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
import respx

from agent.cli import main

KEY = "made-up-key-q7Rk2Xw9"
SERVER = "http://127.0.0.1:8080/v1"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "ANTHROPIC_", "EVIDRAFT_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["models", *words, "--format", "json"]) == 0
    out = capsys.readouterr().out
    assert KEY not in out
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


def clients(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    return {client["client"]: client for client in told(capsys)["clients"]}


@pytest.mark.usefixtures("httpx2_mock")
def test_without_keys_what_needs_one_is_not_ready(capsys: pytest.CaptureFixture[str]) -> None:
    found = clients(capsys)
    assert {name: client["missing"] for name, client in found.items()} == {
        "extractive": None,
        "openai:NAME": "set OPENAI_API_KEY",
        "anthropic:NAME": "set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN",
        "URL#NAME": None,
        "recorded:DIR": None,
    }
    assert all(client["ready"] is (client["missing"] is None) for client in found.values())
    assert found["openai:NAME"]["endpoint"] == "https://api.openai.com/v1"
    assert found["anthropic:NAME"]["endpoint"] == "https://api.anthropic.com"


@pytest.mark.parametrize(
    ("environ", "client", "endpoint"),
    [
        ({"OPENAI_API_KEY": KEY}, "openai:NAME", "https://api.openai.com/v1"),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://gateway.example/v1"}, "openai:NAME", "https://gateway.example/v1"),
        ({"ANTHROPIC_API_KEY": KEY}, "anthropic:NAME", "https://api.anthropic.com"),
        ({"ANTHROPIC_AUTH_TOKEN": KEY}, "anthropic:NAME", "https://api.anthropic.com"),
    ],
)
def test_a_key_makes_it_ready_and_is_not_told(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environ: Mapping[str, str],
    client: str,
    endpoint: str,
) -> None:
    for name, text in environ.items():
        monkeypatch.setenv(name, text)
    found = clients(capsys)[client]
    assert (found["ready"], found["missing"], found["endpoint"]) == (True, None, endpoint)
    assert main(["models"]) == 0
    out = capsys.readouterr().out
    assert KEY not in out
    assert endpoint in out


def test_an_address_that_cannot_be_used_is_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", f"https://ada:{KEY}@gateway.example/v1")
    found = clients(capsys)["openai:NAME"]
    assert (found["ready"], found["endpoint"]) == (False, None)
    assert "OPENAI_BASE_URL" in found["missing"]


def test_every_line_begins_with_what_to_give_to_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["extractive", "openai:NAME", "anthropic:NAME", "URL#NAME", "recorded:DIR"]
    assert ["not ready" in line for line in lines] == [False, True, True, False, False]


@pytest.fixture
def server(httpx2_mock: respx.Router) -> respx.Router:
    """A server with three models: of one it says how much it reads, and it has no other interface."""
    listed = [{"id": "small", "max_model_len": 4096}, {"id": "large"}, {"id": "o\u202edd\x1b[2J"}]
    httpx2_mock.get(f"{SERVER}/models").mock(return_value=httpx.Response(200, json={"object": "list", "data": listed}))
    httpx2_mock.route().mock(return_value=httpx.Response(404, json={}))
    return httpx2_mock


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("url", [SERVER, f"{SERVER}/", f"{SERVER}#small", f"{SERVER}#"])
def test_the_models_of_a_server_are_listed_by_what_to_give_to_model(capsys: pytest.CaptureFixture[str], url: str) -> None:
    document = told(capsys, url)
    assert document["endpoint"] == SERVER
    assert document["models"][:2] == [
        {"model": f"{SERVER}#small", "context": 4096},
        {"model": f"{SERVER}#large", "context": None},
    ]
    assert main(["models", url]) == 0
    out = capsys.readouterr().out
    assert f"{SERVER}#small  reads 4,096 tokens\n" in out
    assert f"{SERVER}#large  reads an unknown number of tokens\n" in out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_only_its_own_key_reaches_a_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, server: respx.Router
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "other-key")
    told(capsys, SERVER)
    monkeypatch.setenv("EVIDRAFT_ENDPOINT_KEY", KEY)
    told(capsys, SERVER)
    sent = [call.request.headers["authorization"] for call in server.calls]
    assert not any("other-key" in header for header in sent)
    assert sent[-1] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("nowhere", "begins with http:// or https://"),
        ("ftp://example.com", "begins with http:// or https://"),
        (f"https://ada:{KEY}@example.com/v1", "holds a user or password"),
    ],
)
@pytest.mark.usefixtures("httpx2_mock")
def test_what_is_no_url_of_a_server_is_a_failure(capsys: pytest.CaptureFixture[str], url: str, what: str) -> None:
    assert main(["models", url]) == 2
    told = capsys.readouterr()
    assert what in told.err
    assert KEY not in told.err + told.out


def test_a_server_that_keeps_no_list_is_a_failure(capsys: pytest.CaptureFixture[str], httpx2_mock: respx.Router) -> None:
    httpx2_mock.route().mock(return_value=httpx.Response(404, json={}))
    assert main(["models", SERVER]) == 2
    assert "keeps no list" in capsys.readouterr().err


def test_a_server_without_models_says_so(capsys: pytest.CaptureFixture[str], httpx2_mock: respx.Router) -> None:
    httpx2_mock.get(f"{SERVER}/models").mock(return_value=httpx.Response(200, json={"data": []}))
    assert main(["models", SERVER]) == 0
    assert capsys.readouterr().out == f"{SERVER} has no model\n"
