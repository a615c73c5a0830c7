"""`evidraft changelog init | check | render | publish | amend`: release ledgers (Intent Changesets 7.1, 8 and 9)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Begin, check, render and publish release ledgers.", rich_markup_mode=None)

Ledger: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="The ledger, or - for standard input.")]
Day: TypeAlias = Annotated[str | None, typer.Option("--date", metavar="DATE", help="The day, as 2026-12-01; default: today.")]


class Form(StrEnum):
    """What a ledger is rendered as."""

    MARKDOWN = "markdown"
    TEXT = "text"
    JSON = "json"


@app.command("init")
def init(
    *,
    release_unit: Annotated[str, typer.Option("--release-unit", metavar="UNIT", help="A release unit of the profile.")],
    stream: Annotated[str, typer.Option("--stream", metavar="STREAM", help="A stream of that unit.")],
    release: Annotated[str, typer.Option("--release", metavar="NAME", help="What the release is called.")],
    profile: options.ProfileFile = None,
    repo: options.Repo = Path(),
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Create the empty ledger of a release at the place that the profile gives to its stream; no file there is touched.

    Exit codes: 0 created, 2 failure.
    """
    from agent.commands.ledgers import Place, begin

    return begin(Place(repo, profile), release_unit, stream, release, as_json=fmt is options.Format.JSON)


@app.command("check")
def check(
    file: Ledger,
    *,
    profile: options.PolicyProfile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Validate one ledger, with --profile also against project policy.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.ledgers import check_file

    return check_file(file, profile, as_json=fmt is options.Format.JSON)


@app.command("render")
def render(
    file: Ledger,
    *,
    form: Annotated[Form, typer.Option("--format", help="What it is rendered as.")] = Form.MARKDOWN,
) -> int:
    """Print a ledger for its readers: no embargoed entry, of a redacted one its placeholder alone, whatever the form.

    Exit codes: 0 rendered, 1 not valid, 2 failure.
    """
    from agent.commands.rendering import render as rendered

    return rendered(file, form.value)


@app.command("publish")
def publish(
    file: Ledger,
    *,
    date: Day = None,
    profile: options.PolicyProfile = None,
    repo: options.Repo = Path(),
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Give an unreleased ledger its date and leave every other byte; where there is a profile, only while the gate is open.

    Exit codes: 0 published, 1 refused, 2 failure.
    """
    from agent.commands.ledgers import Place
    from agent.commands.ledgers import publish as published

    return published(file, date, Place(repo, profile), as_json=fmt is options.Format.JSON)


@app.command("amend")
def amend(
    file: Ledger,
    *,
    identifier: Annotated[str, typer.Option("--id", metavar="ID", help="The amendment's own id.")],
    summary: Annotated[str, typer.Option("--summary", metavar="TEXT", help="What is corrected.")],
    reference: Annotated[
        list[str], typer.Option("--reference", metavar="KIND=REFERENCE", help="What it rests on, as issues=A-1; repeatable.")
    ],
    date: Day = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Add an amendment to a released ledger and leave every other byte.

    Exit codes: 0 added, 1 refused, 2 failure.
    """
    from agent.commands.ledgers import amend as amended
    from agent.commands.ledgers import amendment

    told = amendment(identifier, date, summary, reference)
    return amended(file, told, as_json=fmt is options.Format.JSON)


@app.command("source")
def source(
    operand: options.Span = None,
    *,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Draw markdown for writers from commit messages, by impact, newest first; it is no ledger.

    Commits whose decision is not public, or not known, are left out.

    Exit codes: 0 all commits valid, 1 not valid, 2 failure.
    """
    from agent.commands.sourcing import show_source

    return show_source(repo, operand, profile, as_json=fmt is options.Format.JSON)


@app.command("generate")
def generate(
    operand: options.Span = None,
    *,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    dry_run: options.PlanOnly = False,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Consume every pending changeset into its ledgers, all or none, with the commits of a range.

    Exit codes: 0 consumed, 1 refused and nothing written, 2 failure.
    """
    from agent.commands.consuming import Wish
    from agent.commands.consuming import generate as generated

    return generated(Wish(repo, profile, operand, dry_run, fmt is options.Format.JSON))
