"""`openai:NAME`: a drafter behind OpenAI's Responses API (evidraft).

The prompt is sent as it is, with the schema of the reply; nothing is stored there, and no tool is offered. No temperature is
sent, for models that reason refuse one, and how much they reason is left to them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agent.errors import ProviderFailure
from agent.model import refusals, windows, wire
from agent.model.client import Model, Prompt, Reply, Usage
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_FILTERED, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code

if TYPE_CHECKING:
    from openai import AsyncOpenAI

PREFIX: Final = "openai:"
KEY: Final = "OPENAI_API_KEY"
BASE: Final = "OPENAI_BASE_URL"
MAX_OUTPUT: Final = 16_384
"""Tokens of an answer and of the reasoning before it: as many as every model that takes a schema may write."""

_ADDRESS: Final = "https://api.openai.com/v1"
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


class OpenAI(Model):
    """A model of OpenAI, or of whoever serves its Responses API at OPENAI_BASE_URL."""

    def __init__(self, name: str, *, environ: Mapping[str, str], retries: int = 4, timeout: float = 120.0) -> None:
        """Take the model's name and what the person's environment says; nothing is loaded or opened yet.

        Raises:
            NotConfigured: there is no key, or the name or the address is none.
        """
        self._model = wire.named(name, prefix=PREFIX)
        key = wire.key(environ, KEY, where=self.name)
        self._endpoint = wire.based(environ, BASE, _ADDRESS, where=self.name)
        told = {header: text for name, header in _HEADERS.items() if (text := wire.word(environ.get(name)))}
        headers = {"authorization": f"Bearer {key}", **told}

        def make() -> AsyncOpenAI:
            from openai import AsyncOpenAI  # noqa: PLC0415

            http = wire.connected(headers, timeout=timeout)
            return AsyncOpenAI(
                api_key=key, base_url=self._endpoint, http_client=http, timeout=http.timeout, max_retries=retries
            )

        self._sdk = wire.Held(make)

    @property
    def name(self) -> str:
        """`openai:NAME`."""
        return f"{PREFIX}{self._model}"

    @property
    def parameters(self) -> Mapping[str, object]:
        """Where the prompt goes, and the bounds of the answer."""
        return {"endpoint": self._endpoint, "max-output-tokens": MAX_OUTPUT, "store": False}

    async def room(self) -> int | None:
        """What its context window leaves beside the answer."""
        return windows.room("openai", self._model, reserve=MAX_OUTPUT)

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            ProviderFailure: it cannot be reached or refuses, or (TooLong) the prompt does not fit.
        """
        from openai import OpenAIError  # noqa: PLC0415

        system, user = prompt.messages
        begun = time.monotonic()
        call = self._sdk.get().responses.with_raw_response.create(
            model=self._model,
            instructions=system.content,
            input=user.content,
            text={"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": dict(prompt.schema)}},
            max_output_tokens=MAX_OUTPUT,
            store=False,
        )
        raw = await wire.answered(call, OpenAIError, where=self.name, keys=KEY)
        response = wire.read(raw.content, _Response, where=self.name)
        fault = self._fault(response)
        return Reply(
            "" if fault else response.text,
            usage=_counted(response.usage),
            fault=fault,
            model=wire.word(response.model),
            request_id=wire.word(raw.headers.get("x-request-id")),
            stop=wire.word(response.reason or response.status),
            seconds=round(time.monotonic() - begun, 3),
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._sdk.close()

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
