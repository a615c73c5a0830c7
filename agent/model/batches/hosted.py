"""What batches of both providers share: where they are listed, how their results are read line by line (evidraft)."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from agent.errors import NotConfigured, ProviderFailure
from agent.model import refusals, wire
from agent.model.batches.client import Batches, End, Phase, State, Word
from agent.model.hosted import Hosted

_PAGE: Final = 100
_Model = TypeVar("_Model", bound=Hosted[Any])


class BatchShape(wire.OpenShape):
    """A batch as its provider tells of it."""

    id: Word


class RowShape(wire.OpenShape):
    """A line of results."""

    custom_id: str


_Batch = TypeVar("_Batch", bound=BatchShape)
_Row = TypeVar("_Row", bound=RowShape)


class ListShape(wire.OpenShape, Generic[_Batch]):
    """A page of all batches, the latest first."""

    data: list[_Batch]
    has_more: bool = False


class HostedBatches(Batches, Generic[_Model, _Batch, _Row]):
    """Batches of a hosted model: what it would send goes into rows, and their ends are read as it would read them.

    `path` is where batches are, `cursor` how a list is told where to go on; the rest are the shapes of what is told there.
    """

    path: ClassVar[str]
    cursor: ClassVar[str]
    list_shape: type[ListShape[_Batch]]
    batch_shape: type[_Batch]
    row_shape: type[_Row]

    def __init__(self, model: _Model) -> None:
        """Take the model whose batches these are."""
        self.model = model

    async def newest(self) -> str:
        """The id of the latest batch, "" where there is none."""
        listed = await self._listed("limit=1")
        return listed.data[0].id if listed.data else ""

    async def state(self, batch: str) -> State:
        """Where a batch stands; one that is not there any more has expired."""
        answer = await self.model.get(f"{self.path}/{batch}")
        return State(Phase.EXPIRED) if answer is None else self._state(self.told(answer))

    async def ends(self, batch: str, state: State) -> AsyncIterator[tuple[str, End]]:
        """The rows of all pages; a line that cannot be read has no name."""
        del batch
        for page in state.pages:
            async for line in self.model.lines(page):
                try:
                    row = wire.read(line, self.row_shape, where=self.model.name)
                except ProviderFailure as failure:
                    yield "", failure
                    continue
                yield row.custom_id, self._end(row)

    async def cancel(self, batch: str) -> None:
        """Have it cancelled."""
        await self.model.post(f"{self.path}/{batch}/cancel", {})

    def told(self, answer: bytes) -> _Batch:
        """The batch that an answer tells of."""
        return wire.read(answer, self.batch_shape, where=self.model.name)

    async def since(self, last: str) -> AsyncIterator[_Batch]:
        """The batches that are later than the batch `last`, the latest first."""
        more = ""
        while True:
            listed = await self._listed(f"limit={_PAGE}{more}")
            for batch in listed.data:
                if batch.id == last:
                    return
                yield batch
            if not listed.has_more or not listed.data:
                return
            more = f"&{self.cursor}={listed.data[-1].id}"

    def answered(self, body: Mapping[str, object], request_id: str | None = None) -> End:
        """The answer in a row, or why there is none in it."""
        try:
            return self.model.reply(json.dumps(body).encode(), request_id=request_id)
        except ProviderFailure as failure:
            return failure

    def refused(self, status: int, body: object) -> ProviderFailure:
        """The failure that an error in a row stands for."""
        keys = " or ".join(self.model.provider.keys)
        return refusals.refused(refusals.read(status, body), where=self.model.name, keys=keys)

    async def _listed(self, query: str) -> ListShape[_Batch]:
        answer = await self.model.get(f"{self.path}?{query}")
        if answer is None:
            raise NotConfigured("it has no batches", where=self.model.name, cure="leave --batch away")
        return wire.read(answer, self.list_shape, where=self.model.name)

    @abstractmethod
    def _state(self, told: _Batch) -> State:
        """Where a batch stands."""
        raise NotImplementedError

    @abstractmethod
    def _end(self, row: _Row) -> End:
        """What became of a row."""
        raise NotImplementedError
