"""Prompts whose answers are waited for, perhaps by several at once (evidraft)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from agent.model.client import Prompt, Reply

_BETWEEN: Final = 2


@dataclass(slots=True)
class Waiting:
    """A prompt, the bytes of its row, all who wait for its answer, how often it went in vain, and whether it has to go anew."""

    prompt: Prompt
    size: int
    callers: list[asyncio.Future[Reply]] = field(default_factory=list)
    tries: int = 0
    anew: bool = False

    def end(self, end: Reply | BaseException) -> None:
        """Tell everyone who still waits; one of them paid."""
        for caller in self.callers:
            if caller.done():
                continue
            if isinstance(end, Reply):
                caller.set_result(end)
                end = replace(end, kept=True)
            else:
                caller.set_exception(end)


Rows: TypeAlias = dict[str, Waiting]
"""Rows by their names, of those who see to their end: who hands them on or ends them takes them out."""


def divided(rows: Rows, *, most: int, most_bytes: int) -> Iterator[Rows]:
    """Rows in parts of bounded size; what stands between two rows is counted with them."""
    part: Rows = {}
    size = 0
    for name, waiting in rows.items():
        if part and (len(part) >= most or size + waiting.size > most_bytes):
            yield part
            part, size = {}, 0
        part[name] = waiting
        size += waiting.size + _BETWEEN
    if part:
        yield part
