"""`evidraft release-notes`: itemized envelopes and their pages for many releases, in one run that can be gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.commands import options


def release_notes(
    context: typer.Context,
    ranges: Annotated[
        list[str] | None, typer.Argument(metavar="[RANGE]...", help="A..B, A...B, ..B; one release each.")
    ] = None,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="The folder of the pages; needed unless --dry-run.")
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option("--tags", metavar="GLOB", help="Every version whose tag fits, from the one before it; repeatable."),
    ] = None,
    unit: Annotated[
        list[str] | None, typer.Option("--unit", metavar="U[@STREAM]", help="A release unit of the profile; repeatable.")
    ] = None,
    bases: Annotated[
        options.Bases,
        typer.Option("--bases", help="Where the version before lies on a side line: ask, or take it, or what history has."),
    ] = options.Bases.ASK,
    manifest: Annotated[
        str | None, typer.Option("--manifest", metavar="FILE", help="Repositories and their releases (evidraft schema).")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that wrote to this folder.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget the run that wrote to this folder, and what it paid for.")
    ] = False,
    answers: options.AnswersFile = None,
    repo: options.Repo = Path(),
    profile: options.ProfileFile = None,
    config: options.ConfigFile = None,
    policy: options.PolicyFile = None,
    evidence: options.EvidenceFiles = None,
    offline: Annotated[bool, typer.Option("--offline", help="Take mirrors of remote repositories as they are.")] = False,
    model: options.Drafter = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    jobs: options.Jobs = None,
    requests_per_minute: Annotated[
        int | None, typer.Option("--requests-per-minute", metavar="N", min=1, help="Calls that begin within a minute, at most.")
    ] = None,
    tokens_per_minute: Annotated[
        int | None, typer.Option("--tokens-per-minute", metavar="N", min=1, help="Tokens in and out within a minute, at most.")
    ] = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="Hand the calls to the provider's batch endpoint: within a day, at half the price.")
    ] = False,
    call_off: Annotated[
        bool,
        typer.Option("--call-off", help="Have the provider stop its batches of this run; what it answered can be had still."),
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option("--processes", metavar="N", min=1, max=256, help="Processes that draft; default: processors."),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="Draft on the workers of a Dask cluster.")
    ] = None,
    events: Annotated[
        str | None, typer.Option("--events", metavar="FILE", help="Write what happens as JSON lines; - for standard output.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be drafted and what it may cost; draft nothing.")
    ] = False,
    fmt: options.OutputFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
) -> int:
    """Draft the notes of many releases into a folder. What a run did is never lost: --resume goes on with it.

    Exit codes, the worst of all releases: 0 drafted, 3 NEEDS_INPUT, 1 rejected, 2 failed or not done.
    """
    from agent.batch.release import Options
    from agent.batch.wish import Bases, Entry
    from agent.commands.drafters import DrafterWish
    from agent.commands.releasing import Pace, RunWish, run

    files = {name: str(file) for name, file in {"profile": profile, "config": config, "policy": policy}.items() if file}
    wish = RunWish(
        command=tuple(context.obj),
        entry=Entry(
            repository=str(repo),
            ranges=tuple(ranges or ()),
            tags=tuple(tags or ()),
            units=tuple(unit or ()),
            options=Options(evidence=tuple(evidence or ()), **files),
        ),
        manifest=manifest,
        bases=Bases(bases.value),
        output=output,
        resume=resume,
        fresh=fresh,
        answers=answers,
        offline=offline,
        drafter=DrafterWish(model, max_cost=max_cost, max_tokens=max_tokens, jobs=jobs),
        pace=Pace(requests_per_minute, tokens_per_minute, processes, cluster, batch),
        events=events,
        dry_run=dry_run,
        call_off=call_off,
        as_json=fmt is options.Format.JSON,
        quiet=quiet,
    )
    return run(wish)
