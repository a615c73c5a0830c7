"""Reading every changeset and ledger of a work tree, where its profile says that they live (Intent Changesets 5, 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from agent.sources.record_files import on_disk
from guardrails.paths import is_below
from guardrails.records import changelog, changeset
from guardrails.records.profile import Profile
from guardrails.records.stored import Records, Stored


def read_records(top: Path, profile: Profile) -> Records:
    """The records below the pending, archive and ledger directories of the work tree at `top`, folders inside them included.

    Where one of these directories stands in another, what is in the inner one belongs to it alone.

    Raises:
        InputFailure: a folder or file cannot be read, or a symbolic link stands where a folder or record should.
    """
    pending, archive, ledgers = profile.changesets.directory, profile.changesets.archive_directory, profile.ledger_directory
    directories = (pending, archive or pending, ledgers)
    return Records(
        pending=tuple(Stored(path, data, changeset.read(data)) for path, data in _own(top, pending, directories)),
        archived=tuple(Stored(path, data, changeset.read(data)) for path, data in _own(top, archive, directories)),
        ledgers=tuple(Stored(path, data, changelog.read(data)) for path, data in _own(top, ledgers, directories)),
    )


def _own(top: Path, directory: str | None, directories: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The records below `directory` and below none of the `directories` inside it."""
    if directory is not None:
        inner = [other for other in directories if is_below(other, directory)]
        yield from (found for found in on_disk(top, directory) if not any(is_below(found[0], other) for other in inner))
