"""Identifiers that another record had: deleted or consumed, and gone from the work tree (Intent Changesets 6.3).

Of the history of HEAD the pending and archive directories are read. A record that was edited, moved, or brought back with bytes
that it had before is the same one; one that was added under an id that had gone is another. What another branch holds says
nothing, since it may be the same record. A shallow clone does not know what it does not hold.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from agent.sources.git import Repository
from agent.sources.record_files import SUFFIXES
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.records.stored import Stored

_LOG: Final = (
    "log",
    "--format=%H",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--full-history",
    "--topo-order",
    "--reverse",
    "-z",
)
_ID: Final = re.compile(rb"^id:[ \t]*[\"']?([a-z0-9-]{1,200})", re.MULTILINE)


@dataclass(slots=True)
class _Life:
    """What became of one id so far: where files have it, every content that they had, and where another record took it."""

    places: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)
    other: str = ""

    def add(self, path: str, oid: str) -> None:
        if self.contents and not self.places and oid not in self.contents:
            self.other = path
        self.places.add(path)
        self.contents.add(oid)


def spent(repository: Repository, profile: Profile, pending: Iterable[Stored[Changeset]]) -> Mapping[str, str]:
    """Of the ids of the `pending` records those that another record had, with where that is told.

    Raises:
        RepositoryFailure: git failed.
    """
    lives: dict[str, _Life] = {}
    for events in _history(repository, profile):
        # What is added comes first, so that a record that moves is never gone.
        for path, _, new in (event for event in events if event[2]):
            lives.setdefault(_identifier(repository, path, new), _Life()).add(path, new)
        for path, old, new in events:
            if old and not new:
                lives.setdefault(_identifier(repository, path, old), _Life()).places.discard(path)
    found: dict[str, str] = {}
    for stored in pending:
        life = lives.get(stored.record.id) if isinstance(stored.record, Changeset) else None
        if life is None or not isinstance(stored.record, Changeset):
            continue
        life.add(stored.path, _object_name(repository, stored.data))
        if life.other:
            found[stored.record.id] = f"{life.other} in the git history"
    return found


def _history(repository: Repository, profile: Profile) -> Iterator[list[tuple[str, str, str]]]:
    """Commit by commit, oldest first: path, old and new object name of each record that it changed, "" for none."""
    head = repository.head()
    if head is None:
        return
    policy = profile.changesets
    directories = [policy.directory, *([policy.archive_directory] if policy.archive_directory else [])]
    told = iter(repository.git.tell(*_LOG, "--end-of-options", head, "--", *directories).split(b"\0"))
    events: list[tuple[str, str, str]] = []
    for token in told:
        facts = token.strip(b"\n").decode("ascii")
        if facts.startswith(":"):
            path, (old, new) = next(told).decode("utf-8", "backslashreplace"), facts.split()[2:4]
            if path.casefold().endswith(SUFFIXES):
                events.append((path, old.strip("0") and old, new.strip("0") and new))
        elif events:
            yield events
            events = []
    if events:
        yield events


def _identifier(repository: Repository, path: str, oid: str) -> str:
    """The id that a file of the history says, even where it is no strict YAML; else its name."""
    said = _ID.search(repository.read_object(oid) or b"")
    return said[1].decode("ascii") if said is not None else PurePosixPath(path).stem


def _object_name(repository: Repository, data: bytes) -> str:
    """The name that git gives to a file with these bytes."""
    return hashlib.new(repository.object_format, b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
