"""`evidraft contract`: whether a change keeps to what was agreed, and what it changes (Change Contracts)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from agent.commands import options

app = typer.Typer(
    no_args_is_help=True, help="Hold a change against a contract: scope, budget, dependencies, files, facts, tests, claims."
)

evidence_app = typer.Typer(no_args_is_help=True, help="Take the report of a test run as evidence.")
app.add_typer(evidence_app, name="evidence")


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
        str | None, typer.Option("--evidence", metavar="FILE", help="What `contract evidence import` wrote of a test run.")
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

    Exit codes: 0 PASS, 1 INCOMPLETE or DRIFT, 2 UNKNOWN or ERROR.
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
    fmt: Annotated[options.Format, typer.Option("--format", help="How it is printed.")] = options.Format.TEXT,
) -> int:
    """Tell what a change changes, without a contract.

    File by file and fact by fact, and what could not be read of both sides.

    Exit codes: 0 told, 2 something could not be read, or failure.
    """
    from agent.commands.contracting import Sides, tell

    sides = Sides(base_dir, head_dir, repo, base, head, comparison.value if comparison else None)
    return tell(sides, as_json=as_json or fmt is options.Format.JSON)


@app.command()
def draft(
    context: typer.Context,
    operand: options.Operand = None,
    *,
    repo: options.Repo = Path(),
    config: options.ConfigFile = None,
    policy: options.PolicyFile = None,
    evidence: options.EvidenceFiles = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the proposal to a file.")] = None,
    fmt: options.OutputFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
) -> int:
    """Propose a contract out of a change and what was written of it. A person has to review it: a proposal approves nothing.

    Exit codes: 2 failure, 3 NEEDS_INPUT (the proposal and its questions).
    """
    from agent.collecting.request import Request
    from agent.commands.contract_drafting import run

    given = tuple(evidence or ())
    request = Request(repo, operand, config=config, policy=policy, evidence=given, needs_profile=False)
    return run(request, tuple(context.obj), output, as_json=fmt is options.Format.JSON, quiet=quiet)


class RunnerName(StrEnum):
    """Whose report it will be."""

    VITEST = "vitest"
    JEST = "jest"
    JUNIT = "junit"
    CTRF = "ctrf"


class Mode(StrEnum):
    """What the project is: what is committed, or what lies in its folder."""

    GIT = "git"
    DIRECTORY = "directory"


Out: TypeAlias = Annotated[Path, typer.Option("--out", metavar="FILE", help="A new file outside the project.")]
Told: TypeAlias = Annotated[options.Format, typer.Option("--format", help="How what was written is told.")]


@evidence_app.command("prepare")
def evidence_prepare(
    *,
    contract: Annotated[
        str, typer.Option("--contract", metavar="FILE", help="The contract that will decide: the approved one.")
    ],
    out: Out,
    runner: Annotated[RunnerName, typer.Option("--runner", help="Whose report it will be.")],
    runner_version: Annotated[str, typer.Option("--runner-version", metavar="VERSION", help="The version of the runner.")],
    project: Annotated[Path, typer.Option("--project", metavar="DIR", help="The project; default: here.")] = Path(),
    mode: Annotated[Mode, typer.Option("--mode", help="git: what is committed; directory: what lies there.")] = Mode.GIT,
    fmt: Told = options.Format.TEXT,
) -> int:
    """Write down what a test run will be about.

    Its files, commit and contract. Then run the tests, and import their report.

    Exit codes: 0 written, 2 failure.
    """
    from agent.commands.contract_evidence import prepare
    from agent.commands.printing import emit, emit_json, line, masked
    from guardrails.contracts import evidence_envelope

    if not runner_version:
        raise typer.BadParameter("got nothing, expected a version", param_hint="--runner-version")
    prepared = prepare(project, contract, out, evidence_envelope.Runner(name=runner.value, version=runner_version), mode.value)
    if fmt is options.Format.JSON:
        emit_json(masked(prepared.model_dump(mode="json", by_alias=True, exclude_none=True), evidence_envelope.WORDS))
    else:
        emit(line(f"{out}: prepared; run the tests now, without retries, and import their report") + "\n")
    return 0


@evidence_app.command("import")
def evidence_import(
    *,
    manifest: Annotated[str, typer.Option("--manifest", metavar="FILE", help="What `prepare` wrote.")],
    report: Annotated[str, typer.Option("--report", metavar="FILE", help="The report of the runner.")],
    out: Out,
    fmt: Told = options.Format.TEXT,
) -> int:
    """Take the report of a run that was prepared.

    What is written is for `contract verify --evidence`.

    Exit codes: 0 written, 2 failure.
    """
    from agent.commands.contract_evidence import import_
    from agent.commands.printing import emit, emit_json, line, masked
    from guardrails.contracts import evidence_envelope

    imported = import_(manifest, report, out)
    if fmt is options.Format.JSON:
        emit_json(masked(imported.model_dump(mode="json", by_alias=True, exclude_none=True), evidence_envelope.WORDS))
    else:
        said = "the run succeeded" if imported.success else "the run did not succeed"
        emit(line(f"{out}: {len(imported.tests)} tests, {said}") + "\n")
    return 0
