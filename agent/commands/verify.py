"""`evidraft verify`: the post-validator by itself, over a record or an envelope that someone else wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options


def verify(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="DRAFT", help="The record or envelope, or - for standard input.")],
    operand: options.Operand = None,
    *,
    staged: options.Staged = False,
    work_tree: options.WorkTree = False,
    payload: Annotated[
        str | None, typer.Option("--payload", metavar="FILE", help="For an envelope: what a forge tells of its request (JSON).")
    ] = None,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    config: options.ConfigFile = None,
    policy: options.PolicyFile = None,
    evidence: options.EvidenceFiles = None,
    answer: options.Answers = None,
    answers: options.AnswersFile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Hold a changeset, a pull-request record or an envelope that a person or another agent wrote against the evidence, with
    every check of drafting.

    An envelope names its own commit or range; it needs no Project Profile.

    Exit codes: 0 holds, 1 refused, 2 failure, 3 NEEDS_INPUT (the evidence does not decide what the draft says).
    """
    from agent.collecting.request import Request
    from agent.commands.verifying import run

    request = Request(
        repository=repo,
        operand=operand,
        staged=staged,
        work_tree=work_tree,
        payload=payload,
        profile=profile,
        config=config,
        policy=policy,
        evidence=tuple(evidence or ()),
        answers=tuple(answer or ()),
        answers_file=answers,
    )
    return run(request, file, tuple(context.obj), as_json=fmt is options.Format.JSON)
