"""The gate by itself: read a draft, collect the same evidence as for drafting, judge, print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from agent import engines
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.commands import choosing, printing, resuming
from agent.commands.checking import read_operand
from agent.commands.recognising import ENVELOPE as OF_CHANGES
from agent.commands.recognising import kind_of
from agent.errors import InputFailure, RepositoryFailure, UsageFailure
from agent.pipeline import Seen, Terms, judge_changeset, judge_envelope, judge_pull_request, see
from agent.render import outcomes
from agent.render.outcomes import Frame
from agent.sources.git import Repository
from agent.sources.selecting import select
from agent.tasks import CHANGESET, ENVELOPE, PULL_REQUEST, Task
from guardrails.drafts import envelope
from guardrails.drafts.envelope import OperationShape
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import OperationType, Selection
from guardrails.evidence.notes import Notebook
from guardrails.findings import Finding, blocking
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, Verdict
from guardrails.records import changeset, pull_request, pull_request_rules
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.records.pull_request import PullRequest

Judge: TypeAlias = Callable[[Seen, Terms], Verdict]
"""Holds a record that has been read against what was seen."""


def run(request: Request, file: str, command: tuple[str, ...], *, as_json: bool) -> int:
    """Judge the draft in `file`, an envelope, a changeset or a pull-request record; returns the exit code.

    Raises:
        agent.errors.Failure: something cannot be read or used.
    """
    name, data = read_operand(file)
    kind = _kind(name, data)
    if kind == OF_CHANGES:
        verdict, frame, what = _envelope(request, data)
    else:
        task = PULL_REQUEST if kind == PULL_REQUEST.name else CHANGESET
        chosen = choosing.chosen(replace(request, integrates=task is PULL_REQUEST))
        if isinstance(chosen, Unresolved):
            return choosing.ask(chosen, task, command, as_json=as_json)
        verdict, frame, what = _record(chosen, data, command, task)
    if as_json:
        printing.emit_json(outcomes.document(verdict, frame))
    elif isinstance(verdict, Accepted):
        printing.emit(printing.line(f"{name}: holds against {what}") + "\n")
    else:
        printing.emit(outcomes.text(verdict, frame))
    if isinstance(verdict, Accepted):
        for finding in verdict.warnings:
            printing.note(printing.finding_line(finding, name))
    return outcomes.EXIT_CODES[type(verdict)]


def _kind(name: str, data: bytes) -> str:
    """What the draft is; a changeset where nothing tells."""
    try:
        return kind_of(name, data)
    except InputFailure:
        return CHANGESET.name


def _read_changeset(data: bytes, profile: Profile) -> Judge | tuple[Finding, ...]:
    record = changeset.read(data)
    findings = changeset.validate(record, profile) if isinstance(record, Changeset) else record
    return partial(judge_changeset, record) if isinstance(record, Changeset) and not blocking(findings) else findings


def _read_request(data: bytes, profile: Profile) -> Judge | tuple[Finding, ...]:
    record = pull_request.read(data)
    findings = pull_request_rules.validate(record, profile) if isinstance(record, PullRequest) else record
    return partial(judge_pull_request, record) if isinstance(record, PullRequest) and not blocking(findings) else findings


def _record(request: Request, data: bytes, command: tuple[str, ...], task: Task) -> tuple[Verdict, Frame, str]:
    gathered = gather(request)
    selection = gathered.evidence.selection
    terms = Terms.of(gathered, engines.secret_engine())
    judged = (_read_request if task is PULL_REQUEST else _read_changeset)(data, gathered.active)
    verdict: Verdict
    resume = what = ""
    if isinstance(judged, tuple):
        verdict = Rejected(judged)
    else:
        seen = see(task, gathered.evidence, terms, client=gathered.settings.model)
        verdict = judged(seen, terms)
        said = gathered.answers if resuming.from_standard_input(command) else ()
        questions = verdict.unresolved if isinstance(verdict, NeedsInput) else ()
        what = seen.evidence.bundle.selection.spec
        resume = resuming.resume(command, said, questions, seen.evidence.guard.clean, selection)
    return verdict, Frame(task.name, selection.base, selection.head, gathered.profile_digest, resume), what


def _envelope(request: Request, data: bytes) -> tuple[Verdict, Frame, str]:
    """An envelope needs no profile; nothing in it is asked, for all of it is given."""
    told = envelope.read(data)
    if isinstance(told, tuple):
        return Rejected(told), Frame(ENVELOPE.name, None, None, None, ""), ""
    gathered = gather(_selecting(replace(request, describes=True, needs_profile=False, reads_all=True), told.operation))
    verdict = judge_envelope(
        told, gathered.evidence, Terms.of(gathered, engines.secret_engine()), client=gathered.settings.model
    )
    selection = gathered.evidence.selection
    return verdict, Frame(ENVELOPE.name, selection.base, selection.head, gathered.profile_digest, ""), selection.spec


def _selecting(request: Request, operation: OperationShape) -> Request:
    """The request with a selection: the one that was named, else the one that the envelope names, resolved as data.

    Where both mean the same commits, the envelope's words for them count.

    Raises:
        UsageFailure: the envelope names a request of a forge, and nothing says which commits that is.
    """
    named = operation.id if operation.type in {OperationType.COMMIT, OperationType.RANGE} else None
    from_root = operation.type == OperationType.RANGE and named is not None and ".." not in named
    if request.names_nothing:
        if named is None:
            raise UsageFailure(
                "the envelope tells a request, which is no range of commits",
                where="RANGE",
                cure="give the range BASE..HEAD, or --payload FILE",
            )
        printing.note(f"range: {named}")
        return replace(request, operand=named, from_root=from_root)
    if request.operand is None or named is None:
        return request
    if named == request.operand:
        return replace(request, from_root=from_root)
    repository = Repository.open(request.repository)
    ends = _ends(repository, named)
    return replace(request, operand=named) if ends is not None and ends == _ends(repository, request.operand) else request


def _ends(repository: Repository, operand: str) -> tuple[str, str | None, str | None] | None:
    """What an operand selects, as far as this repository has it."""
    try:
        selection: Selection = select(repository, operand, Notebook()).selection
    except RepositoryFailure:
        return None
    return selection.kind, selection.base, selection.head
