"""The command line: the Typer application, the exit codes, and the only broad `except`.

0  drafted and valid, or the check holds (warnings may be present)
1  a specification, profile, link, conflict or guard failure; a rejected draft
2  usage, input, configuration, filesystem, git or provider failure
3  NEEDS_INPUT
130  interrupted
"""

from __future__ import annotations

import gc
import io
import os
import resource
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from agent.commands import (
    changelog,
    changeset,
    check,
    commit,
    contract,
    describe,
    evidence,
    explain,
    models,
    profile,
    pull_request,
    release,
    release_notes,
    schema,
    verify,
)
from agent.errors import Failure, UsageFailure

INTERRUPTED = 130
_OBJECTS = 200_000
"""How many objects are made before circles are looked for: there are next to none, and all the evidence is gone through."""

app = typer.Typer(
    name="evidraft",
    help="Draft release decisions and describe changes, and say only what the evidence says.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(changelog.app, name="changelog")
app.add_typer(changeset.app, name="changeset")
app.add_typer(commit.app, name="commit")
app.add_typer(contract.app, name="contract")
app.add_typer(profile.app, name="profile")
app.add_typer(pull_request.app, name="pull-request")
app.add_typer(release.app, name="release")
app.command("describe")(describe.describe)
app.command("release-notes")(release_notes.release_notes)
app.command("evidence")(evidence.evidence)
app.command("verify")(verify.verify)
app.command("check")(check.check)
app.command("explain")(explain.explain)
app.command("models")(models.models)
app.command("schema")(schema.schema)

_short = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
_short.command()(changeset.draft)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"evidraft {version('evidraft')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")] = False,
) -> None:
    """Draft release decisions and describe changes, and say only what the evidence says."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `evidraft` with `argv` (without the program name); returns the exit code and never raises."""
    return run(app, "evidraft", (sys.argv[1:] if argv is None else list(argv)) or ["--help"])


def draft_changeset(argv: Sequence[str] | None = None) -> int:
    """Run `draft-changeset`, which is `evidraft changeset draft`; returns the exit code and never raises."""
    return run(_short, "draft-changeset", sys.argv[1:] if argv is None else list(argv))


def run(application: typer.Typer, program: str, argv: list[str]) -> int:
    """Run to an exit code. What is printed is UTF-8 whatever the locale says, as records are; a crash leaves no evidence."""
    from agent.commands.printing import silence

    gc.set_threshold(_OBJECTS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    _fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _outcome(application, program, argv)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # Typer leaves like this when nobody reads its help.
        silence()
        return 2
    return code


def _fill_closed_streams() -> None:
    """Let a stream that was closed before lead nowhere: else the next file that is opened would take its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = io.FileIO(os.open(os.devnull, os.O_RDWR), "r+")
            setattr(sys, name, io.TextIOWrapper(io.BufferedRWPair(nowhere, nowhere), "utf-8"))


def _outcome(application: typer.Typer, program: str, argv: list[str]) -> int:
    """The exit code of the command; whatever stops it is told in one message, and in one document when that was asked for."""
    from agent.commands.printing import complain

    try:
        code = typer.main.get_command(application).main(argv, prog_name=program, standalone_mode=False, obj=[program, *argv])
    except TyperException as error:
        code, failure = 2, _misused(error, program)
    except Failure as refused:
        code, failure = refused.exit_code, refused
    except (KeyboardInterrupt, typer.Abort):
        code, failure = INTERRUPTED, Failure("interrupted")
    except Exception as error:  # noqa: BLE001 - the one boundary: a fault of ours must not print what it was working on
        what = f"internal fault {type(error).__name__} at {_place(error)}"
        code, failure = 2, Failure(what, cure="please report it; no evidence is quoted here")
    else:
        if code != INTERRUPTED:  # which is how Typer tells that somebody pressed Ctrl-C
            return code if isinstance(code, int) else 0
        failure = Failure("interrupted")
    complain(failure, int(code), _asked_for(argv))
    return int(code)


def _misused(error: TyperException, program: str) -> Failure:
    """What does not make sense, and whose help tells what does; a group without a command gives its help as its message."""
    context = getattr(error, "ctx", None)
    said = error.format_message()
    what = "Missing command." if said.startswith("Usage: ") else said.replace(": Value error, ", ": ")
    return UsageFailure(what, cure=f"see {context.command_path if context is not None else program} --help")


def _asked_for(argv: list[str]) -> str:
    """The form of document that was asked for, as far as the words tell where they cannot be used; "" for none."""
    named = [word.removeprefix("--format=") for word in argv if word.startswith("--format=")]
    named += [word for option, word in pairwise(argv) if option == "--format"]
    if "--json" in argv or "json" in named:
        return "json"
    return next((word for word in named if argv[0] == "contract" and word in {"sarif", "github"}), "")


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "unknown place"
