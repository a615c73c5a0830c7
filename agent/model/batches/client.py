"""What the batches of all providers have in common: how one is submitted, asked after, read and cancelled (evidraft)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Protocol, TypeAlias

from pydantic import Field

from agent.errors import Passing, ProviderFailure
from agent.model.client import Prompt, Reply

Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,200}$")]
"""The id of something at a provider: it becomes part of an address."""
End: TypeAlias = Reply | ProviderFailure
"""What became of one row: the answer, or why there is none; a `Passing` failure is worth another batch."""


class Phase(StrEnum):
    """Where a batch stands. In all but the first nothing more comes."""

    RUNNING = "running"
    COMPLETED = "completed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """The provider took none of it."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a batch stands: how many of its rows have an end, where the ends can be read, and why it failed as a whole."""

    phase: Phase
    done: int = 0
    total: int = 0
    pages: tuple[str, ...] = ()
    failure: ProviderFailure | None = None


class Batches(Protocol):
    """The batches of one model. Each method raises a `ProviderFailure` where the provider cannot be reached or refuses."""

    @property
    def most_rows(self) -> int:
        """How many rows a batch may have."""
        raise NotImplementedError

    @property
    def most_bytes(self) -> int:
        """How many bytes all rows of a batch may have."""
        raise NotImplementedError

    def row(self, name: str, prompt: Prompt) -> bytes:
        """A row: the prompt as a call by itself would send it, under a name that is unique in its batch."""
        raise NotImplementedError

    async def newest(self) -> str:
        """The id of the latest batch there, "" where there is none."""
        raise NotImplementedError

    async def submit(self, wave: str, rows: Sequence[bytes]) -> str:
        """Hand rows over as a batch; its id. A failure that is `Passing` leaves open whether it was taken."""
        raise NotImplementedError

    async def found(self, wave: str, *, rows: int, after: str) -> tuple[str, ...]:
        """The ids of batches later than the batch `after` that may be what was submitted as `wave` with so many rows."""
        raise NotImplementedError

    async def state(self, batch: str) -> State:
        """Where a batch stands."""
        raise NotImplementedError

    def ends(self, batch: str, state: State) -> AsyncIterator[tuple[str, End]]:
        """The name of each row that has an end, in any order; "" where a line cannot be read."""
        raise NotImplementedError

    async def cancel(self, batch: str) -> None:
        """Have the provider answer no more of it; what was answered can still be read."""
        raise NotImplementedError


def expired(where: str) -> ProviderFailure:
    """The end of a row that the provider did not come to in a day."""
    return Passing("its batch expired before it was answered", where=where, cure="run it again, or without --batch")


def cancelled(where: str) -> ProviderFailure:
    """The end of a row of a batch that somebody cancelled."""
    return ProviderFailure("its batch was cancelled before it was answered", where=where, cure="run it again")


def unfinished(where: str) -> ProviderFailure:
    """The end of a row that the provider failed at, without saying how."""
    return Passing("it took the request and did not finish it", where=where, cure="run it again later")
