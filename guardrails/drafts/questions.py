"""What is not known and has to be asked: the content of NEEDS_INPUT (Intent Changesets 11.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from guardrails.drafts.sourced import FieldValue


class Reason(StrEnum):
    """Why a field stays open."""

    NO_EVIDENCE = "no-evidence"
    CONTRADICTION = "contradiction"
    AMBIGUOUS = "ambiguous"
    UNSUPPORTED_CLAIM = "unsupported-claim"
    NO_ANSWER = "no-answer"
    """The drafter gave none that can be used."""
    NOT_READ = "not-read"
    """Nothing that it may rest on fits into what the drafter reads at once."""
    POLICY = "policy"
    WITHHELD = "withheld"
    NOTHING_TO_DESCRIBE = "nothing-to-describe"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value that evidence hints at; it becomes a value only when a person accepts it.

    `by` names the drafter that reads it out of the evidence, "" where the evidence says it itself.
    """

    value: FieldValue
    evidence: tuple[str, ...]
    by: str = ""


SELECTION: Final = "range"
"""The field of a question about what was selected: a range on the command line answers it, no field of the record."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """One open field: `accepts` is the closed vocabulary, or one description of a format in angle brackets."""

    field: str
    reason: Reason
    question: str
    accepts: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def leading(self) -> Suggestion | None:
        """What a person may take over unseen: the first suggestion that the evidence makes, never one of a drafter."""
        return next((suggestion for suggestion in self.suggestions if not suggestion.by), None)
