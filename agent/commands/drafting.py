"""The drafting session: gather, draft, ask on a terminal, print, write. One road for every way of asking."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from agent import engines, store
from agent.collecting.gathering import gather, with_answers
from agent.collecting.request import Gathered, Request
from agent.commands import asking, choosing, drafters, printing, publishing, resuming
from agent.commands.drafters import DrafterWish, Session
from agent.commands.options import Post, Rendering
from agent.commands.seeing import view
from agent.commands.writing import directory, place, taken
from agent.errors import UsageFailure
from agent.pipeline import Outcome, Terms, see
from agent.receipt import receipt_text
from agent.render import outcomes
from agent.render.outcomes import Frame
from agent.sources import answers as answering
from agent.tasks import Task
from guardrails.drafts.draft import Draft
from guardrails.drafts.questions import Unresolved
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer
from guardrails.grounding.unread import EVIDENCE_NOT_READ
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, Verdict, drafted
from guardrails.redaction.redact import Guard

_MOST_NAMED: Final = 12
"""How many open fields the last line names; the document has them all."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done with the outcome, as the command line said it. `command` is the whole command line."""

    command: tuple[str, ...]
    drafter: DrafterWish = field(default_factory=DrafterWish)
    accept_suggestions: bool = False
    interactive: bool | None = None
    output: Path | None = None
    write: bool = False
    record: Path | None = None
    render: Rendering = Rendering.JSON
    write_body: Path | None = None
    post: Post | None = None
    dry_run: bool = False
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False


def run(task: Task, request: Request, wish: Wish) -> int:
    """Draft one record and carry out the wish; returns the exit code.

    Raises:
        agent.errors.Failure: something cannot be read, used or written.
    """
    _require_apart(wish)
    chosen = choosing.chosen(request, quiet=wish.quiet)
    if isinstance(chosen, Unresolved):
        return choosing.ask(chosen, task, wish.command, as_json=wish.as_json, output=wish.output)
    gathered = gather(replace(chosen, asks_shape=_may_ask(wish)))
    if wish.write and gathered.profile is not None:
        directory(gathered.profile, task.name)
    if wish.post is not None and not wish.dry_run:
        publishing.require_post(gathered)
    terms = Terms.of(gathered, engines.secret_engine())
    if wish.dry_run:
        return _show(task, gathered, terms, wish)
    with drafters.session(wish.drafter, gathered.settings) as session:
        outcome, answers = _until_settled(task, gathered, terms, session, wish)
    whole = resuming.from_standard_input(wish.command)
    said = tuple(answer for answer in answers if whole or answer not in gathered.answers)
    frame = replace(_frame(task, gathered, outcome, said, wish), instead_of=session.instead_of)
    return _deliver(gathered, outcome, frame, wish)


def _show(task: Task, gathered: Gathered, terms: Terms, wish: Wish) -> int:
    """Show what the drafter would be sent; it need not be configured for that."""
    name = wish.drafter.name(gathered.settings)
    room = drafters.room(wish.drafter, gathered.settings)
    return view(see(task, gathered.evidence, terms, client=name, room=room), as_json=wish.as_json)


def _require_apart(wish: Wish) -> None:
    """Refuse to write two results over one another."""
    named = [str(path) for path in (wish.output, wish.record, wish.write_body) if path is not None]
    files = [os.path.realpath(name) for name in named if name not in store.STANDARD_OUTPUT]
    if len(set(files)) < len(files):
        raise UsageFailure(
            "two results would be written to one file",
            where="--output, --record, --write-body",
            cure="name a file of its own for each",
        )


def _until_settled(
    task: Task, gathered: Gathered, terms: Terms, session: Session, wish: Wish
) -> tuple[Outcome, tuple[Answer, ...]]:
    """Draft, and as long as a person (or --accept-suggestions) has more to say, draft again with it."""
    ask = _may_ask(wish)
    while True:
        outcome = session.draft(task, gathered.evidence, terms)
        if not isinstance(outcome.verdict, NeedsInput):
            return outcome, gathered.answers
        start = 1 + max((int(answer.id[1:]) for answer in gathered.answers), default=0)
        more: tuple[Answer, ...] = ()
        if wish.accept_suggestions:
            known = {answer.path for answer in gathered.answers}
            fresh = (question for question in outcome.verdict.unresolved if question.field not in known)
            more = answering.accepted(fresh, start=start)
        if not more and ask:
            # A person is asked again what was not accepted; an empty round ends it.
            more = asking.ask(outcome.verdict.unresolved, start=start)
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


def _frame(task: Task, gathered: Gathered, outcome: Outcome, said: tuple[Answer, ...], wish: Wish) -> Frame:
    """`said` are the answers that the command line does not hold, or not in a way that can be run again."""
    selection, verdict = gathered.evidence.selection, outcome.verdict
    questions = verdict.unresolved if isinstance(verdict, NeedsInput) else ()
    resume = resuming.resume(wish.command, said, questions, outcome.evidence.guard.clean, selection)
    return Frame(task.name, selection.base, selection.head, gathered.profile_digest, resume)


def _deliver(gathered: Gathered, outcome: Outcome, frame: Frame, wish: Wish) -> int:
    """Write what was wished, the pending record last: what else cannot be written leaves it unwritten too."""
    if wish.write and isinstance(outcome.verdict, Accepted):
        outcome = _if_free(gathered, outcome, outcome.verdict.draft)
    verdict = outcome.verdict
    if wish.record is not None:
        store.write_output(wish.record, receipt_text(outcome, frame).encode())
    if wish.output is not None:
        store.write_output(wish.output, _told(gathered, outcome, frame, wish).encode())
    if wish.write and isinstance(verdict, Accepted):
        record = outcomes.record_text(verdict.draft).encode()
        placed = place(gathered.home, gathered.active, frame.task, str(verdict.draft.get("id")), record)
        if not wish.quiet:
            printing.note(f"wrote {placed}")
    if isinstance(verdict, Accepted):
        _publish(gathered, verdict.draft, outcome.evidence.guard, wish)
    if wish.output is None:
        printing.emit(_told(gathered, outcome, frame, wish))
    if not wish.quiet:
        _comment(outcome)
    if wish.verbose:
        _tell_sources(verdict)
    return outcomes.EXIT_CODES[type(verdict)]


def _if_free(gathered: Gathered, outcome: Outcome, draft_: Draft) -> Outcome:
    """The outcome, rejected when the draft's id was used before."""
    finding = taken(gathered.home, gathered.active, outcome.task.name, str(draft_.get("id")))
    return replace(outcome, verdict=Rejected((finding,))) if finding is not None else outcome


def _publish(gathered: Gathered, draft_: Draft, guard: Guard, wish: Wish) -> None:
    """Put the page of an accepted envelope where the command line says, the forge last."""
    if wish.write_body is not None:
        publishing.write_body(wish.write_body, draft_, gathered, guard)
    if wish.post is not None:
        where = publishing.post(wish.post, draft_, gathered, guard)
        if not wish.quiet:
            printing.note(f"posted: {where}")


def _told(gathered: Gathered, outcome: Outcome, frame: Frame, wish: Wish) -> str:
    verdict = outcome.verdict
    if wish.as_json:
        return printing.json_text(outcomes.document(verdict, frame))
    if isinstance(verdict, Accepted) and wish.render is not Rendering.JSON:
        return publishing.page(verdict.draft, gathered, outcome.evidence.guard, wish.render)
    return outcomes.text(verdict, frame)


def _comment(outcome: Outcome) -> None:
    """A few lines on stderr for the person who waits."""
    verdict = outcome.verdict
    if spent := drafters.spent(outcome.model, outcome.attempts):
        printing.note(spent)
    for note in outcome.evidence.bundle.notes:
        printing.note(printing.note_line(note))
    known = drafted(verdict)
    if known is not None and (shape := known.values.get("shape")) is not None and shape.basis is Basis.RULE:
        printing.note(f"shape: {shape.value}, because the range holds several changes and no shape was named")
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
        fields = [question.field for question in verdict.unresolved]
        more = f" and {len(fields) - _MOST_NAMED} more" if len(fields) > _MOST_NAMED else ""
        printing.note(f"NEEDS_INPUT: {', '.join(fields[:_MOST_NAMED])}{more}")
        for finding in verdict.findings:
            if finding.code == EVIDENCE_NOT_READ.name:
                printing.note(printing.finding_line(finding))


def _tell_sources(verdict: Verdict) -> None:
    """Field by field on stderr what each value rests on, and the evidence that carries it."""
    draft_ = drafted(verdict)
    if draft_ is None:
        return
    for path in draft_.paths:
        sourced = draft_.prose.get(path) or draft_.values[path]
        printing.note(" ".join((f"{path}:", sourced.basis.value, *sourced.evidence)))
