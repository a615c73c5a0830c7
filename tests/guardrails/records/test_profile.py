from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from guardrails.digests import sha256
from guardrails.findings import Finding
from guardrails.records.profile import Profile, read

BASE: Final = (Path(__file__).parents[2] / "cases" / "intent" / "profiles" / "base.yaml").read_text()


def _profile(text: str = BASE) -> Profile:
    found = read(text.encode())
    assert isinstance(found, Profile), found
    return found


def _findings(old: str, new: str) -> tuple[Finding, ...]:
    assert old in BASE
    found = read(BASE.replace(old, new, 1).encode())
    assert isinstance(found, tuple), "the profile was accepted"
    return found


@pytest.mark.requirement("IC-10.1")
def test_a_profile_is_read_whole_with_the_digest_of_its_bytes() -> None:
    profile = _profile()
    assert profile.digest == sha256(BASE.encode())
    assert profile.repository == "https://git.example.org/orchard/harvest"
    assert profile.types["mend"].default_impact == "patch"
    assert profile.types["revert"].default_impact is None
    assert profile.scopes["shared"].requires_affects
    assert profile.release_units["svc/intake"].streams["lts"].release_line == "3"
    assert profile.release_units["svc/intake"].streams["lts"].changelog == "rel/ledger/svc-intake-lts.yaml"
    assert profile.release_impacts == ("none", "patch", "minor", "major")
    assert profile.changesets.archive_directory == "rel/archive"
    assert profile.pull_requests is not None
    assert profile.pull_requests.max_title_length == 72
    assert profile.require_release_ready
    assert profile.large_diff_threshold == 400


def test_a_profile_without_pull_requests_has_no_policy_for_them() -> None:
    assert _profile(BASE.replace("  pull-requests: 1.0.0\n", "")).pull_requests is None


def test_streams_are_those_of_the_unit() -> None:
    assert _profile().streams_of("svc/intake") == ("stable", "lts")
    assert _profile().streams_of("svc/unknown") == ()


DEEP_UNIT: Final = """\
  svc/intake/deep:
    streams:
      stable: {release-line: "1", channel: general, changelog: rel/ledger/deep.yaml, manifests: rel/manifests/deep}
"""


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("svc/intake", "svc/intake"),
        ("svc/intake/queue", "svc/intake"),
        ("svc/intake-tools", None),
        ("lib/codec", "lib/codec"),
        ("svc", None),
        ("shared", None),
        ("codec", "lib/codec"),
        ("svc/intake/deep/inside", "svc/intake/deep"),
    ],
)
def test_a_word_means_its_scope_or_else_the_longest_unit_around_it(word: str, unit: str | None) -> None:
    text = BASE.replace("scopes:\n", "scopes:\n  codec: {release-unit: lib/codec}\n")
    assert _profile(text.replace("release-units:\n", f"release-units:\n{DEEP_UNIT}")).unit_for(word) == unit


@pytest.mark.requirement("IC-4.1")
@pytest.mark.parametrize(
    ("impact", "commit_type", "required"),
    [
        ("minor", "tidy", True),
        ("major", "tidy", True),
        ("patch", "tidy", False),
        ("none", "guard", True),
        (None, "tidy", False),
    ],
)
def test_the_profile_says_when_a_changeset_is_required(impact: str | None, commit_type: str, required: bool) -> None:
    assert _profile().requires_changeset(impact, commit_type) is required


@pytest.mark.requirement("IC-4.1")
def test_a_profile_without_a_rule_for_changesets_is_refused_and_an_empty_rule_is_one() -> None:
    rules = "  required-impacts: [minor, major]\n  required-commit-types: [guard]\n"
    assert [finding.code for finding in _findings(rules, "")] == ["no-changeset-rule"]
    assert not _profile(BASE.replace(rules, "  required-impacts: []\n")).requires_changeset("major", "guard")


def test_patterns_are_searched_as_re2() -> None:
    assert _profile().accepts_id("drain-intake")
    assert not _profile().accepts_id("1-intake")
    assert not _profile().accepts_id("drain-intake\n")
    assert _profile(BASE.replace("  id-pattern: '^[a-z][a-z0-9-]+$'\n", "")).accepts_id("1")


@pytest.mark.parametrize("pattern", ["(", "(?=a)", r"(a)\1", "a{100000}"])
def test_a_pattern_outside_re2_is_refused(pattern: str) -> None:
    findings = _findings("'^[a-z][a-z0-9-]+$'", f"'{pattern}'")
    assert [(finding.code, finding.where) for finding in findings] == [("profile-pattern", "changesets.id-pattern")]


PATHS: Final = ["/etc/x", "../x", "rel/../../x", "..", ".", "''", "'rel\\x'", "~/x"]


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("directory: rel/pending", "changesets.directory"),
        ("archive-directory: rel/archive", "changesets.archive-directory"),
        ("directory: rel/pull-requests", "pull-requests.directory"),
        ("changelog: rel/ledger/lib-codec-stable.yaml", "release-units.lib/codec.streams.stable.changelog"),
        ("manifests: rel/manifests/lib-codec/stable", "release-units.lib/codec.streams.stable.manifests"),
    ],
)
def test_a_path_that_leaves_the_repository_is_refused(line: str, where: str, path: str) -> None:
    findings = _findings(line, f"{line.split(':', maxsplit=1)[0]}: {path}")
    assert {(finding.code, finding.where) for finding in findings} == {("profile-path", where)}


LTS: Final = "release-units.svc/intake.streams.lts"

REFUSED: Final = [
    ("intent-profile: 1.0.0", "intent-profile: 2.0.0", "unsupported-profile-version", "intent-profile"),
    ("intent-profile: 1.0.0\n", "", "missing-field", "intent-profile"),
    ("  commits: 1.0.0", "  commits: 0.2.0", "unsupported-profile-version", "specifications.commits"),
    ("  pull-requests: 1.0.0", "  pull-requests: 0.2.0", "unsupported-profile-version", "specifications.pull-requests"),
    ("  changelog: 1.0.0\n", "", "missing-field", "specifications.changelog"),
    ("repository: https://git.example.org", "repository: git@git.example.org:x", "profile-repository", "repository"),
    ("default-impact: minor", "default-impact: huge", "profile-word", "types.add.default-impact"),
    ("  tidy:", "  Tidy:", "profile-word", "types.Tidy"),
    ("shared: {requires-affects: true}", "shared: {}", "unmapped-scope", "scopes.shared"),
    ("{release-unit: lib/codec}", "{release-unit: lib/other}", "profile-word", "scopes.lib/codec.release-unit"),
    ("requires-affects: true", "requires-affects: yes", "wrong-type", "scopes.shared.requires-affects"),
    ("channel: long-haul", "channel: unknown", "profile-word", f"{LTS}.channel"),
    ('release-line: "3"', 'release-line: " "', "profile-word", f"{LTS}.release-line"),
    ('release-line: "3"', "release-line: 3", "wrong-type", f"{LTS}.release-line"),
    (
        "changelog: rel/ledger/svc-intake-lts",
        "changelog: rel/other/lts",
        "profile-path",
        f"{LTS}.changelog",
    ),
    (
        "manifests: rel/manifests/svc-intake/lts",
        "manifests: rel/x",
        "profile-path",
        f"{LTS}.manifests",
    ),
    ("release-types: [capability", "release-types: [Capability", "profile-word", "release-types[0]"),
    ("release-impacts: [none", "release-impacts: [tiny", "profile-word", "release-impacts[0]"),
    ("audiences: [operators, integrators, end-users]", "audiences: []", "profile-list-empty", "audiences"),
    ("audiences: [operators", "audiences: [' '", "profile-word", "audiences[0]"),
    ("audiences: [operators", "audiences: [7", "wrong-type", "audiences[0]"),
    ("disclosures: [public, embargoed, redacted]", "disclosures: []", "profile-list-empty", "disclosures"),
    ("after-consumption: archive", "after-consumption: burn", "profile-word", "changesets.after-consumption"),
    ("conflict-policy: preserve", "conflict-policy: overwrite", "profile-word", "changesets.conflict-policy"),
    ("  archive-directory: rel/archive\n", "", "missing-field", "changesets.archive-directory"),
    ("required-impacts: [minor", "required-impacts: [tiny", "profile-word", "changesets.required-impacts[0]"),
    ("required-commit-types: [guard]", "required-commit-types: [other]", "profile-word", "changesets.required-commit-types[0]"),
    ("merge-strategy: squash", "merge-strategy: fold", "profile-word", "pull-requests.merge-strategy"),
    ("max-title-length: 72", "max-title-length: 0", "profile-number", "pull-requests.max-title-length"),
    ("[passed, failed", "[passed, maybe", "profile-word", "pull-requests.verification-statuses[1]"),
    ("max-header-length: 72", "max-header-length: -1", "profile-number", "max-header-length"),
    ("max-header-length: 72", "max-header-length: 72.5", "wrong-type", "max-header-length"),
    ("max-header-length: 72", "max-header-length: true", "wrong-type", "max-header-length"),
    ("max-header-length: 72", "max-heather-length: 72", "unknown-profile-key", "max-heather-length"),
    ("  directory: rel/pending", "  x: 1\n  directory: rel/pending", "unknown-profile-key", "changesets.x"),
    ("{default-impact: minor}", "{x: 1}", "unknown-profile-key", "types.add.x"),
    ("types:\n", "types: []\nx-types:\n", "wrong-type", "types"),
    ("  add:", "  7: {}\n  add:", "wrong-type", "types[7]"),
]


@pytest.mark.requirement("IC-10.1")
@pytest.mark.parametrize(("old", "new", "code", "where"), REFUSED, ids=[f"{code} {where}" for _, _, code, where in REFUSED])
def test_a_fault_is_found_where_it_stands(old: str, new: str, code: str, where: str) -> None:
    findings = _findings(old, new)
    assert (code, where) in {(finding.code, finding.where) for finding in findings}


def test_a_finding_has_the_line_of_its_field() -> None:
    (finding,) = _findings("conflict-policy: preserve", "conflict-policy: overwrite")
    assert finding.line == BASE.splitlines().index("  conflict-policy: preserve") + 1


def test_all_faults_of_a_profile_are_found_at_once() -> None:
    findings = read(b"intent-profile: 1.0.0\nx: 1\n")
    assert isinstance(findings, tuple)
    assert {finding.where for finding in findings} >= {"x", "repository", "audiences", "changesets.directory", "specifications"}


@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize(
    ("data", "code"), [(b"- a\n", "record-not-a-mapping"), (b"a: &x 1\n", "yaml-anchor"), (b"\xff", "yaml-encoding")]
)
def test_what_is_no_strict_mapping_is_refused(data: bytes, code: str) -> None:
    findings = read(data)
    assert isinstance(findings, tuple)
    assert [finding.code for finding in findings] == [code]
