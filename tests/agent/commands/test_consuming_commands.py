"""`evidraft changeset consume` and `evidraft changelog generate` on a repository."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.agent.payments import RECORD, Ran, Road, payments
from tests.agent.test_store import files_limited_to
from tests.consuming import ARCHIVED, GATE, ID, LEDGERS, PENDING, POLICY, THREE, WORKER, entries, entry, laid, lay, ledger
from tests.repositories import GitFolder

ROOT = Path(__file__).parents[3]
LINKING = f"fix(apps/worker): resume\n\nImpact: patch\nChangeset: {ID}\n"
EMBARGOED = RECORD.replace("state: public", "state: embargoed").replace("policy: null", "policy: later")


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A repository with the seed's record pending and the ledgers of the profile, all committed."""
    made = payments(tmp_path / "payments", None, profile=POLICY)
    lay(made.path, {**LEDGERS, PENDING: RECORD})
    made.commit("chore(apps/worker): lay the ledgers")
    return made


def consume(road: Road, folder: GitFolder, *words: str, path: str = PENDING) -> Ran:
    return road.evidraft("changeset", "consume", str(folder.path / path), "--repo", str(folder.path), *words)


def generate(road: Road, folder: GitFolder, *words: str) -> Ran:
    return road.evidraft("changelog", "generate", "--repo", str(folder.path), *words)


def files(folder: GitFolder) -> dict[str, str]:
    return laid(folder.path, ".ack")


def policy(folder: GitFolder, after: str) -> None:
    lay(folder.path, {".ack/profile.yaml": POLICY.replace("after-consumption: archive", f"after-consumption: {after}")})


@pytest.mark.requirement("IC-8.1", "IC-8.4", "IC-7.4")
def test_a_decision_becomes_an_entry_with_its_commits_and_is_archived(folder: GitFolder, road: Road) -> None:
    oid = folder.commit(LINKING)
    ran = consume(road, folder)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"consumed {PENDING}: entry added to {WORKER}; archived as {ARCHIVED}\n"
    (made,) = entries(files(folder)[WORKER])
    assert made["provenance"] == {"issues": ["DEVELOP-219"], "changesets": [ID], "commits": [oid]}
    assert files(folder)[ARCHIVED] == RECORD
    assert PENDING not in files(folder)


@pytest.mark.parametrize(("after", "end"), [("delete", "deleted"), ("keep", "kept")])
@pytest.mark.requirement("IC-8.4")
def test_a_record_is_deleted_or_kept_where_the_profile_says_so(after: str, end: str, folder: GitFolder, road: Road) -> None:
    policy(folder, after)
    ran = consume(road, folder)
    assert (ran.code, ran.out) == (0, f"consumed {PENDING}: entry added to {WORKER}; {end}\n")
    assert (PENDING in files(folder), ARCHIVED in files(folder)) == (after == "keep", False)


def test_json_tells_what_was_done(folder: GitFolder, road: Road) -> None:
    target = {"release-unit": "apps/worker", "stream": "stable", "ledger": WORKER, "entry": "added"}
    expected = {
        "consumed": [{"file": PENDING, "id": ID, "archive": ARCHIVED, "targets": [target]}],
        "not-public": 0,
        "ledgers": [WORKER],
        "released": 0,
    }
    before = files(folder)
    assert consume(road, folder, "--dry-run", "--format", "json").json == {"status": "PLANNED", **expected}
    assert files(folder) == before
    assert consume(road, folder, "--format", "json").json == {"status": "CONSUMED", **expected}


def test_a_dry_run_says_what_would_be_done_and_touches_nothing(folder: GitFolder, road: Road) -> None:
    before = files(folder)
    ran = generate(road, folder, "--dry-run")
    assert (ran.code, ran.out) == (0, f"would consume {PENDING}: entry added to {WORKER}; archived as {ARCHIVED}\n")
    assert files(folder) == before
    assert not (folder.path / ".git/evidraft-consuming.lock").exists()


@pytest.mark.parametrize(("words", "found"), [((), True), (("--range", "HEAD~1"), False), (("--head", "HEAD~1..HEAD"), True)])
def test_only_commits_of_the_range_are_looked_at(words: tuple[str, ...], found: bool, folder: GitFolder, road: Road) -> None:
    folder.commit(LINKING)
    assert consume(road, folder, *words).code == 0
    assert ("commits" in entries(files(folder)[WORKER])[0]["provenance"]) == found


@pytest.mark.requirement("IC-8.1", "IC-7.2")
def test_a_commit_that_contradicts_the_decision_stops_it(folder: GitFolder, road: Road) -> None:
    oid = folder.commit(LINKING.replace("Impact: patch", "Impact: minor"))
    before = files(folder)
    ran = consume(road, folder)
    assert ran.code == 1
    assert ran.out.startswith(f"{oid[:12]} {PENDING}:10: error impact-conflict targets[0].impact: ")
    assert ran.out.endswith("\nnothing was written\n")
    told = consume(road, folder, "--format", "json").json
    assert told["status"] == "REFUSED"
    assert [(one["file"], one["commit"], one["code"]) for one in told["findings"]] == [(PENDING, oid, "impact-conflict")]
    assert files(folder) == before


@pytest.mark.requirement("IC-12.5")
@pytest.mark.parametrize("words", [(), ("--format", "json")])
def test_what_is_not_public_is_consumed_and_only_counted(words: tuple[str, ...], folder: GitFolder, road: Road) -> None:
    lay(folder.path, {PENDING: EMBARGOED})
    ran = generate(road, folder, *words)
    assert ran.code == 0
    assert entries(files(folder)[WORKER])[0]["disclosure"] == {"state": "embargoed", "policy": "later"}
    assert ID not in ran.out
    assert "settlement" not in ran.out
    assert ran.json["not-public"] == 1 if words else ran.out == "consumed 1 that is not public\n"


@pytest.mark.requirement("IC-8.2", "IC-8.3")
def test_of_several_records_all_are_consumed_or_none(folder: GitFolder, road: Road) -> None:
    second = ".ack/changes/another-decision.yaml"
    lay(folder.path, {second: THREE.replace(ID, "another-decision")})
    of_second = entry(
        id="id: another-decision", affects="affects: [apps/gateway]", provenance="provenance: {changesets: [another-decision]}"
    )
    edited = ledger("apps/gateway", "stable", entries=of_second)
    lay(folder.path, {GATE: edited})
    before = files(folder)
    ran = generate(road, folder)
    assert (ran.code, ran.out.count(" error entry-conflict ")) == (1, 1)
    assert files(folder) == before
    lay(folder.path, {GATE: LEDGERS[GATE]})
    assert generate(road, folder).code == 0
    assert [one["id"] for one in entries(files(folder)[WORKER])] == ["another-decision", ID]
    assert generate(road, folder).out == "nothing to consume\n"


def test_every_link_of_the_range_has_to_hold_before_all_is_consumed(folder: GitFolder, road: Road) -> None:
    folder.commit("fix(apps/worker): mend\n\nImpact: patch\nChangeset: unknown-one\n")
    before = files(folder)
    ran = generate(road, folder)
    assert (ran.code, " error unknown-changeset Changeset: " in ran.out) == (1, True)
    assert files(folder) == before
    assert generate(road, folder, "HEAD~1").code == 0


@pytest.mark.requirement("IC-8.4")
def test_an_archive_inside_the_pending_directory_holds_nothing_pending(folder: GitFolder, road: Road) -> None:
    inner = POLICY.replace(".ack/archive", ".ack/changes/archive").replace(
        "ledger-directory: .ack/changelog", "ledger-directory: .ack"
    )
    lay(folder.path, {".ack/profile.yaml": inner})
    (folder.path / ".ack/profile.yaml").rename(folder.path / "profile.yaml")
    profile = ("--profile", str(folder.path / "profile.yaml"))
    assert generate(road, folder, *profile).code == 0
    assert files(folder)[f".ack/changes/archive/{ID}.yaml"] == RECORD
    lay(folder.path, {".ack/changes/another-decision.yaml": RECORD.replace(ID, "another-decision")})
    assert generate(road, folder, *profile).code == 0
    assert [one["id"] for one in entries(files(folder)[WORKER])] == [ID, "another-decision"]


@pytest.mark.requirement("IC-9.1")
def test_kept_records_that_were_released_are_passed_over(folder: GitFolder, road: Road) -> None:
    policy(folder, "keep")
    old = ledger("apps/worker", "stable", date="2026-01-01", entries=entry())
    second = ".ack/changes/another-decision.yaml"
    lay(folder.path, {".ack/changelog/old/1.yaml": old, second: RECORD.replace(ID, "another-decision")})
    ran = generate(road, folder)
    assert (ran.code, ran.out.splitlines()[1]) == (0, "passed over 1 that was released")
    assert [one["id"] for one in entries(files(folder)[WORKER])] == ["another-decision"]
    assert (consume(road, folder).code, " error id-in-use " in consume(road, folder).out) == (1, True)


@pytest.mark.requirement("IC-6.3")
def test_an_id_that_the_history_spent_is_refused(folder: GitFolder, road: Road) -> None:
    folder.commit("chore(apps/worker): drop", {PENDING: None})
    lay(folder.path, {PENDING: RECORD.replace("DEVELOP-219", "DEVELOP-1")})
    ran = consume(road, folder)
    assert (ran.code, f"another record had this id: {PENDING} in the git history" in ran.out) == (1, True)


def test_what_was_consumed_is_told_to_whoever_asks_for_it_again(folder: GitFolder, road: Road) -> None:
    consume(road, folder)
    ran = consume(road, folder)
    assert (ran.code, ran.out) == (2, "")
    assert f"there is no such file (it was consumed: see {ARCHIVED})" in ran.err
    assert "there is no such file (name a pending record)" in consume(road, folder, path=".ack/changes/x.yaml").err


@pytest.mark.parametrize("words", [(), ("--format", "json")])
def test_a_record_outside_the_work_tree_is_no_pending_one(words: tuple[str, ...], folder: GitFolder, road: Road) -> None:
    other = folder.path.parent / "x.yaml"
    other.write_text(RECORD, "utf-8")
    ran = consume(road, folder, *words, path="../x.yaml")
    assert (ran.code, "outside the work tree" in ran.err) == (2, True)
    assert not words or ran.json["status"] == "ERROR"


def test_records_are_found_from_any_folder(folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.path / ".ack/changes")
    assert road.evidraft("changeset", "consume", f"{ID}.yaml").code == 0


def test_a_bare_repository_holds_no_records(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    GitFolder.clone(folder, tmp_path / "bare", "--bare")
    profile = ("--profile", str(folder.path / ".ack/profile.yaml"))
    ran = road.evidraft("changelog", "generate", "--repo", str(tmp_path / "bare"), *profile)
    assert (ran.code, "use a work tree" in ran.err) == (2, True)


@pytest.mark.requirement("IC-8.3")
@pytest.mark.parametrize("words", [(), ("--format", "json")])
def test_a_full_disk_is_told_and_leaves_everything_as_it_was(words: tuple[str, ...], folder: GitFolder, road: Road) -> None:
    lay(folder.path, {WORKER: LEDGERS[WORKER] + f"x-long: {'x' * 60_000}\n"})
    before = files(folder)
    with files_limited_to(50_000):
        ran = consume(road, folder, *words)
    assert (ran.code, f"{WORKER}: could not be written: File too large" in ran.err) == (2, True)
    assert not words or ran.json["error"]["where"] == WORKER
    assert files(folder) == before
    assert consume(road, folder).code == 0


@pytest.mark.requirement("IC-8.3")
def test_two_consumers_at_once_come_to_one_result(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    many: Mapping[str, str] = {f".ack/changes/d-{n}.yaml": RECORD.replace(ID, f"d-{n}") for n in range(8)}
    lay(folder.path, many)
    alone = folder.copy(tmp_path / "alone")
    assert generate(road, alone).code == 0
    code = "import sys\nfrom agent.cli import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "changelog", "generate", "--repo", str(folder.path)]
    both = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said = sorted(one.communicate()[0].decode() for one in both)
    assert [one.returncode for one in both] == [0, 0]
    assert [text.count("consumed") for text in said] == [9, 0]
    assert said[1] == "nothing to consume\n"
    assert files(folder) == files(alone)
