"""What a drafter may answer: prose with evidence ids, nothing else, under a strict schema."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Annotated, Final

from pydantic import AfterValidator, Field, ValidationError
from pydantic.dataclasses import dataclass

from guardrails import strict_json
from guardrails.drafts.page import Heading
from guardrails.drafts.reply_text import only_object
from guardrails.drafts.unusable import REPLY_SHAPE
from guardrails.findings import Finding
from guardrails.shapes import CLOSED, StrictShape


@lru_cache(maxsize=65_536)
def _the_same(text: str) -> str:
    """One text for all that are equal: each id is cited many times in a long draft."""
    return text


EvidenceId = Annotated[str, Field(pattern=r"^[A-Z][1-9][0-9]{0,6}$"), AfterValidator(_the_same)]

Word = Annotated[str, Field(min_length=1, max_length=200)]


# There are many fields and sentences: as dataclasses they take a fourth of the memory of models.
@dataclass(frozen=True, slots=True, config=CLOSED)
class SentenceReply:
    """One sentence, at least one id of the evidence that carries it, and on a page the heading that it stands under."""

    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    evidence: Annotated[tuple[EvidenceId, ...], Field(min_length=1, max_length=10_000, strict=False)]
    heading: Heading | None = None


@dataclass(frozen=True, slots=True, config=CLOSED)
class FieldReply:
    """The prose for one asked field; `sentences` is null when the evidence does not carry any."""

    field: Annotated[str, Field(max_length=200)]
    sentences: Annotated[tuple[SentenceReply, ...], Field(min_length=1, max_length=200, strict=False)] | None


class SuggestionReply(StrictShape):
    """What one open field may be, in words that it accepts, and the ids of the evidence that says so. A person decides."""

    field: Annotated[str, Field(max_length=200)]
    value: Word | Annotated[tuple[Word, ...], Field(min_length=1, max_length=100, strict=False)]
    evidence: Annotated[tuple[EvidenceId, ...], Field(min_length=1, max_length=100, strict=False)]


class ProseReply(StrictShape):
    """The whole reply: each asked field at most once, and suggestions for what a person decides."""

    fields: Annotated[tuple[FieldReply, ...], Field(max_length=200, strict=False)]
    suggestions: Annotated[tuple[SuggestionReply, ...], Field(max_length=100, strict=False)] = ()


_MOST: Final = 20
"""So many faults tell enough."""
_NAMES: Final = frozenset(
    (
        *(name for shape in (ProseReply, SuggestionReply) for name in shape.model_fields),
        *(each.name for shape in (FieldReply, SentenceReply) for each in fields(shape)),
    )
)


def parse(text: str) -> ProseReply | tuple[Finding, ...]:
    """Read a drafter's reply: exactly one object, whatever stands around it, and nothing but the shape within it.

    Findings of code `reply-shape` when it is none, or when a strict reader of JSON refuses it. They never quote the reply.
    """
    said = only_object(text)
    if said is None:
        return (REPLY_SHAPE.at("", "got no single JSON object"),)
    try:
        strict_json.read(said.encode())
        return ProseReply.model_validate_json(said)
    except (strict_json.JsonFault, UnicodeEncodeError):
        return (REPLY_SHAPE.at("", "got an object that is not strict JSON"),)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        return tuple(REPLY_SHAPE.at(".".join(map(_place, fault["loc"])), fault["type"]) for fault in faults[:_MOST])


def _place(step: int | str) -> str:
    """A step to a fault; a name that is none of ours is the drafter's own word."""
    return str(step) if isinstance(step, int) or step in _NAMES else "…"
