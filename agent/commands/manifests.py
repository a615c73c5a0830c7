"""The work of `evidraft release`: holding a manifest against its repository, and placing one (Release Manifest 1.0.0)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from agent import store
from agent.commands import printing
from agent.commands.checking import load_profile, read_operand
from agent.errors import InputFailure
from agent.render import outcomes
from agent.sources import inputs
from agent.sources.git import Repository, work_tree
from guardrails import paths
from guardrails.findings import Finding, blocking
from guardrails.records import release_manifest, release_manifest_rules, released
from guardrails.records.profile import Profile
from guardrails.records.release_manifest import ReleaseManifest
from guardrails.records.released import Seen

LARGEST: Final = 64 * 1024**3
"""How many bytes all artifacts have together, at most, that are read for one manifest."""


def verify_manifest(file: str, repo: Path, profile: Path | None, *, as_json: bool) -> int:
    """Judge a manifest by itself, by the profile, and against what was released; returns the exit code.

    Raises:
        Failure: something cannot be read, or the artifacts are larger than is read.
    """
    name, data = read_operand(file)
    repository = Repository.open(repo)
    manifest, found = _judged(data, repository, load_profile(profile, repository))
    if as_json:
        release = {"release": manifest.release} if manifest is not None else {}
        findings = [outcomes.finding(one) for one in found]
        printing.emit_result({"file": name, **release, "verified": not found, "findings": findings})
    else:
        printing.emit_findings(found, name=name, as_json=False, valid=f"{name}: the manifest holds")
    return 1 if found else 0


def create_manifest(file: str, repo: Path, profile: Path | None, *, as_json: bool) -> int:
    """Place a manifest that holds as `<manifests of its stream>/<release>.yaml`; returns the exit code.

    Raises:
        Failure: something cannot be read or written, or a manifest of this release stands there already.
    """
    name, data = read_operand(file)
    repository = Repository.open(repo)
    active = load_profile(profile, repository)
    manifest, found = _judged(data, repository, active)
    if manifest is not None and not found:
        found = release_manifest_rules.nameable(manifest)
        if not found:
            stream = active.release_units[manifest.release_unit].streams[manifest.stream]
            placed = store.write_new(work_tree(repository), f"{stream.manifests}/{manifest.release}.yaml", data)
            return printing.emit_created(placed, manifest.release, as_json=as_json)
    printing.emit_findings(found, name=name, as_json=as_json, valid="")
    return 1


def _judged(data: bytes, repository: Repository, profile: Profile) -> tuple[ReleaseManifest | None, tuple[Finding, ...]]:
    """The manifest, and all that blocks it: against the repository only where it is right by itself."""
    manifest = release_manifest.read(data)
    if isinstance(manifest, tuple):
        return None, manifest
    found = blocking(release_manifest_rules.validate(manifest, profile))
    return manifest, found or released.verify(manifest, _seen(manifest, repository), profile)


def _seen(manifest: ReleaseManifest, repository: Repository) -> Seen:
    top = work_tree(repository)
    here = {place: artifact.uri for place, artifact in enumerate(manifest.artifacts) if artifact.is_here}
    if len(here) < len(manifest.artifacts):
        printing.note(f"note: {len(manifest.artifacts) - len(here)} artifacts lie elsewhere, and were not fetched")
    tagged = repository.commit(f"refs/tags/{manifest.source.tag}")
    if tagged is None:
        printing.note("note: the tag is not there, so it was not compared with the commit")
    digests: dict[int, str | None] = {}
    room = LARGEST
    for place, uri in here.items():
        digests[place], size = _digest(top, paths.normal(uri) or uri, room)
        room -= size
    return Seen(
        ledger=inputs.read_below(top, paths.normal(manifest.changelog.path) or manifest.changelog.path),
        has_commit=repository.commit(manifest.source.commit) == manifest.source.commit,
        tagged=tagged,
        artifacts=digests,
    )


def _digest(top: Path, path: str, room: int) -> tuple[str | None, int]:
    """The digest of a file below the root, read piece by piece, and its size; None where there is none.

    Raises:
        InputFailure: it cannot be read, leads out of the root, or is larger than there is room for.
    """
    with inputs.opened_below(top, path) as file:
        if file is None:
            return None, 0
        digest, size = hashlib.sha256(), 0
        while piece := file.read(1024 * 1024):
            size += len(piece)
            if size > room:
                raise InputFailure(f"the artifacts are larger than {LARGEST} bytes", where=path, cure="check them elsewhere")
            digest.update(piece)
        return f"sha256:{digest.hexdigest()}", size
