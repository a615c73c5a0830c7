"""Which changes the selected commits make: an item is a change, not a commit (Describe Changes: itemized shape)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Group:
    """One change: the commits that make it, what tells it, and by which sign they belong together.

    `key` begins the object name of its first commit; `commits` are ids, oldest first; `files` are the ids of the file changes
    that tell it; `documents` those of requests and issues that belong to it alone. `reverts` are the ids or object names of the
    commits outside the selection that it takes back.
    """

    key: str
    commits: tuple[str, ...]
    files: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    why: str = "single"
    reverts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grouping:
    """All changes of a selection in the order of their first commits, and where each commit went.

    `coverage` holds for every commit's id the keys of its changes ("9f2c1ab, 77aa001"), or the reason why it is in none.
    """

    groups: tuple[Group, ...]
    coverage: Mapping[str, str] = field(default_factory=dict)
