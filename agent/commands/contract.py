"""`evidraft contract`: whether a change keeps to what was agreed, and what it changes (Change Contracts)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

app = typer.Typer(help="Hold a change against a contract: scope, budget, dependencies, files, facts, tests, claims.")


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


class Comparison(StrEnum):
    """What a head is compared with: its base itself, or the commit where both parted, as a request has it."""

    EXACT = "exact"
    PR = "pr"


BaseDir: TypeAlias = Annotated[
    Path | None, typer.Option("--base-dir", metavar="DIR", help="The files before the change; with --head-dir.")
]
HeadDir: TypeAlias = Annotated[
    Path | None, typer.Option("--head-dir", metavar="DIR", help="The files after the change; with --base-dir.")
]
Repo: TypeAlias = Annotated[Path | None, typer.Option("--repo", metavar="DIR", help="The git repository; default: here.")]
Base: TypeAlias = Annotated[str | None, typer.Option("--base", metavar="REF", help="The commit before the change.")]
Head: TypeAlias = Annotated[
    str | None,
    typer.Option("--head", metavar="REF", help="The commit after the change; default HEAD. What is not committed is not read."),
]
Compared: TypeAlias = Annotated[
    Comparison | None,
    typer.Option(
        "--comparison", help="exact (the default): with --base itself; pr: with where both parted, as a request has it."
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="The same as --format json.")]


@app.command()
def verify(
    *,
    contract: Annotated[str, typer.Option("--contract", metavar="FILE", help="The contract that comes with the change.")],
    approved_contract: Annotated[
        str | None,
        typer.Option("--approved-contract", metavar="FILE", help="The contract that was reviewed; it decides."),
    ] = None,
    evidence: Annotated[
        str | None, typer.Option("--evidence", metavar="FILE", help="The envelope of a test run, by contract evidence import.")
    ] = None,
    base_dir: BaseDir = None,
    head_dir: HeadDir = None,
    repo: Repo = None,
    base: Base = None,
    head: Head = None,
    comparison: Compared = None,
    as_json: AsJson = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell more of what is kept, and the facts it rests on.")
    ] = False,
    fmt: Annotated[Format, typer.Option("--format", help="How the results are printed.")] = Format.TEXT,
) -> int:
    """Hold a change against its contract. Nothing is checked out and nothing of the change runs.

    Exit codes: 0 PASS, 1 INCOMPLETE or DRIFT, 2 UNKNOWN or failure.
    """
    from agent.commands.contracting import Sides, run

    sides = Sides(base_dir, head_dir, repo, base, head, comparison.value if comparison else None)
    chosen = Format.JSON if as_json else fmt
    return run(contract, approved_contract, evidence, sides, chosen.value, is_verbose=verbose)


@app.command()
def review(
    *,
    base_dir: BaseDir = None,
    head_dir: HeadDir = None,
    repo: Repo = None,
    base: Base = None,
    head: Head = None,
    comparison: Compared = None,
    as_json: AsJson = False,
    fmt: Annotated[Format, typer.Option("--format", help="How it is printed; text or json.")] = Format.TEXT,
) -> int:
    """Tell what a change changes, file by file and fact by fact, without a contract.

    Exit codes: 0 told, 2 something could not be read, or failure.
    """
    from agent.commands.contracting import Sides, tell

    sides = Sides(base_dir, head_dir, repo, base, head, comparison.value if comparison else None)
    return tell(sides, (Format.JSON if as_json else fmt).value)
