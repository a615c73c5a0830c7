"""The session of `evidraft release-notes`: plan, draft with a journal, write the folder, report."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, TextIO

from agent import engines, settings, store
from agent.batch import answers as answering
from agent.batch import manifest, outputs
from agent.batch.askers import Askers
from agent.batch.asking import desk, pacing
from agent.batch.events import Listener
from agent.batch.journal import Journal, journal_file
from agent.batch.planning import Plan, plan
from agent.batch.progress import can_show_bars, watching
from agent.batch.provider_batches import batching
from agent.batch.release import Conditions
from agent.batch.report import Report
from agent.batch.runner import Bounds, Run
from agent.batch.runner import run as carry_out
from agent.batch.showing import Shown
from agent.batch.wish import Bases, Entry, Wish
from agent.batch.workers import Local, Workers
from agent.commands import planned, printing
from agent.commands.drafters import DrafterWish
from agent.errors import ProviderFailure, UsageFailure
from agent.replies import opening
from agent.replies.batching import called_off
from agent.replies.metering import Limits
from agent.replies.pacing import Rates
from agent.settings import Settings
from guardrails.evidence.model import AnswerValue

_STANDARD: Final = "-"
_OURS: Final = "EVIDRAFT_"
_SECRET: Final = "EVIDRAFT_ENDPOINT_KEY"  # noqa: S105 - the name of a variable
_WAVE: Final = Bounds(releases=1_000, commits=20_000)
"""What is held at once where all of it waits for one batch of a provider."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast, where, and by which way calls are made: None leaves it to the machine."""

    requests: int | None = None
    tokens: int | None = None
    processes: int | None = None
    cluster: str | None = None
    batch: bool = False


@dataclass(frozen=True, slots=True)
class RunWish:
    """What the command line asked for. `command` is the whole command line, `entry` what it says of one repository."""

    command: tuple[str, ...]
    entry: Entry
    manifest: str | None
    bases: Bases
    output: Path | None
    resume: bool
    fresh: bool
    answers: str | None
    offline: bool
    drafter: DrafterWish
    pace: Pace
    events: str | None
    dry_run: bool
    call_off: bool
    as_json: bool
    quiet: bool


def run(wish: RunWish) -> int:
    """Carry out the wish; returns the exit code.

    Raises:
        agent.errors.Failure: nothing can be planned, kept or written.
    """
    _require_sense(wish)
    told = settings.load(None, "", os.environ, {"model": wish.drafter.model, "jobs": wish.drafter.jobs})
    if wish.call_off and wish.output is not None:
        return _call_off(wish.output, told.model)
    conditions = Conditions(told.model, program=version("evidraft"), environ=_environ())
    whole = _planned(wish)
    if wish.dry_run or wish.output is None:
        return _show(whole, wish, conditions)
    with Journal.open(journal_file(wish.output)) as journal:
        _require_own(journal, wish)
        outputs.prepare(wish.output, whole)
        with _watched(wish) as listener:
            ended = asyncio.run(_carried_out(whole, _Means(wish, told, conditions, journal, listener)))
        return _deliver(whole, ended, wish.output, wish)


def _require_sense(wish: RunWish) -> None:
    entry = wish.entry
    if wish.manifest is not None and (entry.ranges or entry.tags or entry.units):
        raise UsageFailure(
            "a manifest names the releases already", where="--manifest", cure="leave ranges, --tags, --unit away"
        )
    if wish.output is None and not wish.dry_run:
        raise UsageFailure("nothing says where the notes are to go", where="--output", cure="name a folder, or add --dry-run")
    if wish.resume and wish.fresh:
        raise UsageFailure("a run is gone on with or forgotten", where="--resume, --fresh", cure="leave one of them away")
    if wish.pace.batch and wish.pace.cluster is not None:
        raise UsageFailure("a cluster asks no provider", where="--batch, --cluster", cure="leave one of them away")
    if wish.events == _STANDARD and wish.as_json:
        raise UsageFailure("standard output cannot hold both", where="--events -, --format json", cure="name a file for one")


def _call_off(out: Path, drafter: str) -> int:
    """Have the provider stop working on what a run for this folder handed over."""
    with Journal.open(journal_file(out)) as journal:
        running = asyncio.run(called_off(drafter, journal, environ=os.environ))
    for batch in running:
        printing.emit(f"called off: {printing.line(batch)}\n")
    if not running:
        printing.emit("no batch of this run is under way\n")
    return 0


def _require_own(journal: Journal, wish: RunWish) -> None:
    """See to it that nothing that was drafted or paid for is forgotten by accident."""
    if wish.fresh:
        journal.forget()
    elif not wish.resume and (journal.releases or journal.replies.count()):
        raise UsageFailure(
            "a run has written to this folder before",
            where=f"--output {wish.output}",
            cure="go on with it: --resume; or forget it, and what it paid for: --fresh",
        )


def _environ() -> Mapping[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_OURS) and name != _SECRET}


def _planned(wish: RunWish) -> Plan:
    """What is to be drafted. Answers are laid beside the plan by the names of its releases, which no answer changes."""
    entries = (_absolute(wish.entry),) if wish.manifest is None else manifest.read(wish.manifest)
    wanted = Wish(entries, bases=wish.bases, offline=wish.offline)
    if wish.answers is None:
        return plan(wanted)
    given = answering.read(wish.answers)
    known: Mapping[str, Mapping[str, AnswerValue]] = given.by_release
    if given.plain:
        known = given.given(_names(plan(wanted)))
    whole = plan(replace(wanted, answers=known))
    given.given(_names(whole))
    return whole


def _names(whole: Plan) -> list[str]:
    return [*(release.name for release in whole.releases), *(one.name for one in whole.failures)]


def _absolute(entry: Entry) -> Entry:
    """Files that the command line names, by a path that a worker elsewhere finds as well."""
    told = entry.options
    names = {name: str(Path(file).absolute()) for name in ("profile", "config", "policy") if (file := getattr(told, name))}
    evidence = tuple(str(Path(file).absolute()) for file in told.evidence)
    return replace(entry, options=replace(told, evidence=evidence, **names))


def _show(whole: Plan, wish: RunWish, conditions: Conditions) -> int:
    """Say what would be drafted; the drafter need not be configured for that, but then nothing tells what it would cost."""
    shown = _estimated(whole, wish, conditions)
    if wish.as_json:
        printing.emit_result(shown.document())
    else:
        printing.emit("".join(f"{printing.line(line)}\n" for line in shown.lines()))
    return shown.exit_code


def _estimated(whole: Plan, wish: RunWish, conditions: Conditions) -> planned.Planned:
    try:
        model = opening.client(conditions.model, environ=os.environ)
    except ProviderFailure as failure:
        return planned.without_estimates(whole, opening.shown(conditions.model), str(failure))
    if model.reads_evidence:
        return planned.without_estimates(whole, model.name)
    return asyncio.run(planned.planned(whole, conditions, model, engines.secret_engine(), in_batch=wish.pace.batch))


@dataclass(frozen=True, slots=True)
class _Means:
    """What a run is carried out with."""

    wish: RunWish
    told: Settings
    conditions: Conditions
    journal: Journal
    listener: Listener

    async def workers(self) -> tuple[Workers, Bounds]:
        """Who drafts, and how much of it at once.

        Raises:
            agent.errors.Failure: the drafter or the cluster cannot be used.
        """
        pace, model = self.wish.pace, self.conditions.model
        processes = pace.processes or _processors()
        if pace.cluster is not None:
            from agent.batch.cluster import Cluster  # Dask takes its time to load

            return await Cluster.at(pace.cluster, self.conditions), Bounds(releases=1_000, commits=1_000_000)
        if model == "extractive" and not pace.batch:
            return Local(processes), Bounds(releases=processes, commits=20_000)
        limits = self._limits()
        if pace.batch:
            asking = batching(
                model,
                self.journal,
                engines.secret_engine(),
                environ=os.environ,
                limits=limits,
                listener=self.listener,
                note=printing.note,
            )
            return asking, _WAVE
        opens = partial(opening.client_here, model)
        turns = pacing(Rates(self.told.jobs, pace.requests, pace.tokens), self.journal, self.listener)
        own = desk(opens().name, self.journal, turns, limits=limits, listener=self.listener)
        return Askers(processes, opens, self.told.jobs, own, turns.stop), Bounds(releases=self.told.jobs)

    def _limits(self) -> Limits:
        wish, told = self.wish.drafter, self.told
        dollars = told.max_cost if wish.max_cost is None else wish.max_cost
        tokens = told.max_tokens if wish.max_tokens is None else wish.max_tokens
        return Limits(None if dollars is None else Decimal(str(dollars)), tokens)


def _processors() -> int:
    """Those that this process may use, which in a container are fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


async def _carried_out(whole: Plan, means: _Means) -> Run:
    workers, bounds = await means.workers()
    try:
        return await carry_out(whole.releases, means.conditions, means.journal, workers, listener=means.listener, bounds=bounds)
    finally:
        await workers.close()


@contextmanager
def _watched(wish: RunWish) -> Iterator[Listener]:
    """Whoever watches: a person on stderr, and a file of events."""
    shown = None if wish.quiet else sys.stderr
    with (
        _events(wish.events) as file,
        watching(shown, is_terminal=can_show_bars(sys.stderr, os.environ), events=file) as listener,
    ):
        yield listener


@contextmanager
def _events(name: str | None) -> Iterator[TextIO | None]:
    if name is None or name == _STANDARD:
        yield None if name is None else sys.stdout
        return
    with store.appending(Path(name)) as file:
        yield file


def _deliver(whole: Plan, ended: Run, out: Path, wish: RunWish) -> int:
    """Write what there is, and say how it ended."""
    kept = outputs.write(out, whole, ended.finished)
    finished = (*ended.finished, *whole.failures)
    command = tuple(Shown(whole.policy).without(list(wish.command)))
    report = Report(finished, str(out), command, ended.undone, ended.end, kept)
    if wish.as_json:
        printing.emit_result(report.document())
    if not wish.quiet:
        for line in report.lines():
            printing.note(printing.line(line))
    return report.exit_code
