"""Replies as JSON: how recordings and caches hold them, and what is read back (evidraft)."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from agent.model.client import Reply, Usage
from guardrails.drafts.unusable import UNUSABLE
from guardrails.shapes import StrictShape

VERSION: Final = "1.0.0"
_FAULTS: Final = {code.name: code for code in UNUSABLE}
_BARE: Final = "fields"
"""What a reply by itself has, and a written one has not."""


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _known(fault: str) -> str:
    if fault not in _FAULTS:
        raise ValueError("Fault should be a code of ours")
    return fault


def _number(text: str) -> str:
    try:
        is_number = Decimal(text).is_finite()
    except InvalidOperation:
        is_number = False
    if not is_number:
        raise ValueError("Text should be a decimal number")
    return text


_Count = Annotated[int, Field(ge=0)]


class _Shape(StrictShape):
    model_config = ConfigDict(alias_generator=_dashed, populate_by_name=True)


class WrittenUsage(_Shape):
    """Tokens; null where the drafter did not say."""

    input_tokens: _Count | None = None
    output_tokens: _Count | None = None
    cached_tokens: _Count | None = None
    written_tokens: _Count | None = None
    reasoning_tokens: _Count | None = None


class WrittenReply(_Shape):
    """One answer of a drafter: its text, or the fault that stands for one, or the share of the prompt that may fit."""

    evidraft_reply: Literal["1.0.0"] = VERSION
    prompt: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    client: str
    model: str = ""
    request_id: str = ""
    stop: str = ""
    text: Annotated[str, Field(repr=False)] = ""
    fault: Annotated[str, AfterValidator(_known)] | None = None
    too_long: Annotated[float, Field(ge=0, le=1)] | None = None
    usage: WrittenUsage = WrittenUsage()
    seconds: Annotated[float, Field(ge=0)] | None = None
    cost: Annotated[str, AfterValidator(_number)] | None = None

    @classmethod
    def of(cls, reply: Reply, *, prompt: str, client: str) -> WrittenReply:
        """Write down what `client` answered to the prompt of this digest. Nobody uses the text of a fault: it is left out."""
        used = reply.usage
        return cls(
            prompt=prompt,
            client=client,
            model=reply.model,
            request_id=reply.request_id,
            stop=reply.stop,
            text=reply.text if reply.fault is None else "",
            fault=None if reply.fault is None else reply.fault.name,
            usage=WrittenUsage(
                input_tokens=used.input_tokens,
                output_tokens=used.output_tokens,
                cached_tokens=used.cached_tokens,
                written_tokens=used.written_tokens,
                reasoning_tokens=used.reasoning_tokens,
            ),
            seconds=reply.seconds,
            cost=None if reply.cost is None else f"{reply.cost:f}",
        )

    def reply(self) -> Reply:
        """The answer, kept from earlier."""
        return Reply(
            text=self.text,
            usage=Usage(**self.usage.model_dump()),
            fault=None if self.fault is None else _FAULTS[self.fault],
            model=self.model,
            request_id=self.request_id,
            stop=self.stop,
            seconds=self.seconds,
            cost=None if self.cost is None else Decimal(self.cost),
            kept=True,
        )

    def json_text(self) -> str:
        """As indented JSON that ends in a line break."""
        return self.model_dump_json(by_alias=True, indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of a written reply."""
    return WrittenReply.model_json_schema(by_alias=True)


def read(data: bytes) -> WrittenReply | Reply | str:
    """What a file holds: a written reply, a reply by itself (an object with `fields`), or else what is wrong with it."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return "this is no JSON"
    if isinstance(content, dict) and _BARE in content:
        return Reply(data.decode("utf-8-sig"), kept=True)
    try:
        return WrittenReply.model_validate_json(data)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False, include_context=False)[0]
        return f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['type']}"
