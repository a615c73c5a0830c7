"""Placing a record in the pending directory: a free identifier first, then one atomic new file (Intent Changesets 5, 6.3)."""

from __future__ import annotations

from pathlib import Path

from agent import store
from agent.sources.git import Repository, work_tree
from agent.sources.records import ids_in_use
from guardrails.findings import Finding
from guardrails.records import changeset
from guardrails.records.changeset import ID_IN_USE, Changeset
from guardrails.records.profile import Profile


def put(repository: Repository, profile: Profile, data: bytes) -> Path | Finding:
    """Write a valid record as `<pending directory>/<id>.yaml`; returns its path, or the finding that its id is taken.

    Raises:
        RepositoryFailure: the repository has no work tree.
        InputFailure: an existing record cannot be read, so uniqueness cannot be told.
        StoreFailure: the file could not be written; nothing is left behind.
    """
    record = changeset.read(data)
    if not isinstance(record, Changeset):
        raise TypeError("only a valid record can be placed")
    return taken(repository, profile, record.id) or place(repository, profile, record.id, data)


def place(repository: Repository, profile: Profile, identifier: str, data: bytes) -> Path:
    """Write the new record; returns its path.

    Raises:
        RepositoryFailure: the repository has no work tree.
        StoreFailure: the file stands there already or could not be written; nothing is left behind.
    """
    return store.write_new(work_tree(repository), f"{profile.changesets.directory}/{identifier}.yaml", data)


def taken(repository: Repository, profile: Profile, identifier: str) -> Finding | None:
    """The finding that an id cannot be given again, or None when it is free.

    Raises:
        RepositoryFailure: the repository has no work tree.
        InputFailure: an existing record cannot be read, so uniqueness cannot be told.
    """
    work_tree(repository)
    place = ids_in_use(repository, profile).get(identifier)
    return ID_IN_USE.at("id", f"{identifier!r} is already used: {place}") if place is not None else None
