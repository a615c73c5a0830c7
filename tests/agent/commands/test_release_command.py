"""`evidraft release check | create | verify`: exit codes, the file that is made, and what a manifest is held against."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agent.commands import manifests
from agent.commands.schemas import SCHEMAS
from guardrails.strict_yaml import write
from tests.agent.payments import Ran, Road, payments
from tests.guardrails.records.test_changelog import entry, ledger
from tests.guardrails.records.test_release_manifest import artifact, manifest
from tests.repositories import GitFolder

LEDGER = ledger(release="1.2.0", **{"release-line": "1"})
PLACE = ".ack/releases/worker/1.2.0.yaml"
TAR = b"artifact\n"
WORKER = artifact(digest=f"sha256:{sha256(TAR).hexdigest()}")


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository with a released ledger and an artifact."""
    made = payments(tmp_path / "payments")
    made.commit("chore(apps/worker): release", {".ack/changelog/worker.yaml": write(LEDGER), "dist/worker.tar": TAR})
    return made


def released(folder: GitFolder, *artifacts: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A manifest of the last commit."""
    source = {"commit": folder.oid("HEAD"), "tag": "worker/1.2.0", **changes.pop("source", {})}
    place = {"path": ".ack/changelog/worker.yaml", **changes.pop("changelog", {})}
    value = {"release": "1.2.0", "release_line": "1", "source": source, "changelog": place, **changes}
    return manifest(*(artifacts or (WORKER,)), told=LEDGER, **value)


def run(road: Road, folder: GitFolder, word: str, value: dict[str, Any] | bytes, *words: str) -> Ran:
    file = folder.path.parent / "manifest.yaml"
    file.write_bytes(write(value) if isinstance(value, dict) else value)
    where = ["--repo", str(folder.path)] if word != "check" else []
    return road.evidraft("release", word, str(file), *where, *words)


def codes(ran: Ran) -> list[tuple[str, str]]:
    if "verified" in ran.json:
        assert Draft202012Validator(SCHEMAS["verified"].document()).is_valid(ran.json)
    return [(finding["code"], finding["where"]) for finding in ran.json["findings"]]


def test_check_judges_alone_and_with_a_profile_by_its_policy(folder: GitFolder, road: Road) -> None:
    profile = ["--profile", str(folder.path / ".ack" / "profile.yaml")]
    assert run(road, folder, "check", released(folder), *profile).out.endswith("valid release manifest\n")
    other = released(folder, release="next")
    assert run(road, folder, "check", other).code == 0
    ran = run(road, folder, "check", other, *profile, "--format", "json")
    assert (ran.code, codes(ran)) == (1, [("release-name", "release")])


def test_a_manifest_that_holds_is_verified(folder: GitFolder, road: Road) -> None:
    ran = run(road, folder, "verify", released(folder), "--format", "json")
    assert ran.code == 0
    assert ran.json == {
        "file": str(folder.path.parent / "manifest.yaml"),
        "release": "1.2.0",
        "verified": True,
        "findings": [],
    }
    assert "the tag is not there" in ran.err


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"source": {"commit": "0" * 40}}, [("source-commit", "source.commit")]),
        ({"changelog": {"changesets": ["other"]}}, [("manifest-conflict", "changelog.changesets")] * 2),
        ({"changelog": {"digest": "sha256:" + "0" * 64}}, [("digest-mismatch", "changelog.digest")]),
        ({"published_at": "2026-12-01T00:00:00Z"}, [("manifest-conflict", "published-at")]),
        ({"channel": "beta"}, [("manifest-conflict", "channel")]),
        ({"artifacts": [artifact(uri="../outside.tar")]}, [("manifest-path", "artifacts[0].uri")]),
        ({"artifacts": [artifact(uri="dist/missing.tar")]}, [("artifact-missing", "artifacts[0].uri")]),
        ({"artifacts": [artifact(uri="dist")]}, [("artifact-missing", "artifacts[0].uri")]),
        ({"artifacts": [WORKER, artifact(name="b")]}, [("digest-mismatch", "artifacts[1].digest")]),
    ],
)
def test_what_does_not_hold_is_told_at_its_place(
    folder: GitFolder, road: Road, changes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    ran = run(road, folder, "verify", released(folder, **changes), "--format", "json")
    assert (ran.code, codes(ran), ran.json["verified"]) == (1, expected, False)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (None, [("manifest-ledger", "changelog.path")]),
        ({**LEDGER, "date": None}, [("digest-mismatch", "changelog.digest"), ("manifest-ledger", "changelog.path")]),
        ({**LEDGER, "entries": [entry(), entry(id="b")]}, [("digest-mismatch", "changelog.digest")]),
    ],
)
def test_a_ledger_that_was_changed_or_removed_is_told(
    folder: GitFolder, road: Road, told: dict[str, Any] | None, expected: list[tuple[str, str]]
) -> None:
    folder.write({".ack/changelog/worker.yaml": write(told) if told else None})
    assert codes(run(road, folder, "verify", released(folder), "--format", "json")) == expected


def test_a_tag_that_names_another_commit_is_told_and_an_annotated_one_is_followed(folder: GitFolder, road: Road) -> None:
    folder.git("tag", "-a", "-m", "release", "worker/1.2.0")
    ran = run(road, folder, "verify", released(folder))
    assert (ran.code, ran.err) == (0, "")
    folder.git("tag", "-f", "worker/1.2.0", "HEAD~1")
    ran = run(road, folder, "verify", released(folder), "--format", "json")
    assert (ran.code, codes(ran)) == (1, [("tag-elsewhere", "source.tag")])


def test_the_manifest_of_an_earlier_release_is_verified_in_a_checkout_of_its_tag(folder: GitFolder, road: Road) -> None:
    value = released(folder)
    folder.git("tag", "worker/1.2.0")
    following = ledger(release="1.3.0", date=None, **{"release-line": "1"})
    folder.commit("chore(apps/worker): begin the next release", {".ack/changelog/worker.yaml": write(following)})
    assert run(road, folder, "verify", value).code == 1
    folder.git("checkout", "-q", "worker/1.2.0")
    assert run(road, folder, "verify", value).code == 0


def test_what_lies_elsewhere_is_never_fetched_and_that_is_said(folder: GitFolder, road: Road) -> None:
    elsewhere = artifact(name="image", uri="https://localhost:9/image.tar")
    ran = run(road, folder, "verify", released(folder, WORKER, elsewhere))
    assert ran.code == 0
    assert "1 artifacts lie elsewhere, and were not fetched" in ran.err


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("link", ["dist/link.tar", "far"])
def test_an_artifact_behind_a_link_out_of_the_root_is_not_read(folder: GitFolder, road: Road, link: str) -> None:
    outside = folder.path.parent / "outside"
    outside.mkdir()
    (outside / "worker.tar").write_bytes(TAR)
    (folder.path / link).symlink_to(outside if link == "far" else outside / "worker.tar")
    uri = "far/worker.tar" if link == "far" else link
    ran = run(road, folder, "verify", released(folder, artifact(uri=uri, digest=WORKER["digest"])))
    assert (ran.code, ran.out) == (2, "")
    assert "outside the repository" in ran.err


def test_an_artifact_behind_a_link_inside_is_read(folder: GitFolder, road: Road) -> None:
    (folder.path / "latest").symlink_to("dist")
    assert run(road, folder, "verify", released(folder, {**WORKER, "uri": "latest/worker.tar"})).code == 0


def test_artifacts_larger_than_is_read_are_a_failure_and_not_a_finding(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifests, "LARGEST", 2 * len(TAR) - 1)
    again = {**WORKER, "name": "again"}
    assert run(road, folder, "verify", released(folder)).code == 0
    ran = run(road, folder, "verify", released(folder, WORKER, again))
    assert (ran.code, ran.out) == (2, "")
    assert "larger than" in ran.err


def test_an_endless_artifact_is_refused_by_its_kind(folder: GitFolder, road: Road) -> None:
    os.mkfifo(folder.path / "dist" / "pipe")
    ran = run(road, folder, "verify", released(folder, artifact(uri="dist/pipe")), "--format", "json")
    assert codes(ran) == [("artifact-missing", "artifacts[0].uri")]


@pytest.mark.requirement("IC-5.2")
def test_a_manifest_that_holds_is_created_once_with_the_very_bytes_given(folder: GitFolder, road: Road) -> None:
    data = b"# A remark.\n" + write(released(folder)) + b"x-team: 'settlement'   # unknown, kept\n"
    ran = run(road, folder, "create", data, "--format", "json")
    assert (ran.code, ran.json) == (0, {"path": str(folder.path / PLACE), "id": "1.2.0"})
    assert (folder.path / PLACE).read_bytes() == data
    again = run(road, folder, "create", write(released(folder)))
    assert (again.code, (folder.path / PLACE).read_bytes()) == (2, data)


def test_a_manifest_that_does_not_hold_is_not_created(folder: GitFolder, road: Road) -> None:
    ran = run(road, folder, "create", released(folder, artifact(uri="dist/missing.tar")), "--format", "json")
    assert (ran.code, codes(ran)) == (1, [("artifact-missing", "artifacts[0].uri")])
    assert not (folder.path / PLACE).exists()


def test_a_release_that_is_no_name_of_a_file_is_not_created(folder: GitFolder, road: Road) -> None:
    profile = folder.path / ".ack" / "profile.yaml"
    profile.write_text(profile.read_text("utf-8").replace(r"'^[0-9]+\.[0-9]+\.[0-9]+$'", "'.'"), "utf-8")
    told = {**LEDGER, "release": "a/b"}
    folder.write({".ack/changelog/worker.yaml": write(told)})
    digest = f"sha256:{sha256(write(told)).hexdigest()}"
    value = released(folder, release="a/b", changelog={"digest": digest})
    assert run(road, folder, "verify", value).code == 0
    ran = run(road, folder, "create", value, "--format", "json")
    assert (ran.code, codes(ran)) == (1, [("release-name", "release")])
