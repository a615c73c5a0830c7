"""Any record by its own marker: what kind a file is, and what its kind's checks say (Intent Changesets 13)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from agent.commands.linting import OWN_FILE, decoded, judge
from agent.errors import InputFailure
from guardrails import strict_json, strict_yaml
from guardrails.contracts import schema as contracts
from guardrails.contracts.schema import Contract
from guardrails.drafts import envelope, envelope_rules
from guardrails.findings import Finding, blocking
from guardrails.records import (
    changelog,
    changelog_rules,
    changeset,
    draft_record,
    pull_request,
    pull_request_rules,
    release_manifest,
    release_manifest_rules,
)
from guardrails.records import profile as profiles
from guardrails.records.draft_record import DraftRecord
from guardrails.records.profile import Profile

CHANGESET: Final = "changeset"
PROFILE: Final = "profile"
COMMIT: Final = "commit"
DRAFT_RECORD: Final = "draft-record"
ENVELOPE: Final = "envelope"
CHANGELOG: Final = "changelog"
PULL_REQUEST: Final = "pull-request"
RELEASE_MANIFEST: Final = "release-manifest"
CONTRACT: Final = "contract"

_MARKERS: Final = {
    "intent-changeset": CHANGESET,
    "intent-profile": PROFILE,
    "intent-changelog": CHANGELOG,
    "intent-pull-request": PULL_REQUEST,
    "intent-release-manifest": RELEASE_MANIFEST,
    "evidraft-record": DRAFT_RECORD,
}
_OF_ENVELOPES: Final = ({"shape"}, {"operation", "change"}, {"operation", "items"})
"""Keys that tell an envelope, which has no marker as records have one; a record of another kind may have any of them."""
_OF_CONTRACTS: Final = frozenset({"schema", "change"})
"""Keys that tell a change contract, which has no marker either."""
_WRITTEN: Final = re.compile(rb"^[ \t{\"']*([a-z]{1,12}-[a-z-]{1,20}|shape|schema|change)[\"']?[ \t]*:", re.MULTILINE)
_AHEAD: Final = 64 * 1024

ProfileSource: TypeAlias = Callable[[], Profile | None]
"""Gives the profile to judge by, None when none was named. It is asked only for a record that is right by itself."""
Check: TypeAlias = Callable[[str, bytes, ProfileSource], tuple[Finding, ...]]
"""All that is found in a file, by its name and bytes."""
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Checked:
    """One file, its kind, and all that was found."""

    name: str
    kind: str
    findings: tuple[Finding, ...]

    @property
    def exit_code(self) -> int:
        """1 when something blocks, else 0."""
        return 1 if blocking(self.findings) else 0


def check_record(name: str, data: bytes, kind: str | None, profile: ProfileSource) -> Checked:
    """Check a file as what it says it is, or as the `kind` that a person named.

    Raises:
        InputFailure: it says nothing that is known.
    """
    found = kind or kind_of(name, data)
    return Checked(name, found, _CHECKS[found](name, data, profile))


def kind_of(name: str, data: bytes) -> str:
    """The kind of record that a file holds: git's own message file by its name, everything else by the key that marks it.

    Raises:
        InputFailure: it has no marker, or several.
    """
    if name.replace("\\", "/").rpartition("/")[2] == OWN_FILE:
        return COMMIT
    keys = _keys(data)
    kinds = {_MARKERS[key] for key in keys if key in _MARKERS}
    if len(kinds) == 1:
        return kinds.pop()
    if not kinds and not profiles.OLDER_KEYS.isdisjoint(keys):
        return PROFILE
    if not kinds and any(marks <= set(keys) for marks in _OF_ENVELOPES):
        return ENVELOPE
    if not kinds and set(keys) >= _OF_CONTRACTS:
        return CONTRACT
    others = "the shape of an envelope, or schema and change of a contract"
    cure = f"expected one of {', '.join(_MARKERS)}, {others}; for a commit message say --kind commit"
    raise InputFailure("has more than one marker" if kinds else "has no marker of a known record", where=name, cure=cure)


def _keys(data: bytes) -> list[str]:
    """The root's keys; of a document that is refused, what looks like one, so that its own reader says what is wrong."""
    try:
        value = _value(data)
    except strict_yaml.YamlFault:
        return [match.decode("ascii") for match in _WRITTEN.findall(data[:_AHEAD])]
    return [key for key in value if isinstance(key, str)] if isinstance(value, dict) else []


def _value(data: bytes) -> object:
    """JSON where it is that, since it is read so much faster; else YAML.

    Raises:
        strict_yaml.YamlFault: it is neither.
    """
    try:
        return strict_json.read(data)
    except strict_json.JsonFault:
        return strict_yaml.read(data).value


def _ruled(
    read: Callable[[bytes], R | tuple[Finding, ...]], validate: Callable[[R, Profile | None], tuple[Finding, ...]]
) -> Check:
    """The check of a kind that a project has policy for: a bad record wins over a bad profile."""

    def check(_: str, data: bytes, profile: ProfileSource) -> tuple[Finding, ...]:
        record = read(data)
        if isinstance(record, tuple):
            return record
        found = validate(record, None)
        return found if blocking(found) else validate(record, profile())

    return check


def _check_profile(_: str, data: bytes, __: ProfileSource) -> tuple[Finding, ...]:
    read = profiles.read(data)
    return () if isinstance(read, Profile) else read


def _check_commit(name: str, data: bytes, profile: ProfileSource) -> tuple[Finding, ...]:
    text = decoded(data, name)
    report = judge(text, None)
    return report.findings if report.message is None else judge(text, profile()).findings


def _check_draft_record(_: str, data: bytes, __: ProfileSource) -> tuple[Finding, ...]:
    read = draft_record.read(data)
    return () if isinstance(read, DraftRecord) else read


def _check_envelope(_: str, data: bytes, __: ProfileSource) -> tuple[Finding, ...]:
    read = envelope.read(data)
    return read if isinstance(read, tuple) else envelope_rules.validate(read)


def _check_contract(_: str, data: bytes, __: ProfileSource) -> tuple[Finding, ...]:
    read = contracts.read(data)
    return () if isinstance(read, Contract) else read


_CHECKS: Final[dict[str, Check]] = {
    CHANGESET: _ruled(changeset.read, changeset.validate),
    PROFILE: _check_profile,
    CHANGELOG: _ruled(changelog.read, changelog_rules.validate),
    PULL_REQUEST: _ruled(pull_request.read, pull_request_rules.validate),
    RELEASE_MANIFEST: _ruled(release_manifest.read, release_manifest_rules.validate),
    COMMIT: _check_commit,
    DRAFT_RECORD: _check_draft_record,
    ENVELOPE: _check_envelope,
    CONTRACT: _check_contract,
}
VALID: Final = {
    CHANGESET: "valid Intent Changesets record",
    PROFILE: "valid Project Profile",
    CHANGELOG: "valid Intent Changelog record",
    PULL_REQUEST: "valid Intent Pull Requests record",
    RELEASE_MANIFEST: "valid release manifest",
    COMMIT: "valid Intent Commits message",
    DRAFT_RECORD: "valid draft record",
    ENVELOPE: "valid envelope of described changes",
    CONTRACT: "valid change contract",
}
"""What is said of a file in which nothing was found."""
