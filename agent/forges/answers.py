"""What a forge answers and refuses, whoever asks it (evidraft)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from agent.errors import ForgeFailure
from agent.forges.places import Place


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, read to its end; the names of headers in lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class Refused(ForgeFailure):
    """The forge answered, and refuses; `status` is how."""

    def __init__(self, what: str, status: int, *, where: str, cure: str) -> None:
        """Keep the status beside the words."""
        super().__init__(what, where=where, cure=cure)
        self.status = status


class Door(Protocol):
    """A way to one forge. `agent.forges.transport` has the one over the network, and is loaded when it is needed."""

    @property
    def place(self) -> Place:
        """The forge that is asked."""
        ...

    def ask(self, method: str, address: str, value: Mapping[str, str] | None = None) -> Answer:
        """What the forge answers at `address`.

        Raises:
            ForgeFailure: it cannot be reached, refuses, leads elsewhere, or asks for a long pause.
        """
        ...

    def same_host(self, told: str, address: str) -> str:
        """The whole of an address that the forge told at `address`.

        Raises:
            ForgeFailure: it lies on another host, or is none.
        """
        ...

    def failure(self, what: str, address: str, cure: str = "") -> ForgeFailure:
        """A failure at an address; its query is left out."""
        ...
