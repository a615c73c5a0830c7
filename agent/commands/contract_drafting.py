"""The work behind `evidraft contract draft`: gather, redact, propose, print. It always ends in questions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from agent import engines, store
from agent.collecting.gathering import gather
from agent.collecting.request import Gathered, Request
from agent.commands import choosing, printing, resuming
from agent.errors import RepositoryFailure, UsageFailure
from agent.render import outcomes
from agent.sources import snapshots
from guardrails import strict_yaml
from guardrails.contracts.evaluate import Compared
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import Selection
from guardrails.redaction.redact import redact
from guardrails.resolving.proposals.proposing import Proposal, propose

NEEDS_INPUT: Final = 3
_TASK: Final = "contract"
_UNNAMED: Final = "contract.yaml"
_SELECTIONS: Final = ("<A..B>", "<revision>")
"""A contract is held against commits, so that what is staged or lies in the work tree is none that can be chosen."""


def run(request: Request, command: Sequence[str], output: Path | None, *, as_json: bool, quiet: bool) -> int:
    """Propose a contract for what was selected; returns the exit code, which is that of open questions.

    The proposal goes to `output` or, where nobody reads JSON, to stdout; questions go to stderr or into the JSON document.

    Raises:
        agent.errors.Failure: something cannot be read, used or written, or what was selected has no two sides.
    """
    chosen = choosing.chosen(request, quiet=quiet)
    if isinstance(chosen, Unresolved):
        question = replace(chosen, accepts=_SELECTIONS)
        told = _document({}, (question,), None, resuming.resume(command, (), (question,)))
        shown = {name: value for name, value in told.items() if value not in ([], {})}
        printing.emit(printing.json_text(told) if as_json else strict_yaml.write(shown).decode())
        return NEEDS_INPUT
    gathered = gather(chosen)
    selection = gathered.evidence.selection
    evidence = redact(gathered.evidence, gathered.policy, engines.secret_engine())
    proposal = propose(evidence, _compared(gathered, selection))
    if output is not None:
        store.write_output(output, proposal.text.encode())
    if as_json:
        resume = _resume(selection, output, request.repository)
        printing.emit_json(_document(proposal.contract, proposal.questions, selection, resume))
    elif output is None:
        printing.emit(proposal.text)
    if not quiet:
        _tell(proposal)
    return NEEDS_INPUT


def _compared(gathered: Gathered, selection: Selection) -> Compared:
    if gathered.repository is None or selection.head is None:
        raise RepositoryFailure("there are no two commits to compare", cure="select a range of a repository")
    if selection.base is None:
        cure = "select a range A..B, or a commit that has a parent"
        raise UsageFailure("what is selected has nothing before it", where=selection.spec, cure=cure)
    return Compared.of(*snapshots.of_commits(gathered.repository, selection.base, selection.head))


def _document(
    contract: dict[str, object], questions: Sequence[Unresolved], selection: Selection | None, resume: str
) -> dict[str, object]:
    """The NEEDS_INPUT document, as every drafting command has it."""
    sides = (selection.base, selection.head) if selection is not None else (None, None)
    return {
        "status": "NEEDS_INPUT",
        "task": _TASK,
        "unresolved": [outcomes.question_document(question) for question in questions],
        "contradictions": [],
        "findings": [],
        "partial": contract,
        "evidence": {"base": sides[0], "head": sides[1], "profile-digest": None},
        "resume": resume,
    }


def _resume(selection: Selection, output: Path | None, repository: Path) -> str:
    """Verifying against it; which contract is the approved one, a person says."""
    sides = ("--repo", str(repository), "--base", selection.base or "", "--head", selection.head or "")
    return printing.without_secrets(
        shlex.join(("evidraft", "contract", "verify", "--contract", str(output or _UNNAMED), *sides))
    )


def _tell(proposal: Proposal) -> None:
    for question in proposal.questions:
        printing.note(printing.line(f"open: {question.field}: {question.question}"))
