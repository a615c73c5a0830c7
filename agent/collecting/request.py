"""What one run was asked for, and all that was gathered for it (Intent Changesets 10, 11)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent.errors import ConfigurationFailure, RepositoryFailure
from agent.settings import Settings
from agent.sources.git import Repository
from agent.sources.profiles import DEFAULT_PROFILE
from agent.sources.remotes import Remote
from guardrails.evidence.model import Answer, Evidence, Selection
from guardrails.records.profile import Profile
from guardrails.redaction.policy import Policy
from guardrails.resolving.rules import Rules


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asked for. Paths are as given; `environ` holds the variables that settings may come from.

    Where a run `needs_profile`, there must be one; else it goes without the default one, but not without one that is named.
    With `from_root` everything up to the operand is meant, which is then one revision. `said` is how the selection is told,
    where that is not what git reads.
    A run that `describes` an operation may take it from a forge: `payload` is a file of it ("-" for standard input), `event`
    says that the CI run around has one, `pull_request` is the number of one. A run that `reads_all` reads generated and locked
    files too, as one does that only holds a text against them. `shape` is the caller's wish;
    without one and without a setting it is asked where a person can be (`asks_shape`). `unit` is the one release unit that is
    described ("U" or "U@stream"), a word of the profile; "" for all that was selected. A run that `integrates` is about commits
    alone, and about those since the head left its base.
    """

    repository: Path
    operand: str | None = None
    said: str = ""
    from_root: bool = False
    staged: bool = False
    work_tree: bool = False
    payload: str | None = None
    event: bool = False
    pull_request: int | None = None
    describes: bool = False
    integrates: bool = False
    reads_all: bool = False
    shape: str | None = None
    asks_shape: bool = False
    unit: str = ""
    profile: Path | None = None
    config: Path | None = None
    policy: Path | None = None
    evidence: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answers_file: str | None = None
    needs_profile: bool = True
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)

    @property
    def names_nothing(self) -> bool:
        """Whether nothing was named that can be read."""
        forge = self.payload is not None or self.event or self.pull_request is not None
        return self.operand is None and not self.staged and not self.work_tree and not forge


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that a run is made of, with the raw evidence still sealed. `profile_path` is "" without a profile.

    `repository` is None where git had no part in it; `remote` is where the operation lies, None where nothing tells.
    `own` are the repositories (owner/name without case) that may be written to.
    """

    repository: Repository | None
    remote: Remote | None
    own: frozenset[str]
    evidence: Evidence
    profile: Profile | None
    profile_path: str
    rules: Rules
    policy: Policy
    settings: Settings
    answers: tuple[Answer, ...]

    @property
    def active(self) -> Profile:
        """The profile of a run that needs one.

        Raises:
            ConfigurationFailure: there is none.
        """
        if self.profile is None:
            raise no_profile(self.evidence.selection, self.settings)
        return self.profile

    @property
    def home(self) -> Repository:
        """The repository of a run that git has a part in.

        Raises:
            RepositoryFailure: there is none.
        """
        if self.repository is None:
            raise RepositoryFailure("there is no repository to write into", cure="run it in a clone")
        return self.repository

    @property
    def profile_digest(self) -> str | None:
        """The digest of the profile's exact bytes; None without a profile."""
        return self.profile.digest if self.profile is not None else None


def no_profile(selection: Selection, settings: Settings) -> ConfigurationFailure:
    """The failure of a run that needs a Project Profile and has none."""
    return ConfigurationFailure(
        "there is no Project Profile",
        where=f"{settings.profile or DEFAULT_PROFILE} at {(selection.head or 'the unborn branch')[:12]}",
        cure="give one with --profile FILE, or make one with: evidraft profile init",
    )
