"""`evidraft changeset draft | check | create | gate`, and `draft-changeset`, which is the first of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options

app = typer.Typer(help="Draft, check and create Intent Changesets.", rich_markup_mode=None)


@app.command("draft")
def draft(
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
    write: Annotated[bool, typer.Option("--write", help="Write the record into the profile's pending directory.")] = False,
    record: options.Record = None,
    dry_run: options.DryRun = False,
    fmt: options.OutputFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> int:
    """Draft one changeset (YAML) from a range, one commit, the staged changes or the work tree.

    Exit codes: 0 drafted, 1 rejected, 2 failure, 3 NEEDS_INPUT.
    """
    from agent.collecting.request import Request
    from agent.commands.drafters import DrafterWish
    from agent.commands.drafting import Wish, run
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
    return run(CHANGESET, request, wish)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record, or - for standard input.")],
    *,
    profile: options.PolicyProfile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Validate one changeset, with --profile also against project policy.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.examining import examine_as
    from agent.commands.recognising import CHANGESET

    return examine_as(CHANGESET, file, profile, as_json=fmt is options.Format.JSON)


@app.command("create")
def create(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The complete record, or - for standard input.")],
    *,
    profile: options.ProfileFile = None,
    repo: options.Repo = Path(),
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Put a complete record into the profile's pending directory, byte for byte, under an id that was never used.

    Exit codes: 0 created, 1 not valid or id taken, 2 failure.
    """
    from agent.commands.checking import check_changeset, load_profile, read_operand
    from agent.commands.printing import emit_findings, emit_json
    from agent.commands.writing import put
    from agent.sources.git import Repository
    from guardrails.findings import Finding, blocking

    name, data = read_operand(file)
    repository = Repository.open(repo)
    active = load_profile(profile, repository)
    found = check_changeset(data, active)
    if not blocking(found):
        placed = put(repository, active, data)
        if not isinstance(placed, Finding):
            if fmt is options.Format.JSON:
                emit_json({"path": str(placed), "id": placed.stem})
            else:
                emit_findings((), name=name, as_json=False, valid=f"created {placed}")
            return 0
        found = (placed,)
    emit_findings(found, name=name, as_json=fmt is options.Format.JSON, valid="")
    return 1


@app.command("consume")
def consume(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record of the pending directory.")],
    *,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    span: options.CommitsOf = None,
    dry_run: options.PlanOnly = False,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Put each target of a pending changeset into its unreleased ledger, then archive, delete or keep the file as profiled.

    What was consumed before is not entered again, and what was edited in a ledger is reported and kept.

    Exit codes: 0 consumed, 1 refused and nothing written, 2 failure.
    """
    from agent.commands.consuming import Wish
    from agent.commands.consuming import consume as consumed

    return consumed(file, Wish(repo, profile, span, dry_run, fmt is options.Format.JSON))


@app.command("gate")
def gate(
    *,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Tell whether a release may be published: ledgers that hold, and have every pending target as it was decided.

    Exit codes: 0 open, 1 closed, 2 failure.
    """
    from agent.commands.gate import run as gated

    return gated(repo, profile, as_json=fmt is options.Format.JSON)


@app.command("links")
def links(
    operand: options.Span = None,
    *,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Hold commit messages against the decisions they link, oldest first, and report contradictions with both sides.

    Exit codes: 0 no contradiction, 1 findings, 2 failure.
    """
    from agent.commands.links import check_links

    return check_links(repo, operand, profile, as_json=fmt is options.Format.JSON)
