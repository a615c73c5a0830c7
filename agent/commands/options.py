"""The options that several commands share, declared once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"


Operand: TypeAlias = Annotated[
    str | None,
    typer.Argument(metavar="RANGE|REV", help="A..B, A...B, or one revision; without it, the branch against its base."),
]
Repo: TypeAlias = Annotated[Path, typer.Option("--repo", metavar="DIR", help="The git repository; also a bare one.")]
ProfileFile: TypeAlias = Annotated[
    Path | None, typer.Option("--profile", metavar="FILE", help="The Project Profile; default .ack/profile.yaml.")
]
PolicyProfile: TypeAlias = Annotated[
    Path | None, typer.Option("--profile", metavar="FILE", help="The Project Profile whose policy counts; default none.")
]
ConfigFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings and rules; default evidraft.toml of the base revision."),
]
PolicyFile: TypeAlias = Annotated[Path | None, typer.Option("--policy", metavar="FILE", help="The redaction policy.")]
Staged: TypeAlias = Annotated[bool, typer.Option("--staged", help="The staged changes.")]
WorkTree: TypeAlias = Annotated[bool, typer.Option("--work-tree", help="All uncommitted changes.")]
EvidenceFiles: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence", metavar="FILE", help="An issue, decision or pull request export (JSON, YAML, Markdown); repeatable."
    ),
]
Answers: TypeAlias = Annotated[
    list[str] | None, typer.Option("--answer", metavar="FIELD=VALUE", help="What you decide for a field; repeatable.")
]
AnswersFile: TypeAlias = Annotated[
    str | None, typer.Option("--answers", metavar="FILE", help="A YAML or JSON map of fields to values; - for standard input.")
]
OutputFormat: TypeAlias = Annotated[Format, typer.Option("--format", help="How the result is printed.")]
