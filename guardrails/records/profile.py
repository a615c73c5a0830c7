"""The Project Profile: vocabularies, release units and streams, places and policy of a project (Intent Changesets 4, 10 and 12)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import re2

from guardrails import paths
from guardrails.digests import sha256
from guardrails.findings import Code, Finding
from guardrails.records.fields import (
    IMPACTS,
    SUITE_VERSION,
    Fields,
    is_absolute_uri,
    is_blank,
    is_type,
    is_unit,
    open_record,
)


def _code(name: str, summary: str, cure: str, section: str = "10") -> Code:
    return Code(name=name, summary=summary, cure=cure, section=f"Intent Changesets {section}")


UNSUPPORTED_PROFILE_VERSION = _code(
    "unsupported-profile-version",
    "The profile, or a specification that it names, is of another version.",
    "Write 1.0.0 for the profile and each specification.",
)
UNKNOWN_PROFILE_KEY = _code("unknown-profile-key", "The profile has a key that no rule reads.", "Correct or remove the key.")
PROFILE_WORD = _code(
    "profile-word", "A word of the profile has no allowed form or is not one of the allowed words.", "Use an allowed word."
)
PROFILE_LIST_EMPTY = _code("profile-list-empty", "A list or mapping of the profile is empty.", "Add at least one entry.")
PROFILE_REPOSITORY = _code(
    "profile-repository", "The repository is no absolute URI.", "Write it with its scheme: https://…", "6.6"
)
PROFILE_PATH = _code(
    "profile-path",
    "A path does not stay below the repository root, or below the directory it belongs to.",
    "Write a relative path with forward slashes and without `..`.",
    "12",
)
PROFILE_PATTERN = _code(
    "profile-pattern", "A pattern is no RE2 expression.", "Use RE2 syntax: no look-around, no back references."
)
PROFILE_NUMBER = _code("profile-number", "A limit is out of range.", "Write a whole number that is not negative.")
NO_CHANGESET_RULE = _code(
    "no-changeset-rule",
    "The profile does not say when a changeset is required.",
    "Give `changesets.required-impacts`, `changesets.required-commit-types` or both; an empty list says never.",
    "4",
)
UNMAPPED_SCOPE = _code(
    "unmapped-scope",
    "A scope has no release unit and does not ask for Affects.",
    "Give `release-unit` or `requires-affects: true`.",
)

_PATTERN_OPTIONS: Final = re2.Options()
_PATTERN_OPTIONS.log_errors = False
_PATTERN_OPTIONS.max_mem = 1 << 20

DISPOSITIONS: Final = ("keep", "archive", "delete")
MERGE_STRATEGIES: Final = ("merge", "squash", "rebase")
VERIFICATION_STATUSES: Final = ("passed", "failed", "skipped", "unavailable", "not-applicable")
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
        return pattern is None or _found(pattern, changeset_id)

    def accepts_release(self, release: str) -> bool:
        """Whether the project's `release-pattern` occurs in a release name."""
        return _found(self.release_pattern, release)


def _found(pattern: str, text: str) -> bool:
    return re2.compile(pattern, _PATTERN_OPTIONS).search(text) is not None


def read(data: bytes) -> Profile | tuple[Finding, ...]:
    """The profile out of exact bytes, or a finding for each fault, with its line."""
    root = open_record(data)
    if isinstance(root, tuple):
        return root
    specifications = _read_specifications(root)
    release_units = _read_release_units(root)
    types = {word: _read_type(word, part) for word, part in root.named_parts("types", required=False)}
    profile = Profile(
        repository=root.text("repository"),
        types=types,
        scopes={word: _read_scope(word, part, release_units) for word, part in root.named_parts("scopes", required=False)},
        release_units=release_units,
        ledger_directory=_path(root, "ledger-directory"),
        release_manifest_directory=_path(root, "release-manifest-directory"),
        release_pattern=_pattern(root, "release-pattern"),
        release_types=_words(root, "release-types"),
        release_impacts=_words(root, "release-impacts", allowed=IMPACTS),
        audiences=_words(root, "audiences"),
        disclosures=_words(root, "disclosures"),
        channels=_words(root, "channels"),
        changesets=_read_changesets(root.part("changesets"), types),
        pull_requests=_read_pull_requests(root.part("pull-requests")) if "pull-requests" in specifications else None,
        require_release_ready=root.value("require-release-ready", bool, required=False) or False,
        max_header_length=_limit(root, "max-header-length"),
        max_body_line_length=_limit(root, "max-body-line-length"),
        large_diff_threshold=_limit(root, "large-diff-threshold"),
        digest=sha256(data),
        data=data,
    )
    _closed(root, _ROOT)
    _check(root, profile)
    return tuple(root.faults.findings) or profile


_ROOT: Final = (
    *("intent-profile", "repository", "specifications", "types", "scopes", "release-units", "ledger-directory"),
    *(
        "release-manifest-directory",
        "release-pattern",
        "release-types",
        "release-impacts",
        "audiences",
        "disclosures",
        "channels",
    ),
    *(
        "changesets",
        "pull-requests",
        "require-release-ready",
        "max-header-length",
        "max-body-line-length",
        "large-diff-threshold",
    ),
)


def _check(root: Fields, profile: Profile) -> None:
    """What joins several fields of the profile."""
    if profile.repository and not is_absolute_uri(profile.repository):
        root.note(PROFILE_REPOSITORY, ("repository",), "got another text, expected an absolute URI")
    for word in profile.release_types:
        if not is_type(word):
            root.note(
                PROFILE_WORD, ("release-types",), "got a word of another form, expected lower-case letters, digits, hyphens"
            )
    for unit in profile.release_units.values():
        for name, stream in unit.streams.items():
            at = ("release-units", unit.name, "streams", name)
            if stream.channel not in profile.channels:
                root.note(PROFILE_WORD, (*at, "channel"), "got a channel that `channels` does not list")
            if not paths.is_below(stream.changelog, profile.ledger_directory):
                root.note(PROFILE_PATH, (*at, "changelog"), "got a path outside `ledger-directory`")
            if not paths.is_below(stream.manifests, profile.release_manifest_directory):
                root.note(PROFILE_PATH, (*at, "manifests"), "got a path outside `release-manifest-directory`")


def _read_specifications(root: Fields) -> tuple[str, ...]:
    """The names of the specifications that the project follows; all go in lock step."""
    part = root.part("specifications")
    versions = {name: part.text(name) for name in _SPECIFICATIONS}
    if "pull-requests" in part.values:
        versions["pull-requests"] = part.text("pull-requests")
    for fields, name, version in (
        (root, "intent-profile", root.text("intent-profile")),
        *((part, *pair) for pair in versions.items()),
    ):
        if name in fields.values and version != SUITE_VERSION:
            fields.note(UNSUPPORTED_PROFILE_VERSION, (name,), f"got another version, expected {SUITE_VERSION}")
    _closed(part, (*_SPECIFICATIONS, "pull-requests"))
    return tuple(versions)


def _read_type(word: str, fields: Fields) -> CommitType:
    _form(fields, word, is_type)
    _closed(fields, ("default-impact",))
    return CommitType(word, _word(fields, "default-impact", IMPACTS, required=False) or None)


def _read_scope(word: str, fields: Fields, release_units: Mapping[str, ReleaseUnit]) -> Scope:
    _form(fields, word, is_unit)
    _closed(fields, ("release-unit", "requires-affects"))
    scope = Scope(
        word,
        _word(fields, "release-unit", tuple(release_units), required=False) or None,
        fields.value("requires-affects", bool, required=False) or False,
    )
    if scope.release_unit is None and not scope.requires_affects:
        fields.note(UNMAPPED_SCOPE, (), "got neither, expected `release-unit` or `requires-affects: true`")
    return scope


def _read_release_units(root: Fields) -> dict[str, ReleaseUnit]:
    units = {}
    for name, fields in root.named_parts("release-units"):
        _form(fields, name, is_unit)
        _closed(fields, ("streams",))
        streams = {word: _read_stream(word, part) for word, part in fields.named_parts("streams")}
        if not streams:
            fields.note(PROFILE_LIST_EMPTY, ("streams",), "got no stream, expected at least one")
        units[name] = ReleaseUnit(name, streams)
    if not units:
        root.note(PROFILE_LIST_EMPTY, ("release-units",), "got no release unit, expected at least one")
    return units


def _read_stream(name: str, fields: Fields) -> Stream:
    _form(fields, name, is_unit)
    _closed(fields, ("release-line", "channel", "changelog", "manifests"))
    line = fields.text("release-line")
    if "release-line" in fields.values and is_blank(line):
        fields.note(PROFILE_WORD, ("release-line",), "got a blank text, expected a release line")
    return Stream(name, line, fields.text("channel"), _path(fields, "changelog"), _path(fields, "manifests"))


def _read_changesets(fields: Fields, types: Collection[str]) -> ChangesetPolicy:
    _closed(
        fields,
        (
            *("directory", "archive-directory", "after-consumption", "conflict-policy", "id-pattern"),
            *("required-impacts", "required-commit-types"),
        ),
    )
    if not {"required-impacts", "required-commit-types"} & fields.values.keys():
        fields.note(NO_CHANGESET_RULE, (), "got no rule for when a changeset is required")
    after = _word(fields, "after-consumption", DISPOSITIONS)
    return ChangesetPolicy(
        directory=_path(fields, "directory"),
        archive_directory=_path(fields, "archive-directory", required=after == "archive") or None,
        after_consumption=after,
        conflict_policy=_word(fields, "conflict-policy", ("preserve",)),
        id_pattern=_pattern(fields, "id-pattern", required=False) or None,
        required_impacts=_words(fields, "required-impacts", allowed=IMPACTS, required=False),
        required_commit_types=_words(fields, "required-commit-types", allowed=types, required=False),
    )


def _read_pull_requests(fields: Fields) -> PullRequestPolicy:
    _closed(
        fields,
        ("directory", "merge-strategy", "max-title-length", "max-body-length", "require-ready", "verification-statuses"),
    )
    return PullRequestPolicy(
        directory=_path(fields, "directory"),
        merge_strategy=_word(fields, "merge-strategy", MERGE_STRATEGIES),
        max_title_length=_limit(fields, "max-title-length", least=1, required=True),
        max_body_length=_limit(fields, "max-body-length", least=1, required=True),
        require_ready=fields.value("require-ready", bool, required=False) or False,
        verification_statuses=_words(fields, "verification-statuses", allowed=VERIFICATION_STATUSES, required=False),
    )


def _closed(fields: Fields, known: Collection[str]) -> None:
    """A profile decides what other records may say, so a key that nothing reads is more likely a slip than an extension."""
    for key in fields.unknown(known):
        fields.note(UNKNOWN_PROFILE_KEY, (key,), "got a key that no rule reads")


def _form(fields: Fields, word: str, has_form: Callable[[str], bool]) -> None:
    if not has_form(word):
        fields.note(PROFILE_WORD, (), "got a word of another form, expected lower-case letters, digits and hyphens")


def _word(fields: Fields, key: str, allowed: Collection[str], *, required: bool = True) -> str:
    word = fields.text(key, required=required)
    if isinstance(fields.values.get(key), str) and word not in allowed:
        fields.note(PROFILE_WORD, (key,), f"got another word, expected one of {', '.join(allowed)}")
    return word


def _words(fields: Fields, key: str, *, allowed: Collection[str] = (), required: bool = True) -> tuple[str, ...]:
    """A list of words; a required one is not empty, and with `allowed` no other word stands in it."""
    words = fields.texts(key, required=required)
    if required and not words and key in fields.values:
        fields.note(PROFILE_LIST_EMPTY, (key,), "got an empty list, expected at least one word")
    for place, word in enumerate(words):
        if is_blank(word) or (allowed and word not in allowed):
            fields.note(
                PROFILE_WORD, (key, place), f"got another word, expected {' or '.join(allowed) or 'one that is not blank'}"
            )
    return words


def _path(fields: Fields, key: str, *, required: bool = True) -> str:
    """A normal path below the repository root; "" and a finding for any other."""
    text = fields.text(key, required=required)
    path = paths.normal(text)
    if isinstance(fields.values.get(key), str) and path is None:
        fields.note(PROFILE_PATH, (key,), "got a path that does not name something below the repository root")
    return path or ""


def _pattern(fields: Fields, key: str, *, required: bool = True) -> str:
    text = fields.text(key, required=required)
    try:
        re2.compile(text, _PATTERN_OPTIONS)
    except re2.error:
        fields.note(PROFILE_PATTERN, (key,), "got a text that is no RE2 expression")
    return text


def _limit(fields: Fields, key: str, *, least: int = 0, required: bool = False) -> int:
    number = fields.value(key, int, required=required)
    if number is not None and number < least:
        fields.note(PROFILE_NUMBER, (key,), f"got {number}, expected at least {least}")
    return number or 0
