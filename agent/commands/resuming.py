"""The command line that goes on from an open question: it can be pasted, and holds nothing that may not be shown.

NEEDS_INPUT is a step and not an end (Intent Changesets 11.6, 11.7).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from agent.commands.printing import without_secrets
from agent.sources import answers
from guardrails.drafts.questions import SELECTION, Unresolved
from guardrails.evidence.model import Answer, Selection, SelectionKind


def resume(
    command: Sequence[str],
    said: Sequence[Answer],
    questions: Sequence[Unresolved],
    clean: Callable[[str], str] = without_secrets,
    selection: Selection | None = None,
) -> str:
    """The same command with what was `said` besides, and each suggestion of the evidence to accept or change.

    An answer stands once, in its last form, and not at all when `clean` would change it. Answers that came in by standard input
    cannot be read again, so the caller has them in `said`. What was selected by a name that `clean` would change is selected
    by object names.
    """
    ranges = [str(question.leading.value) for question in questions if question.leading and question.field == SELECTION]
    accepted = answers.accepted((question for question in questions if question.field != SELECTION), start=1)
    parts = list(_parts(command))
    words = [word for part in parts if part[0] != "--answer" and part != ("--answers", "-") for word in part if word]
    spelled = {value.partition("=")[0].strip(): value for flag, value in parts if flag == "--answer"}
    spelled |= {answer.path: answers.spell(answer) for answer in (*said, *accepted)}
    shown = [answer for answer in spelled.values() if clean(answer) == answer]
    told = [_told(word, clean, selection) for word in words]
    return shlex.join([*told, *ranges, *(word for answer in shown for word in ("--answer", answer))])


def from_standard_input(command: Sequence[str]) -> bool:
    """Whether the command line takes answers from standard input, which cannot be read twice."""
    return "--answers=-" in command or ("--answers", "-") in pairwise(command)


def _told(word: str, clean: Callable[[str], str], selection: Selection | None) -> str:
    if selection is None or word != selection.spec or clean(word) == word:
        return without_secrets(word)
    if selection.head is None or (selection.base is None and selection.kind is SelectionKind.RANGE):
        return clean(word)
    return selection.head if selection.kind is SelectionKind.COMMIT else f"{selection.base}..{selection.head}"


def _parts(command: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words of a command line, those of answers as flag and value; without the leave to take suggestions."""
    rest = iter(command)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in {"--answer", "--answers"}:
            yield name, value if equals else next(rest, "")
        elif word != "--accept-suggestions":
            yield word, ""
