"""The shared vectors of the Intent suite: every record and profile gets the verdict that it asks for.

Those of commit messages are in `test_commit`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from guardrails.findings import Finding, blocking
from guardrails.records import (
    changelog,
    changelog_rules,
    changeset,
    profile,
    pull_request,
    pull_request_rules,
    release_manifest,
    release_manifest_rules,
)
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.records.pull_request import PullRequest
from guardrails.records.release_manifest import ReleaseManifest
from guardrails.strict_yaml import read

Record: TypeAlias = Changeset | Changelog | PullRequest | ReleaseManifest | Profile
CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
KINDS: Final = ("changeset", "profile", "changelog", "pull-request", "release")
JUDGEMENT: Final = "judgement"

ARGUED: Final = {
    "cs-version-legacy": ("invalid", "6.2 defines 1.0.0 only; earlier drafts are no 1.0.0 records"),
    "cs-target-missing-stream": ("valid", "6.6 does not list stream as required; only a profile makes it so"),
    "cs-bound-scalar-900k": ("invalid", "12 asks for a bound on scalar lengths; no field of a record needs 64 Ki characters"),
    "cs-provenance-null-item": ("invalid", "null is no reference, and dropping it would change what the record says"),
    "pr-redacted-bare": ("invalid", "the suite's records share 6.9: redacted asks for a placeholder, here as anywhere"),
    "pp-no-intent-profile-key": ("invalid", "10: one standardized profile; a reading without its version is a parallel one"),
}
"""Cases that the specification leaves open and that we decide otherwise than the peer, each with the reason."""

CASES: Final[list[dict[str, Any]]] = [
    case
    for case in read((CORPUS / "cases.yaml").read_bytes()).value["cases"]
    if case["kind"] in KINDS and case["certainty"] != JUDGEMENT
]

_READERS: Final[dict[str, Callable[[bytes], Record | tuple[Finding, ...]]]] = {
    "changeset": changeset.read,
    "changelog": changelog.read,
    "pull-request": pull_request.read,
    "release": release_manifest.read,
    "profile": profile.read,
}


def _bytes_of(case: dict[str, Any]) -> bytes:
    recipe = case["recipe"] if case["file"] is None else [{"base": case["file"]}]
    return b"".join(
        (CORPUS / part["base"]).read_bytes() if "base" in part else str(part["text"]).encode() * int(part["times"])
        for part in recipe
    )


@lru_cache
def _profile_of(file: str | None) -> Profile | None:
    if file is None:
        return None
    found = profile.read((CORPUS / file).read_bytes())
    assert isinstance(found, Profile)
    return found


def _expected(case: dict[str, Any]) -> str:
    if case["certainty"] == "open":
        return str(ARGUED[case["id"]][0] if case["id"] in ARGUED else case["peer_verdict"])
    return str(case["spec_verdict"])


def _findings(kind: str, data: bytes, active: Profile | None) -> tuple[Finding, ...]:
    record = _READERS[kind](data)
    if isinstance(record, tuple):
        return record
    if isinstance(record, Changelog):
        return changelog_rules.validate(record, active)
    if isinstance(record, PullRequest):
        return pull_request_rules.validate(record, active)
    if isinstance(record, ReleaseManifest):
        return release_manifest_rules.validate(record, active)
    return () if isinstance(record, Profile) else changeset.validate(record, active)


@pytest.mark.requirement("IC-6.1")
@pytest.mark.requirement("IC-13.1")
@pytest.mark.requirement("IC-13.2")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_record_gets_the_verdict_of_the_specification(case: dict[str, Any]) -> None:
    found = blocking(_findings(case["kind"], _bytes_of(case), _profile_of(case["profile"])))
    assert ("invalid" if found else "valid") == _expected(case), found


def test_every_kind_has_vectors_of_both_verdicts() -> None:
    assert {(case["kind"], _expected(case)) for case in CASES} == set(product(KINDS, ("valid", "invalid")))


def test_only_open_cases_are_argued() -> None:
    by_id = {case["id"]: case for case in CASES}
    for name, (verdict, _) in ARGUED.items():
        assert (by_id[name]["certainty"], by_id[name]["peer_verdict"] == verdict) == ("open", False)
