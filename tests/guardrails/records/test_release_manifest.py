"""Release manifests: what their reader takes, each rule with the manifest that breaks it, and what their ledger says."""

from __future__ import annotations

from typing import Any, Final

import pytest

from guardrails.digests import sha256
from guardrails.records import release_manifest, release_manifest_rules, released
from guardrails.records.release_manifest import ReleaseManifest
from guardrails.strict_yaml import write
from tests.guardrails.records.test_changelog import PUBLIC, entry, ledger
from tests.guardrails.resolving.building import PROFILE

COMMIT = "a1" * 20
DIGEST = "sha256:" + "0" * 64
LEDGER = ledger(release="21", date="2026-11-30")
OTHER = entry(id="other", provenance={"changesets": ["other"]})


def artifact(**changes: object) -> dict[str, Any]:
    fields = {name.replace("_", "-"): value for name, value in changes.items()}
    return {"name": "worker", "uri": "dist/worker.tar", "digest": DIGEST, "media-type": "application/x-tar", **fields}


def manifest(*artifacts: dict[str, Any], told: dict[str, Any] = LEDGER, **changes: object) -> dict[str, Any]:
    """An honest manifest of a ledger, with other fields; those of a part are given as a mapping."""
    value: dict[str, Any] = {
        "intent-release-manifest": "1.0.0",
        "release-unit": "apps/worker",
        "release": "21",
        "stream": "stable",
        "release-line": "2",
        "channel": "general",
        "published-at": "2026-11-30T23:30:00-02:00",
        "source": {"repository": PROFILE.repository, "commit": COMMIT, "tag": "worker/21"},
        "changelog": {"path": "led/ws.yaml", "digest": sha256(write(told)), "changesets": ["resume-settlement-jobs"]},
        "artifacts": list(artifacts or (artifact(),)),
        "provenance": {"sboms": ["dist/worker.spdx.json"]},
    }
    for name, change in changes.items():
        key = name.replace("_", "-")
        value[key] = {**value[key], **change} if isinstance(change, dict) else change
    return value


def read(value: dict[str, Any]) -> ReleaseManifest:
    found = release_manifest.read(write(value))
    assert isinstance(found, ReleaseManifest), found
    return found


def refused(value: dict[str, Any], *, alone: bool = False) -> set[tuple[str, str]]:
    return {(one.code, one.where) for one in release_manifest_rules.validate(read(value), None if alone else PROFILE)}


def against(value: dict[str, Any], told: dict[str, Any] | bytes | None = LEDGER) -> list[tuple[str, str]]:
    data = write(told) if isinstance(told, dict) else told
    return [(one.code, one.where) for one in released.against_ledger(read(value), data, PROFILE)]


def test_an_honest_manifest_holds_alone_by_its_profile_and_by_its_ledger() -> None:
    assert refused(manifest()) == set()
    assert against(manifest()) == []


def test_what_the_reader_does_not_know_is_kept_beside_the_exact_bytes() -> None:
    data = write({**manifest(), "owner": "us"})
    record = release_manifest.read(data)
    assert isinstance(record, ReleaseManifest)
    assert (record.unknown, record.document.data) == ({"owner": "us"}, data)


def test_a_manifest_is_written_in_the_order_of_the_specification() -> None:
    value = {**manifest(), "owner": "us"}
    shuffled: dict[str, Any] = dict(sorted(value.items(), reverse=True))
    for key in ("source", "changelog"):
        shuffled[key] = dict(sorted(value[key].items(), reverse=True))
    shuffled["artifacts"] = [dict(sorted(artifact().items(), reverse=True))]
    assert release_manifest.write(shuffled) == write(value)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"a: 1\na: 2\n", ""),
        (b"intent-release-manifest: 1.0.0\n", "changelog"),
        (write(manifest(artifacts="none")), "artifacts"),
        (write(manifest(release=4.2)), "release"),
        (write(manifest(provenance=None)), "provenance"),
        (write(manifest(source={"tag": None})), "source.tag"),
        (write(manifest(changelog={"changesets": [1]})), "changelog.changesets[0]"),
        (write(manifest({"name": "n", "uri": "u", "digest": DIGEST})), "artifacts[0].media-type"),
    ],
)
def test_another_form_is_refused_at_its_place(data: bytes, where: str) -> None:
    found = release_manifest.read(data)
    assert isinstance(found, tuple)
    assert where in {one.where for one in found}


@pytest.mark.parametrize(
    ("code", "value", "where"),
    [
        ("unsupported-manifest-version", manifest(intent_release_manifest="2.0.0"), "intent-release-manifest"),
        ("blank-text", manifest(channel=" "), "channel"),
        ("blank-text", manifest(source={"tag": ""}), "source.tag"),
        ("blank-text", manifest(artifact(uri=" ")), "artifacts[0].uri"),
        ("invalid-source-repository", manifest(source={"repository": "here"}), "source.repository"),
        ("invalid-source-repository", manifest(source={"repository": "https://example.org/other"}), "source.repository"),
        ("source-commit", manifest(source={"commit": COMMIT[:12]}), "source.commit"),
        ("source-commit", manifest(source={"commit": COMMIT.upper()}), "source.commit"),
        ("manifest-path", manifest(changelog={"path": "../ws.yaml"}), "changelog.path"),
        ("manifest-path", manifest(changelog={"path": ".."}), "changelog.path"),
        ("manifest-path", manifest(changelog={"path": "/led/ws.yaml"}), "changelog.path"),
        ("manifest-path", manifest(artifact(uri="dist/../../worker.tar")), "artifacts[0].uri"),
        ("manifest-path", manifest(artifact(uri="//example.org/worker.tar")), "artifacts[0].uri"),
        ("manifest-digest", manifest(changelog={"digest": "sha512:" + "0" * 128}), "changelog.digest"),
        ("manifest-digest", manifest(artifact(digest=DIGEST.upper())), "artifacts[0].digest"),
        ("manifest-changeset", manifest(changelog={"changesets": ["Not an id"]}), "changelog.changesets[0]"),
        ("manifest-changeset", manifest(changelog={"changesets": ["one", "one"]}), "changelog.changesets[1]"),
        ("no-artifacts", manifest(artifacts=[]), "artifacts"),
        ("duplicate-artifact", manifest(artifact(), artifact(uri="other")), "artifacts[1].name"),
        ("release-name", manifest(release="21-beta"), "release"),
        ("not-in-profile", manifest(release_unit="apps/lathe"), "release-unit"),
        ("not-in-profile", manifest(stream="lts"), "stream"),
        ("manifest-conflict", manifest(release_line="3"), "release-line"),
        ("manifest-conflict", manifest(channel="beta"), "channel"),
        ("manifest-conflict", manifest(changelog={"path": "led/gs.yaml"}), "changelog.path"),
    ],
)
def test_each_breach_is_named_at_its_place(code: str, value: dict[str, Any], where: str) -> None:
    assert (code, where) in refused(value)


@pytest.mark.parametrize(
    ("moment", "holds"),
    [
        ("2026-11-30T00:00:00Z", True),
        ("2026-11-30T00:00:00.123456789+05:45", True),
        ("2024-02-29T12:00:00-00:00", True),
        ("2026-11-30", False),
        ("2026-11-30T00:00:00", False),
        ("2026-11-30t00:00:00Z", False),
        ("2026-11-30T00:00:00z", False),
        ("2026-11-30 00:00:00Z", False),
        ("2026-02-30T00:00:00Z", False),
        ("2026-11-30T24:00:00Z", False),
        ("2026-11-30T23:60:00Z", False),
        ("2026-11-30T00:00Z", False),
        ("2026-11-30T00:00:00+0100", False),
        ("2026-11-30T00:00:00+24:00", False),
        ("2026-11-30T00:00:00Z\n", False),
        ("２026-11-30T00:00:00Z", False),
    ],
)
def test_a_time_of_publication_has_its_zone(moment: str, holds: bool) -> None:
    assert (("published-at", "published-at") not in refused(manifest(published_at=moment))) == holds


@pytest.mark.parametrize(
    "value",
    [
        manifest(release="any-1.0 name", stream="x", release_line="y", changelog={"path": "any/where.yaml"}),
        manifest(source={"commit": "b" * 64}),
        manifest(provenance={}),
        manifest(changelog={"changesets": []}),
        manifest(artifact(uri="https://example.org/../x"), artifact(name="b", uri="pkg:oci/worker@1")),
    ],
)
def test_what_only_a_project_forbids_passes_alone(value: dict[str, Any]) -> None:
    assert refused(value, alone=True) == set()


@pytest.mark.parametrize(
    ("uri", "is_here"),
    [("dist/a.tar", True), ("a b:c/d", True), ("https://e.org/a", False), ("pkg:a/b", False), ("oci://e/a", False)],
)
def test_only_relative_addresses_are_files_of_the_repository(uri: str, is_here: bool) -> None:
    assert read(manifest(artifact(uri=uri))).artifacts[0].is_here == is_here


@pytest.mark.parametrize(
    ("release", "holds"), [("4.2.0", True), ("v1_0-rc.1", True), ("a/b", False), ("..", False), (".x", False), ("a b", False)]
)
def test_a_release_that_is_no_name_of_a_file_is_refused(release: str, holds: bool) -> None:
    found = release_manifest_rules.nameable(read(manifest(release=release)))
    assert [one.code for one in found] == ([] if holds else ["release-name"])


@pytest.mark.requirement("IC-7.4")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"date": None}, [("manifest-ledger", "changelog.path")]),
        ({"date": "2026-12-01"}, [("manifest-conflict", "published-at")]),
        ({"release": "22"}, [("manifest-conflict", "release")]),
        ({"entries": []}, [("manifest-conflict", "changelog.changesets")]),
        ({"entries": [entry(), OTHER]}, [("manifest-conflict", "changelog.changesets")]),
        ({"entries": [entry(provenance={"changesets": ["other"]})]}, [("manifest-conflict", "changelog.changesets")] * 2),
        ({"channel": "beta"}, [("manifest-ledger", "changelog.path"), ("manifest-conflict", "channel")]),
    ],
)
def test_a_ledger_that_says_something_else_is_told(changes: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    told = {**LEDGER, **changes}
    assert against(manifest(told=told), told) == expected


def test_a_ledger_that_is_missing_changed_or_no_ledger_is_told() -> None:
    assert against(manifest(), None) == [("manifest-ledger", "changelog.path")]
    assert against(manifest(), write(LEDGER) + b"# one byte more\n") == [("digest-mismatch", "changelog.digest")]
    assert against(manifest(changelog={"digest": sha256(b"a: [")}), b"a: [") == [("manifest-ledger", "changelog.path")]


def test_entries_of_no_changeset_and_of_one_twice_make_no_difference() -> None:
    told = {**LEDGER, "entries": [entry(), entry(id="b"), entry(id="c", provenance={"issues": ["A-1"]})]}
    assert against(manifest(told=told), told) == []


@pytest.mark.requirement("IC-12.5")
def test_a_decision_that_is_not_public_is_counted_and_not_named() -> None:
    hidden = entry(
        id="secret-fix",
        summary="Secret summary",
        provenance={"changesets": ["secret-fix"]},
        disclosure={**PUBLIC, "state": "embargoed", "policy": "cve"},
    )
    told = {**LEDGER, "entries": [entry(), hidden, entry(id="other", provenance={"changesets": ["other", "secret-fix"]})]}
    found = released.against_ledger(read(manifest(told=told)), write(told), PROFILE)
    assert [one.message for one in found] == [
        "the ledger also has other",
        "the ledger also has 1 that are not public",
    ]


STRICTER: Final = {
    "manifest-path": (manifest(artifact(uri="..")), "12: a path stays below the root"),
    "missing-field": (
        {**manifest(), "changelog": {"path": "led/ws.yaml", "digest": DIGEST}},
        "7.1: the ids connect the layers",
    ),
    "wrong-type": (manifest(release=4), "12: by the Core Schema this is no text"),
}
"""What the peer takes and we refuse, by code, each with the section of Intent Changesets that says so."""


@pytest.mark.parametrize("code", STRICTER)
def test_where_we_are_stricter_than_the_peer_the_suite_says_so(code: str) -> None:
    value, _ = STRICTER[code]
    found = release_manifest.read(write(value))
    told = found if isinstance(found, tuple) else release_manifest_rules.validate(found)
    assert [one.code for one in told] == [code]


def test_where_we_take_more_than_the_peer_the_suite_says_so() -> None:
    """6.6 asks for an absolute URI, and a URN is one; the peer wants a host."""
    assert refused(manifest(source={"repository": "urn:example:payments"}), alone=True) == set()
