"""What consuming would do, as a value: nothing of it has happened yet (Intent Changesets 8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from guardrails.findings import Finding


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is consumed: the file that is concerned, a finding about it, and the commit that it comes from, if any."""

    path: str
    finding: Finding
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """A ledger with the bytes that it has and those that it shall have: the same where every entry stands in it already."""

    path: str
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)

    @property
    def is_change(self) -> bool:
        """Whether anything is written."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Disposal:
    """A pending record that is taken away once every ledger was verified; its exact bytes go to `archive`, if there is one."""

    path: str
    data: bytes = field(repr=False)
    archive: str | None


class Act(StrEnum):
    """What a target needs."""

    ADDED = "added"
    COMMITS_ADDED = "commits-added"
    PRESENT = "present"


@dataclass(frozen=True, slots=True)
class Told:
    """Where one target stands afterwards."""

    ledger: str
    release_unit: str
    stream: str
    act: Act


@dataclass(frozen=True, slots=True)
class Consumed:
    """One decision and its targets. Nothing of one that is not public may be shown."""

    path: str
    id: str
    is_public: bool
    targets: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that consuming does. A ledger whose bytes do not change is in it too: it is verified like the others."""

    ledgers: tuple[Write, ...] = ()
    disposals: tuple[Disposal, ...] = ()
    consumed: tuple[Consumed, ...] = ()
