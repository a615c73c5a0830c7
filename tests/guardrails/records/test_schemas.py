"""The printed schemas of changesets and profiles say what their readers accept, as far as a schema can say it."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from guardrails.findings import Finding, blocking
from guardrails.records import changeset, profile, schemas
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.strict_yaml import YamlFault, read

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
SCHEMAS: Final = {"changeset": schemas.changeset(), "profile": schemas.profile()}

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
        *("invalid-not-before", "not-in-profile"),
    )
)
"""Codes whose rule joins several places, compiles a pattern or reads a calendar; a schema may or may not see such a fault."""


def found_in(kind: str, data: bytes) -> tuple[Finding, ...]:
    if kind == "profile":
        read_profile = profile.read(data)
        return () if isinstance(read_profile, Profile) else read_profile
    record = changeset.read(data)
    return blocking(changeset.validate(record)) if isinstance(record, Changeset) else record


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


def test_the_vectors_reach_both_kinds_with_both_verdicts() -> None:
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
    ],
)
def test_a_single_fault_of_shape_is_refused(kind: str, value: Any, path: tuple[str | int, ...], new: object) -> None:
    assert accepts(kind, value)
    assert not accepts(kind, changed(value, path, new))


@pytest.mark.requirement("IC-5.2")
def test_unknown_fields_of_a_changeset_are_no_fault_of_shape() -> None:
    assert accepts("changeset", {**MINIMAL, "x-team": {"any": ["thing"]}})
