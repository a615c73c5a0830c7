"""The Project Profile: vocabularies, release units and streams, places, policy (Intent Changesets 4, 10 and 12)."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails import paths
from guardrails.digests import sha256
from guardrails.findings import Finding
from guardrails.patterns import compiled
from guardrails.records.fields import (
    IMPACTS,
    SUITE_VERSION,
    is_absolute_uri,
    is_blank,
    is_type,
    is_unit,
    open_record,
    other_version,
    vocabulary,
)
from guardrails.records.profile_fields import (
    NO_CHANGESET_RULE,
    PROFILE_LIST_EMPTY,
    PROFILE_PATH,
    PROFILE_REPOSITORY,
    PROFILE_WORD,
    UNMAPPED_SCOPE,
    UNSUPPORTED_PROFILE_VERSION,
    ProfileFields,
)

DISPOSITIONS: Final = ("keep", "archive", "delete")
MERGE_STRATEGIES: Final = ("merge", "squash", "rebase")
VERIFICATION_STATUSES: Final = ("passed", "failed", "skipped", "unavailable", "not-applicable")
OLDER_KEYS: Final = frozenset(("ics", "ixs", "icls"))
"""Root keys of profiles before they were standardized."""
_SPECIFICATIONS: Final = ("commits", "changesets", "changelog", "release-manifest")


@dataclass(frozen=True, slots=True)
class CommitType:
    """A commit type and the impact that its commits have unless they say otherwise."""

    word: str
    default_impact: str | None


@dataclass(frozen=True, slots=True)
class Scope:
    """A commit scope: the release unit it stands for, or None when Affects trailers must name the units."""

    word: str
    release_unit: str | None
    requires_affects: bool


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream of a release unit: its line and channel, its ledger file, and the directory of its manifests."""

    name: str
    release_line: str
    channel: str
    changelog: str
    manifests: str


@dataclass(frozen=True, slots=True)
class ReleaseUnit:
    """Something that is released by itself, in one or more streams."""

    name: str
    streams: Mapping[str, Stream]


@dataclass(frozen=True, slots=True)
class ChangesetPolicy:
    """Where changesets live, when one is required, and what happens to it once consumed."""

    directory: str
    archive_directory: str | None
    after_consumption: str
    conflict_policy: str
    id_pattern: str | None
    required_impacts: tuple[str, ...]
    required_commit_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PullRequestPolicy:
    """Where pull-request records live and what they may hold."""

    directory: str
    merge_strategy: str
    max_title_length: int
    max_body_length: int
    require_ready: bool
    verification_statuses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The active Project Profile; `digest` is that of its exact bytes."""

    repository: str
    types: Mapping[str, CommitType]
    scopes: Mapping[str, Scope]
    release_units: Mapping[str, ReleaseUnit]
    ledger_directory: str
    release_manifest_directory: str
    release_pattern: str
    release_types: tuple[str, ...]
    release_impacts: tuple[str, ...]
    audiences: tuple[str, ...]
    disclosures: tuple[str, ...]
    channels: tuple[str, ...]
    changesets: ChangesetPolicy
    pull_requests: PullRequestPolicy | None
    require_release_ready: bool
    max_header_length: int
    max_body_line_length: int
    large_diff_threshold: int
    digest: str
    data: bytes = field(repr=False)

    def streams_of(self, unit: str) -> tuple[str, ...]:
        """The streams that are declared for a release unit; none for an unknown one."""
        found = self.release_units.get(unit)
        return tuple(found.streams) if found else ()

    def unit_for(self, word: str) -> str | None:
        """The release unit that a commit's scope or Affects word means: by `scopes`, else the longest unit that is the word
        or a `/`-prefix of it.
        """
        scope = self.scopes.get(word)
        if scope and scope.release_unit:
            return scope.release_unit
        fitting = [unit for unit in self.release_units if word == unit or word.startswith(f"{unit}/")]
        return max(fitting, key=len, default=None)

    def requires_changeset(self, impact: str | None, commit_type: str) -> bool:
        """Whether a commit of this impact and type must link a changeset (section 4)."""
        return impact in self.changesets.required_impacts or commit_type in self.changesets.required_commit_types

    def accepts_id(self, changeset_id: str) -> bool:
        """Whether the project's `id-pattern` occurs in an identifier; a pattern is searched, so it has to anchor itself."""
        pattern = self.changesets.id_pattern
        return pattern is None or compiled(pattern).search(changeset_id) is not None


def read(data: bytes) -> Profile | tuple[Finding, ...]:
    """The profile out of exact bytes, or a finding for each fault, with its line."""
    record = open_record(data)
    if isinstance(record, tuple):
        return record
    root = ProfileFields(record.values, record.path, record.faults)
    if older := OLDER_KEYS & root.values.keys():
        root.note(UNSUPPORTED_PROFILE_VERSION, (min(older),), f"is of an older suite version, expected {SUITE_VERSION}")
        return tuple(root.faults.findings)
    specifications = _read_specifications(root)
    release_units = _read_release_units(root)
    types = {word: _read_type(word, part) for word, part in root.named_parts("types", required=False)}
    profile = Profile(
        repository=root.text("repository"),
        types=types,
        scopes={word: _read_scope(word, part, release_units) for word, part in root.named_parts("scopes", required=False)},
        release_units=release_units,
        ledger_directory=root.place("ledger-directory"),
        release_manifest_directory=root.place("release-manifest-directory"),
        release_pattern=root.pattern("release-pattern"),
        release_types=root.words("release-types"),
        release_impacts=root.words("release-impacts", allowed=IMPACTS),
        audiences=root.words("audiences"),
        disclosures=root.words("disclosures"),
        channels=root.words("channels"),
        changesets=_read_changesets(root.part("changesets"), types),
        pull_requests=_read_pull_requests(root.part("pull-requests")) if "pull-requests" in specifications else None,
        require_release_ready=root.value("require-release-ready", bool, required=False) or False,
        max_header_length=root.limit("max-header-length"),
        max_body_line_length=root.limit("max-body-line-length"),
        large_diff_threshold=root.limit("large-diff-threshold"),
        digest=sha256(data),
        data=data,
    )
    root.close(_ROOT)
    _check(root, profile)
    return tuple(root.faults.findings) or profile


def _keys(kind: type) -> frozenset[str]:
    """The keys of the mapping that a part of the profile is read from: its fields, as a profile spells them."""
    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(kind)) - {"name", "word", "digest", "data"}


_ROOT: Final = _keys(Profile) | {"intent-profile", "specifications"}
_TYPE, _SCOPE, _UNIT, _STREAM = map(_keys, (CommitType, Scope, ReleaseUnit, Stream))
_CHANGESETS, _PULL_REQUESTS = map(_keys, (ChangesetPolicy, PullRequestPolicy))


def _check(root: ProfileFields, profile: Profile) -> None:
    """What joins several fields of the profile."""
    if profile.repository and not is_absolute_uri(profile.repository):
        root.note(PROFILE_REPOSITORY, ("repository",), "got another text, expected an absolute URI")
    for place, word in enumerate(profile.release_types):
        if not is_type(word):
            root.note(PROFILE_WORD, ("release-types", place), "expected lower-case letters, digits and hyphens, a letter first")
    channels = vocabulary(profile.channels)
    for unit in profile.release_units.values():
        for name, stream in unit.streams.items():
            at = ("release-units", unit.name, "streams", name)
            if stream.channel not in channels:
                root.note(PROFILE_WORD, (*at, "channel"), "got a channel that `channels` does not list")
            if not paths.is_below(stream.changelog, profile.ledger_directory):
                root.note(PROFILE_PATH, (*at, "changelog"), "got a path outside `ledger-directory`")
            if not paths.is_below(stream.manifests, profile.release_manifest_directory):
                root.note(PROFILE_PATH, (*at, "manifests"), "got a path outside `release-manifest-directory`")


def _read_specifications(root: ProfileFields) -> tuple[str, ...]:
    """The names of the specifications that the project follows; all go in lock step."""
    part = root.part("specifications")
    names = (*_SPECIFICATIONS, "pull-requests") if "pull-requests" in part.values else _SPECIFICATIONS
    for fields, name in ((root, "intent-profile"), *((part, name) for name in names)):
        version = fields.value(name, str)
        if version is not None and version != SUITE_VERSION:
            fields.note(UNSUPPORTED_PROFILE_VERSION, (name,), other_version(version))
    part.close((*_SPECIFICATIONS, "pull-requests"))
    return names


def _read_type(word: str, fields: ProfileFields) -> CommitType:
    fields.check_form(word, is_type)
    fields.close(_TYPE)
    return CommitType(word, fields.word("default-impact", IMPACTS, required=False) or None)


def _read_scope(word: str, fields: ProfileFields, release_units: Mapping[str, ReleaseUnit]) -> Scope:
    fields.check_form(word, is_unit)
    fields.close(_SCOPE)
    scope = Scope(
        word,
        fields.word("release-unit", release_units, required=False) or None,
        fields.value("requires-affects", bool, required=False) or False,
    )
    if scope.release_unit is None and not scope.requires_affects:
        fields.note(UNMAPPED_SCOPE, (), "got neither, expected `release-unit` or `requires-affects: true`")
    return scope


def _read_release_units(root: ProfileFields) -> dict[str, ReleaseUnit]:
    units = {}
    for name, fields in root.named_parts("release-units"):
        fields.check_form(name, is_unit)
        fields.close(_UNIT)
        streams = {word: _read_stream(word, part) for word, part in fields.named_parts("streams")}
        if not streams:
            fields.note(PROFILE_LIST_EMPTY, ("streams",), "got no stream, expected at least one")
        units[name] = ReleaseUnit(name, streams)
    if not units:
        root.note(PROFILE_LIST_EMPTY, ("release-units",), "got no release unit, expected at least one")
    return units


def _read_stream(name: str, fields: ProfileFields) -> Stream:
    fields.check_form(name, is_unit)
    fields.close(_STREAM)
    line = fields.text("release-line")
    if "release-line" in fields.values and is_blank(line):
        fields.note(PROFILE_WORD, ("release-line",), "got a blank text, expected a release line")
    return Stream(name, line, fields.text("channel"), fields.place("changelog"), fields.place("manifests"))


def _read_changesets(fields: ProfileFields, types: Collection[str]) -> ChangesetPolicy:
    fields.close(_CHANGESETS)
    if not {"required-impacts", "required-commit-types"} & fields.values.keys():
        fields.note(NO_CHANGESET_RULE, (), "got no rule for when a changeset is required")
    after = fields.word("after-consumption", DISPOSITIONS)
    return ChangesetPolicy(
        directory=fields.place("directory"),
        archive_directory=fields.place("archive-directory", required=after == "archive") or None,
        after_consumption=after,
        conflict_policy=fields.word("conflict-policy", ("preserve",)),
        id_pattern=fields.pattern("id-pattern", required=False) or None,
        required_impacts=fields.words("required-impacts", allowed=IMPACTS, required=False),
        required_commit_types=fields.words("required-commit-types", allowed=types, required=False),
    )


def _read_pull_requests(fields: ProfileFields) -> PullRequestPolicy:
    fields.close(_PULL_REQUESTS)
    return PullRequestPolicy(
        directory=fields.place("directory"),
        merge_strategy=fields.word("merge-strategy", MERGE_STRATEGIES),
        max_title_length=fields.limit("max-title-length", least=1, required=True),
        max_body_length=fields.limit("max-body-length", least=1, required=True),
        require_ready=fields.value("require-ready", bool, required=False) or False,
        verification_statuses=fields.words("verification-statuses", allowed=VERIFICATION_STATUSES, required=False),
    )
