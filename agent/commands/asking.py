"""Questions: on a terminal one after another, like a short form, else as a command line to go on with.

Nothing is taken without a person's doing.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import typer

from agent.commands.printing import note, visible
from agent.errors import UsageFailure
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
        value = answers.spell(answers.accept(question.field, suggestion.value, number)).partition("=")[2]
        origin = ", ".join(suggestion.evidence) or "the profile"
        note(f"  suggestion: {value} (from {origin}); Enter takes it, - leaves the field open")
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


def resume(command: Sequence[str], said: Sequence[Answer], questions: Sequence[Unresolved]) -> str:
    """The command line that goes on from here: the same one, with what was said, and each suggestion to accept or change."""
    words = [word for word in command if word != "--accept-suggestions"]
    for number, question in enumerate(questions, 1):
        if question.field == "range" and question.suggestions:
            words.append(str(question.suggestions[0].value))
        elif question.suggestions:
            said = (*said, answers.accept(question.field, question.suggestions[0].value, number))
    return shlex.join([*words, *(word for answer in said for word in ("--answer", answers.spell(answer)))])
