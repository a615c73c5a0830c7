"""Placing a record in the pending directory: a free identifier first, then one atomic new file (Intent Changesets 5, 6.3)."""

from __future__ import annotations

from pathlib import Path

from agent import store
from agent.errors import RepositoryFailure
from agent.sources.git import Repository
from agent.sources.records import ids_in_use
from guardrails.findings import Code
from guardrails.records import changeset
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile

ID_IN_USE = Code(
    name="id-in-use",
    summary="The identifier belongs to another changeset: pending, archived, consumed, or deleted earlier.",
    cure="Choose an identifier that the project has never used.",
    section="Intent Changesets 6.3",
)


def put(repository: Repository, profile: Profile, data: bytes) -> Path | str:
    """Write a valid record as `<pending directory>/<id>.yaml`; returns its path, or where its id already stands.

    Raises:
        RepositoryFailure: the repository has no work tree.
        StoreFailure: the file could not be written; nothing is left behind.
    """
    if repository.top is None:
        raise RepositoryFailure(
            "a bare repository has no place for a record", where=str(repository.git_dir), cure="use a work tree"
        )
    record = changeset.read(data)
    if not isinstance(record, Changeset):
        raise TypeError("only a valid record can be placed")
    taken = ids_in_use(repository, profile)
    if record.id in taken:
        return f"{record.id!r} is already used: {taken[record.id]}"
    return store.write_new(repository.top, f"{profile.changesets.directory}/{record.id}.yaml", data)
