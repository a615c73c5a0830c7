"""What a drafter suggests for open decisions: a hint to a person, never a value (Intent Changesets 11.3, 11.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from guardrails.drafts.questions import SELECTION, Reason, Suggestion, Unresolved
from guardrails.drafts.reply import SuggestionReply
from guardrails.findings import Code, Finding, Severity
from guardrails.resolving.resolved import Resolved

SUGGESTION_DROPPED = Code(
    name="suggestion-dropped",
    summary="A drafter suggests what is not open to it: another field, another word, or what rests on nothing it was shown.",
    cure="Nothing to do: the suggestion was left out.",
    section="Intent Changesets 11.3",
    severity=Severity.WARNING,
)
Vocabulary: TypeAlias = Mapping[str, tuple[str, ...]]
"""The words that a field accepts, by its path."""

_NOT_ASKED: Final = frozenset(("id", "shape", SELECTION))
_DECIDED_ELSEWHERE: Final = frozenset((Reason.POLICY, Reason.WITHHELD, Reason.NOTHING_TO_DESCRIBE))
_LARGEST: Final = 250
"""A larger vocabulary is not put before a drafter."""
_MOST: Final = 3
"""So many of a drafter's suggestions stand in one question."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A suggestion that counts: the field that is open, and what is suggested for it."""

    field: str
    value: str | tuple[str, ...]
    evidence: tuple[str, ...]


def suggestible(resolved: Resolved) -> Mapping[str, Vocabulary]:
    """The open fields that a drafter may suggest a value for, with what they accept, by the part of the draft."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for question in filter(_is_suggestible, resolved.unresolved):
        found.setdefault(resolved.form.part(question.field), {})[question.field] = question.accepts
    return found


def sift(
    said: Iterable[SuggestionReply], open_fields: Vocabulary, shown: Collection[str]
) -> tuple[tuple[Hint, ...], tuple[Finding, ...]]:
    """The suggestions that count, and a warning for each kind of those that do not. Nothing that was said is quoted."""
    hints: list[Hint] = []
    dropped: list[Finding] = []
    for one in said:
        if one.field not in open_fields:
            dropped.append(SUGGESTION_DROPPED.at("", "got a suggestion for a field that is not open to one"))
        elif (fault := _fault(one, open_fields[one.field], shown)) is not None:
            dropped.append(SUGGESTION_DROPPED.at(one.field, fault))
        else:
            hints.append(Hint(one.field, one.value, tuple(dict.fromkeys(one.evidence))))
    return tuple(hints), tuple(dict.fromkeys(dropped))


def suggested(resolved: Resolved, hints: Iterable[Hint], by: str) -> Resolved:
    """What is resolved, its open questions with what the drafter called `by` suggests, behind what evidence suggests."""
    told: dict[str, dict[Hint, None]] = {}
    for hint in hints:
        told.setdefault(hint.field, {})[hint] = None
    unresolved = (_with_hints(question, told.get(question.field, ()), by) for question in resolved.unresolved)
    return replace(resolved, unresolved=tuple(unresolved)) if told else resolved


def _is_suggestible(question: Unresolved) -> bool:
    is_closed = bool(question.accepts) and not any(word.startswith("<") for word in question.accepts)
    return (
        is_closed
        and len(question.accepts) <= _LARGEST
        and question.reason not in _DECIDED_ELSEWHERE
        and question.field not in _NOT_ASKED
        and question.field.partition(".")[0] != "disclosure"
    )


def _fault(said: SuggestionReply, accepts: tuple[str, ...], shown: Collection[str]) -> str | None:
    words = (said.value,) if isinstance(said.value, str) else said.value
    if not set(words) <= set(accepts):
        return "got a word that the field does not accept"
    if not set(said.evidence) <= set(shown):
        return "got a suggestion that rests on what was not shown"
    return None


def _with_hints(question: Unresolved, hints: Iterable[Hint], by: str) -> Unresolved:
    known = {suggestion.value for suggestion in question.suggestions}
    return replace(question, suggestions=(*question.suggestions, *_fresh(hints, known, by)))


def _fresh(hints: Iterable[Hint], known: Collection[object], by: str) -> Iterator[Suggestion]:
    values = {hint.value: hint.evidence for hint in reversed(tuple(hints)) if hint.value not in known}
    for value, evidence in list(reversed(values.items()))[:_MOST]:
        yield Suggestion(value, evidence, by)
