"""`evidraft pull-request draft | check | create | verify`: the records of what is integrated (Intent Pull Requests 1.0.0)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Draft, check, create and verify pull-request records.", rich_markup_mode=None)

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="The record, or - for standard input.")]


@app.command("draft")
def draft(
    context: typer.Context,
    operand: options.Operand = None,
    *,
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
    write: Annotated[bool, typer.Option("--write", help="Write the record into the profile's directory for requests.")] = False,
    record: options.Record = None,
    dry_run: options.DryRun = False,
    fmt: options.OutputFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> int:
    """Draft the record of a request (YAML) from its commits, since they left their base, and the changesets that they link.

    Exit codes: 0 drafted, 1 rejected, 2 failure, 3 NEEDS_INPUT.
    """
    from agent.collecting.request import Request
    from agent.commands.drafters import DrafterWish
    from agent.commands.drafting import Wish, run
    from agent.tasks import PULL_REQUEST

    request = Request(
        repository=repo,
        operand=operand,
        integrates=True,
        profile=profile,
        config=config,
        policy=policy,
        evidence=tuple(evidence or ()),
        answers=tuple(answer or ()),
        answers_file=answers,
    )
    wish = Wish(
        command=tuple(context.obj),
        drafter=DrafterWish(model, not no_cache, record_replies, max_cost, max_tokens, jobs, timeout, fallback),
        accept_suggestions=accept_suggestions,
        interactive=interactive,
        output=output,
        write=write,
        record=record,
        dry_run=dry_run,
        as_json=fmt is options.Format.JSON,
        quiet=quiet,
        verbose=verbose,
    )
    return run(PULL_REQUEST, request, wish)


@app.command("check")
def check(file: File, *, profile: options.PolicyProfile = None, fmt: options.OutputFormat = options.Format.TEXT) -> int:
    """Validate one record, with --profile also against project policy.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.examining import examine_as
    from agent.commands.recognising import PULL_REQUEST

    return examine_as(PULL_REQUEST, file, profile, as_json=fmt is options.Format.JSON)


@app.command("create")
def create(
    file: File,
    *,
    profile: options.ProfileFile = None,
    repo: options.Repo = Path(),
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Put a complete record into the profile's directory for requests, byte for byte, under an id that was never used.

    Exit codes: 0 created, 1 not valid or id taken, 2 failure.
    """
    from agent.commands.integrating import create_record

    return create_record(file, repo, profile, as_json=fmt is options.Format.JSON)


@app.command("verify")
def verify(
    file: File,
    *,
    profile: options.ProfileFile = None,
    repo: options.Repo = Path(),
    head: Annotated[str, typer.Option("--head", metavar="REV", help="The head of the request.")] = "HEAD",
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Hold a record against its revisions and the changesets that it links.

    Exit codes: 0 it holds, 1 it does not, 2 failure.
    """
    from agent.commands.integrating import verify_record

    return verify_record(file, repo, profile, head, as_json=fmt is options.Format.JSON)
