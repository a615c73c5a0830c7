"""An honest envelope of one real commit, and what git itself says of that commit: what faults are planted in."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from evals.selecting import git

Envelope = dict[str, Any]
Fault = Callable[["Honest"], Iterator[Envelope]]

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class Hunk:
    """The first and last line of each side, old then new; an empty side ends before it begins."""

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True)
class Honest:
    """An honest envelope of one change, and what git itself says of its commit."""

    name: str
    envelope: Envelope
    repository: Path
    commit: str
    chance: random.Random = field(repr=False)

    @property
    def change(self) -> dict[str, Any]:
        """Its change object."""
        change: dict[str, Any] = self.envelope["change"]
        return change

    @cached_property
    def printed(self) -> str:
        """The message and the patch."""
        return git(self.repository, "show", "--format=fuller", "--no-ext-diff", self.commit)

    @cached_property
    def hunks(self) -> Mapping[str, tuple[Hunk, ...]]:
        """The hunks by path."""
        found: dict[str, list[Hunk]] = {}
        path = ""
        for line in git(self.repository, "show", "--format=", "--no-ext-diff", self.commit).split("\n"):
            if line.startswith("+++ "):
                path = line[6:]
            elif match := _HUNK.match(line):
                old, old_lines, new, new_lines = (int(part or 1) for part in match.groups())
                sides = ((old, old + old_lines - 1), (new, new + new_lines - 1))
                found.setdefault(path, []).append(Hunk(*sides))
        return {path: tuple(hunks) for path, hunks in found.items()}

    def lines(self, path: str) -> int:
        """How many lines a file has after the change."""
        return git(self.repository, "show", f"{self.commit}:{path}").count("\n") + 1

    def is_shown(self, path: str, line: int) -> bool:
        """Whether the patch shows a line of a file as it is after the change."""
        return any(hunk.new[0] <= line <= hunk.new[1] for hunk in self.hunks.get(path, ()))

    def changed(self, **fields: Any) -> Envelope:
        """The envelope with other fields in its change object."""
        return {**self.envelope, "change": {**self.change, **fields}}

    def with_ref(self, number: int, **fields: Any) -> Envelope:
        """The envelope with other fields in one reference; None takes a field out."""
        refs = copy.deepcopy(self.change["refs"])
        refs[number] = {name: value for name, value in {**refs[number], **fields}.items() if value is not None}
        return self.changed(refs=refs)

    def with_relation(self, **fields: Any) -> Envelope:
        """The envelope with other relations."""
        return self.changed(relations={**self.change["relations"], **fields})


def refs(honest: Honest) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and reference of up to two references that have a range, at random."""
    ranged = [(number, ref) for number, ref in enumerate(honest.change["refs"]) if ref.get("range")]
    yield from honest.chance.sample(ranged, min(2, len(ranged)))


def ends(written: str) -> tuple[int, int]:
    """The first and last line of a range."""
    first, _, last = written.partition("-")
    return int(first), int(last or first)
