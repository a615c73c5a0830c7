"""The drafting session: gather, draft, ask on a terminal, print, write. One road for every way of asking."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from agent import engines, render, store
from agent.collecting import Gathered, Request, gather, with_answers
from agent.commands import asking, printing
from agent.commands.seeing import view
from agent.commands.writing import ID_IN_USE, put
from agent.errors import UsageFailure
from agent.model.client import Model
from agent.model.extractive import Extractive
from agent.pipeline import Outcome, Terms, draft, see
from agent.receipt import receipt
from agent.render import Frame
from agent.sources import answers as answering
from agent.sources.bases import selected
from agent.sources.git import Repository
from guardrails.drafts.changeset import ChangesetDraft
from guardrails.drafts.questions import Unresolved
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer
from guardrails.findings import Finding
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done with the outcome, as the command line said it. `command` is the whole command line."""

    command: tuple[str, ...]
    model: str | None = None
    accept_suggestions: bool = False
    interactive: bool | None = None
    output: Path | None = None
    write: bool = False
    record: Path | None = None
    dry_run: bool = False
    as_json: bool = False
    quiet: bool = False


def run(request: Request, wish: Wish) -> int:
    """Draft one changeset and carry out the wish; returns the exit code.

    Raises:
        agent.errors.Failure: something cannot be read, used or written.
    """
    if request.names_nothing:
        chosen = selected(Repository.open(request.repository))
        if isinstance(chosen, Unresolved):
            return _which_range(chosen, wish)
        printing.note(f"range: {chosen}")
        request = replace(request, operand=chosen)
    gathered = gather(request)
    terms = Terms(gathered.profile, gathered.rules, gathered.policy, engines.secret_engine())
    model = _model(wish.model or gathered.settings.model)
    if wish.dry_run:
        return view(see(gathered.evidence, terms, client=model.name), as_json=wish.as_json)
    outcome, answers = _until_settled(gathered, terms, model, wish)
    frame = _frame(gathered, outcome, answers[len(gathered.answers) :], wish)
    return _deliver(gathered, outcome, frame, wish)


def _which_range(question: Unresolved, wish: Wish) -> int:
    verdict = NeedsInput((question,), (), ChangesetDraft({}, {}))
    frame = Frame("changeset", None, None, None, asking.resume(wish.command, (), (question,)))
    printing.emit(printing.json_text(render.document(verdict, frame)) if wish.as_json else render.text(verdict, frame))
    return render.EXIT_CODES[NeedsInput]


def _model(name: str) -> Model:
    if name == "extractive":
        return Extractive()
    raise UsageFailure("this drafter is not available", where=f"--model {name}", cure="this version has one: extractive")


def _until_settled(gathered: Gathered, terms: Terms, model: Model, wish: Wish) -> tuple[Outcome, tuple[Answer, ...]]:
    """Draft, and as long as a person (or --accept-suggestions) has more to say, draft again with it."""
    ask = _may_ask(wish)
    while True:
        # A drafter that only selects answers the same way every time, so asking it again cures nothing.
        outcome = asyncio.run(draft(gathered.evidence, terms, model, repairs=0))
        if not isinstance(outcome.verdict, NeedsInput):
            return outcome, gathered.answers
        start = len(gathered.answers) + 1
        known = {answer.path for answer in gathered.answers}
        open_fields = [question for question in outcome.verdict.unresolved if question.field not in known]
        more: tuple[Answer, ...] = ()
        if wish.accept_suggestions:
            more = answering.accepted(open_fields, start=start)
        if not more and ask:
            more = asking.ask(open_fields, start=start)
            ask = bool(more)
        if not more:
            return outcome, gathered.answers
        gathered = with_answers(gathered, more)


def _may_ask(wish: Wish) -> bool:
    terminal = sys.stdin.isatty() and sys.stderr.isatty()
    if wish.interactive and not terminal:
        raise UsageFailure(
            "there is no terminal to ask on", where="--interactive", cure="give answers with --answer or --answers"
        )
    return terminal and not wish.as_json if wish.interactive is None else wish.interactive


def _frame(gathered: Gathered, outcome: Outcome, said: tuple[Answer, ...], wish: Wish) -> Frame:
    """`said` are the answers that came during the run, which the command line does not hold yet."""
    selection, verdict = gathered.evidence.selection, outcome.verdict
    questions = verdict.unresolved if isinstance(verdict, NeedsInput) else ()
    resume = asking.resume(wish.command, said, questions)
    return Frame("changeset", selection.base, selection.head, gathered.profile.digest, resume)


def _deliver(gathered: Gathered, outcome: Outcome, frame: Frame, wish: Wish) -> int:
    verdict = outcome.verdict
    if isinstance(verdict, Accepted) and wish.write:
        placed = put(gathered.repository, gathered.profile, render.record_text(verdict.draft).encode())
        if isinstance(placed, str):
            return _deliver(gathered, _refused(outcome, ID_IN_USE.at("id", placed)), frame, wish)
        if not wish.quiet:
            printing.note(f"wrote {placed}")
    if wish.record is not None:
        store.write_output(wish.record, printing.json_text(receipt(outcome, frame)).encode())
    told = printing.json_text(render.document(verdict, frame)) if wish.as_json else render.text(verdict, frame)
    if wish.output is not None:
        store.write_output(wish.output, told.encode())
    else:
        printing.emit(told)
    if not wish.quiet:
        _comment(outcome)
    return render.EXIT_CODES[type(verdict)]


def _refused(outcome: Outcome, finding: Finding) -> Outcome:
    return Outcome(Rejected((finding,)), outcome.evidence, outcome.resolved, outcome.model, outcome.prompt, outcome.attempts)


def _comment(outcome: Outcome) -> None:
    """One or two lines on stderr for the person who waits."""
    verdict = outcome.verdict
    for note in outcome.evidence.bundle.notes:
        printing.note(f"note: {note.code}: {note.where}: {note.message}")
    if isinstance(verdict, Accepted):
        draft_ = verdict.draft
        bases = [*(value.basis for value in draft_.values.values()), *(prose.basis for prose in draft_.prose.values())]
        counted = ", ".join(f"{bases.count(basis)} {basis.value}" for basis in Basis if basis in bases)
        printing.note(f"Drafted: {counted}")
        for finding in verdict.warnings:
            printing.note(printing.finding_line(finding))
    elif isinstance(verdict, Rejected):
        printing.note(f"Rejected: {len(verdict.findings)} findings; see evidraft explain CODE")
    else:
        fields = ", ".join(question.field for question in verdict.unresolved)
        printing.note(f"NEEDS_INPUT: {fields}")
