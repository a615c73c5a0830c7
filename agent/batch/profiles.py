"""The Project Profile that a release is drafted under: its units, and where its records lie (Intent Changesets 6.6)."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from pathlib import Path

from agent.batch.release import Release
from agent.collecting import configuration
from agent.collecting.request import Request, no_profile
from agent.errors import UsageFailure
from agent.settings import Settings
from agent.sources.git import Repository
from agent.sources.profiles import DEFAULT_PROFILE
from guardrails.evidence.model import Selection, SelectionKind
from guardrails.records.profile import Profile


def settings_of(repository: Repository, release: Release) -> Settings:
    """The settings that a release will be drafted under.

    Raises:
        ConfigurationFailure: they cannot be read or used.
    """
    options = release.options
    request = Request(
        repository=Path(release.place),
        profile=Path(options.profile) if options.profile else None,
        config=Path(options.config) if options.config else None,
        policy=Path(options.policy) if options.policy else None,
    )
    return configuration.read_settings(repository, _selection(release), request)[0]


def named_by(settings: Settings) -> tuple[str, ...]:
    """The files of the repository that settings name."""
    return tuple(name for name in (settings.profile or DEFAULT_PROFILE, settings.policy) if name)


def directories(repository: Repository, release: Release, settings: Settings) -> tuple[str, ...]:
    """Where the records of a release lie, by its profile; nowhere without one.

    Raises:
        ConfigurationFailure: the profile is not valid.
    """
    profile, _ = configuration.active_profile(repository, _selection(release), settings)
    return tuple(_directories(profile)) if profile is not None else ()


def require_unit(repository: Repository, said: str, release: Release) -> None:
    """Hold the unit that was `said` ("U" or "U@stream") against the profile at the head of a release.

    Raises:
        UsageFailure: the profile declares no such unit, or no such stream of it.
        ConfigurationFailure: there is no profile, or settings or profile cannot be used.
    """
    settings, selection = settings_of(repository, release), _selection(release)
    profile, _ = configuration.active_profile(repository, selection, settings)
    if profile is None:
        raise no_profile(selection, settings)
    unit, _, stream = said.partition("@")
    _require(unit, profile.release_units, said, "release unit")
    if stream:
        _require(stream, profile.streams_of(unit), said, "stream of this unit")


def _require(word: str, words: Collection[str], said: str, kind: str) -> None:
    if word not in words:
        near = difflib.get_close_matches(word, words, n=3) or sorted(words)[:8]
        cure = f"one of: {', '.join(near)}" if near else "declare it in the profile"
        raise UsageFailure(f"the Project Profile declares no such {kind}", where=f"--unit {said}", cure=cure)


def _selection(release: Release) -> Selection:
    return Selection(SelectionKind.RANGE, release.spec, release.base or None, release.head)


def _directories(profile: Profile) -> Iterator[str]:
    yield profile.changesets.directory
    yield profile.ledger_directory
    yield profile.release_manifest_directory
    if profile.changesets.archive_directory:
        yield profile.changesets.archive_directory
    if profile.pull_requests is not None:
        yield profile.pull_requests.directory
