"""`evidraft profile validate | init`: judge a Project Profile, and propose a first one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Validate and propose Project Profiles.", rich_markup_mode=None)


@app.command("validate")
def validate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The profile, or - for standard input.")],
    *,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Tell every fault of a Project Profile with its line.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.examining import examine_as
    from agent.commands.recognising import PROFILE

    return examine_as(PROFILE, file, None, as_json=fmt is options.Format.JSON)


@app.command("init")
def init(
    *,
    repo: options.Repo = Path(),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a new file instead of standard output.")
    ] = None,
) -> int:
    """Propose a commented profile from what the repository shows; every guess is marked QUESTION.

    Exit codes: 0 proposed, 2 failure.
    """
    from agent import store
    from agent.commands.printing import emit, note
    from agent.proposing.looking import propose
    from agent.sources.git import Repository

    text = propose(Repository.open(repo))
    if output is None or str(output) in store.STANDARD_OUTPUT:
        emit(text)
        return 0
    wanted = output.absolute()
    # The folders that are missing are the store's to make: `.ack/profile.yaml` is usual, and `.ack` new.
    root = next(folder for folder in wanted.parents if folder.exists())
    placed = store.write_new(root, wanted.relative_to(root).as_posix(), text.encode())
    note(f"wrote {placed}; settle its {text.count('QUESTION')} questions, then: evidraft profile validate {output}")
    return 0
