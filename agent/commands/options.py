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


class Bases(StrEnum):
    """What to take as base where the version before a release lies outside of its history."""

    ASK = "ask"
    VERSION = "version"
    ANCESTRY = "ancestry"


class Rendering(StrEnum):
    """How an envelope is printed: itself, or what it says as a page."""

    JSON = "json"
    MARKDOWN = "markdown"
    TEXT = "text"


class Post(StrEnum):
    """Where a forge is to show the page."""

    BODY = "body"
    COMMENT = "comment"


Operand: TypeAlias = Annotated[
    str | None,
    typer.Argument(metavar="RANGE|REV", help="A..B, A...B, or one revision; without it, the branch against its base."),
]
Span: TypeAlias = Annotated[
    str | None,
    typer.Argument(metavar="RANGE|REV", help="A..B, A...B, or everything up to a revision; without it, up to HEAD."),
]
CommitsOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--range", "--head", "--revision-range", metavar="RANGE|REV", help="Which commits may link it; without it, up to HEAD."
    ),
]
PlanOnly: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")]
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
        "--evidence",
        metavar="FILE",
        help="An issue, decision or pull request export (JSON, YAML, Markdown), or what contract verify printed; repeatable.",
    ),
]
Answers: TypeAlias = Annotated[
    list[str] | None, typer.Option("--answer", metavar="FIELD=VALUE", help="What you decide for a field; repeatable.")
]
AnswersFile: TypeAlias = Annotated[
    str | None, typer.Option("--answers", metavar="FILE", help="A YAML or JSON map of fields to values; - for standard input.")
]
OutputFormat: TypeAlias = Annotated[Format, typer.Option("--format", help="How the result is printed.")]
AcceptSuggestions: TypeAlias = Annotated[
    bool, typer.Option("--accept-suggestions", help="Take every suggestion as your answer; recorded as accepted.")
]
Drafter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="CLIENT", help="extractive (the default), openai:NAME, anthropic:NAME, URL#NAME, recorded:DIR."
    ),
]
NoCache: TypeAlias = Annotated[
    bool, typer.Option("--no-cache", help="Ask the drafter anew, and keep no reply for the next time.")
]
RecordReplies: TypeAlias = Annotated[
    Path | None,
    typer.Option("--record-replies", metavar="DIR", help="Write each reply to DIR; --model recorded:DIR answers from there."),
]
MaxCost: TypeAlias = Annotated[
    float | None, typer.Option("--max-cost", metavar="USD", min=0, help="Stop before the drafter costs more than that.")
]
MaxTokens: TypeAlias = Annotated[
    int | None, typer.Option("--max-tokens", metavar="N", min=0, help="Stop before more tokens go in and out than that.")
]
Jobs: TypeAlias = Annotated[
    int | None, typer.Option("--jobs", metavar="N", min=1, max=256, help="Calls to a drafter at once; default: 4.")
]
Timeout: TypeAlias = Annotated[
    float | None, typer.Option("--timeout", metavar="SECONDS", min=1, help="How long one draft may take; default: 600.")
]
Fallback: TypeAlias = Annotated[
    bool, typer.Option("--fallback", help="Draft extractively where the drafter has no key or cannot be reached, and say so.")
]
Interactive: TypeAlias = Annotated[
    bool | None,
    typer.Option("--interactive/--no-interactive", help="Ask open fields on the terminal; default: if there is one."),
]
Output: TypeAlias = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the result to a file.")]
Record: TypeAlias = Annotated[Path | None, typer.Option("--record", metavar="FILE", help="Write the draft record (JSON).")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Show what a drafter would see; ask none.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but failures.")]
Verbose: TypeAlias = Annotated[bool, typer.Option("--verbose", "-v", help="Say on stderr what each field rests on.")]
