"""Selections of a real history, at random and repeatable: commits, merges, short ranges, tag ranges, an empty one, the root."""

from __future__ import annotations

import random
import subprocess  # noqa: TID251 - the check must not share the product's way to git
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Selection:
    """What kind of selection, the operand to draft from, and the commits as `git log` would be asked for them."""

    kind: str
    operand: str
    commits: str


def git(repository: Path, *arguments: str) -> str:
    """What git prints, as text."""
    command = ["git", "-C", str(repository), "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")  # noqa: S603


def selections(repository: Path, count: int, seed: int) -> Iterator[Selection]:
    """About `count` selections: half are single commits, the others are spread over merges and ranges."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    commits = git(repository, "rev-list", "--first-parent", "HEAD").split()
    inner = commits[:-1]
    for oid in chance.sample(inner, min(count // 2, len(inner))):
        yield Selection("commit", oid, f"{oid}^1..{oid}")
    merges = git(repository, "rev-list", "--merges", "HEAD").split()
    for oid in chance.sample(merges, min(count // 6, len(merges))):
        yield Selection("merge", oid, f"{oid}^1..{oid}")
    for _ in range(count // 5):
        newest = chance.randrange(max(1, len(commits) - 8))
        yield _range("range", commits[min(len(commits) - 1, newest + chance.randint(2, 6))], commits[newest])
    tags = git(repository, "tag", "--sort=creatordate", "--merged", "HEAD").split()
    pairs = list(pairwise(tags))
    chance.shuffle(pairs)
    told = (pair for pair in pairs if git(repository, "rev-list", "--max-count=1", "..".join(pair)))
    yield from (_range("tags", old, new) for old, new in islice(told, count // 8))
    yield _range("empty", commits[0], commits[0])
    yield Selection("root", commits[-1], commits[-1])


def _range(kind: str, base: str, head: str) -> Selection:
    return Selection(kind, f"{base}..{head}", f"{base}..{head}")


def printed(repository: Path, selection: Selection) -> str:
    """All that git prints of a selection: messages, names, paths and patches against every parent."""
    return git(repository, "log", "-p", "-m", "--no-ext-diff", "--no-textconv", selection.commits)


def called(repository: Path) -> str:
    """What a table calls a repository: the folder that it lies in, for a bare one the folder around it."""
    return repository.resolve().parent.name if repository.name in {"repo", ".git"} else repository.name


def clone(folder: Path, name: str) -> Path:
    """Where a folder of clones has the repository `owner/name`; it need not be there."""
    candidates = (folder / name.replace("/", "+") / "repo", folder / name)
    return next((path for path in candidates if path.is_dir()), candidates[-1])
