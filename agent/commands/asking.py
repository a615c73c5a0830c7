"""Questions: on a terminal one after another, like a short form, else as a command line to go on with.

Nothing is taken without a person's doing.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Sequence
from itertools import pairwise

import typer

from agent.commands.printing import note, visible
from agent.errors import UsageFailure
from agent.sources import answers
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import Answer


def ask(questions: Sequence[Unresolved], *, start: int) -> tuple[Answer, ...]:
    """Put each question about a field; an empty reply takes the shown suggestion, or leaves the field open when there is none.

    Answers are numbered from `start`.
    """
    fields = [question for question in questions if question.field]
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
    suggestion = question.suggestions[0] if question.suggestions else None
    if suggestion is not None:
        value = answers.spell(answers.accept(question.field, suggestion.value, number)).partition("=")[2]
        origin = ", ".join(suggestion.evidence) or "the profile"
        note(f"  suggestion: {value} (from {origin}); Enter takes it, - leaves the field open")
    while True:
        reply = _typed(f"  {question.field}: ")
        if reply == "-" or (not reply and suggestion is None):
            return None
        if not reply and suggestion is not None:
            return answers.accept(question.field, suggestion.value, number)
        try:
            return answers.parse(f"{question.field}={reply}", number)
        except UsageFailure as failure:
            note(f"  {failure}")


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


def resume(command: Sequence[str], said: Sequence[Answer], questions: Sequence[Unresolved]) -> str:
    """The command line that goes on from here: the same one, with what was said, and each suggestion to accept or change.

    An answer stands once, in its last form; answers that came in by standard input are said on the line, as `said` has them.
    """
    hinted = [question for question in questions if question.suggestions]
    ranges = [str(question.suggestions[0].value) for question in hinted if question.field == "range"]
    accepted = answers.accepted((question for question in hinted if question.field != "range"), start=1)
    spelled = {answer.path: answers.spell(answer) for answer in (*said, *accepted)}
    words = _without_answers(command, spelled)
    return shlex.join([*words, *ranges, *(word for answer in spelled.values() for word in ("--answer", answer))])


def from_standard_input(command: Sequence[str]) -> bool:
    """Whether the command line takes answers from standard input, which cannot be read twice."""
    return "--answers=-" in command or ("--answers", "-") in pairwise(command)


def _without_answers(command: Sequence[str], paths: Collection[str]) -> list[str]:
    """A command line without the answers for `paths`, those of standard input, and the leave to take suggestions."""
    words: list[str] = []
    rest = iter(command)
    for word in rest:
        name, equals, value = word.partition("=")
        if name not in {"--answer", "--answers"}:
            words += [word] if word != "--accept-suggestions" else []
            continue
        value = value if equals else next(rest, "")
        gone = value == "-" if name == "--answers" else value.partition("=")[0].strip() in paths
        words += [] if gone else [name, value]
    return words
