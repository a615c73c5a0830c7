"""Where a result of a contract is to be shown in a change (Change Contracts: results)."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote

from guardrails.contracts.results import Result

MOST: Final = 100
"""So many places are shown of one result."""


class Place(NamedTuple):
    """A file, and the line in it, 0 where it is the file as a whole."""

    path: str
    line: int = 0

    @property
    def uri(self) -> str:
        """The path as a relative reference."""
        return quote(self.path)


def places(result: Result, contract: str) -> tuple[Place | None, ...]:
    """The places that a result names, else the file of the contract, else none."""
    facts = result.facts if result.drifted is None else result.drifted
    named = dict.fromkeys((*(Place(path) for path in result.paths), *(Place(fact.file, fact.line) for fact in facts)))
    return tuple(named)[:MOST] or ((Place(contract) if contract else None),)
