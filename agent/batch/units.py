"""Release units that a person names, held against the Project Profile before anything is drafted (Intent Changesets 6.6)."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from pathlib import Path

from agent.batch.release import Release
from agent.collecting import configuration
from agent.collecting.request import Request, no_profile
from agent.errors import UsageFailure
from agent.sources.git import Repository
from guardrails.evidence.model import Selection, SelectionKind


def check(repository: Repository, said: str, release: Release) -> None:
    """Hold the unit that was `said` ("U" or "U@stream") against the profile at the head of a release.

    Raises:
        UsageFailure: the profile declares no such unit, or no such stream of it.
        agent.errors.Failure: there is no profile, or settings or profile cannot be used.
    """
    options = release.options
    request = Request(
        repository=Path(release.place),
        profile=Path(options.profile) if options.profile else None,
        config=Path(options.config) if options.config else None,
        policy=Path(options.policy) if options.policy else None,
    )
    selection = Selection(SelectionKind.RANGE, release.spec, release.base or None, release.head)
    settings, _ = configuration.read_settings(repository, selection, request)
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
