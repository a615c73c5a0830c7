"""`anthropic:NAME`: a drafter behind Anthropic's Messages API (evidraft).

The prompt is sent as it is, with the schema of the reply; no tool is offered. The instructions, which are the same for every
part, are marked for the provider's cache. The interface takes no temperature.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agent.errors import TooLong
from agent.model import windows, wire
from agent.model.client import Model, Prompt, Reply, Usage
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

PREFIX: Final = "anthropic:"
KEYS: Final = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
BASE: Final = "ANTHROPIC_BASE_URL"
MAX_OUTPUT: Final = 8_192
"""Tokens of an answer: as many as every model that takes a schema may write, and may write without being streamed."""

_ADDRESS: Final = "https://api.anthropic.com"
_FULL: Final = "model_context_window_exceeded"
_STOPS: Final[Mapping[str, Code]] = {
    "refusal": REPLY_REFUSED,
    "tool_use": REPLY_TOOL_CALL,
    # What is paused waits for a tool of the provider's own, and none was offered.
    "pause_turn": REPLY_TOOL_CALL,
    "max_tokens": REPLY_CUT_OFF,
    _FULL: REPLY_CUT_OFF,
}


class _Block(wire.OpenShape):
    type: str
    text: str = ""


class _Thought(wire.OpenShape):
    thinking_tokens: wire.Count | None = None


class _Usage(wire.OpenShape):
    input_tokens: wire.Count | None = None
    output_tokens: wire.Count | None = None
    cache_read_input_tokens: wire.Count | None = None
    cache_creation_input_tokens: wire.Count | None = None
    output_tokens_details: _Thought | None = None


class _Message(wire.OpenShape):
    content: list[_Block]
    model: str | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.content if block.type == "text")


class Anthropic(Model):
    """A model of Anthropic, or of whoever serves its Messages API at ANTHROPIC_BASE_URL."""

    def __init__(self, name: str, *, environ: Mapping[str, str], retries: int = 4, timeout: float = 120.0) -> None:
        """Take the model's name and what the person's environment says; nothing is loaded or opened yet.

        Raises:
            NotConfigured: there is no key, or the name or the address is none.
        """
        self._model = wire.named(name, prefix=PREFIX)
        key = wire.key(environ, *KEYS, where=self.name)
        self._endpoint = wire.based(environ, BASE, _ADDRESS, where=self.name)

        def make() -> AsyncAnthropic:
            from anthropic import AsyncAnthropic  # noqa: PLC0415

            http = wire.connected({"authorization": f"Bearer {key}"}, timeout=timeout)
            # With a key given, no profile or configuration file is read; and no trace takes evidence elsewhere.
            return AsyncAnthropic(
                api_key=key,
                base_url=self._endpoint,
                http_client=http,
                timeout=http.timeout,
                max_retries=retries,
                open_telemetry=False,
            )

        self._sdk = wire.Held(make)

    @property
    def name(self) -> str:
        """`anthropic:NAME`."""
        return f"{PREFIX}{self._model}"

    @property
    def parameters(self) -> Mapping[str, object]:
        """Where the prompt goes, and the bounds of the answer."""
        return {"endpoint": self._endpoint, "max-output-tokens": MAX_OUTPUT}

    async def room(self) -> int | None:
        """What its context window leaves beside the answer."""
        return windows.room("anthropic", self._model, reserve=MAX_OUTPUT)

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            ProviderFailure: it cannot be reached or refuses, or (TooLong) the prompt does not fit.
        """
        from anthropic import AnthropicError  # noqa: PLC0415

        system, user = prompt.messages
        begun = time.monotonic()
        call = self._sdk.get().messages.with_raw_response.create(
            model=self._model,
            max_tokens=MAX_OUTPUT,
            system=[{"type": "text", "text": system.content, "cache_control": {"type": "ephemeral"}}],
            messages=[{"role": "user", "content": user.content}],
            output_config={"format": {"type": "json_schema", "schema": dict(prompt.schema)}},
        )
        raw = await wire.answered(call, AnthropicError, where=self.name, keys=" or ".join(KEYS))
        message = wire.read(await raw.read(), _Message, where=self.name)
        fault = next(self._faults(message), None)
        return Reply(
            "" if fault else message.text,
            usage=_counted(message.usage),
            fault=fault,
            model=wire.word(message.model),
            request_id=wire.word(raw.headers.get("request-id")),
            stop=wire.word(message.stop_reason),
            seconds=round(time.monotonic() - begun, 3),
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._sdk.close()

    def _faults(self, message: _Message) -> Iterator[Code]:
        """Why there is no answer, most telling first.

        Raises:
            TooLong: the prompt left no room for an answer.
        """
        stop = message.stop_reason or ""
        if stop == _FULL and not message.text:
            raise TooLong("the prompt leaves no room for an answer", where=self.name, cure="describe a smaller range")
        if stop in _STOPS:
            yield _STOPS[stop]
        if any(block.type.endswith("tool_use") for block in message.content):
            yield REPLY_TOOL_CALL
        if not message.text.strip():
            yield REPLY_EMPTY


def _counted(usage: _Usage | None) -> Usage:
    """The tokens of a call. The input is all that was read: the provider counts what its cache had, or took up, apart."""
    if usage is None:
        return Usage()
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    thought = usage.output_tokens_details or _Thought()
    return Usage(
        input_tokens=None if usage.input_tokens is None else usage.input_tokens + read + written,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cache_read_input_tokens,
        written_tokens=usage.cache_creation_input_tokens,
        reasoning_tokens=thought.thinking_tokens,
    )
