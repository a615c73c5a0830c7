"""What a release is known by in a journal: equal only where its result must be equal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from agent.batch.release import Conditions, Release
from guardrails.digests import digest_of, sha256

_PLACES: Final = ("EVIDRAFT_PROFILE", "EVIDRAFT_POLICY")
"""Variables that name files."""


def key(release: Release, conditions: Conditions) -> str:
    """The release and its conditions, with the bytes of every file that a person named: another policy is another result.

    What is read out of the repository needs no look: its commits are named.
    """
    return digest_of([conditions.key(release), {name: _digest(name) for name in _files(release, conditions)}])


def _files(release: Release, conditions: Conditions) -> Iterator[str]:
    options = release.options
    named = (options.profile, options.config, options.policy, *options.evidence)
    return filter(None, (*named, *(conditions.environ.get(variable, "") for variable in _PLACES)))


def _digest(name: str) -> str:
    """That of a file's bytes; "" for what cannot be read, which drafting will tell."""
    try:
        return sha256(Path(name).read_bytes())
    except OSError:
        return ""
