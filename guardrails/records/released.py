"""A release manifest against what was released: its ledger, its commit and tag, its artifacts (Release Manifest 1.0.0;
Intent Changesets 7.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from guardrails.digests import sha256
from guardrails.findings import Code, Finding
from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog
from guardrails.records.fields import Faults
from guardrails.records.profile import Profile
from guardrails.records.release_manifest import ReleaseManifest
from guardrails.records.release_manifest_rules import MANIFEST_CONFLICT, SOURCE_COMMIT
from guardrails.strict_yaml import Path


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Release Manifest 1.0.0")


MANIFEST_LEDGER = _code(
    "manifest-ledger",
    "The ledger that the manifest names is missing, not valid, or not released.",
    "Publish the ledger first, and name it.",
)
DIGEST_MISMATCH = _code(
    "digest-mismatch",
    "A file has another digest than the manifest says.",
    "Find out which of them was changed; do not copy the digest before that is known.",
)
ARTIFACT_MISSING = _code("artifact-missing", "An artifact of the repository is not there.", "Put it there, or correct its URI.")
TAG_ELSEWHERE = _code(
    "tag-elsewhere", "The tag names another commit than the manifest.", "Find out which of them is the release."
)

_SHOWN: Final = 8
"""How many ids a message names."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found in the repository: the ledger's bytes, whether the source commit is there, the commit that the tag names,
    and the digest of each artifact by its place; a file that is not there is None, and so is a tag.
    """

    ledger: bytes | None
    has_commit: bool
    tagged: str | None
    artifacts: dict[int, str | None]


def verify(manifest: ReleaseManifest, seen: Seen, profile: Profile) -> tuple[Finding, ...]:
    """How a valid manifest disagrees with what was released. Of artifacts that are not in `seen` nothing is said."""
    faults = Faults(manifest.document)
    if not seen.has_commit:
        faults.note(SOURCE_COMMIT, ("source", "commit"), "there is no such commit in the repository")
    if seen.tagged is not None and seen.tagged != manifest.source.commit:
        message = f"the tag names {seen.tagged[:12]}, the manifest {manifest.source.commit[:12]}"
        faults.note(TAG_ELSEWHERE, ("source", "tag"), message)
    for place, digest in seen.artifacts.items():
        path: Path = ("artifacts", place)
        if digest is None:
            faults.note(ARTIFACT_MISSING, (*path, "uri"), "there is no such file")
        elif digest != manifest.artifacts[place].digest:
            faults.note(DIGEST_MISMATCH, (*path, "digest"), "the file has another digest")
    return (*against_ledger(manifest, seen.ledger, profile), *faults.findings)


def against_ledger(manifest: ReleaseManifest, data: bytes | None, profile: Profile) -> tuple[Finding, ...]:
    """How a manifest and the exact bytes of its ledger disagree; None where there is no such file."""
    faults = Faults(manifest.document)
    if data is None:
        faults.note(MANIFEST_LEDGER, ("changelog", "path"), "there is no such file")
        return tuple(faults.findings)
    if sha256(data) != manifest.changelog.digest:
        faults.note(DIGEST_MISMATCH, ("changelog", "digest"), "the ledger has another digest")
    ledger = changelog.read(data)
    broken = ledger if isinstance(ledger, tuple) else changelog_rules.validate(ledger, profile)
    if broken:
        message = f"the ledger is not valid: {broken[0].code} at line {broken[0].line or 1}"
        faults.note(MANIFEST_LEDGER, ("changelog", "path"), message)
    if isinstance(ledger, Changelog):
        _compare(manifest, ledger, faults)
    return tuple(faults.findings)


def _compare(manifest: ReleaseManifest, ledger: Changelog, faults: Faults) -> None:
    expected: dict[Path, tuple[str, str]] = {
        ("release-unit",): (manifest.release_unit, ledger.release_unit),
        ("release",): (manifest.release, ledger.release),
        ("stream",): (manifest.stream, ledger.stream),
        ("release-line",): (manifest.release_line, ledger.release_line),
        ("channel",): (manifest.channel, ledger.channel),
        ("source", "repository"): (manifest.source.repository, ledger.source_repository),
    }
    for path, (said, theirs) in expected.items():
        if said != theirs:
            faults.note(MANIFEST_CONFLICT, path, f"got another {path[-1]} than the ledger's, which is {theirs}")
    if ledger.date is None:
        faults.note(MANIFEST_LEDGER, ("changelog", "path"), "the ledger is not released: its date is null")
    elif manifest.published_at[:10] != ledger.date:
        message = f"got another day, in its own zone, than the ledger's, which is {ledger.date}"
        faults.note(MANIFEST_CONFLICT, ("published-at",), message)
    for message in _differences(set(manifest.changelog.changesets), ledger):
        faults.note(MANIFEST_CONFLICT, ("changelog", "changesets"), message)


def _differences(said: set[str], ledger: Changelog) -> Iterator[str]:
    """What only one side names; of the ledger's entries none is named that is not public."""
    told: dict[str, bool] = {}
    for name, is_public in ((name, entry.disclosure.is_public) for entry in ledger.entries for name in entry.changesets):
        told[name] = told.get(name, True) and is_public
    if only_ours := sorted(said - told.keys()):
        yield f"no entry of the ledger came of {_listed(only_ours)}"
    theirs = sorted(told.keys() - said)
    if public := [name for name in theirs if told[name]]:
        yield f"the ledger also has {_listed(public)}"
    if hidden := len(theirs) - len(public):
        yield f"the ledger also has {hidden} that are not public"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
