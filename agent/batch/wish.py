"""What a person wants drafted: repositories, which of their releases, and under which options (evidraft)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from agent.batch.release import Options
from guardrails.evidence.model import AnswerValue


class Bases(StrEnum):
    """What to take as base where the version before a release lies outside of its history, and another inside.

    A person decides that once for a run; as long as nobody did it is asked of each release.
    """

    ASK = "ask"
    VERSION = "version"
    """The version before: commits that it has are not told again."""
    ANCESTRY = "ancestry"
    """The highest version in the history: what was told on a side line is told again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is wanted of one repository: a folder, or an address of one that is mirrored.

    `name` begins the names of its releases; `ranges` are as people write them, `tags` are globs over names of tags. Without
    either nothing is drafted. `units` are release units ("U" or "U@stream"); without any the whole repository is one.
    """

    repository: str = "."
    name: str = ""
    ranges: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    answers: tuple[tuple[str, AnswerValue], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a run. `answers` are what a person has answered, by release and field; a release's win over an entry's.

    `offline` takes mirrors as they are.
    """

    entries: tuple[Entry, ...]
    bases: Bases = Bases.ASK
    answers: Mapping[str, Mapping[str, AnswerValue]] = field(default_factory=dict, repr=False)
    offline: bool = False
