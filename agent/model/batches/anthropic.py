"""Batches of Anthropic: the requests go up in one piece, and the results come down as lines (evidraft).

A batch bears no name of ours there. One whose id was lost is known by when it came, how many rows it has, and in the end by the
names of its rows. Results are read from the address that we know, not from one that an answer names: the key goes nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx2

from agent.errors import ProviderFailure
from agent.model import refusals, wire
from agent.model.anthropic import Anthropic
from agent.model.batches.client import End, Phase, State, cancelled, expired, unfinished
from agent.model.batches.hosted import BatchShape, HostedBatches, ListShape, RowShape
from agent.model.client import Prompt

_PHASES: Final[Mapping[str, Phase]] = {
    "in_progress": Phase.RUNNING,
    "canceling": Phase.RUNNING,
    "ended": Phase.COMPLETED,
}
_ENDS: Final = {"expired": expired, "canceled": cancelled}
_STATUSES: Final[Mapping[str, int]] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Which status a kind of error has where a request is sent by itself; a row of a batch has none."""


class _Counts(wire.OpenShape):
    processing: wire.Count = 0
    succeeded: wire.Count = 0
    errored: wire.Count = 0
    canceled: wire.Count = 0
    expired: wire.Count = 0

    @property
    def done(self) -> int:
        return self.succeeded + self.errored + self.canceled + self.expired

    @property
    def total(self) -> int:
        return self.done + self.processing


class _Batch(BatchShape):
    processing_status: str
    request_counts: _Counts = _Counts()


class _Result(wire.OpenShape):
    type: str
    message: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class _Row(RowShape):
    result: _Result


class AnthropicBatches(HostedBatches[Anthropic, _Batch, _Row]):
    """Batches of a model of Anthropic."""

    path = "/v1/messages/batches"
    cursor = "after_id"
    list_shape = ListShape[_Batch]
    batch_shape = _Batch
    row_shape = _Row

    @property
    def most_rows(self) -> int:
        """As the provider documents it."""
        return 100_000

    @property
    def most_bytes(self) -> int:
        """As the provider documents it, with room for what is around the rows."""
        return 255_000_000

    def row(self, name: str, prompt: Prompt) -> bytes:
        """One of the requests."""
        return json.dumps({"custom_id": name, "params": self.model.body(prompt)}).encode()

    async def submit(self, wave: str, rows: Sequence[bytes]) -> str:
        """Send the requests, once. Nothing there can hold the name of the wave."""
        del wave
        call = self.model.sdk.with_options(max_retries=0).post(
            self.path,
            cast_to=httpx2.Response,
            content=b'{"requests": [' + b", ".join(rows) + b"]}",
            options={"headers": {"content-type": "application/json"}},
        )
        return self.told((await self.model.called(call)).content).id

    async def found(self, wave: str, *, rows: int, after: str) -> tuple[str, ...]:
        """All that came later and have as many rows; those of others are told apart by the names of their rows."""
        del wave
        return tuple([batch.id async for batch in self.since(after) if batch.request_counts.total == rows])

    def _state(self, told: _Batch) -> State:
        phase = _PHASES.get(told.processing_status)
        if phase is None:
            raise refusals.strange(self.model.name)
        counts = told.request_counts
        return State(phase, counts.done, counts.total, (f"{self.path}/{told.id}/results",))

    def _end(self, row: _Row) -> End:
        result = row.result
        if result.type == "succeeded" and result.message is not None:
            return self.answered(result.message)
        if result.type == "errored" and result.error is not None:
            return self._errored(result.error)
        return _ENDS.get(result.type, unfinished)(self.model.name)

    def _errored(self, error: Mapping[str, object]) -> ProviderFailure:
        kinds = refusals.codes(error)
        status = next((status for kind, status in _STATUSES.items() if kind in kinds), None)
        return unfinished(self.model.name) if status is None else self.refused(status, error)
