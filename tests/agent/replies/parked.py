"""Runs of a drafter in batches over a provider in memory: prompts, notes that outlive a run, a clock that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent.model.client import Prompt, Reply
from agent.replies.batched import Batched
from agent.replies.batching import KINDS
from agent.replies.polling import Patience, Polling, Standing
from guardrails.digests import sha256
from tests.agent.model.depot import Depot
from tests.agent.model.wired import ENVIRON, PROMPT

Ends = Mapping[int, Reply | BaseException]


class Killed(BaseException):
    """The process is gone, here and now."""


def numbered(number: int) -> Prompt:
    """One prompt of many."""
    return replace(PROMPT, data=f"item {number:03}", digest=sha256(str(number).encode()))


def row(number: int) -> str:
    """The name of its row."""
    return named(numbered(number))


def named(prompt: Prompt) -> str:
    return prompt.digest.removeprefix("sha256:")


def text(number: int) -> str:
    """What the provider answers to it."""
    return f"answer to item {number:03}"


@dataclass
class Memory:
    """Notes that outlive a run. `step` is called before and after each is written."""

    notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    def step(self) -> None:
        """Nothing, unless a test wants something to happen."""

    def put(self, kind: str, key: str, note: Mapping[str, Any], /) -> None:
        self.step()
        self.notes[kind, key] = note
        self.step()

    def all(self, kind: str, /) -> Mapping[str, Mapping[str, Any]]:
        return {key: note for (one, key), note in self.notes.items() if one == kind}


@dataclass
class Run:
    """One run over a provider. `slept` are the seconds that it waited, `seen` where batches stood, `notes` what it said."""

    depot: Depot
    memory: Memory = field(default_factory=Memory)
    patience: Patience = field(default_factory=lambda: Patience(jitter=0.0))
    slept: list[float] = field(default_factory=list)
    seen: list[Standing] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    polled: asyncio.Event = field(default_factory=asyncio.Event)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        for _ in range(3):
            await asyncio.sleep(0)

    def watch(self, standing: Standing) -> None:
        self.seen.append(standing)
        self.polled.set()

    def model(self) -> Batched:
        name = self.depot.wire.prefix.removesuffix(":")
        model, batches = KINDS[name]("some-model", ENVIRON, retries=0)
        polling = Polling(batches, self.patience, sleep=self.sleep, watch=self.watch)
        return Batched(model, polling, self.memory, named=named, note=self.said.append)

    def ask(self, numbers: Iterable[int]) -> Ends:
        """What becomes of each prompt, all asked at once."""
        wanted = list(numbers)

        async def all_at_once() -> list[Reply | BaseException]:
            model = self.model()
            try:
                return await asyncio.gather(*(model.draft(numbered(one)) for one in wanted), return_exceptions=True)
            finally:
                await model.close()

        return dict(zip(wanted, asyncio.run(all_at_once()), strict=True))


def texts(ends: Ends) -> dict[int, str]:
    """The texts of replies; every prompt has one."""
    failed = {number: end for number, end in ends.items() if not isinstance(end, Reply)}
    assert not failed
    return {number: end.text for number, end in ends.items() if isinstance(end, Reply)}
