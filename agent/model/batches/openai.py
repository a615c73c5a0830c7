"""Batches of OpenAI: a file of requests goes up, a file of answers and one of errors come down (evidraft).

The files hold evidence, as redacted as in every prompt, and are kept there for a week.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agent.errors import Passing, ProviderFailure
from agent.model import refusals, wire
from agent.model.batches.client import End, Phase, State, Word, cancelled, expired, unfinished
from agent.model.batches.hosted import BatchShape, HostedBatches, ListShape, RowShape
from agent.model.client import Prompt
from agent.model.openai import OpenAI

_ENDPOINT: Final = "/v1/responses"
"""The name of the interface, whatever the address of who serves it."""
_WAVE: Final = "evidraft-wave"
_KEPT: Final = 7 * 24 * 60 * 60
"""Seconds: a run that is not resumed within a week asks again."""
_DONE: Final = 200
_PHASES: Final[Mapping[str, Phase]] = {
    "validating": Phase.RUNNING,
    "in_progress": Phase.RUNNING,
    "finalizing": Phase.RUNNING,
    "cancelling": Phase.RUNNING,
    "completed": Phase.COMPLETED,
    "expired": Phase.EXPIRED,
    "cancelled": Phase.CANCELLED,
    "failed": Phase.FAILED,
}
_FULL: Final = frozenset({"token_limit_exceeded", "rate_limit_exceeded"})
"""Codes of a batch that does not fit beside the others that wait there."""
_ENDS: Final = {"batch_expired": expired, "batch_cancelled": cancelled}


class _File(wire.OpenShape):
    id: Word


class _Counts(wire.OpenShape):
    completed: wire.Count = 0
    failed: wire.Count = 0
    total: wire.Count = 0


class _Error(wire.OpenShape):
    code: str | None = None


class _Errors(wire.OpenShape):
    data: list[_Error] | None = None


class _Batch(BatchShape):
    status: str
    request_counts: _Counts | None = None
    output_file_id: Word | None = None
    error_file_id: Word | None = None
    errors: _Errors | None = None
    metadata: dict[str, str] | None = None

    @property
    def pages(self) -> tuple[str, ...]:
        return tuple(f"/files/{file}/content" for file in (self.output_file_id, self.error_file_id) if file)

    @property
    def codes(self) -> frozenset[str]:
        told = (self.errors.data if self.errors else None) or ()
        return frozenset(error.code for error in told if error.code)


class _Response(wire.OpenShape):
    status_code: int
    request_id: str | None = None
    body: dict[str, Any] | None = None


class _Row(RowShape):
    response: _Response | None = None
    error: _Error | None = None


class OpenAIBatches(HostedBatches[OpenAI, _Batch, _Row]):
    """Batches of a model of OpenAI."""

    path = "/batches"
    cursor = "after"
    list_shape = ListShape[_Batch]
    batch_shape = _Batch
    row_shape = _Row

    @property
    def most_rows(self) -> int:
        """As the provider documents it."""
        return 50_000

    @property
    def most_bytes(self) -> int:
        """As the provider documents it."""
        return 200_000_000

    def row(self, name: str, prompt: Prompt) -> bytes:
        """A line of the file."""
        row = {"custom_id": name, "method": "POST", "url": _ENDPOINT, "body": self.model.body(prompt)}
        return json.dumps(row).encode()

    async def submit(self, wave: str, rows: Sequence[bytes]) -> str:
        """Send the file, which may be sent twice for it costs nothing, and then, once, have it worked on."""
        lines = io.BytesIO(b"\n".join(rows) + b"\n")
        upload = self.model.sdk.files.with_raw_response.create(
            file=("evidraft.jsonl", lines), purpose="batch", expires_after={"anchor": "created_at", "seconds": _KEPT}
        )
        file = wire.read((await self.model.called(upload)).content, _File, where=self.model.name)
        order = {
            "input_file_id": file.id,
            "endpoint": _ENDPOINT,
            "completion_window": "24h",
            "metadata": {_WAVE: wave},
            "output_expires_after": {"anchor": "created_at", "seconds": _KEPT},
        }
        return self.told((await self.model.post(self.path, order, once=True)).content).id

    async def found(self, wave: str, *, rows: int, after: str) -> tuple[str, ...]:
        """Batches bear the name of their wave: there is one, or none."""
        del rows
        async for batch in self.since(after):
            if (batch.metadata or {}).get(_WAVE) == wave:
                return (batch.id,)
        return ()

    def _state(self, told: _Batch) -> State:
        phase = _PHASES.get(told.status)
        if phase is None:
            raise refusals.strange(self.model.name)
        counts = told.request_counts or _Counts()
        failure = self._failed(told.codes) if phase is Phase.FAILED else None
        return State(phase, counts.completed + counts.failed, counts.total, told.pages, failure)

    def _end(self, row: _Row) -> End:
        answer = row.response
        if answer is None or answer.body is None:
            code = (row.error.code if row.error else None) or ""
            return _ENDS.get(code, unfinished)(self.model.name)
        if answer.status_code != _DONE:
            return self.refused(answer.status_code, answer.body)
        return self.answered(answer.body, answer.request_id)

    def _failed(self, codes: frozenset[str]) -> ProviderFailure:
        if codes & _FULL:
            return Passing("it takes no more batches for now", where=self.model.name, cure="run it again later")
        return refusals.refused(refusals.Refusal(400, codes, "", None), where=self.model.name)
