"""`evidraft commit check | lint`: judge one commit message, or those of a range."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Check commit messages.", rich_markup_mode=None)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The message, or - for standard input.")],
    *,
    profile: options.PolicyProfile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Check one message, with --profile also against project policy.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.checking import load_profile, read_operand
    from agent.commands.linting import decoded, document, judge
    from agent.commands.printing import emit_findings, emit_result

    name, data = read_operand(file)
    text = decoded(data, name)
    report = judge(text, None)
    active = load_profile(profile) if profile is not None and report.message is not None else None
    if active is not None:
        report = judge(text, active)
    if fmt is options.Format.JSON:
        emit_result(document(report, active))
    else:
        emit_findings(report.findings, name=name, as_json=False, valid=f"{name}: valid Intent Commits message")
    return 1 if report.is_refused else 0


@app.command("lint")
def lint(
    operand: options.Operand = None,
    *,
    repo: options.Repo = Path(),
    profile: options.PolicyProfile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Check the messages of a range or revision, oldest first, merges too.

    With --profile also against project policy, which may advise on large diffs.

    Exit codes: 0 all valid, 1 not valid, 2 failure.
    """
    from agent.commands import printing
    from agent.commands.checking import load_profile
    from agent.commands.linting import document
    from agent.commands.linting import lint as linted
    from agent.sources.git import Repository

    active = load_profile(profile) if profile is not None else None
    reports, notes = linted(Repository.open(repo), operand, active)
    for note in notes:
        printing.note(printing.note_line(note))
    documents: list[dict[str, object]] = []
    count = refused = 0
    for commit, report in reports:
        count, refused = count + 1, refused + report.is_refused
        header = commit.message.partition("\n")[0]
        if fmt is options.Format.JSON:
            documents.append({"hash": commit.oid, "header": header, "report": document(report, active)})
        elif report.findings:
            lines = [f"  {printing.finding_line(finding)}" for finding in report.findings]
            printing.emit("\n".join((printing.line(f"{commit.oid[:12]} {header}"), *lines)) + "\n")
    if fmt is options.Format.JSON:
        printing.emit_result(documents)
    elif not refused:
        printing.emit(f"valid Intent Commits messages: {count}\n" if count else "no commit in this range\n")
    else:
        printing.note(f"not valid: {refused} of {count} commits")
    return 1 if refused else 0
