"""`evidraft check FILE...`: any record by its own marker, and whether a draft is stale."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options


class Kind(StrEnum):
    """The kinds of record that can be checked."""

    CHANGESET = "changeset"
    PROFILE = "profile"
    CHANGELOG = "changelog"
    PULL_REQUEST = "pull-request"
    RELEASE_MANIFEST = "release-manifest"
    COMMIT = "commit"
    DRAFT_RECORD = "draft-record"
    ENVELOPE = "envelope"
    CONTRACT = "contract"


def check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Records of any kind, or - for standard input.")
    ] = None,
    *,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="What the files are; a commit message has no marker of its own.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="The draft record of FILE: tells whether the draft is stale."),
    ] = None,
    profile: options.PolicyProfile = None,
    repo: Annotated[
        Path | None, typer.Option("--repo", metavar="DIR", help="The repository that a draft record is compared with.")
    ] = None,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Check records of every kind by themselves: changesets, ledgers, pull-request records, release manifests, profiles, commit
    messages, envelopes, change contracts, and draft records, which are compared with the repository too.

    All files are checked, and the worst result counts.

    Exit codes: 0 valid, 1 not valid or stale, 2 failure.
    """
    from agent.commands.examining import Question, examine

    question = Question(tuple(files or ()), kind.value if kind else None, record, profile, repo)
    return examine(question, as_json=fmt is options.Format.JSON)
