"""The selection when nobody named one: the only possible base is taken and said, several are asked about, none is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agent import store
from agent.collecting.request import Request
from agent.commands import printing, resuming
from agent.render import outcomes
from agent.render.outcomes import Frame
from agent.sources.bases import selected, since_fork
from agent.sources.git import Repository
from agent.tasks import Task
from guardrails.drafts.draft import Draft
from guardrails.drafts.questions import Unresolved
from guardrails.grounding.verdict import NeedsInput


def chosen(request: Request, *, quiet: bool = False) -> Request | Unresolved:
    """The request with a selection, or the question which one is meant.

    Raises:
        agent.errors.RepositoryFailure: there is no repository to look for a base in.
    """
    if not request.names_nothing:
        return _since_fork(request) if request.integrates else request
    operand = selected(Repository.open(request.repository), uncommitted=not (request.describes or request.integrates))
    if isinstance(operand, Unresolved):
        return operand
    found = replace(request, operand=operand)
    found = _since_fork(found) if request.integrates else found
    if not quiet:
        printing.note(f"range: {found.operand}")
    return found


def _since_fork(request: Request) -> Request:
    """The request with three dots where its base has moved on: what is integrated began where the two parted."""
    return replace(request, operand=since_fork(Repository.open(request.repository), request.operand or ""))


def ask(question: Unresolved, task: Task, command: Sequence[str], *, as_json: bool, output: Path | None = None) -> int:
    """Put the question as the outcome of `command`, on stdout or into `output`; returns the exit code."""
    verdict = NeedsInput((question,), (), Draft(task.form, {}, {}))
    frame = Frame(task.name, None, None, None, resuming.resume(command, (), (question,)))
    told = printing.json_text(outcomes.document(verdict, frame)) if as_json else outcomes.text(verdict, frame)
    if output is not None:
        store.write_output(output, told.encode())
    else:
        printing.emit(told)
    return outcomes.EXIT_CODES[NeedsInput]
