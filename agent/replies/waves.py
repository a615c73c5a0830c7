"""What is written down of prompts that go to a provider together, before and after they go (evidraft).

A wave is written down before it is submitted and again with the id of its batch, so that a run that was killed at any moment
finds its prompts again. A prompt that was in several waves counts as part of the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Protocol

from guardrails.digests import digest_of

KIND: Final = "batch"
"""The kind of document that a wave is in a journal."""
Document = Mapping[str, Any]


class Notes(Protocol):
    """Small documents that outlive this process."""

    def put(self, kind: str, key: str, note: Document, /) -> None:
        """Keep a document in the place of an earlier one; it is durable when this returns."""

    def all(self, kind: str, /) -> Mapping[str, Document]:
        """All documents of a kind by their keys."""


@dataclass(frozen=True, slots=True)
class Wave:
    """Prompts that go together: the `number` of the wave, the names of its rows, and the latest batch there before it.

    `batches` are the batches that it became, or may have become; none as long as that is not known.
    """

    number: int
    client: str
    endpoint: str
    after: str
    rows: tuple[str, ...]
    batches: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Unique among all waves that may be found together."""
        return digest_of([self.number, self.client, self.endpoint, self.after, self.rows]).removeprefix("sha256:")

    @classmethod
    def of(cls, document: Document) -> Wave:
        """What `document` wrote down."""
        told = dict(document)
        return cls(**{**told, "rows": tuple(told["rows"]), "batches": tuple(told["batches"])})


class Waves:
    """The waves of one drafter in a journal."""

    def __init__(self, notes: Notes, *, client: str, endpoint: str) -> None:
        """Read those that were written down; those of another drafter are let be."""
        self._notes, self._client, self._endpoint = notes, client, endpoint
        known = sorted(map(Wave.of, notes.all(KIND).values()), key=lambda wave: wave.number)
        self._number = max((wave.number for wave in known), default=0)
        own = (wave for wave in known if (wave.client, wave.endpoint) == (client, endpoint))
        self._latest = {row: wave for wave in own for row in wave.rows}

    def of(self, row: str) -> Wave | None:
        """The last wave with a row; None where it was in none."""
        return self._latest.get(row)

    def begin(self, rows: Iterable[str], *, after: str) -> Wave:
        """Write down that rows go now."""
        self._number += 1
        wave = Wave(self._number, self._client, self._endpoint, after, tuple(rows))
        return self._put(wave)

    def went(self, wave: Wave, batches: Iterable[str]) -> Wave:
        """Write down which batches a wave became."""
        return self._put(replace(wave, batches=tuple(batches)))

    @property
    def batches(self) -> tuple[str, ...]:
        """All batches that are part of a row's last wave."""
        return tuple(dict.fromkeys(batch for wave in self._latest.values() for batch in wave.batches))

    def _put(self, wave: Wave) -> Wave:
        self._notes.put(KIND, wave.name, asdict(wave))
        self._latest |= dict.fromkeys(wave.rows, wave)
        return wave
