"""The records that a repository holds: where each stands, its exact bytes, what reading them gave (Intent Changesets 5).

Whoever links, consumes or gates decides by these values alone. A record that cannot be read is among them, since nobody may
decide as if it were not there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from guardrails.findings import Finding
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Stored(Generic[R]):
    """One record file: its normal path below the root, its bytes, and the record or why it is none."""

    path: str
    data: bytes = field(repr=False)
    record: R | tuple[Finding, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Records:
    """Every changeset and ledger in the places that the profile names, each group in order of path."""

    pending: tuple[Stored[Changeset], ...] = ()
    archived: tuple[Stored[Changeset], ...] = ()
    ledgers: tuple[Stored[Changelog], ...] = ()
