"""Reading every changeset and ledger of a work tree, where its profile says that they live (Intent Changesets 5, 12)."""

from __future__ import annotations

from pathlib import Path

from agent.sources.records import on_disk
from guardrails.records import changelog, changeset
from guardrails.records.profile import Profile
from guardrails.records.stored import Records, Stored


def read_records(top: Path, profile: Profile) -> Records:
    """The records below the pending, archive and ledger directories of the work tree at `top`, folders inside them included.

    Raises:
        InputFailure: a folder or file cannot be read, or a symbolic link stands where a folder or record should.
    """
    policy = profile.changesets
    return Records(
        pending=_changesets(top, policy.directory),
        archived=_changesets(top, policy.archive_directory) if policy.archive_directory else (),
        ledgers=tuple(Stored(path, data, changelog.read(data)) for path, data in on_disk(top, profile.ledger_directory)),
    )


def _changesets(top: Path, directory: str) -> tuple[Stored[changeset.Changeset], ...]:
    return tuple(Stored(path, data, changeset.read(data)) for path, data in on_disk(top, directory))
