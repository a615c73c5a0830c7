"""What a drafter may answer: prose with evidence ids, nothing else, under a strict schema."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from guardrails.drafts.page import Heading
from guardrails.drafts.unusable import REPLY_SHAPE
from guardrails.findings import Finding
from guardrails.shapes import StrictShape

EvidenceId = Annotated[str, Field(pattern=r"^[A-Z][1-9][0-9]{0,6}$")]


class SentenceReply(StrictShape):
    """One sentence, at least one id of the evidence that carries it, and on a page the heading that it stands under."""

    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    evidence: Annotated[tuple[EvidenceId, ...], Field(min_length=1, max_length=10_000, strict=False)]
    heading: Heading | None = None


class FieldReply(StrictShape):
    """The prose for one asked field; `sentences` is null when the evidence does not carry any."""

    field: Annotated[str, Field(max_length=200)]
    sentences: Annotated[tuple[SentenceReply, ...], Field(min_length=1, max_length=200, strict=False)] | None


class ProseReply(StrictShape):
    """The whole reply: each asked field at most once."""

    fields: Annotated[tuple[FieldReply, ...], Field(max_length=200, strict=False)]


_REPLY = TypeAdapter(ProseReply)


def parse(text: str) -> ProseReply | tuple[Finding, ...]:
    """Read a drafter's reply; findings of code `reply-shape` when it is not one. Never quotes the reply."""
    try:
        return _REPLY.validate_json(text)
    except ValidationError as error:
        return tuple(
            REPLY_SHAPE.at(".".join(str(part) for part in fault["loc"]), fault["type"])
            for fault in error.errors(include_input=False, include_url=False, include_context=False)
        )
