"""The drafter of one run: opened by name, asked in one event loop, closed at the end, replaced only where that was asked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from agent.commands import printing
from agent.errors import ProviderFailure
from agent.model.client import Model
from agent.model.extractive.drafter import Extractive
from agent.pipeline import Attempt, Outcome, Pace, Terms, draft
from agent.replies.opening import Options, opened
from agent.replies.spending import cost
from agent.settings import Settings
from agent.tasks import Task
from guardrails.evidence.model import Evidence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DrafterWish:
    """Which drafter the command line asks for, and how; None leaves it to the settings."""

    model: str | None = None
    cache: bool = True
    record_replies: Path | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    jobs: int | None = None
    timeout: float | None = None
    fallback: bool = False

    def name(self, settings: Settings) -> str:
        """The drafter's name as `--model` has it."""
        return self.model or settings.model


@dataclass(slots=True)
class Session:
    """One drafter for all rounds of one run. `instead_of` names the one that the extractive drafter stands in for."""

    wish: DrafterWish
    settings: Settings
    runner: asyncio.Runner = field(repr=False)
    model: Model = field(repr=False)
    instead_of: str = ""

    def draft(self, task: Task, evidence: Evidence, terms: Terms) -> Outcome:
        """Draft with the drafter; where a fallback was asked for and it fails, with the extractive one.

        Raises:
            agent.errors.Failure: as `agent.pipeline.draft`.
        """
        try:
            return self._run(draft(task, evidence, terms, self.model, self._pace()))
        except ProviderFailure as failure:
            self.fall_back(self.model.name, failure)
            return self._run(draft(task, evidence, terms, self.model, self._pace()))

    def fall_back(self, name: str, failure: ProviderFailure) -> None:
        """Go on with the extractive drafter where a fallback was asked for.

        Raises:
            agent.errors.ProviderFailure: none was, or it has been taken already.
        """
        if not self.wish.fallback or self.instead_of:
            raise failure
        printing.note(printing.line(f"{failure}; drafting extractively, as --fallback says"))
        self.instead_of, self.model = name, Extractive()

    def _pace(self) -> Pace:
        """A drafter that only selects answers the same way every time, so asking it again cures nothing."""
        jobs = self.wish.jobs or self.settings.jobs
        deadline = self.wish.timeout or self.settings.timeout
        return Pace(repairs=0) if self.model.reads_evidence else Pace(jobs=jobs, deadline=deadline)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)


@contextmanager
def session(wish: DrafterWish, settings: Settings) -> Iterator[Session]:
    """The drafter that a run was asked to use, for as long as it takes.

    Raises:
        agent.errors.Failure: there is none of that name, or it is not configured and no fallback was asked for.
    """
    with asyncio.Runner() as runner:
        one = Session(wish, settings, runner, Extractive())
        try:
            one.model = opened(wish.name(settings), _options(wish, settings), environ=os.environ, note=printing.note)
        except ProviderFailure as failure:
            one.fall_back(wish.name(settings), failure)
        try:
            yield one
        finally:
            runner.run(one.model.close())


def room(wish: DrafterWish, settings: Settings) -> int | None:
    """How many characters a prompt for the drafter may have, as far as that can be known now.

    Raises:
        agent.errors.UsageFailure: there is no drafter of that name.
    """
    try:
        with session(replace(wish, fallback=False), settings) as one:
            return one.runner.run(one.model.room())
    except ProviderFailure:
        return None


def _options(wish: DrafterWish, settings: Settings) -> Options:
    max_cost = settings.max_cost if wish.max_cost is None else wish.max_cost
    return Options(
        cache=wish.cache,
        record=wish.record_replies,
        max_cost=None if max_cost is None else Decimal(str(max_cost)),
        max_tokens=settings.max_tokens if wish.max_tokens is None else wish.max_tokens,
    )


def spent(client: str, attempts: Sequence[Attempt]) -> str:
    """One line on what was asked and what that cost; "" for a drafter that costs nothing."""
    replies = [attempt.reply for attempt in attempts]
    asked = [reply for reply in replies if not reply.kept]
    before = len(replies) - len(asked)
    kept = f"{before} {'reply' if before == 1 else 'replies'} kept from before" if before else ""
    if not any(reply.usage.output_tokens is not None for reply in asked):
        return f"{client}: {kept}" if kept else ""
    tokens = [sum(getattr(reply.usage, name) or 0 for reply in asked) for name in ("input_tokens", "output_tokens")]
    dollars = cost(asked)
    price = "at an unknown price" if dollars is None else f"for ${dollars:.4f}"
    seconds = sum(reply.seconds or 0.0 for reply in asked)
    calls = "1 call" if len(asked) == 1 else f"{len(asked)} calls"
    return f"{client}: {calls}, {tokens[0]:,} tokens in, {tokens[1]:,} out, {price}, {seconds:.1f} s" + (
        f"; {kept}" if kept else ""
    )
