"""What servers of the chat interface answer, read into a Reply: the text, why there is none, and what it took (evidraft)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agent.model.client import Reply, Usage
from guardrails.drafts import unusable
from guardrails.findings import Code

_LONGEST: Final = 200
_WORD: Final = re.compile(r"[\w./:@+-]{1,200}", re.ASCII)
_PIECES: Final = re.compile(r"\w+|[^\w\s]+")
_FEWEST: Final = 0.8
"""Tokens for each run of letters or of signs; measured 1.05 to 2.3 over real changes, in vocabularies of 49 000 to 200 000."""
_USUAL: Final = 1.3
_ENDS: Final[dict[str, Code]] = {
    "length": unusable.REPLY_CUT_OFF,
    "max_tokens": unusable.REPLY_CUT_OFF,
    "abort": unusable.REPLY_CUT_OFF,
    "error": unusable.REPLY_CUT_OFF,
    "content_filter": unusable.REPLY_FILTERED,
    "tool_calls": unusable.REPLY_TOOL_CALL,
    "function_call": unusable.REPLY_TOOL_CALL,
}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: object) -> str:
    """A text, or the texts of a list of parts; whatever else is none."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict) and part.get("type") == "text")
    return value if isinstance(value, str) else ""


def _table(value: object) -> object:
    return value if isinstance(value, dict) else {}


class _Part(BaseModel):
    """Servers say more than is asked, and leave out what they do not know."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


Count: TypeAlias = Annotated[int | None, BeforeValidator(_count)]
Text: TypeAlias = Annotated[str, BeforeValidator(_text)]


class _Read(_Part):
    cached_tokens: Count = None


class _Written(_Part):
    reasoning_tokens: Count = None


class _Usage(_Part):
    prompt_tokens: Count = None
    completion_tokens: Count = None
    prompt_tokens_details: Annotated[_Read, BeforeValidator(_table)] = _Read()
    completion_tokens_details: Annotated[_Written, BeforeValidator(_table)] = _Written()


class _Message(_Part):
    content: Text = ""
    refusal: Text = ""
    tool_calls: Any = None
    function_call: Any = None


class _Choice(_Part):
    message: Annotated[_Message, BeforeValidator(_table)] = _Message()
    finish_reason: Text = ""


class Completion(_Part):
    """The answer of the chat interface as far as it is of use; of several choices the first counts."""

    id: Text = ""
    model: Text = ""
    choices: Annotated[tuple[_Choice, ...], Field(max_length=100)]
    usage: Annotated[_Usage, BeforeValidator(_table)] = _Usage()

    @property
    def fault(self) -> Code | None:
        """Why there is no answer in it; None where there is one."""
        choice = self._first
        if choice.message.refusal:
            return unusable.REPLY_REFUSED
        if choice.finish_reason in _ENDS:
            return _ENDS[choice.finish_reason]
        if choice.message.tool_calls or choice.message.function_call:
            return unusable.REPLY_TOOL_CALL
        return None if choice.message.content.strip() else unusable.REPLY_EMPTY

    def reply(self, *, asked: str, request_id: str, seconds: float) -> Reply:
        """The reply of it; `asked` is the model that was asked, for servers that do not say which answered."""
        return Reply(
            "" if self.fault else self._first.message.content,
            usage=Usage(
                input_tokens=self.usage.prompt_tokens,
                output_tokens=self.usage.completion_tokens,
                cached_tokens=self.usage.prompt_tokens_details.cached_tokens,
                reasoning_tokens=self.usage.completion_tokens_details.reasoning_tokens,
            ),
            fault=self.fault,
            model=shown(self.model or asked),
            request_id=_word(request_id) or _word(self.id),
            stop=_word(self._first.finish_reason),
            seconds=seconds,
        )

    @property
    def _first(self) -> _Choice:
        return self.choices[0] if self.choices else _Choice()


@lru_cache(maxsize=8)
def _pieces(text: str) -> int:
    """The instructions are the same in every prompt, and longer than most of what is asked."""
    return len(_PIECES.findall(text))


@dataclass(frozen=True, slots=True)
class Measure:
    """How many tokens a prompt has, as far as its text tells, to know one that a server cut without a word."""

    pieces: int

    @classmethod
    def of(cls, texts: tuple[str, ...]) -> Measure:
        """Count the runs of letters and of signs."""
        return cls(sum(map(_pieces, texts)))

    def share(self, usage: Usage, context: int | None) -> float | None:
        """How much of the prompt may fit, where the server cannot have read all of it and kept it to the end; else None.

        No count and a count of nothing say nothing. A call that filled the whole context began to forget its prompt.
        """
        told = usage.input_tokens
        if not told:
            return None
        is_full = context is not None and told + (usage.output_tokens or 0) >= context
        if is_full or told < self.pieces * _FEWEST:
            return min(0.8, max(0.05, told / (_USUAL * self.pieces)))
        return None


def shown(model: str) -> str:
    """The name of a model for people and records: of a path only its end, since the rest tells of someone's disk."""
    name = re.split(r"[/\\]", model)[-1] if re.match(r"[/\\~]|[A-Za-z]:\\", model) else model
    return "".join(sign for sign in name if sign.isprintable())[:_LONGEST]


def _word(text: str) -> str:
    return text if _WORD.fullmatch(text) else ""
