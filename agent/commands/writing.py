"""Placing a record where the profile says: a free identifier first, then one atomic new file (Intent Changesets 5, 6.3)."""

from __future__ import annotations

from pathlib import Path

from agent import store
from agent.commands.recognising import CHANGESET
from agent.errors import ConfigurationFailure
from agent.sources.git import Repository, work_tree
from agent.sources.records import ids_below, ids_in_use
from guardrails.findings import Finding
from guardrails.records import changeset
from guardrails.records.changeset import ID_IN_USE, Changeset
from guardrails.records.integrating import PULL_REQUEST_ID_IN_USE
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
    return taken(repository, profile, CHANGESET, record.id) or place(repository, profile, CHANGESET, record.id, data)


def directory(profile: Profile, kind: str) -> str:
    """Where records of this kind live: changesets that are pending, or requests.

    Raises:
        ConfigurationFailure: the profile has no requests.
    """
    if kind == CHANGESET:
        return profile.changesets.directory
    if profile.pull_requests is None:
        cure = "name pull-requests under `specifications`, and give their `directory`"
        raise ConfigurationFailure("the profile has no pull-request records", where="pull-requests", cure=cure)
    return profile.pull_requests.directory


def place(repository: Repository, profile: Profile, kind: str, identifier: str, data: bytes) -> Path:
    """Write the new record; returns its path.

    Raises:
        RepositoryFailure: the repository has no work tree.
        ConfigurationFailure: the profile has no records of this kind.
        StoreFailure: the file stands there already or could not be written; nothing is left behind.
    """
    return store.write_new(work_tree(repository), f"{directory(profile, kind)}/{identifier}.yaml", data)


def taken(repository: Repository, profile: Profile, kind: str, identifier: str) -> Finding | None:
    """The finding that an id cannot be given again, or None when it is free.

    Raises:
        RepositoryFailure: the repository has no work tree.
        ConfigurationFailure: the profile has no records of this kind.
        InputFailure: an existing record cannot be read, so uniqueness cannot be told.
    """
    work_tree(repository)
    used = ids_in_use(repository, profile) if kind == CHANGESET else ids_below(repository, directory(profile, kind))
    code = ID_IN_USE if kind == CHANGESET else PULL_REQUEST_ID_IN_USE
    return code.at("id", f"{identifier!r} is already used: {used[identifier]}") if identifier in used else None
