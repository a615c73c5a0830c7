"""`evidraft changelog check`: the release ledgers of a project (Intent Changesets 7.1, 8 and 9)."""

from __future__ import annotations

from typing import Annotated

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Check and publish release ledgers.", rich_markup_mode=None)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The ledger, or - for standard input.")],
    *,
    profile: options.PolicyProfile = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Validate one ledger, with --profile also against project policy.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.ledgers import check_file

    return check_file(file, profile, as_json=fmt is options.Format.JSON)
