"""`openai:NAME`: a drafter behind OpenAI's Responses API (evidraft).

The prompt is sent as it is, with the schema of the reply; nothing is stored there, and no tool is offered. No temperature is
sent, for models that reason refuse one, and how much they reason is left to them. What goes in a batch is stored for a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agent.errors import ProviderFailure
from agent.model import refusals, wire
from agent.model.client import Prompt, Reply, Usage
from agent.model.hosted import Hosted, Provider
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_FILTERED, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code

if TYPE_CHECKING:
    from openai import AsyncOpenAI

KEY: Final = "OPENAI_API_KEY"
MAX_OUTPUT: Final = 16_384
"""Tokens of an answer and of the reasoning before it: as many as every model that takes a schema may write."""

_HEADERS: Final[Mapping[str, str]] = {"OPENAI_ORG_ID": "openai-organization", "OPENAI_PROJECT_ID": "openai-project"}
"""Whom a call is billed to, where a key may serve several."""
_POLICY: Final = frozenset({"invalid_prompt", "bio_policy", "misalignment_policy_violation", "content_filter"})
_STATUS: Final[Mapping[str, int]] = {"rate_limit_exceeded": 429, "server_error": 500}
_INCOMPLETE: Final[Mapping[str, Code]] = {"content_filter": REPLY_FILTERED}


class _Part(wire.OpenShape):
    type: str
    text: str = ""


class _Item(wire.OpenShape):
    type: str
    content: list[_Part] | None = None
    phase: str | None = None


class _Cached(wire.OpenShape):
    cached_tokens: wire.Count | None = None
    cache_write_tokens: wire.Count | None = None


class _Reasoned(wire.OpenShape):
    reasoning_tokens: wire.Count | None = None


class _Usage(wire.OpenShape):
    input_tokens: wire.Count | None = None
    output_tokens: wire.Count | None = None
    input_tokens_details: _Cached | None = None
    output_tokens_details: _Reasoned | None = None


class _Why(wire.OpenShape):
    reason: str | None = None


class _Error(wire.OpenShape):
    code: str | None = None


class _Response(wire.OpenShape):
    output: list[_Item]
    status: str = "completed"
    model: str | None = None
    usage: _Usage | None = None
    error: _Error | None = None
    incomplete_details: _Why | None = None

    @property
    def final(self) -> tuple[_Part, ...]:
        """The parts of the last message that is no comment on the way."""
        said = [item for item in self.output if item.type == "message" and item.phase != "commentary"]
        return tuple(said[-1].content or ()) if said else ()

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.final if part.type == "output_text")

    @property
    def reason(self) -> str:
        return (self.incomplete_details.reason if self.incomplete_details else None) or ""


class OpenAI(Hosted["AsyncOpenAI"]):
    """A model of OpenAI, or of whoever serves its Responses API at OPENAI_BASE_URL."""

    provider = Provider(
        name="openai",
        keys=(KEY,),
        base="OPENAI_BASE_URL",
        address="https://api.openai.com/v1",
        path="/responses",
        output=MAX_OUTPUT,
        request_id="x-request-id",
    )

    @property
    def parameters(self) -> Mapping[str, object]:
        """Where the prompt goes, the bounds of the answer, and that it is not stored there."""
        return {**super().parameters, "store": False}

    def body(self, prompt: Prompt) -> dict[str, object]:
        """The prompt with the schema of its reply."""
        system, user = prompt.messages
        return {
            "model": self._model,
            "instructions": system.content,
            "input": user.content,
            "text": {"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": dict(prompt.schema)}},
            "max_output_tokens": MAX_OUTPUT,
            "store": False,
        }

    def reply(self, answer: bytes, *, request_id: str | None = None) -> Reply:
        """What a response says: its last message that is no comment, or why there is none.

        Raises:
            ProviderFailure: it is none, or the provider failed after it took the request.
        """
        response = wire.read(answer, _Response, where=self.name)
        fault = self._fault(response)
        return Reply(
            "" if fault else response.text,
            usage=_counted(response.usage),
            fault=fault,
            model=wire.word(response.model),
            request_id=wire.word(request_id),
            stop=wire.word(response.reason or response.status),
        )

    def _billed(self, environ: Mapping[str, str]) -> Mapping[str, str]:
        return {header: text for name, header in _HEADERS.items() if (text := wire.word(environ.get(name)))}

    def _connected(self, key: str, headers: Mapping[str, str], *, retries: int, timeout: float) -> AsyncOpenAI:
        from openai import AsyncOpenAI  # noqa: PLC0415 - the SDK is loaded when it is needed

        http = wire.connected(headers, timeout=timeout)
        return AsyncOpenAI(api_key=key, base_url=self._endpoint, http_client=http, timeout=http.timeout, max_retries=retries)

    def _errors(self) -> type[Exception]:
        from openai import OpenAIError  # noqa: PLC0415 - as above

        return OpenAIError

    def _fault(self, response: _Response) -> Code | None:
        """Why there is no answer; None where there is one.

        Raises:
            ProviderFailure: the provider failed after it took the request.
        """
        if response.error is not None or response.status not in {"completed", "incomplete"}:
            return self._failed(response)
        return next(_faults(response), None)

    def _failed(self, response: _Response) -> Code:
        code = (response.error.code if response.error else None) or ""
        if code in _POLICY:
            return REPLY_FILTERED
        if code in _STATUS:
            raise refusals.refused(refusals.Refusal(_STATUS[code], frozenset({code}), "", None), where=self.name, keys=KEY)
        raise ProviderFailure("it took the request and did not finish it", where=self.name, cure="run it again later")


def _faults(response: _Response) -> Iterator[Code]:
    # None was offered, so that whatever is called is none of ours.
    if any(item.type.endswith("_call") or item.type.startswith("mcp_") for item in response.output):
        yield REPLY_TOOL_CALL
    if any(part.type == "refusal" for part in response.final):
        yield REPLY_REFUSED
    if response.status == "incomplete":
        yield _INCOMPLETE.get(response.reason, REPLY_CUT_OFF)
    if not response.text.strip():
        yield REPLY_EMPTY


def _counted(usage: _Usage | None) -> Usage:
    """The tokens of a call; those of the cache are part of the input, those of reasoning part of the output."""
    if usage is None:
        return Usage()
    cached, reasoned = usage.input_tokens_details or _Cached(), usage.output_tokens_details or _Reasoned()
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=cached.cached_tokens,
        written_tokens=cached.cache_write_tokens,
        reasoning_tokens=reasoned.reasoning_tokens,
    )
