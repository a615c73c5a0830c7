"""The rules of a release manifest, by itself and by the project's policy (Release Manifest 1.0.0).

What a manifest says of its ledger, commit and artifacts is held against them in `released`.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from guardrails import paths
from guardrails.findings import Code, Finding
from guardrails.patterns import compiled
from guardrails.records.changeset import BLANK_TEXT, INVALID_SOURCE_REPOSITORY, NOT_IN_PROFILE
from guardrails.records.fields import (
    SUITE_VERSION,
    Faults,
    is_absolute_uri,
    is_blank,
    is_id,
    is_object_name,
    one_of,
    other_version,
)
from guardrails.records.profile import Profile
from guardrails.records.release_manifest import ReleaseManifest
from guardrails.strict_yaml import Path


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Release Manifest 1.0.0")


UNSUPPORTED_MANIFEST_VERSION = _code(
    "unsupported-manifest-version", "The manifest is of another version.", "Write `intent-release-manifest: 1.0.0`."
)
PUBLISHED_AT = _code(
    "published-at",
    "The time of publication is no RFC 3339 time with its zone.",
    "Write it as 2026-12-01T09:30:00Z or 2026-12-01T10:30:00+01:00.",
)
SOURCE_COMMIT = _code(
    "source-commit",
    "The source commit is no full object name, or no commit of the repository.",
    "Write all 40 or 64 hexadecimal digits of the released commit.",
)
MANIFEST_PATH = _code(
    "manifest-path",
    "A path of the manifest does not stay below the repository root.",
    "Write a relative path with forward slashes and without `..`.",
)
MANIFEST_DIGEST = _code(
    "manifest-digest",
    "A digest has another form than the specification asks for.",
    "Write `sha256:` and 64 lower-case hexadecimal digits.",
)
MANIFEST_CHANGESET = _code(
    "manifest-changeset",
    "The manifest names something that is no changeset id, or one twice.",
    "Name each changeset once by its id.",
)
NO_ARTIFACTS = _code("no-artifacts", "The manifest names no artifact.", "Name what was published.")
DUPLICATE_ARTIFACT = _code("duplicate-artifact", "Two artifacts have the same name.", "Give each a name of its own.")
RELEASE_NAME = _code(
    "release-name",
    "The release is not called as the profile or its file asks for.",
    "Use a name that fits `release-pattern`, out of letters, digits, points, hyphens and underscores.",
)
MANIFEST_CONFLICT = _code(
    "manifest-conflict",
    "The manifest says something else than the profile or its ledger.",
    "Correct the side that is wrong.",
)

_MOMENT: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):\d{2})", re.ASCII
)
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")


def validate(manifest: ReleaseManifest, profile: Profile | None = None) -> tuple[Finding, ...]:
    """Every breach by the manifest alone and, with a profile, of what it says of the stream."""
    faults = Faults(manifest.document)
    _validate_head(manifest, faults)
    _validate_ledger(manifest, faults)
    _validate_artifacts(manifest, faults)
    if profile is not None:
        _validate_policy(manifest, profile, faults)
    return tuple(faults.findings)


def _validate_head(manifest: ReleaseManifest, faults: Faults) -> None:
    if manifest.version != SUITE_VERSION:
        faults.note(UNSUPPORTED_MANIFEST_VERSION, ("intent-release-manifest",), other_version(manifest.version))
    texts: dict[Path, str] = {
        ("release-unit",): manifest.release_unit,
        ("release",): manifest.release,
        ("stream",): manifest.stream,
        ("release-line",): manifest.release_line,
        ("channel",): manifest.channel,
        ("source", "tag"): manifest.source.tag,
    }
    for path, text in texts.items():
        if is_blank(text):
            faults.note(BLANK_TEXT, path, f"got nothing, expected a {path[-1]}")
    if not _is_moment(manifest.published_at):
        faults.note(PUBLISHED_AT, ("published-at",), "got another text, expected an RFC 3339 time with its zone")
    if not is_absolute_uri(manifest.source.repository):
        faults.note(INVALID_SOURCE_REPOSITORY, ("source", "repository"), "got another text, expected an absolute URI")
    if not is_object_name(manifest.source.commit):
        faults.note(SOURCE_COMMIT, ("source", "commit"), "got another text, expected a full object name")


def _validate_ledger(manifest: ReleaseManifest, faults: Faults) -> None:
    _note_path(manifest.changelog.path, ("changelog", "path"), faults)
    _note_digest(manifest.changelog.digest, ("changelog", "digest"), faults)
    seen: set[str] = set()
    for place, name in enumerate(manifest.changelog.changesets):
        if not is_id(name) or name in seen:
            faults.note(MANIFEST_CHANGESET, ("changelog", "changesets", place), "expected the id of a changeset, once")
        seen.add(name)


def _validate_artifacts(manifest: ReleaseManifest, faults: Faults) -> None:
    if not manifest.artifacts:
        faults.note(NO_ARTIFACTS, ("artifacts",), "got no artifact, expected at least one")
    seen: set[str] = set()
    for place, artifact in enumerate(manifest.artifacts):
        path: Path = ("artifacts", place)
        for key, text in (("name", artifact.name), ("uri", artifact.uri), ("media-type", artifact.media_type)):
            if is_blank(text):
                faults.note(BLANK_TEXT, (*path, key), f"got nothing, expected a {key}")
        if not is_blank(artifact.uri) and artifact.is_here:
            _note_path(artifact.uri, (*path, "uri"), faults)
        _note_digest(artifact.digest, (*path, "digest"), faults)
        if artifact.name in seen:
            faults.note(DUPLICATE_ARTIFACT, (*path, "name"), "got this name again, expected each once")
        seen.add(artifact.name)


def _validate_policy(manifest: ReleaseManifest, profile: Profile, faults: Faults) -> None:
    if manifest.source.repository != profile.repository:
        faults.note(INVALID_SOURCE_REPOSITORY, ("source", "repository"), "got another repository than the profile's")
    if compiled(profile.release_pattern).search(manifest.release) is None:
        faults.note(RELEASE_NAME, ("release",), "got a name that the profile's release-pattern does not match")
    unit = profile.release_units.get(manifest.release_unit)
    if unit is None:
        faults.note(NOT_IN_PROFILE, ("release-unit",), f"expected {one_of(profile.release_units)}")
        return
    stream = unit.streams.get(manifest.stream)
    if stream is None:
        faults.note(NOT_IN_PROFILE, ("stream",), f"expected {one_of(unit.streams)}")
        return
    expected: dict[Path, tuple[str | None, str]] = {
        ("release-line",): (manifest.release_line, stream.release_line),
        ("channel",): (manifest.channel, stream.channel),
        ("changelog", "path"): (paths.normal(manifest.changelog.path), stream.changelog),
    }
    for path, (said, wanted) in expected.items():
        if said != wanted:
            faults.note(MANIFEST_CONFLICT, path, f"got another {path[-1]} than the stream's, expected {wanted}")


def nameable(manifest: ReleaseManifest) -> tuple[Finding, ...]:
    """A finding where the release cannot be the name of its file."""
    if _FILE_NAME.fullmatch(manifest.release):
        return ()
    faults = Faults(manifest.document)
    faults.note(RELEASE_NAME, ("release",), "got a name that is no safe name of a file")
    return tuple(faults.findings)


def _is_moment(text: str) -> bool:
    if _MOMENT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _note_path(text: str, path: Path, faults: Faults) -> None:
    if paths.normal(text) is None:
        faults.note(MANIFEST_PATH, path, "got a path that does not name something below the repository root")


def _note_digest(text: str, path: Path, faults: Faults) -> None:
    if _DIGEST.fullmatch(text) is None:
        faults.note(MANIFEST_DIGEST, path, "got another text, expected `sha256:` and 64 lower-case hexadecimal digits")
