"""Questions on a terminal: one after another, like a short form; nothing is taken without a person's key press."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from agent.commands.printing import note, visible
from agent.errors import UsageFailure
from agent.render import flow
from agent.sources import answers
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import Answer


def ask(questions: Sequence[Unresolved], *, start: int) -> tuple[Answer, ...]:
    """Put each question; an empty reply takes the shown suggestion, or leaves the field open when there is none.

    Answers are numbered from `start`.
    """
    given: list[Answer] = []
    for number, question in enumerate(questions, 1):
        answer = _one(question, f"[{number}/{len(questions)}]", start + len(given))
        if answer is not None:
            given.append(answer)
    return tuple(given)


def _one(question: Unresolved, place: str, number: int) -> Answer | None:
    note(f"\n{place} {question.field} - {question.question}")
    if question.accepts:
        note(f"  accepts: {', '.join(question.accepts)}")
    suggestion = question.suggestions[0] if question.suggestions else None
    if suggestion is not None:
        note(
            f"  suggestion: {flow(suggestion.value)} (from {', '.join(suggestion.evidence) or 'the profile'}); Enter takes it, - leaves it open"
        )
    while True:
        reply = typer.prompt(visible(f"  {question.field}"), default="", show_default=False, err=True).strip()
        if reply == "-" or (not reply and suggestion is None):
            return None
        if not reply and suggestion is not None:
            return answers.accept(question.field, suggestion.value, number)
        try:
            return answers.parse(f"{question.field}={reply}", number)
        except UsageFailure as failure:
            note(f"  {failure}")
