"""Values with where they came from: how evidence stays apart from synthesis (Intent Changesets 11.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from guardrails.drafts.page import Heading, Line, page
from guardrails.evidence.model import AnswerValue
from guardrails.evidence.references import Reference

T_co = TypeVar("T_co", covariant=True)

FieldValue: TypeAlias = str | tuple[str, ...] | tuple[Reference, ...] | None
"""What a field can hold: text, null, a list of texts, or references."""


class Basis(StrEnum):
    """What a value rests on."""

    TRAILER = "trailer"
    PROFILE = "profile"
    EVIDENCE = "evidence"
    ANSWER = "answer"
    RULE = "rule"
    SYNTHESIS = "synthesis"
    GIVEN = "given"
    """Stands in a draft that someone else wrote and that is only being verified."""


@dataclass(frozen=True, slots=True)
class Sourced(Generic[T_co]):
    """A value, its basis, and the ids of the evidence that carries it (empty for profile and rule)."""

    value: T_co
    basis: Basis
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose and the evidence ids that carry it.

    On a page it stands under its `heading`, behind the `places` that it tells of: references as they are written, filled in by
    code and never by a reply.
    """

    text: str
    evidence: tuple[str, ...]
    heading: Heading | None = None
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prose:
    """A prose field: its sentences in order, and the basis of the whole.

    `written` is the text as somebody else wrote it, with the markup that its sentences were cut out of; "" where the sentences
    make the text.
    """

    sentences: tuple[Sentence, ...]
    basis: Basis
    written: str = ""

    @property
    def text(self) -> str:
        """The text as it was written, else the sentences as one text, as a page where one of them has a heading."""
        if self.written:
            return self.written
        if not any(sentence.heading for sentence in self.sentences):
            return " ".join(sentence.text for sentence in self.sentences)
        return page(Line(one.heading or Heading.CHANGED, one.text, one.places) for one in self.sentences)

    @property
    def evidence(self) -> tuple[str, ...]:
        """All ids that carry it, each once, in order."""
        return tuple(dict.fromkeys(item for sentence in self.sentences for item in sentence.evidence))


def plain(value: FieldValue) -> AnswerValue:
    """The value as JSON types."""
    if not isinstance(value, tuple):
        return value
    return [dict(one.as_mapping()) if isinstance(one, Reference) else one for one in value]


def texts(value: FieldValue) -> tuple[str, ...]:
    """The texts that a value is made of, a reference as it is written beside a claim."""
    if not isinstance(value, tuple):
        return () if value is None else (value,)
    return tuple(one.place() if isinstance(one, Reference) else one for one in value)
