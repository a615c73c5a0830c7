"""`evidraft describe`: one envelope for a commit, a range or a request (Describe Changes)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options
from agent.commands.options import Post, Rendering


class ShapeWish(StrEnum):
    """The shape that a caller wants, or that they want to be asked."""

    ASK = "ask"
    SINGLE = "single"
    ITEMIZED = "itemized"


def describe(
    context: typer.Context,
    operand: options.Operand = None,
    *,
    shape: Annotated[
        ShapeWish | None, typer.Option("--shape", help="One digest, an array of changes, or a question; default: a question.")
    ] = None,
    render: Annotated[Rendering, typer.Option("--render", help="The envelope itself, or a page of it.")] = Rendering.JSON,
    payload: Annotated[
        str | None,
        typer.Option("--payload", metavar="FILE", help="What a forge tells of a request or a push (JSON); - for stdin."),
    ] = None,
    event: Annotated[bool, typer.Option("--event", help="The event that the CI job around this run is for.")] = False,
    pr: Annotated[
        int | None, typer.Option("--pr", metavar="N", min=1, help="A pull or merge request, read from its forge.")
    ] = None,
    write_body: Annotated[
        Path | None,
        typer.Option("--write-body", metavar="FILE", help="Put the page between our marks in a file; every other byte stays."),
    ] = None,
    post: Annotated[
        Post | None, typer.Option("--post", help="Put the page into the request's body or a comment, on the forge.")
    ] = None,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    config: options.ConfigFile = None,
    policy: options.PolicyFile = None,
    evidence: options.EvidenceFiles = None,
    answer: options.Answers = None,
    answers: options.AnswersFile = None,
    accept_suggestions: options.AcceptSuggestions = False,
    model: options.Drafter = None,
    no_cache: options.NoCache = False,
    record_replies: options.RecordReplies = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    jobs: options.Jobs = None,
    timeout: options.Timeout = None,
    fallback: options.Fallback = False,
    interactive: options.Interactive = None,
    output: options.Output = None,
    record: options.Record = None,
    dry_run: options.DryRun = False,
    fmt: options.OutputFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> int:
    """Describe one commit, one range or one request as an envelope (JSON), or as a page of markdown or plain text.

    Exit codes: 0 drafted, 1 rejected, 2 failure, 3 NEEDS_INPUT.
    """
    from agent.collecting.request import Request
    from agent.commands.drafters import DrafterWish
    from agent.commands.drafting import Wish, run
    from agent.tasks import ENVELOPE

    request = Request(
        repository=repo,
        operand=operand,
        payload=payload,
        event=event,
        pull_request=pr,
        shape=shape.value if shape is not None else None,
        profile=profile,
        config=config,
        policy=policy,
        evidence=tuple(evidence or ()),
        answers=tuple(answer or ()),
        answers_file=answers,
        describes=True,
        needs_profile=False,
    )
    wish = Wish(
        command=tuple(context.obj),
        drafter=DrafterWish(model, not no_cache, record_replies, max_cost, max_tokens, jobs, timeout, fallback),
        accept_suggestions=accept_suggestions,
        interactive=interactive,
        output=output,
        render=render,
        write_body=write_body,
        post=post,
        record=record,
        dry_run=dry_run,
        as_json=fmt is options.Format.JSON,
        quiet=quiet,
        verbose=verbose,
    )
    return run(ENVELOPE, request, wish)
