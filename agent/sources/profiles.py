"""The Project Profile of a repository: where it is by custom, and reading it (Intent Changesets 10)."""

from __future__ import annotations

from typing import Final

from agent.errors import ConfigurationFailure
from guardrails.findings import Finding
from guardrails.records import profile as profiles
from guardrails.records.profile import Profile

DEFAULT_PROFILE: Final = ".ack/profile.yaml"


def read_profile(data: bytes, name: str) -> Profile:
    """A valid profile, or a failure that names its first fault.

    Raises:
        ConfigurationFailure: the profile is not valid.
    """
    profile = profiles.read(data)
    if isinstance(profile, Profile):
        return profile
    raise ConfigurationFailure(
        first_fault("the Project Profile is not valid", profile), where=name, cure=f"see: evidraft profile validate {name}"
    )


def first_fault(what: str, findings: tuple[Finding, ...]) -> str:
    """What is wrong with a configuration in one line: the first of its findings, and how many more there are."""
    first = findings[0]
    line = f" (line {first.line})" if first.line else ""
    more = f"; and {len(findings) - 1} more" if len(findings) > 1 else ""
    return f"{what}: {first.where}{line}: {first.message}{more}"
