"""Questions on a terminal, one after another, like a short form. Nothing is taken without a person's doing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from agent.commands.printing import note, visible
from agent.errors import UsageFailure
from agent.sources import answers
from guardrails.drafts.questions import SELECTION, Suggestion, Unresolved
from guardrails.evidence.model import Answer


def ask(questions: Sequence[Unresolved], *, start: int) -> tuple[Answer, ...]:
    """Put each question about a field; an empty reply takes the shown suggestion, or leaves the field open when there is none.

    Answers are numbered from `start`.
    """
    fields = [question for question in questions if question.field != SELECTION]
    given: list[Answer] = []
    for number, question in enumerate(fields, 1):
        answer = _one(question, f"[{number}/{len(fields)}]", start + len(given))
        if answer is not None:
            given.append(answer)
    return tuple(given)


def _one(question: Unresolved, place: str, number: int) -> Answer | None:
    note(f"\n{place} {question.field} - {question.question}")
    if question.accepts:
        note(f"  accepts: {', '.join(question.accepts)}")
    suggestion = question.leading
    if suggestion is not None:
        note(f"  suggestion: {_spelled(question, suggestion)}; Enter takes it, - leaves the field open")
    for hint in question.suggestions:
        if hint.by:
            note(f"  {hint.by} suggests: {_spelled(question, hint)}; it decides nothing, so type what is right")
    while True:
        reply = _typed(f"  {question.field}: ")
        if reply == "-" or (not reply and suggestion is None):
            return None
        if not reply and suggestion is not None:
            return answers.accept(question.field, suggestion.value, number)
        try:
            return _accepted(question, reply, number)
        except UsageFailure as failure:
            note(f"  {failure}")


def _spelled(question: Unresolved, suggestion: Suggestion) -> str:
    """The value as a person would type it, and where it comes from."""
    value = answers.spell(answers.accept(question.field, suggestion.value, 1)).partition("=")[2]
    return f"{value} (from {', '.join(suggestion.evidence) or 'the profile'})"


def _accepted(question: Unresolved, reply: str, number: int) -> Answer:
    """The reply as an answer; of a closed vocabulary several words may be named with commas.

    Raises:
        UsageFailure: it is malformed, or outside the closed vocabulary of the question.
    """
    closed = bool(question.accepts) and not any(word.startswith("<") for word in question.accepts)
    several = closed and "," in reply and not reply.startswith("[")
    answer = answers.parse(f"{question.field}={f'[{reply}]' if several else reply}", number)
    words = answer.value if isinstance(answer.value, list) else [answer.value]
    outside = [str(word) for word in words if word not in question.accepts]
    if closed and outside:
        raise UsageFailure(f"got {', '.join(outside)}, expected {' or '.join(question.accepts)}")
    return answer


def _typed(prompt: str) -> str:
    """What a person types behind `prompt`, which stands on stderr: stdout is for the record alone.

    Raises:
        typer.Abort: the person leaves (Ctrl-C or Ctrl-D).
    """
    prompt = visible(prompt)
    try:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        reply = sys.stdin.readline()
    except KeyboardInterrupt:
        reply = ""
    if not reply:
        note("")
        raise typer.Abort
    return reply.strip()
