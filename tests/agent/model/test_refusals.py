"""What a provider's refusal means: one table, held against what the providers answer, through their own SDKs."""

from __future__ import annotations

import ssl
from typing import Any

import httpx
import pytest
import respx

from agent.errors import Denied, NotConfigured, Passing, ProviderFailure, TooLong
from agent.model import refusals
from agent.model.refusals import Refusal
from tests.agent.model.wired import ANTHROPIC, OPENAI, WIRES, Wire, ask

QUOTED = "quoted-from-the-evidence"
EACH = pytest.mark.parametrize("provider", WIRES, ids=lambda one: one.prefix)


def openai(code: str | None, message: str = "?", kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"error": {"message": f"{message} {QUOTED}", "type": kind, "param": None, "code": code}}


def anthropic(kind: str, message: str = "?", code: str | None = None) -> dict[str, Any]:
    details = {"error_code": code} if code else None
    return {"type": "error", "error": {"type": kind, "message": f"{message} {QUOTED}", "details": details}, "request_id": "r"}


TABLE = [
    (OPENAI, 401, openai("invalid_api_key"), "does not accept the key", "set OPENAI_API_KEY to a key that is valid"),
    (OPENAI, 403, openai("unsupported_country_region_territory"), "may not do this", "set OPENAI_API_KEY to a key that may"),
    (OPENAI, 404, openai("model_not_found"), "does not know the model", "check the model's name"),
    (OPENAI, 400, openai("model_not_found"), "does not know the model", "check the model's name"),
    (OPENAI, 404, openai(None), "no such model or address", "check the model's name and the address"),
    (OPENAI, 405, openai(None), "no such model or address", "check the model's name and the address"),
    (OPENAI, 400, openai("invalid_json_schema"), "does not take the JSON Schema", "take a model that writes JSON by a schema"),
    (OPENAI, 400, openai(None, "Invalid parameter: 'text.format' of type 'json_schema'"), "JSON Schema", "take a model"),
    (OPENAI, 400, openai("unsupported_parameter"), r"does not take the request \(status 400\)", "take another model"),
    (OPENAI, 422, openai(None), r"does not take the request \(status 422\)", "take another model"),
    (OPENAI, 418, openai(None), r"does not take the request \(status 418\)", "take another model"),
    (OPENAI, 408, openai(None), "took too long to arrive", "run it again later"),
    (OPENAI, 409, openai(None), "another request was in the way", "run it again later"),
    (OPENAI, 429, openai("rate_limit_exceeded"), "no more requests for now", "run it again later, or with fewer --jobs"),
    (OPENAI, 429, openai("insufficient_quota"), "quota or credit is used up", "billing"),
    (OPENAI, 403, openai("billing_not_active"), "quota or credit is used up", "billing"),
    (OPENAI, 500, openai(None, kind="server_error"), r"failed \(status 500\)", "run it again later"),
    (OPENAI, 502, "<html>bad gateway</html>", r"failed \(status 502\)", "run it again later"),
    (OPENAI, 503, openai(None), "overloaded", "run it again later"),
    (ANTHROPIC, 401, anthropic("authentication_error"), "does not accept the key", "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"),
    (ANTHROPIC, 402, anthropic("billing_error"), "quota or credit is used up", "billing"),
    (ANTHROPIC, 402, anthropic("new_error"), "not paid for", "billing"),
    (ANTHROPIC, 400, anthropic("invalid_request_error", "Your credit balance is too low"), "quota or credit", "billing"),
    (ANTHROPIC, 403, anthropic("permission_error"), "may not do this", "to a key that may use this model"),
    (ANTHROPIC, 404, anthropic("not_found_error"), "does not know the model", "check the model's name"),
    (ANTHROPIC, 400, anthropic("invalid_request_error", "output_config.format.schema: no"), "JSON Schema", "take a model"),
    (ANTHROPIC, 400, anthropic("invalid_request_error"), r"does not take the request \(status 400\)", "take another model"),
    (ANTHROPIC, 429, anthropic("rate_limit_error"), "no more requests for now", "run it again later, or with fewer --jobs"),
    (ANTHROPIC, 429, anthropic("rate_limit_error", code="insufficient_quota"), "quota or credit", "billing"),
    (ANTHROPIC, 500, anthropic("api_error"), r"failed \(status 500\)", "run it again later"),
    (ANTHROPIC, 504, anthropic("timeout_error"), r"failed \(status 504\)", "run it again later"),
    (ANTHROPIC, 529, anthropic("overloaded_error"), "overloaded", "run it again later"),
]

KINDS = {
    Denied: [
        (401, "authentication_error"),
        (402, "?"),
        (403, "?"),
        (404, "?"),
        (400, "model_not_found"),
        (429, "insufficient_quota"),
    ],
    Passing: [(408, "?"), (409, "?"), (429, "?"), (500, "?"), (502, "?"), (503, "?"), (529, "?")],
    TooLong: [(413, "?"), (400, "context_length_exceeded")],
    ProviderFailure: [(302, "?"), (400, "?"), (400, "invalid_json_schema"), (418, "?"), (422, "?")],
}

TOO_LONG = [
    (OPENAI, 400, openai("context_length_exceeded", "Your input exceeds the context window of this model."), 0.5),
    (
        OPENAI,
        400,
        openai(
            "context_length_exceeded",
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 256000 tokens.",
        ),
        0.45,
    ),
    (
        OPENAI,
        400,
        openai(
            None,
            "This model's maximum context length is 4096 tokens. However, you requested 8192 tokens (7000 in the messages).",
        ),
        0.45,
    ),
    (
        OPENAI,
        400,
        {"error": {"code": 400, "message": "?", "type": "exceed_context_size_error", "n_prompt_tokens": 4000, "n_ctx": 1000}},
        0.225,
    ),
    (OPENAI, 413, openai(None), 0.5),
    (ANTHROPIC, 400, anthropic("invalid_request_error", "prompt is too long: 400000 tokens > 200000 maximum"), 0.45),
    (
        ANTHROPIC,
        400,
        anthropic("invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000"),
        0.5,
    ),
    (ANTHROPIC, 413, anthropic("request_too_large"), 0.5),
]


@pytest.mark.parametrize(("provider", "status", "body", "words"), [(*row[:3], row[3:]) for row in TABLE])
def test_a_refusal_says_what_it_means_and_the_one_thing_to_do(
    httpx2_mock: respx.Router, provider: Wire, status: int, body: object, words: tuple[str, str]
) -> None:
    provider.route(httpx2_mock, httpx.Response(status, json=body))
    with pytest.raises(ProviderFailure, match=words[0]) as failed:
        ask(provider.model())
    assert words[1] in failed.value.cure
    assert failed.value.where == f"{provider.prefix}some-model"
    assert not isinstance(failed.value, (TooLong, NotConfigured))
    assert QUOTED not in str(failed.value)


@pytest.mark.parametrize(("provider", "status", "body", "share"), TOO_LONG)
def test_a_prompt_that_does_not_fit_says_how_much_of_it_may(
    httpx2_mock: respx.Router, provider: Wire, status: int, body: object, share: float
) -> None:
    provider.route(httpx2_mock, httpx.Response(status, json=body))
    with pytest.raises(TooLong) as failed:
        ask(provider.model())
    assert failed.value.share == pytest.approx(share)
    assert QUOTED not in str(failed.value)


@pytest.mark.parametrize(
    ("limit", "asked", "share"),
    [(0, 5, 0.5), (5, 0, 0.5), (5, 5, 0.5), (-1, 5, 0.5), (1, 10**9, 0.05), ("5", 9, 0.5), (True, 9, 0.5)],
)
def test_numbers_that_cannot_be_are_not_believed(limit: object, asked: object, share: float) -> None:
    body = {"n_ctx": limit, "n_prompt_tokens": asked}
    assert refusals.share(Refusal(400, frozenset(), "", body)) == share


def test_no_refusal_is_without_a_word_and_a_cure() -> None:
    for status in (*range(300, 600), 200, 999):
        failed = refusals.refused(Refusal(status, frozenset(), "", None), where="there", keys="A_KEY")
        assert failed.what, status
        assert failed.cure, status
        assert "{" not in failed.what + failed.cure, status


@EACH
@pytest.mark.parametrize("body", [b"", b"text", b"[]", b"null", b'{"error": "x"}', b'{"error": {"code": [], "message": {}}}'])
def test_a_refusal_in_no_known_words_is_known_by_its_status(provider: Wire, body: bytes, httpx2_mock: respx.Router) -> None:
    provider.route(httpx2_mock, httpx.Response(409, content=body, headers={"content-type": "application/json"}))
    with pytest.raises(ProviderFailure, match="another request was in the way"):
        ask(provider.model())


class APIConnectionError(Exception):
    """Named as those of the SDKs."""


def test_a_certificate_that_is_not_trusted_is_told_from_a_network_that_fails() -> None:
    error = APIConnectionError()
    error.__cause__ = OSError()
    assert "could not be reached" in str(refusals.failure(error, where="there"))
    error.__cause__.__cause__ = ssl.SSLCertVerificationError()
    assert str(refusals.failure(error, where="there")).startswith("there: its certificate is not trusted (install")


def test_causes_that_go_in_a_circle_are_looked_through_once() -> None:
    error, other = APIConnectionError(), OSError()
    error.__cause__, other.__cause__ = other, error
    assert "could not be reached" in str(refusals.failure(error, where="there"))


def test_an_error_of_no_known_name_is_an_answer_that_was_not_asked_for() -> None:
    assert "something else" in str(refusals.failure(RuntimeError("?"), where="there"))


@pytest.mark.parametrize(
    ("kind", "status", "code"), [(kind, *one) for kind, several in KINDS.items() for one in several], ids=str
)
def test_a_failure_tells_by_its_class_whether_it_may_pass_or_meets_every_prompt(
    kind: type[ProviderFailure], status: int, code: str
) -> None:
    assert type(refusals.refused(Refusal(status, frozenset({code}), "", None), where="x")) is kind
