"""Snapshots: what files there are, what they hold, and which of them a change touches (Change Contracts: intent and scope)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from guardrails.digests import digest_in_order

EXCLUDED: Final = frozenset({"node_modules", ".git", "dist", "build", "coverage", ".next", ".pnpm-store"})
"""Names of what is made or fetched: whatever has one of them in its path holds no facts."""


def is_excluded(path: str) -> bool:
    """Whether a path leads through what is made or fetched, or is it."""
    return not EXCLUDED.isdisjoint(path.split("/"))


class Category(StrEnum):
    """What an entry is to the checks; the first that fits."""

    OPAQUE = "opaque"
    """No regular file: a link or a repository of its own."""
    EXCLUDED = "excluded"
    """Below a folder of dependencies or of things that are made: it counts as a path, and holds no facts."""
    SOURCE = "source"
    CONFIGURATION = "configuration"
    UNMODELED = "unmodeled"


_ENDINGS: Final = (
    (
        Category.SOURCE,
        (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".pyi", ".go", ".rs"),
    ),
    (Category.CONFIGURATION, (".json", ".jsonc", ".yml", ".yaml", ".toml")),
)
REGULAR: Final = frozenset(("100644", "100755"))


def category(path: str, mode: str) -> Category:
    """What a file is to the checks, by its mode as git writes it and its path."""
    if mode not in REGULAR:
        return Category.OPAQUE
    if is_excluded(path):
        return Category.EXCLUDED
    for kind, endings in _ENDINGS:
        if path.endswith(endings):
            return kind
    return Category.UNMODELED


class Touch(StrEnum):
    """How a change touches a path. A rename is a removal and an addition."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its path, the digest of its bytes, their number, its mode as git writes it, its category."""

    path: str
    digest: str
    size: int
    mode: str
    category: Category

    def document(self) -> dict[str, object]:
        """As JSON types, in the order that the digest of an inventory is made of."""
        return {
            "path": self.path,
            "digest": self.digest,
            "size": self.size,
            "mode": self.mode,
            "category": self.category.value,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """One path that differs between two inventories, in content or mode."""

    path: str
    touch: Touch
    before: Entry | None
    after: Entry | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One side of a change: its entries by path, in order, and the text of each that has one.

    `commit` is the full object name where the side is a commit, "" for a folder. A file without a text is binary, opaque, or
    cannot be decoded; `undecodable` are those of the last kind that should be text. `links` tells where each link leads, as
    it is written; none is followed.
    """

    entries: Mapping[str, Entry] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)
    commit: str = ""
    undecodable: frozenset[str] = field(default=frozenset(), repr=False)
    links: Mapping[str, str] = field(default_factory=dict, repr=False)
    _paths: Sequence[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the paths."""
        object.__setattr__(self, "_paths", sorted(self.entries))

    def holds(self, folder: str) -> bool:
        """Whether there is a file in `folder`, which is written with a slash at its end."""
        place = bisect_left(self._paths, folder)
        return place < len(self._paths) and self._paths[place].startswith(folder)

    @property
    def digest(self) -> str:
        """Of the inventory: equal for equal files."""
        return digest_in_order([entry.document() for entry in self.entries.values()])

    @property
    def identity(self) -> str:
        """The inventory's digest, with the commit where there is one."""
        return f"git:{self.commit}:{self.digest}" if self.commit else self.digest


def changes(base: Snapshot, head: Snapshot) -> tuple[Change, ...]:
    """Every path whose bytes or mode differ, in order of path."""
    found = []
    for path in sorted({*base.entries, *head.entries}):
        before, after = base.entries.get(path), head.entries.get(path)
        if before is None:
            found.append(Change(path, Touch.ADDED, None, after))
        elif after is None:
            found.append(Change(path, Touch.REMOVED, before, None))
        elif (before.digest, before.mode) != (after.digest, after.mode):
            found.append(Change(path, Touch.CHANGED, before, after))
    return tuple(found)
