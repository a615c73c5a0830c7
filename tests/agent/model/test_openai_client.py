"""`openai:NAME`: what is sent, and what each kind of answer means."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
import respx

from agent.errors import NotConfigured, ProviderFailure
from agent.model.client import Usage
from agent.model.openai import MAX_OUTPUT, OpenAI
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_FILTERED, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code
from tests.agent.model.wired import ENVIRON, KEY, OPENAI, PROMPT, SCHEMA, TEXT, ask, sent


def message(*parts: Mapping[str, object], **more: object) -> dict[str, Any]:
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": list(parts), **more}


def said(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}


CALL = {"type": "function_call", "id": "f", "call_id": "c", "name": "shell", "arguments": "{}"}
REFUSAL = {"type": "refusal", "refusal": "No."}


def test_a_prompt_is_sent_whole_with_its_schema_and_nothing_is_stored_or_offered(httpx2_mock: respx.Router) -> None:
    route = OPENAI.route(httpx2_mock, OPENAI.good())
    ask(OPENAI.model("gpt-x"))
    system, user = PROMPT.messages
    assert sent(route) == {
        "model": "gpt-x",
        "instructions": system.content,
        "input": user.content,
        "text": {"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": SCHEMA}},
        "max_output_tokens": MAX_OUTPUT,
        "store": False,
    }


def test_a_reply_tells_all_that_the_provider_tells_of_it(httpx2_mock: respx.Router) -> None:
    OPENAI.route(httpx2_mock, OPENAI.good())
    reply = ask(OPENAI.model())
    assert (reply.text, reply.fault, reply.stop) == (TEXT, None, "completed")
    assert (reply.model, reply.request_id, reply.kept, reply.cost) == ("some-model-2026-01-01", "req_7", False, None)
    assert reply.usage == Usage(100, 30, cached_tokens=60, written_tokens=10, reasoning_tokens=20)
    assert reply.seconds is not None
    assert reply.seconds >= 0


@pytest.mark.parametrize(
    ("changed", "fault", "stop"),
    [
        ({"output": [message(REFUSAL)]}, REPLY_REFUSED, "completed"),
        ({"output": [message(said("{"), REFUSAL)]}, REPLY_REFUSED, "completed"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, REPLY_CUT_OFF, "max_output_tokens"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, REPLY_FILTERED, "content_filter"),
        ({"status": "incomplete", "incomplete_details": {"reason": "new"}}, REPLY_CUT_OFF, "new"),
        ({"status": "incomplete", "incomplete_details": None}, REPLY_CUT_OFF, "incomplete"),
        ({"status": "failed", "error": {"code": "invalid_prompt", "message": "?"}}, REPLY_FILTERED, "failed"),
        ({"output": []}, REPLY_EMPTY, "completed"),
        ({"output": [message()]}, REPLY_EMPTY, "completed"),
        ({"output": [message(said("  \n"))]}, REPLY_EMPTY, "completed"),
        ({"output": [message(said(TEXT), phase="commentary")]}, REPLY_EMPTY, "completed"),
        ({"output": [CALL]}, REPLY_TOOL_CALL, "completed"),
        ({"output": [CALL, message(said(TEXT))]}, REPLY_TOOL_CALL, "completed"),
        ({"output": [{"type": "mcp_approval_request", "id": "a"}]}, REPLY_TOOL_CALL, "completed"),
    ],
)
def test_an_answer_that_is_none_has_a_fault_no_text_and_its_price(
    httpx2_mock: respx.Router, changed: Mapping[str, object], fault: Code, stop: str
) -> None:
    OPENAI.route(httpx2_mock, OPENAI.good(**changed))
    reply = ask(OPENAI.model())
    assert (reply.fault, reply.text, reply.stop) == (fault, "", stop)
    assert reply.usage.output_tokens == 30


@pytest.mark.parametrize(
    "output",
    [
        [message(said('{"fields": '), said("[]}"))],
        [message(said("First a look."), phase="commentary"), message(said(TEXT), phase="final_answer")],
        [message(said("{}")), message(said(TEXT))],
        [{"type": "reasoning", "id": "r", "summary": [], "content": [said("Hm.")]}, message(said(TEXT))],
        [{"type": "something-new", "id": "n"}, message(said(TEXT), {"type": "also-new"})],
    ],
)
def test_the_answer_is_the_last_message_that_is_no_comment(httpx2_mock: respx.Router, output: list[object]) -> None:
    OPENAI.route(httpx2_mock, OPENAI.good(output=output))
    reply = ask(OPENAI.model())
    assert (reply.text, reply.fault) == (TEXT, None)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"status": "failed", "error": {"code": "server_error", "message": KEY}}, "failed"),
        ({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": KEY}}, "no more requests"),
        ({"status": "failed", "error": {"code": "image_parse_error", "message": KEY}}, "did not finish"),
        ({"status": "failed", "error": None}, "did not finish"),
        ({"status": "in_progress"}, "did not finish"),
        ({"status": "queued"}, "did not finish"),
        ({"status": "cancelled"}, "did not finish"),
        ({"output": "text"}, "something else"),
        ({"output": [{"content": []}]}, "something else"),
        ({"usage": {"input_tokens": -1}}, "something else"),
        ({"status": 7}, "something else"),
    ],
)
def test_a_request_that_failed_after_it_was_taken_is_a_failure(
    httpx2_mock: respx.Router, changed: Mapping[str, object], what: str
) -> None:
    OPENAI.route(httpx2_mock, OPENAI.good(**changed))
    with pytest.raises(ProviderFailure, match=what) as failed:
        ask(OPENAI.model())
    assert (failed.value.where, bool(failed.value.cure)) == ("openai:some-model", True)
    assert KEY not in str(failed.value)


def test_what_a_server_does_not_count_is_not_guessed(httpx2_mock: respx.Router) -> None:
    OPENAI.route(httpx2_mock, OPENAI.good(usage=None, model=None, status="completed"))
    reply = ask(OPENAI.model())
    assert (reply.usage, reply.model, reply.text) == (Usage(), "", TEXT)


def test_organization_and_project_travel_where_the_person_named_them(httpx2_mock: respx.Router) -> None:
    route = OPENAI.route(httpx2_mock, OPENAI.good())
    ask(OPENAI.model(environ={**ENVIRON, "OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj_2"}))
    headers = route.calls.last.request.headers
    assert (headers["openai-organization"], headers["openai-project"]) == ("org-1", "proj_2")


def test_the_record_says_where_a_prompt_goes() -> None:
    model = OPENAI.model(environ={**ENVIRON, "OPENAI_BASE_URL": " https://gate.example:8443/openai/v1/ "})
    assert model.parameters == {
        "endpoint": "https://gate.example:8443/openai/v1",
        "max-output-tokens": MAX_OUTPUT,
        "store": False,
    }
    assert OPENAI.model().parameters["endpoint"] == "https://api.openai.com/v1"


@pytest.mark.parametrize(("name", "room"), [("gpt-4o-mini", (128_000 - MAX_OUTPUT) * 3), ("no-such-model", None)])
def test_the_room_of_a_known_model_is_its_window_without_the_answer(name: str, room: int | None) -> None:
    assert asyncio.run(OPENAI.model(name).room()) == room


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": "  "}, {"ANTHROPIC_API_KEY": KEY}, {"OPENAI_ADMIN_KEY": KEY}])
def test_without_its_own_key_nothing_is_sent(environ: Mapping[str, str]) -> None:
    with pytest.raises(NotConfigured) as refused:
        OpenAI("gpt-x", environ=environ)
    assert str(refused.value) == "openai:gpt-x: there is no key for it (set OPENAI_API_KEY)"
