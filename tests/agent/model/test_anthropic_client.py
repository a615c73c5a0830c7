"""`anthropic:NAME`: what is sent, and what each kind of answer means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import respx

from agent.errors import NotConfigured, ProviderFailure, TooLong
from agent.model.anthropic import MAX_OUTPUT, Anthropic
from agent.model.client import Usage
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code
from tests.agent.model.wired import ANTHROPIC, ENVIRON, KEY, PROMPT, SCHEMA, TEXT, ask, sent

SAID = {"type": "text", "text": TEXT}
CALL = {"type": "tool_use", "id": "t", "name": "shell", "input": {}}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}


def test_a_prompt_is_sent_whole_with_its_schema_and_no_tool(httpx2_mock: respx.Router) -> None:
    route = ANTHROPIC.route(httpx2_mock, ANTHROPIC.good())
    ask(ANTHROPIC.model("claude-x"))
    system, user = PROMPT.messages
    assert sent(route) == {
        "model": "claude-x",
        "max_tokens": MAX_OUTPUT,
        "system": [{"type": "text", "text": system.content, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": user.content}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    }


def test_a_reply_tells_all_that_the_provider_tells_and_counts_all_input(httpx2_mock: respx.Router) -> None:
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good())
    reply = ask(ANTHROPIC.model())
    assert (reply.text, reply.fault, reply.stop) == (TEXT, None, "end_turn")
    assert (reply.model, reply.request_id, reply.kept, reply.cost) == ("some-model-2026-01-01", "req_7", False, None)
    assert reply.usage == Usage(100, 30, cached_tokens=60, written_tokens=10, reasoning_tokens=20)
    assert reply.seconds is not None
    assert reply.seconds >= 0


@pytest.mark.parametrize(
    ("stop", "content", "fault"),
    [
        ("refusal", [], REPLY_REFUSED),
        ("refusal", [SAID], REPLY_REFUSED),
        ("max_tokens", [{"type": "text", "text": "{"}], REPLY_CUT_OFF),
        ("max_tokens", [THOUGHT], REPLY_CUT_OFF),
        ("model_context_window_exceeded", [{"type": "text", "text": "{"}], REPLY_CUT_OFF),
        ("tool_use", [CALL], REPLY_TOOL_CALL),
        ("end_turn", [SAID, CALL], REPLY_TOOL_CALL),
        ("end_turn", [{**CALL, "type": "server_tool_use"}, SAID], REPLY_TOOL_CALL),
        ("pause_turn", [SAID], REPLY_TOOL_CALL),
        ("end_turn", [], REPLY_EMPTY),
        ("end_turn", [THOUGHT], REPLY_EMPTY),
        ("end_turn", [{"type": "text", "text": " "}], REPLY_EMPTY),
    ],
)
def test_an_answer_that_is_none_has_a_fault_no_text_and_its_price(
    httpx2_mock: respx.Router, stop: str, content: list[object], fault: Code
) -> None:
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good(stop_reason=stop, content=content))
    reply = ask(ANTHROPIC.model())
    assert (reply.fault, reply.text, reply.stop) == (fault, "", stop)
    assert reply.usage.output_tokens == 30


def test_a_prompt_that_leaves_no_room_for_an_answer_is_too_long(httpx2_mock: respx.Router) -> None:
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good(stop_reason="model_context_window_exceeded", content=[]))
    with pytest.raises(TooLong, match="no room for an answer"):
        ask(ANTHROPIC.model())


@pytest.mark.parametrize(
    ("stop", "content"),
    [
        ("end_turn", [THOUGHT, SAID]),
        ("end_turn", [{"type": "redacted_thinking", "data": "x"}, SAID, {"type": "something-new"}]),
        ("end_turn", [{"type": "text", "text": TEXT[:3]}, {"type": "text", "text": TEXT[3:]}]),
        ("stop_sequence", [SAID]),
        (None, [SAID]),
    ],
)
def test_the_answer_is_the_text_without_thoughts(httpx2_mock: respx.Router, stop: str | None, content: list[object]) -> None:
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good(stop_reason=stop, content=content))
    reply = ask(ANTHROPIC.model())
    assert (reply.text, reply.fault) == (TEXT, None)


@pytest.mark.parametrize("changed", [{"content": None}, {"content": "text"}, {"usage": {"output_tokens": -3}}, {"model": 7}])
def test_an_answer_of_another_shape_is_a_failure(httpx2_mock: respx.Router, changed: Mapping[str, object]) -> None:
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good(**changed))
    with pytest.raises(ProviderFailure, match="something else"):
        ask(ANTHROPIC.model())


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, Usage()),
        ({"input_tokens": 5, "output_tokens": 6}, Usage(5, 6)),
        ({"output_tokens": 6, "cache_read_input_tokens": 4}, Usage(None, 6, cached_tokens=4)),
    ],
)
def test_what_a_server_does_not_count_is_not_guessed(
    httpx2_mock: respx.Router, usage: Mapping[str, int] | None, counted: Usage
) -> None:
    ANTHROPIC.route(httpx2_mock, ANTHROPIC.good(usage=usage))
    assert ask(ANTHROPIC.model()).usage == counted


def test_no_profile_of_the_sdk_changes_where_a_prompt_goes_or_who_pays(
    httpx2_mock: respx.Router, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = {"base_url": "https://elsewhere.example", "authentication": {"type": "user_oauth"}}
    (tmp_path / "configs").mkdir()
    for name in ("default", "mine"):
        (tmp_path / "configs" / f"{name}.json").write_text(json.dumps(profile))
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_PROFILE", "mine")
    route = ANTHROPIC.route(httpx2_mock, ANTHROPIC.good())
    ask(ANTHROPIC.model())
    assert route.calls.last.request.headers["authorization"] == f"Bearer {KEY}"


def test_the_record_says_where_a_prompt_goes() -> None:
    model = ANTHROPIC.model(environ={**ENVIRON, "ANTHROPIC_BASE_URL": "https://gate.example/anthropic"})
    assert model.parameters == {"endpoint": "https://gate.example/anthropic", "max-output-tokens": MAX_OUTPUT}
    assert ANTHROPIC.model().parameters["endpoint"] == "https://api.anthropic.com"


@pytest.mark.parametrize(("name", "room"), [("claude-sonnet-4-5", (200_000 - MAX_OUTPUT) * 3), ("no-such-model", None)])
def test_the_room_of_a_known_model_is_its_window_without_the_answer(name: str, room: int | None) -> None:
    assert asyncio.run(ANTHROPIC.model(name).room()) == room


def test_a_token_serves_where_there_is_no_key(httpx2_mock: respx.Router) -> None:
    route = ANTHROPIC.route(httpx2_mock, ANTHROPIC.good())
    ask(ANTHROPIC.model(environ={"ANTHROPIC_AUTH_TOKEN": "token-1"}))
    assert route.calls.last.request.headers["authorization"] == "Bearer token-1"


@pytest.mark.parametrize("environ", [{}, {"ANTHROPIC_API_KEY": "", "OPENAI_API_KEY": KEY}])
def test_without_its_own_key_nothing_is_sent(environ: Mapping[str, str]) -> None:
    with pytest.raises(NotConfigured) as refused:
        Anthropic("claude-x", environ=environ)
    assert str(refused.value) == ("anthropic:claude-x: there is no key for it (set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN)")
