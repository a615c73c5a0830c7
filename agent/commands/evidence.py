"""`evidraft evidence`: what a drafter would see, redacted, with sizes and what was left out. Sends nothing."""

from __future__ import annotations

from pathlib import Path

import typer

from agent.commands import options


def evidence(
    context: typer.Context,
    operand: options.Operand = None,
    *,
    staged: options.Staged = False,
    work_tree: options.WorkTree = False,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    config: options.ConfigFile = None,
    policy: options.PolicyFile = None,
    evidence: options.EvidenceFiles = None,
    answer: options.Answers = None,
    answers: options.AnswersFile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Show exactly what a drafter would see of a range, one commit, the staged changes or the work tree.

    Exit codes: 0 shown, 2 failure, 3 NEEDS_INPUT (which range is meant).
    """
    from agent.collecting.request import Request
    from agent.commands.seeing import run
    from agent.tasks import CHANGESET

    request = Request(
        repository=repo,
        operand=operand,
        staged=staged,
        work_tree=work_tree,
        profile=profile,
        config=config,
        policy=policy,
        evidence=tuple(evidence or ()),
        answers=tuple(answer or ()),
        answers_file=answers,
    )
    return run(CHANGESET, request, tuple(context.obj), as_json=fmt is options.Format.JSON)
