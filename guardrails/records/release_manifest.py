"""The Release Manifest: what was published as one release, as its file says it (Release Manifest 1.0.0)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from guardrails.findings import Finding
from guardrails.records.changeset import read_provenance
from guardrails.records.fields import Fields, open_record, ordered
from guardrails.strict_yaml import Document
from guardrails.strict_yaml import write as write_yaml

FIELDS: Final = (
    "intent-release-manifest",
    "release-unit",
    "release",
    "stream",
    "release-line",
    "channel",
    "published-at",
    "source",
    "changelog",
    "artifacts",
    "provenance",
)
SOURCE_FIELDS: Final = ("repository", "commit", "tag")
CHANGELOG_FIELDS: Final = ("path", "digest", "changesets")
ARTIFACT_FIELDS: Final = ("name", "uri", "digest", "media-type")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Source:
    """The commit that was released, and the tag that names it."""

    repository: str
    commit: str
    tag: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger that tells the release: its path below the root, its digest, the changesets that its entries came of."""

    path: str
    digest: str
    changesets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Artifact:
    """One published file."""

    name: str
    uri: str
    digest: str
    media_type: str

    @property
    def is_here(self) -> bool:
        """Whether its URI is relative, so that it names a file of the repository; any other is never fetched."""
        return _SCHEME.match(self.uri) is None


@dataclass(frozen=True, slots=True)
class ReleaseManifest:
    """One manifest as its file says it: a view, the exact bytes (`document.data`), and the unknown root fields.

    Every field has its type; whether its value is allowed is for `release_manifest_rules` to say.
    """

    version: str
    release_unit: str
    release: str
    stream: str
    release_line: str
    channel: str
    published_at: str
    source: Source
    changelog: Ledger
    artifacts: tuple[Artifact, ...]
    provenance: Mapping[str, tuple[str, ...]]
    unknown: Mapping[Any, Any] = field(repr=False)
    document: Document = field(repr=False)


def read(data: bytes) -> ReleaseManifest | tuple[Finding, ...]:
    """One manifest out of exact bytes, or a finding for each fault of form, with its line."""
    fields = open_record(data)
    if isinstance(fields, tuple):
        return fields
    manifest = ReleaseManifest(
        version=fields.text("intent-release-manifest"),
        release_unit=fields.text("release-unit"),
        release=fields.text("release"),
        stream=fields.text("stream"),
        release_line=fields.text("release-line"),
        channel=fields.text("channel"),
        published_at=fields.text("published-at"),
        source=_read_source(fields.part("source")),
        changelog=_read_ledger(fields.part("changelog")),
        artifacts=tuple(map(_read_artifact, fields.parts("artifacts"))),
        provenance=read_provenance(fields.part("provenance")),
        unknown=fields.unknown(FIELDS),
        document=fields.faults.document,
    )
    return tuple(fields.faults.findings) or manifest


def _read_source(fields: Fields) -> Source:
    return Source(fields.text("repository"), fields.object_name("commit"), fields.text("tag"))


def _read_ledger(fields: Fields) -> Ledger:
    return Ledger(fields.text("path"), fields.text("digest"), fields.texts("changesets"))


def _read_artifact(fields: Fields) -> Artifact:
    return Artifact(fields.text("name"), fields.text("uri"), fields.text("digest"), fields.text("media-type"))


def write(record: Mapping[str, Any]) -> bytes:
    """A new file out of a manifest's fields: those of the specification in its order, unknown ones after them."""
    fields = ordered(record, FIELDS)
    for key, order in (("source", SOURCE_FIELDS), ("changelog", CHANGELOG_FIELDS)):
        if isinstance(fields.get(key), Mapping):
            fields[key] = ordered(fields[key], order)
    if isinstance(fields.get("artifacts"), list | tuple):
        fields["artifacts"] = [ordered(artifact, ARTIFACT_FIELDS) for artifact in fields["artifacts"]]
    return write_yaml(fields)
