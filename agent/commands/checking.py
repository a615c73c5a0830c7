"""What the checking commands share: reading an operand, loading a profile, checking one record."""

from __future__ import annotations

from pathlib import Path

from agent.errors import ConfigurationFailure
from agent.sources import inputs
from agent.sources.git import Repository
from agent.sources.profiles import DEFAULT_PROFILE, read_profile
from guardrails.findings import Finding
from guardrails.records import changeset
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile


def read_operand(file: str) -> tuple[str, bytes]:
    """The name to show and the bytes of a FILE operand; `-` is standard input.

    Raises:
        InputFailure: it cannot be read.
    """
    return ("standard input" if file == inputs.STANDARD_INPUT else file), inputs.read(file)


def load_profile(path: Path | None, repository: Repository | None = None) -> Profile:
    """The profile at `path`, or the default one in the work tree of `repository`.

    Raises:
        ConfigurationFailure: there is none, or it is not valid.
        InputFailure: it cannot be read, or is reached through a symbolic link out of the repository.
    """
    if path is not None:
        return read_profile(inputs.read(str(path)), str(path))
    if repository is None or repository.top is None:
        raise ConfigurationFailure("a Project Profile is needed", cure="give one with --profile FILE")
    data = inputs.read_below(repository.top, DEFAULT_PROFILE)
    if data is None:
        where = str(repository.top / DEFAULT_PROFILE)
        raise ConfigurationFailure(
            "there is no Project Profile", where=where, cure="give one with --profile FILE, or: evidraft profile init"
        )
    return read_profile(data, DEFAULT_PROFILE)


def check_changeset(data: bytes, profile: Profile | None) -> tuple[Finding, ...]:
    """All findings of Reader and Validator (Intent Changesets 13.1, 13.2) on one record."""
    record = changeset.read(data)
    return changeset.validate(record, profile) if isinstance(record, Changeset) else record
