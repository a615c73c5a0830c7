"""Batches on the wire: what is handed over, what each kind of row means, and what is never believed of a provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, TypeVar

import httpcore2
import httpx
import pytest
import respx

from agent.errors import Denied, NotConfigured, Passing, ProviderFailure, TooLong
from agent.model import calls, wire
from agent.model.anthropic import Anthropic
from agent.model.batches.anthropic import AnthropicBatches
from agent.model.batches.client import Batches, End, Phase, State
from agent.model.batches.openai import OpenAIBatches
from agent.model.client import Reply
from agent.model.openai import OpenAI
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code
from tests.agent.model.depot import DEPOTS, AnthropicDepot, Depot, OpenAIDepot, lines
from tests.agent.model.wired import ANTHROPIC, ENVIRON, KEY, OPENAI, PROMPT, TEXT, ask, sent

EACH = pytest.mark.parametrize("kind", DEPOTS, ids=lambda one: one.wire.prefix)
_T = TypeVar("_T")


def batches(kind: type[Depot], **options: Any) -> Batches:
    given = {"environ": ENVIRON, "retries": 0, **options}
    return (
        OpenAIBatches(OpenAI("some-model", **given))
        if kind is OpenAIDepot
        else AnthropicBatches(Anthropic("some-model", **given))
    )


def told(kind: type[Depot], ask_: Callable[[Batches], Awaitable[_T]], **options: Any) -> _T:
    """What one question brings, in a loop of its own."""

    async def once() -> _T:
        return await ask_(batches(kind, **options))

    return asyncio.run(once())


def ends(kind: type[Depot], state: State, batch: str = "batch_1") -> list[tuple[str, End]]:
    async def all_of(one: Batches) -> list[tuple[str, End]]:
        return [row async for row in one.ends(batch, state)]

    return told(kind, all_of)


def read(router: respx.Router, kind: type[Depot], *rows: Mapping[str, Any] | bytes) -> list[tuple[str, End]]:
    """The ends that result lines of a provider mean."""
    path = "/files/out/content" if kind is OpenAIDepot else "/v1/messages/batches/batch_1/results"
    host = kind.wire.address.removesuffix("/responses").removesuffix("/v1/messages")
    router.get(host + path).mock(return_value=lines(rows))
    return ends(kind, State(Phase.COMPLETED, pages=(path,)))


def openai(response: Any, error: Any = None) -> dict[str, Any]:
    return {"id": "batch_req_1", "custom_id": "one", "response": response, "error": error}


def answered(body: Mapping[str, Any], status: int = 200) -> dict[str, Any]:
    return openai({"status_code": status, "request_id": "req_7", "body": body})


def anthropic(**result: Any) -> dict[str, Any]:
    return {"custom_id": "one", "result": result}


def errored(kind: str, message: str = "quoted") -> dict[str, Any]:
    error = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"}
    return anthropic(type="errored", error=error)


@EACH
def test_a_row_holds_exactly_what_a_call_by_itself_sends(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    route = kind.wire.route(httpx2_mock, kind.wire.good())
    ask(kind.wire.model("some-model"))
    row = json.loads(batches(kind).row("one", PROMPT))
    body = sent(route)
    if kind is OpenAIDepot:
        assert row == {"custom_id": "one", "method": "POST", "url": "/v1/responses", "body": body}
    else:
        assert row == {"custom_id": "one", "params": body}


def test_a_batch_of_openai_bears_the_name_of_its_wave_and_its_files_are_not_kept_for_ever(httpx2_mock: respx.Router) -> None:
    depot = OpenAIDepot(httpx2_mock)
    rows = [batches(OpenAIDepot).row(name, PROMPT) for name in ("one", "two")]
    assert told(OpenAIDepot, lambda one: one.submit("wave-1", rows)) == "batch_1"
    week = 7 * 24 * 60 * 60
    assert depot.files["file-1"] == b"\n".join(rows) + b"\n"
    assert depot.orders == [
        {"purpose": b"batch", "expires_after[anchor]": b"created_at", "expires_after[seconds]": b"%d" % week},
        {
            "input_file_id": "file-1",
            "endpoint": "/v1/responses",
            "completion_window": "24h",
            "metadata": {"evidraft-wave": "wave-1"},
            "output_expires_after": {"anchor": "created_at", "seconds": week},
        },
    ]


def test_a_batch_of_anthropic_is_one_request_with_all_rows(httpx2_mock: respx.Router) -> None:
    depot = AnthropicDepot(httpx2_mock)
    rows = [batches(AnthropicDepot).row(name, PROMPT) for name in ("one", "two")]
    assert told(AnthropicDepot, lambda one: one.submit("wave-1", rows)) == "batch_1"
    assert depot.told == ["POST /messages/batches"]
    assert list(depot.held[0].rows.values()) == [json.loads(row) for row in rows]


@EACH
def test_handing_over_is_not_repeated_by_itself(httpx2_mock: respx.Router, waits: list[float], kind: type[Depot]) -> None:
    """It could be taken twice, and paid twice."""
    depot = kind(httpx2_mock)

    def lost(when: str, request: httpx.Request) -> httpx.Response | None:
        return httpx.Response(503) if when == "after" and request.url.path.endswith("batches") else None

    depot.meets = lost
    with pytest.raises(Passing, match="overloaded"):
        told(kind, lambda one: one.submit("wave-1", [one.row("one", PROMPT)]), retries=4)
    assert (len(depot.held), waits) == (1, [])


@EACH
def test_a_question_is_repeated_where_a_call_would_be(httpx2_mock: respx.Router, waits: list[float], kind: type[Depot]) -> None:
    depot = kind(httpx2_mock, polls=1)
    depot.take({"one": {}}, {})
    limited = httpx.Response(429, json={}, headers={"retry-after-ms": "1500"})
    met: Iterator[httpx.Response | Exception] = iter([limited, httpx.ConnectError("?")])
    depot.meets = lambda when, _request: next(met, None) if when == "before" else None
    assert told(kind, lambda one: one.state("batch_1"), retries=4).phase is Phase.COMPLETED
    assert (len(waits), waits[0]) == (2, 1.5)


@EACH
def test_nothing_but_our_own_headers_travels_and_the_key_only_to_the_named_host(
    httpx2_mock: respx.Router, kind: type[Depot]
) -> None:
    """The batch of one provider names another host for its results; nobody is asked there."""
    depot = kind(httpx2_mock, polls=0)
    seen: list[httpx.Request] = []

    def watched(when: str, request: httpx.Request) -> httpx.Response | None:
        seen.extend([request] if when == "before" else [])
        return None

    depot.meets = watched

    async def life(one: Batches) -> list[tuple[str, End]]:
        with calls.named("wave-1"):
            batch = await one.submit("wave-1", [one.row("one", PROMPT)])
        return [row async for row in one.ends(batch, await one.state(batch))]

    assert [name for name, _ in told(kind, life)] == ["one"]
    ours = {"host", "authorization", "accept", "accept-encoding", "content-type", "content-length", "user-agent"}
    ours |= {"idempotency-key", "x-stainless-raw-response", "anthropic-version"}
    for request in seen:
        assert set(request.headers) <= ours
        assert (request.url.host, request.headers["authorization"]) == (kind.host, f"Bearer {KEY}")
        assert request.headers.get("idempotency-key", "wave-1-").startswith("wave-1-")
        assert ("idempotency-key" in request.headers) == (request.method == "POST")


@pytest.mark.parametrize(
    ("status", "phase"),
    [
        ("validating", Phase.RUNNING),
        ("in_progress", Phase.RUNNING),
        ("finalizing", Phase.RUNNING),
        ("cancelling", Phase.RUNNING),
        ("completed", Phase.COMPLETED),
        ("expired", Phase.EXPIRED),
        ("cancelled", Phase.CANCELLED),
        ("failed", Phase.FAILED),
    ],
)
def test_each_state_of_a_batch_of_openai_is_known(httpx2_mock: respx.Router, status: str, phase: Phase) -> None:
    batch = {"id": "b", "status": status, "request_counts": {"completed": 2, "failed": 1, "total": 4}, "error_file_id": "e-1"}
    httpx2_mock.get("https://api.openai.com/v1/batches/b").mock(return_value=httpx.Response(200, json=batch))
    state = told(OpenAIDepot, lambda one: one.state("b"))
    assert (state.phase, state.done, state.total, state.pages) == (phase, 3, 4, ("/files/e-1/content",))


@pytest.mark.parametrize(
    ("code", "kind", "what"),
    [
        ("token_limit_exceeded", Passing, "takes no more batches for now"),
        ("invalid_json_schema", ProviderFailure, "JSON Schema"),
        ("model_not_found", Denied, "does not know the model"),
        ("insufficient_quota", Denied, "quota or credit is used up"),
        ("duplicate_custom_id", ProviderFailure, "does not take the request"),
        (None, ProviderFailure, "does not take the request"),
    ],
)
def test_a_batch_that_openai_did_not_take_says_why(
    httpx2_mock: respx.Router, code: str | None, kind: type[ProviderFailure], what: str
) -> None:
    error = {"code": code, "message": "quoted", "line": 3, "param": None}
    batch = {"id": "b", "status": "failed", "errors": {"object": "list", "data": [error]}}
    httpx2_mock.get("https://api.openai.com/v1/batches/b").mock(return_value=httpx.Response(200, json=batch))
    failure = told(OpenAIDepot, lambda one: one.state("b")).failure
    assert type(failure) is kind
    assert what in str(failure)
    assert "quoted" not in str(failure)


@pytest.mark.parametrize(
    ("status", "phase", "done"),
    [("in_progress", Phase.RUNNING, 0), ("canceling", Phase.RUNNING, 0), ("ended", Phase.COMPLETED, 6)],
)
def test_each_state_of_a_batch_of_anthropic_is_known(httpx2_mock: respx.Router, status: str, phase: Phase, done: int) -> None:
    counts = dict.fromkeys(("succeeded", "errored", "canceled", "expired"), 0) | {"processing": 6}
    ended = {"processing": 0, "succeeded": 3, "errored": 1, "canceled": 1, "expired": 1}
    batch = {"id": "b", "processing_status": status, "request_counts": ended if done else counts, "results_url": None}
    httpx2_mock.get("https://api.anthropic.com/v1/messages/batches/b").mock(return_value=httpx.Response(200, json=batch))
    state = told(AnthropicDepot, lambda one: one.state("b"))
    assert (state.phase, state.done, state.total) == (phase, done, 6)
    assert state.pages == ("/v1/messages/batches/b/results",)


@EACH
def test_a_batch_that_is_not_there_any_more_has_expired_and_has_no_rows(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    kind(httpx2_mock)
    state = told(kind, lambda one: one.state("batch_9"))
    assert (state.phase, ends(kind, state)) == (Phase.EXPIRED, [])


CUT = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
REFUSAL = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}


@pytest.mark.parametrize(
    ("kind", "row", "fault"),
    [
        (OpenAIDepot, answered(dict(OPENAI.answer)), None),
        (OpenAIDepot, answered({**OPENAI.answer, **CUT}), REPLY_CUT_OFF),
        (OpenAIDepot, answered({**OPENAI.answer, "output": []}), REPLY_EMPTY),
        (OpenAIDepot, answered({**OPENAI.answer, "output": [REFUSAL]}), REPLY_REFUSED),
        (OpenAIDepot, answered({**OPENAI.answer, "output": [{"type": "function_call", "id": "f"}]}), REPLY_TOOL_CALL),
        (AnthropicDepot, anthropic(type="succeeded", message=dict(ANTHROPIC.answer)), None),
        (AnthropicDepot, anthropic(type="succeeded", message={**ANTHROPIC.answer, "stop_reason": "max_tokens"}), REPLY_CUT_OFF),
        (AnthropicDepot, anthropic(type="succeeded", message={**ANTHROPIC.answer, "stop_reason": "refusal"}), REPLY_REFUSED),
        (AnthropicDepot, anthropic(type="succeeded", message={**ANTHROPIC.answer, "stop_reason": "tool_use"}), REPLY_TOOL_CALL),
        (AnthropicDepot, anthropic(type="succeeded", message={**ANTHROPIC.answer, "content": []}), REPLY_EMPTY),
    ],
)
def test_an_answer_in_a_row_is_read_as_one_by_itself(
    httpx2_mock: respx.Router, kind: type[Depot], row: Mapping[str, Any], fault: Code | None
) -> None:
    ((name, end),) = read(httpx2_mock, kind, row)
    assert isinstance(end, Reply)
    assert (name, end.fault, end.text) == ("one", fault, "" if fault else TEXT)
    assert (end.usage.input_tokens, end.usage.output_tokens, end.seconds, end.cost) == (100, 30, None, None)
    assert end.request_id == ("req_7" if kind is OpenAIDepot else "")


FULL: Mapping[str, object] = {"content": [], "stop_reason": "model_context_window_exceeded"}
LONG = "This model's maximum context length is 1000 tokens. However, your messages resulted in 2000 tokens."


@pytest.mark.parametrize(
    ("kind", "row", "failure", "what"),
    [
        (OpenAIDepot, openai(None, {"code": "batch_expired", "message": "quoted"}), Passing, "its batch expired"),
        (OpenAIDepot, openai(None, {"code": "batch_cancelled", "message": "quoted"}), ProviderFailure, "was cancelled"),
        (OpenAIDepot, openai(None, {"code": "new", "message": "quoted"}), Passing, "did not finish"),
        (OpenAIDepot, openai(None, None), Passing, "did not finish"),
        (OpenAIDepot, answered({"error": {"message": "quoted"}}, 400), ProviderFailure, "does not take the request"),
        (OpenAIDepot, answered({"error": {"message": LONG, "code": "context_length_exceeded"}}, 400), TooLong, "longer than"),
        (OpenAIDepot, answered({"error": {"code": "model_not_found"}}, 404), Denied, "does not know the model"),
        (OpenAIDepot, answered({"error": {"message": "quoted"}}, 429), Passing, "no more requests"),
        (OpenAIDepot, answered({"error": {"message": "quoted"}}, 500), Passing, r"failed (status 500)"),
        (OpenAIDepot, answered({**OPENAI.answer, "status": "failed", "error": {"code": "server_error"}}), Passing, "failed"),
        (OpenAIDepot, answered({"quoted": True}), ProviderFailure, "something else"),
        (AnthropicDepot, anthropic(type="expired"), Passing, "its batch expired"),
        (AnthropicDepot, anthropic(type="canceled"), ProviderFailure, "was cancelled"),
        (AnthropicDepot, anthropic(type="new"), Passing, "did not finish"),
        (AnthropicDepot, anthropic(type="succeeded"), Passing, "did not finish"),
        (AnthropicDepot, anthropic(type="succeeded", message={"quoted": 1}), ProviderFailure, "something else"),
        (AnthropicDepot, errored("invalid_request_error"), ProviderFailure, "does not take the request"),
        (AnthropicDepot, errored("invalid_request_error", "prompt is too long: 9 tokens > 8"), TooLong, "longer than"),
        (AnthropicDepot, errored("request_too_large"), TooLong, "longer than"),
        (AnthropicDepot, errored("authentication_error"), Denied, "does not accept the key"),
        (AnthropicDepot, errored("billing_error"), Denied, "quota or credit"),
        (AnthropicDepot, errored("permission_error"), Denied, "may not do this"),
        (AnthropicDepot, errored("not_found_error"), Denied, "does not know the model"),
        (AnthropicDepot, errored("rate_limit_error"), Passing, "no more requests"),
        (AnthropicDepot, errored("api_error"), Passing, "failed (status 500)"),
        (AnthropicDepot, errored("timeout_error"), Passing, "failed (status 504)"),
        (AnthropicDepot, errored("overloaded_error"), Passing, "overloaded"),
        (AnthropicDepot, errored("new_error"), Passing, "did not finish"),
        (
            AnthropicDepot,
            anthropic(
                type="succeeded", message={**ANTHROPIC.answer, "content": [], "stop_reason": "model_context_window_exceeded"}
            ),
            TooLong,
            "no room for an answer",
        ),
    ],
)
def test_a_row_without_an_answer_is_a_failure_of_its_kind_that_quotes_nothing(
    httpx2_mock: respx.Router, kind: type[Depot], row: Mapping[str, Any], failure: type[ProviderFailure], what: str
) -> None:
    ((name, end),) = read(httpx2_mock, kind, row)
    assert (name, type(end)) == ("one", failure)
    assert what in str(end)
    assert "quoted" not in str(end)
    assert str(end).startswith(f"{kind.wire.prefix}some-model: ")


@EACH
@pytest.mark.parametrize(
    "line", [b"<html>", b'{"custom_id": "on', b"[]", b'{"result": {}}', b"\xff", b'{"custom_id": 7}', b"null"]
)
def test_a_line_that_cannot_be_read_has_no_name_and_spoils_no_other(
    httpx2_mock: respx.Router, kind: type[Depot], line: bytes
) -> None:
    good = answered(dict(OPENAI.answer)) if kind is OpenAIDepot else anthropic(type="succeeded", message=dict(ANTHROPIC.answer))
    (torn, failure), (name, end) = read(httpx2_mock, kind, line, good)
    assert (torn, type(failure)) == ("", ProviderFailure)
    assert (name, isinstance(end, Reply)) == ("one", True)


@EACH
def test_lines_end_where_a_line_feed_stands_and_nowhere_else(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    """Separators of Unicode may stand in JSON as they are; empty lines and a missing last line feed do no harm."""
    strange = "a\u2028b\u0085c\u001cd".replace("\u001c", "")
    depot = kind(httpx2_mock)
    body = depot.said(strange)
    row = answered(body) if kind is OpenAIDepot else anthropic(type="succeeded", message=body)
    httpx2_mock.clear()
    rows = read(httpx2_mock, kind, b"", json.dumps(row, ensure_ascii=False).encode() + b"\r", b"  ")
    ((_, end),) = rows
    assert isinstance(end, Reply)
    assert end.text == strange


@EACH
def test_results_may_be_larger_than_an_answer_but_no_line_of_them(
    httpx2_mock: respx.Router, kind: type[Depot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MAX_BYTES", 5_000)
    good = answered(dict(OPENAI.answer)) if kind is OpenAIDepot else anthropic(type="succeeded", message=dict(ANTHROPIC.answer))
    assert len(read(httpx2_mock, kind, *[good] * 50)) == 50
    httpx2_mock.clear()
    with pytest.raises(ProviderFailure, match="larger than 5000 bytes") as failed:
        read(httpx2_mock, kind, b"x" * 200_000)
    assert failed.value.where == f"{kind.wire.prefix}some-model"
    monkeypatch.setattr(wire, "MAX_STREAM", 20_000)
    httpx2_mock.clear()
    with pytest.raises(ProviderFailure, match="larger than 20000 bytes"):
        read(httpx2_mock, kind, *[good] * 50)


@EACH
def test_results_that_break_off_are_a_failure_that_may_pass(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    class Breaking(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            yield b"\n"
            raise httpcore2.ReadError("?")

    host = kind.wire.address.removesuffix("/responses").removesuffix("/v1/messages")
    httpx2_mock.get(f"{host}/results").mock(return_value=httpx.Response(200, stream=Breaking()))
    with pytest.raises(Passing, match="could not be reached"):
        ends(kind, State(Phase.COMPLETED, pages=("/results",)))


@EACH
def test_batches_are_found_among_all_that_came_later_however_many(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock)
    for number in range(250):
        depot.take({f"{number}-{row}": {} for row in range(2 if number == 40 else 1)}, {"evidraft-wave": f"wave-{number}"})
    assert told(kind, lambda one: one.newest()) == "batch_250"
    assert told(kind, lambda one: one.found("wave-40", rows=2, after="batch_20")) == ("batch_41",)
    assert told(kind, lambda one: one.found("wave-40", rows=2, after="batch_41")) == ()
    assert told(kind, lambda one: one.found("wave-40", rows=2, after="")) == ("batch_41",)
    assert told(kind, lambda one: one.found("wave-x", rows=7, after="batch_1")) == ()


@EACH
def test_the_latest_of_no_batches_is_none(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    kind(httpx2_mock)
    assert told(kind, lambda one: one.newest()) == ""


@EACH
def test_a_server_that_has_no_batches_is_refused(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    httpx2_mock.route(host=kind.host).mock(return_value=httpx.Response(404, json={}))
    with pytest.raises(NotConfigured, match="it has no batches"):
        told(kind, lambda one: one.newest())


@EACH
def test_a_batch_can_be_cancelled_and_what_was_answered_is_read(httpx2_mock: respx.Router, kind: type[Depot]) -> None:
    depot = kind(httpx2_mock, polls=1)

    async def life(one: Batches) -> list[tuple[str, End]]:
        batch = await one.submit("wave-1", [one.row(name, PROMPT) for name in ("one", "two")])
        await one.cancel(batch)
        return [row async for row in one.ends(batch, await one.state(batch))]

    rows = dict(told(kind, life))
    assert isinstance(rows["one"], Reply)
    assert "was cancelled" in str(rows["two"])
    assert any(step.endswith("/batch_1/cancel") for step in depot.told)


@EACH
def test_rows_are_bounded_as_the_provider_says(kind: type[Depot]) -> None:
    one = batches(kind)
    assert (one.most_rows, one.most_bytes) == ((50_000, 200_000_000) if kind is OpenAIDepot else (100_000, 255_000_000))
