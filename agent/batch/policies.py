"""The redaction policies that releases will be drafted under, known before any is drafted: what they take out is told nowhere
(Intent Changesets 11.7).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from agent import settings
from agent.batch.release import Options
from agent.collecting import configuration
from agent.collecting.configuration import SETTINGS_FILES
from agent.errors import ConfigurationFailure, Failure, RepositoryFailure
from agent.settings import Settings
from agent.sources import inputs
from agent.sources.git import Repository
from agent.sources.standing import Standing, standing
from guardrails.evidence.model import Selection, SelectionKind
from guardrails.redaction import policy as policies
from guardrails.redaction.policy import Policy, united

Bring: TypeAlias = Callable[[Iterable[str]], None]
"""Brings contents that a mirror lacks, by their object names."""


def in_force(repository: Repository, bases: Iterable[str], options: Options, bring: Bring | None = None) -> Policy:
    """What is taken out of releases since `bases`, commits by their full names: by any policy that was reviewed there.

    A policy that a person named counts alone. One of the repository that cannot be used takes out nothing here: releases that
    it is the policy of fail when they are drafted, and say why.

    Raises:
        ConfigurationFailure, InputFailure: what a person named cannot be used.
    """
    said = _said(options)
    if said.policy_from_person is not None:
        return _of_person(said)
    try:
        return united(_reviewed(_Here(repository, bring), tuple(bases), said if options.config else None))
    except RepositoryFailure:
        return Policy()


def of_person(options: Options) -> Policy:
    """The policy that a person named, where no repository can be read; one that takes out nothing where it cannot be used."""
    try:
        return _of_person(_said(options))
    except Failure:
        return Policy()


def _said(options: Options) -> Settings:
    """What a person told besides the repository."""
    data = inputs.read(options.config) if options.config else None
    return settings.load(data, options.config, os.environ, {"policy": options.policy or None})


def _of_person(said: Settings) -> Policy:
    nothing = Selection(SelectionKind.RANGE, "", None, None)
    return configuration.policy_of(None, nothing, replace(said, policy=None))


@dataclass(frozen=True, slots=True)
class _Here:
    """A repository, and how what it lacks is brought."""

    repository: Repository
    bring: Bring | None

    def files(self, commits: Iterable[str], paths: tuple[str, ...]) -> Mapping[str, Standing]:
        """The files at some paths of commits, whose contents are here now if they can be had."""
        found = standing(self.repository, commits, paths)
        if self.bring is not None:
            with suppress(RepositoryFailure):
                self.bring({oid for files in found.values() for _, oid in files})
        return found


def _reviewed(here: _Here, bases: tuple[str, ...], given: Settings | None) -> Iterator[Policy]:
    """The policies that stood at the bases, each once."""
    for name, commits in _named(here, bases, given).items():
        oids = dict.fromkeys(oid for files in here.files(commits, (name,)).values() for _, oid in files)
        for data in filter(None, map(here.repository.read_object, oids)):
            policy = policies.read(data)
            if isinstance(policy, Policy):
                yield policy


def _named(here: _Here, bases: tuple[str, ...], given: Settings | None) -> dict[str, list[str]]:
    """The paths of policies that settings name, each with the commits whose settings do."""
    if given is not None:
        return {given.policy: list(bases)} if given.policy is not None else {}
    found = here.files(bases, SETTINGS_FILES)
    names = {files: _name(here.repository, files) for files in dict.fromkeys(found.values())}
    told: dict[str, list[str]] = {}
    for commit, files in found.items():
        if (name := names[files]) is not None:
            told.setdefault(name, []).append(commit)
    return told


def _name(repository: Repository, files: Standing) -> str | None:
    """The policy that the first file with settings of ours names."""
    for path, oid in sorted(files, key=lambda file: SETTINGS_FILES.index(file[0])):
        data = repository.read_object(oid)
        if data is not None and settings.says_something(data, path):
            try:
                return settings.load(data, path, {}, {}).policy
            except ConfigurationFailure:
                return None
    return None
