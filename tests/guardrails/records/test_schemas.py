"""The printed schemas of records and profiles say what their readers accept, as far as a schema can say it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from jsonschema import Draft202012Validator

from guardrails.findings import Finding, blocking
from guardrails.records import (
    changelog,
    changelog_rules,
    changeset,
    companion_schemas,
    profile,
    pull_request,
    pull_request_rules,
    release_manifest,
    release_manifest_rules,
    schemas,
)
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.records.pull_request import PullRequest
from guardrails.records.release_manifest import ReleaseManifest
from guardrails.strict_yaml import YamlFault, read

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
SCHEMAS: Final = {
    "changeset": schemas.changeset(),
    "profile": schemas.profile(),
    "changelog": companion_schemas.changelog(),
    "pull-request": companion_schemas.pull_request(),
    "release": companion_schemas.release_manifest(),
}

BEYOND_A_SCHEMA: Final = frozenset(
    (
        *(
            "rationale-repeats-summary",
            "duplicate-target",
            "invalid-relation",
            "profile-pattern",
            "profile-path",
            "profile-word",
        ),
        *("invalid-not-before", "not-in-profile", "unit-not-affected", "duplicate-entry", "changelog-date"),
        *("self-evident", "duplicate-artifact"),
    )
)
"""Codes whose rule joins several places, compiles a pattern or reads a calendar; a schema may or may not see such a fault."""


Record: TypeAlias = Changeset | Changelog | PullRequest | ReleaseManifest
READERS: Final[dict[str, Callable[[bytes], Record | tuple[Finding, ...]]]] = {
    "changeset": changeset.read,
    "changelog": changelog.read,
    "pull-request": pull_request.read,
    "release": release_manifest.read,
}


def found_in(kind: str, data: bytes) -> tuple[Finding, ...]:
    if kind == "profile":
        read_profile = profile.read(data)
        return () if isinstance(read_profile, Profile) else read_profile
    record = READERS[kind](data)
    if isinstance(record, tuple):
        return record
    if isinstance(record, Changelog):
        return blocking(changelog_rules.validate(record))
    if isinstance(record, PullRequest):
        return blocking(pull_request_rules.validate(record))
    if isinstance(record, ReleaseManifest):
        return blocking(release_manifest_rules.validate(record))
    return blocking(changeset.validate(record))


def vectors() -> list[tuple[str, str, bytes]]:
    """Kind, id and bytes of every vector that is YAML at all."""
    cases = read((CORPUS / "cases.yaml").read_bytes()).value["cases"]
    named = [(case["kind"], case["id"], case["file"]) for case in cases if case["kind"] in SCHEMAS and case["file"]]
    return [(kind, name, data) for kind, name, file in named if is_yaml(data := (CORPUS / file).read_bytes())]


def is_yaml(data: bytes) -> bool:
    try:
        read(data)
    except YamlFault:
        return False
    return True


VECTORS: Final = vectors()


def accepts(kind: str, value: object) -> bool:
    return bool(Draft202012Validator(SCHEMAS[kind]).is_valid(value))


@pytest.mark.parametrize("kind", SCHEMAS)
def test_each_schema_is_one_of_draft_2020_12(kind: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[kind])


def test_the_vectors_reach_every_kind_with_both_verdicts() -> None:
    verdicts = {(kind, not found_in(kind, data)) for kind, _, data in VECTORS}
    assert verdicts == {(kind, verdict) for kind in SCHEMAS for verdict in (True, False)}
    assert len(VECTORS) > 80


@pytest.mark.requirement("IC-13.1")
@pytest.mark.parametrize(("kind", "data"), [pytest.param(kind, data, id=name) for kind, name, data in VECTORS])
def test_the_schema_agrees_with_the_reader_on_everything_that_is_a_matter_of_shape(kind: str, data: bytes) -> None:
    found = {finding.code for finding in found_in(kind, data)}
    if not found or found - BEYOND_A_SCHEMA:
        assert accepts(kind, read(data).value) is not bool(found), sorted(found)


BASE: Final = read((CORPUS / "profiles" / "base.yaml").read_bytes()).value
MINIMAL: Final = read((CORPUS / "changesets" / "minimal.yaml").read_bytes()).value
LEDGER: Final = read((CORPUS / "changelogs" / "released.yaml").read_bytes()).value
REQUEST: Final = read((CORPUS / "pull-requests" / "ready.yaml").read_bytes()).value
RELEASE: Final = read((CORPUS / "releases" / "complete.yaml").read_bytes()).value


def changed(value: Any, path: tuple[str | int, ...], new: object) -> Any:
    copy = deepcopy(value)
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    if new is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return copy


@pytest.mark.parametrize(
    ("kind", "value", "path", "new"),
    [
        ("changeset", MINIMAL, ("id",), "ends-in-line-feed\n"),
        ("changeset", MINIMAL, ("targets", 0, "migration"), ...),
        ("changeset", MINIMAL, ("targets", 0, "audiences"), []),
        ("changeset", MINIMAL, ("provenance",), {"issues": []}),
        ("changeset", MINIMAL, ("disclosure", "state"), "redacted"),
        ("changeset", MINIMAL, ("disclosure", "policy"), "after-fix"),
        ("profile", BASE, ("pull-requests",), ...),
        ("profile", BASE, ("changesets", "archive-directory"), ...),
        ("profile", BASE, ("scopes", "shared"), {}),
        ("profile", BASE, ("max-header-length",), "72"),
        ("profile", BASE, ("changesets", "directory"), "../elsewhere"),
        ("profile", BASE, ("surprise",), True),
        ("changelog", LEDGER, ("date",), "2026-8-1"),
        ("changelog", LEDGER, ("entries", 0, "provenance"), {"issues": [" "]}),
        ("changelog", LEDGER, ("entries", 0, "impact"), "major"),
        ("changelog", LEDGER, ("entries", 0, "disclosure"), {"state": "redacted"}),
        ("changelog", LEDGER, ("entries", 0, "disclosure"), {"state": "embargoed"}),
        ("pull-request", REQUEST, ("title",), "No header"),
        ("pull-request", REQUEST, ("base-revision",), "abc1234"),
        ("pull-request", REQUEST, ("base-revision",), 10**39 - 1),
        ("pull-request", REQUEST, ("verification", 0, "command"), None),
        ("pull-request", REQUEST, ("targets",), []),
        ("pull-request", REQUEST, ("rollout",), ...),
        ("release", RELEASE, ("published-at",), "2026-08-14"),
        ("release", RELEASE, ("artifacts", 0, "uri"), "../dist"),
        ("release", RELEASE, ("artifacts",), []),
        ("release", RELEASE, ("changelog", "digest"), "sha256:0"),
    ],
)
def test_a_single_fault_of_shape_is_refused(kind: str, value: Any, path: tuple[str | int, ...], new: object) -> None:
    assert accepts(kind, value)
    assert not accepts(kind, changed(value, path, new))


@pytest.mark.requirement("IC-5.2")
@pytest.mark.parametrize(
    ("kind", "value"), [("changeset", MINIMAL), ("changelog", LEDGER), ("pull-request", REQUEST), ("release", RELEASE)]
)
def test_unknown_fields_of_a_record_are_no_fault_of_shape(kind: str, value: dict[str, Any]) -> None:
    assert accepts(kind, {**value, "x-team": {"any": ["thing"]}})
