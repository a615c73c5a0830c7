"""The gate by itself: read a draft, collect the same evidence as for drafting, judge, print."""

from __future__ import annotations

from agent import engines
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.commands import choosing, printing, resuming
from agent.commands.checking import read_operand
from agent.pipeline import Terms, judge_changeset, see
from agent.render import outcomes
from agent.render.outcomes import Frame
from agent.tasks import CHANGESET
from guardrails.drafts.questions import Unresolved
from guardrails.findings import blocking
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, Verdict
from guardrails.records import changeset
from guardrails.records.changeset import Changeset


def run(request: Request, file: str, command: tuple[str, ...], *, as_json: bool) -> int:
    """Judge the draft in `file`; returns the exit code.

    Raises:
        agent.errors.Failure: something cannot be read or used.
    """
    name, data = read_operand(file)
    chosen = choosing.chosen(request)
    if isinstance(chosen, Unresolved):
        return choosing.ask(chosen, CHANGESET, command, as_json=as_json)
    gathered = gather(chosen)
    terms = Terms.of(gathered, engines.secret_engine())
    record = changeset.read(data)
    findings = changeset.validate(record, gathered.active) if isinstance(record, Changeset) else record
    verdict: Verdict
    resume = ""
    if not isinstance(record, Changeset) or blocking(findings):
        verdict = Rejected(findings)
    else:
        seen = see(CHANGESET, gathered.evidence, terms, client=gathered.settings.model)
        verdict = judge_changeset(record, seen, terms)
        said = gathered.answers if resuming.from_standard_input(command) else ()
        questions = verdict.unresolved if isinstance(verdict, NeedsInput) else ()
        resume = resuming.resume(command, said, questions, seen.evidence.guard.clean)
    selection = gathered.evidence.selection
    frame = Frame(CHANGESET.name, selection.base, selection.head, gathered.profile_digest, resume)
    if as_json:
        printing.emit_json(outcomes.document(verdict, frame))
    elif isinstance(verdict, Accepted):
        printing.emit(printing.line(f"{name}: holds against {selection.spec}") + "\n")
    else:
        printing.emit(outcomes.text(verdict, frame))
    if isinstance(verdict, Accepted):
        for finding in verdict.warnings:
            printing.note(printing.finding_line(finding, name))
    return outcomes.EXIT_CODES[type(verdict)]
