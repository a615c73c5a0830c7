"""`evidraft release check | create | verify`: the manifests of what was released (Release Manifest 1.0.0)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from agent.commands import options

app = typer.Typer(no_args_is_help=True, help="Check, create and verify release manifests.", rich_markup_mode=None)

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="The manifest, or - for standard input.")]


@app.command("check")
def check(file: File, *, profile: options.PolicyProfile = None, fmt: options.OutputFormat = options.Format.TEXT) -> int:
    """Validate one manifest, with --profile also against project policy.

    Exit codes: 0 valid, 1 not valid, 2 failure.
    """
    from agent.commands.examining import examine_as
    from agent.commands.recognising import RELEASE_MANIFEST

    return examine_as(RELEASE_MANIFEST, file, profile, as_json=fmt is options.Format.JSON)


@app.command("create")
def create(
    file: File,
    *,
    profile: options.ProfileFile = None,
    repo: options.Repo = Path(),
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Verify a manifest, and put it into its stream's directory, byte for byte, under the name of its release.

    Exit codes: 0 created, 1 it does not hold, 2 failure.
    """
    from agent.commands.manifests import create_manifest

    return create_manifest(file, repo, profile, as_json=fmt is options.Format.JSON)


@app.command("verify")
def verify(
    file: File,
    *,
    profile: options.ProfileFile = None,
    repo: options.Repo = Path(),
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Hold a manifest against its ledger, commit, tag and artifacts; what lies elsewhere is never fetched.

    Exit codes: 0 it holds, 1 it does not, 2 failure.
    """
    from agent.commands.manifests import verify_manifest

    return verify_manifest(file, repo, profile, as_json=fmt is options.Format.JSON)
