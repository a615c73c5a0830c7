"""`evidraft pull-request check | create | verify`: the records of what is integrated (Intent Pull Requests 1.0.0)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Check, create and verify pull-request records.", rich_markup_mode=None)

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="The record, or - for standard input.")]


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
