"""Any record by its own marker: what kind a file is, and what its kind's checks say (Intent Changesets 13)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from agent.commands.checking import check_changeset
from agent.commands.linting import OWN_FILE, decoded, judge
from agent.errors import InputFailure
from guardrails import strict_json, strict_yaml
from guardrails.drafts import envelope, envelope_rules
from guardrails.findings import Finding, blocking
from guardrails.records import draft_record
from guardrails.records import profile as profiles
from guardrails.records.draft_record import DraftRecord
from guardrails.records.profile import Profile

CHANGESET: Final = "changeset"
PROFILE: Final = "profile"
COMMIT: Final = "commit"
DRAFT_RECORD: Final = "draft-record"
ENVELOPE: Final = "envelope"

_MARKERS: Final = {
    "intent-changeset": CHANGESET,
    "intent-profile": PROFILE,
    "evidraft-record": DRAFT_RECORD,
    "intent-changelog": "changelog",
    "intent-pull-request": "pull-request",
    "intent-release-manifest": "release-manifest",
}
_OF_ENVELOPES: Final = ({"shape"}, {"operation", "change"}, {"operation", "items"})
"""Keys that tell an envelope, which has no marker as records have one; a record of another kind may have any of them."""
_WRITTEN: Final = re.compile(rb"^[ \t{\"']*([a-z]{1,12}-[a-z-]{1,20}|shape)[\"']?[ \t]*:", re.MULTILINE)
_AHEAD: Final = 64 * 1024

ProfileSource: TypeAlias = Callable[[], Profile | None]
"""Gives the profile to judge by, None when none was named. It is asked only for a record that is right by itself."""


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
        InputFailure: it says nothing that is known, or names a kind that cannot be checked yet.
    """
    found = kind or kind_of(name, data)
    if found not in _CHECKS:
        raise InputFailure(f"is a record of kind {found}, which this version cannot check", where=name, cure="leave it out")
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
    if not kinds and any(marks <= set(keys) for marks in _OF_ENVELOPES):
        return ENVELOPE
    cure = f"expected one of {', '.join(_MARKERS)}, or the shape of an envelope; for a commit message say --kind commit"
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


def _check_changeset(_: str, data: bytes, profile: ProfileSource) -> tuple[Finding, ...]:
    found = check_changeset(data, None)
    return found if blocking(found) else check_changeset(data, profile())


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


_CHECKS: Final[dict[str, Callable[[str, bytes, ProfileSource], tuple[Finding, ...]]]] = {
    CHANGESET: _check_changeset,
    PROFILE: _check_profile,
    COMMIT: _check_commit,
    DRAFT_RECORD: _check_draft_record,
    ENVELOPE: _check_envelope,
}
VALID: Final = {
    CHANGESET: "valid Intent Changesets record",
    PROFILE: "valid Project Profile",
    COMMIT: "valid Intent Commits message",
    DRAFT_RECORD: "valid draft record",
    ENVELOPE: "valid envelope of described changes",
}
"""What is said of a file in which nothing was found."""
