"""Values with where they came from: how evidence stays apart from synthesis (Intent Changesets 11.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

T_co = TypeVar("T_co", covariant=True)

FieldValue: TypeAlias = str | tuple[str, ...] | None
"""What a changeset field can hold: text, null, or a list of texts."""


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
    """One sentence of prose and the evidence ids that carry it."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """A prose field: its sentences in order, and the basis of the whole."""

    sentences: tuple[Sentence, ...]
    basis: Basis

    @property
    def text(self) -> str:
        """The sentences as one text."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def evidence(self) -> tuple[str, ...]:
        """All ids that carry it, each once, in order."""
        return tuple(dict.fromkeys(item for sentence in self.sentences for item in sentence.evidence))
