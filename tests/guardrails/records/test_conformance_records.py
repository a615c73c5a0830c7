"""The shared vectors of the Intent suite: every changeset, profile and ledger gets the verdict that it asks for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest

from guardrails.records import changelog, changelog_rules, changeset, profile
from guardrails.strict_yaml import read

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
JUDGEMENT: Final = "judgement"

ARGUED: Final = {
    "cs-version-legacy": ("invalid", "6.2 defines 1.0.0 only; earlier drafts are no 1.0.0 records"),
    "cs-target-missing-stream": ("valid", "6.6 does not list stream as required; only a profile makes it so"),
    "cs-bound-scalar-900k": ("invalid", "12 asks for a bound on scalar lengths; no field of a record needs 64 Ki characters"),
    "cs-provenance-null-item": ("invalid", "null is no reference, and dropping it would change what the record says"),
    "pp-no-intent-profile-key": ("invalid", "10: one standardized profile; a reading without its version is a parallel one"),
}
"""Cases that the specification leaves open and that we decide otherwise than the peer, each with the reason."""

CASES: Final[list[dict[str, Any]]] = [
    case
    for case in read((CORPUS / "cases.yaml").read_bytes()).value["cases"]
    if case["kind"] in ("changeset", "profile", "changelog") and case["certainty"] != JUDGEMENT
]


def _bytes_of(case: dict[str, Any]) -> bytes:
    recipe = case["recipe"] if case["file"] is None else [{"base": case["file"]}]
    return b"".join(
        (CORPUS / part["base"]).read_bytes() if "base" in part else str(part["text"]).encode() * int(part["times"])
        for part in recipe
    )


@lru_cache
def _profile_of(file: str | None) -> profile.Profile | None:
    if file is None:
        return None
    found = profile.read((CORPUS / file).read_bytes())
    assert isinstance(found, profile.Profile)
    return found


def _expected(case: dict[str, Any]) -> str:
    if case["certainty"] == "open":
        return str(ARGUED[case["id"]][0] if case["id"] in ARGUED else case["peer_verdict"])
    return str(case["spec_verdict"])


def _verdict(case: dict[str, Any]) -> tuple[str, object]:
    data = _bytes_of(case)
    if case["kind"] == "profile":
        found = profile.read(data)
        return ("valid" if isinstance(found, profile.Profile) else "invalid"), found
    record = changelog.read(data) if case["kind"] == "changelog" else changeset.read(data)
    active = _profile_of(case["profile"])
    if isinstance(record, tuple):
        findings = record
    elif isinstance(record, changelog.Changelog):
        findings = changelog_rules.validate(record, active)
    else:
        findings = changeset.validate(record, active)
    return ("invalid" if findings else "valid"), findings


@pytest.mark.requirement("IC-6.1")
@pytest.mark.requirement("IC-13.1")
@pytest.mark.requirement("IC-13.2")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_record_gets_the_verdict_of_the_specification(case: dict[str, Any]) -> None:
    verdict, why = _verdict(case)
    assert verdict == _expected(case), why


def test_only_open_cases_are_argued() -> None:
    by_id = {case["id"]: case for case in CASES}
    for name, (verdict, _) in ARGUED.items():
        assert (by_id[name]["certainty"], by_id[name]["peer_verdict"] == verdict) == ("open", False)
