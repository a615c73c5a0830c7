"""`anthropic:NAME`: a drafter behind Anthropic's Messages API (evidraft).

The prompt is sent as it is, with the schema of the reply; no tool is offered. The instructions, which are the same for every
part, are marked for the provider's cache. The interface takes no temperature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agent.errors import TooLong
from agent.model import wire
from agent.model.client import Prompt, Reply, Usage
from agent.model.hosted import Hosted, Provider
from guardrails.drafts.unusable import REPLY_CUT_OFF, REPLY_EMPTY, REPLY_REFUSED, REPLY_TOOL_CALL
from guardrails.findings import Code

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

KEYS: Final = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
MAX_OUTPUT: Final = 8_192
"""Tokens of an answer: as many as every model that takes a schema may write, and may write without being streamed."""

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


class Anthropic(Hosted["AsyncAnthropic"]):
    """A model of Anthropic, or of whoever serves its Messages API at ANTHROPIC_BASE_URL."""

    provider = Provider(
        name="anthropic",
        keys=KEYS,
        base="ANTHROPIC_BASE_URL",
        address="https://api.anthropic.com",
        path="/v1/messages",
        output=MAX_OUTPUT,
        request_id="request-id",
    )

    def body(self, prompt: Prompt) -> dict[str, object]:
        """The prompt with the schema of its reply."""
        system, user = prompt.messages
        return {
            "model": self._model,
            "max_tokens": MAX_OUTPUT,
            "system": [{"type": "text", "text": system.content, "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": user.content}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(prompt.schema)}},
        }

    def reply(self, answer: bytes, *, request_id: str | None = None) -> Reply:
        """What a message says: its texts, or why there are none.

        Raises:
            ProviderFailure: it is none.
            TooLong: the prompt left no room for an answer.
        """
        message = wire.read(answer, _Message, where=self.name)
        fault = next(self._faults(message), None)
        return Reply(
            "" if fault else message.text,
            usage=_counted(message.usage),
            fault=fault,
            model=wire.word(message.model),
            request_id=wire.word(request_id),
            stop=wire.word(message.stop_reason),
        )

    def _connected(self, key: str, headers: Mapping[str, str], *, retries: int, timeout: float) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - the SDK is loaded when it is needed

        http = wire.connected(headers, timeout=timeout)
        # With a key given, no profile or configuration file is read; and no trace takes evidence elsewhere.
        return AsyncAnthropic(
            api_key=key,
            base_url=self._endpoint,
            http_client=http,
            timeout=http.timeout,
            max_retries=retries,
            open_telemetry=False,
        )

    def _errors(self) -> type[Exception]:
        from anthropic import AnthropicError  # noqa: PLC0415 - as above

        return AnthropicError

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
