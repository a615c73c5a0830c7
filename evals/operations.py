"""Operations of a real history to describe: selections, reverts, commits without changes, requests with and without git."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from evals import requests
from evals.selecting import git, selections

Drawn = TypeVar("Drawn")
COMMITS_AT_MOST = 120
"""A range of more commits is not drawn: the benchmark measures those."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its operand or payload (JSON), and its ends as git is asked for them; `base` is None before the root.

    Without a repository both ends are "": only the payload tells of it.
    """

    kind: str
    operand: str | None
    base: str | None
    head: str
    payload: str | None = None

    @property
    def label(self) -> str:
        """What a table calls it, and an answer to `what is described`."""
        told = requests.number(self.payload) if self.payload is not None else ""
        return self.operand or f"{told} {self.base or ''}..{self.head}".removesuffix(" ..")


def operations(repository: Path, count: int, seed: int, exports: tuple[Path, ...]) -> Iterator[Operation]:
    """About `count` operations of one repository, the same for the same seed; `exports` are files of its forge."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    found = list(_drawn(repository, count, chance, seed))
    own = list(requests.merged(repository))
    found += [_requested("request", request) for request in _some(chance, own, count // 6)]
    found += [Operation("told", None, None, "", request.payload) for request in _some(chance, own, count // 10)]
    found += [_requested("export", requests.exported(export)) for export in exports]
    yield from found
    drawn = {operation.head for operation in found}
    more = [oid for oid in git(repository, "rev-list", "--no-merges", "HEAD").split() if oid not in drawn]
    yield from _single("commit", repository, _some(chance, more, count - len(found)))


def _drawn(repository: Path, count: int, chance: random.Random, seed: int) -> Iterator[Operation]:
    """What git alone has."""
    for selection in selections(repository, max(4, count * 2 // 3), seed):
        if _size(repository, selection.commits) <= COMMITS_AT_MOST:
            base, _, head = selection.commits.rpartition("..")
            yield Operation(selection.kind, selection.operand, base or None, head)
    yield from _single("revert", repository, _some(chance, _reverts(repository), count // 12 + 1))
    yield from _single("no change", repository, _some(chance, _without_changes(repository), 1))


def webhooks(folder: Path) -> Iterator[Operation]:
    """Each different example of a forge's event about a request, as told: there is no repository."""
    for payload in requests.examples(folder):
        yield Operation("webhook", None, None, "", payload)


def _single(kind: str, repository: Path, oids: list[str]) -> Iterator[Operation]:
    for oid in oids:
        if git(repository, "rev-parse", "--verify", "--quiet", f"{oid}^1"):
            yield Operation(kind, oid, f"{oid}^1", oid)


def _requested(kind: str, request: requests.Request) -> Operation:
    return Operation(kind, None, request.base, request.head, request.payload)


def _some(chance: random.Random, found: list[Drawn], count: int) -> list[Drawn]:
    return chance.sample(found, max(0, min(count, len(found))))


def _size(repository: Path, commits: str) -> int:
    return 1 if ".." not in commits else int(git(repository, "rev-list", "--count", commits) or 0)


def _reverts(repository: Path) -> list[str]:
    return git(repository, "rev-list", "--no-merges", "-i", "-E", "--grep=^(this )?reverts? ", "HEAD").split()


def _without_changes(repository: Path) -> list[str]:
    """Commits of the newest thousand with the tree of their parent."""
    trees = [line.split() for line in git(repository, "log", "-1000", "--no-merges", "--format=%H %T %P").splitlines()]
    by_oid = {line[0]: line[1] for line in trees}
    return list(islice((line[0] for line in trees if len(line) > 2 and by_oid.get(line[2]) == line[1]), 4))
