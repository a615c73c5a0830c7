"""What a change under review cannot do to its own judgement (Intent Changesets 6.9, 11, 12)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.agent.payments import MENDED, PROFILE, RECORD, RULES, Road, payments
from tests.repositories import GitFolder

CANARY = "zugzwang"
SOURCE = "apps/worker/settlement.py"
EMBARGOED = RECORD.replace("resume-settlement-jobs", "hush-fix").replace(
    "state: public\n  not-before: null\n  policy: null", "state: embargoed\n  not-before: null\n  policy: security"
)
HUSHED = f"fix(apps/worker): reject {CANARY} replays\n\nChangeset: hush-fix\n"
PUBLIC = "fix(apps/worker): book each job once\n\nJobs were booked twice after a crash.\n"


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A repository with an embargoed record, the commit that it is about, and a public one; `base` is before both."""
    made = payments(tmp_path / "payments", None)
    made.commit("chore(apps/worker): add a record", {".ack/changes/hush-fix.yaml": EMBARGOED})
    made.git("tag", "base")
    made.commit(HUSHED, {"apps/worker/guard.py": f"{CANARY} = True\n"})
    made.commit(PUBLIC, {SOURCE: MENDED})
    return made


MOVES = {
    "another pending directory": {".ack/profile.yaml": PROFILE.replace(".ack/changes", ".ack/pending")},
    "another pending and archive directory": {
        ".ack/profile.yaml": PROFILE.replace(".ack/changes", ".ack/a").replace(".ack/archive", ".ack/b")
    },
    "the record made public": {".ack/changes/hush-fix.yaml": RECORD.replace("resume-settlement-jobs", "hush-fix")},
    "the record removed": {".ack/changes/hush-fix.yaml": None},
    "configuration that names another profile": {
        "evidraft.toml": f'profile = "mine.yaml"\n{RULES}',
        "mine.yaml": PROFILE.replace(".ack/changes", ".ack/pending"),
    },
}


@pytest.mark.requirement("IC-6.9", "AI-7")
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "in the work tree"])
@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_no_change_lifts_an_embargo_by_moving_what_says_so(
    folder: GitFolder, road: Road, move: dict[str | bytes, str | bytes | None], *, committed: bool
) -> None:
    folder.write(move)
    if committed:
        folder.commit("chore(apps/worker): tidy")
    for words in (["--dry-run"], ["--format", "json"]):
        ran = road.draft(folder, "base..HEAD", *words)
        assert CANARY not in ran.out + ran.err
        assert "hush-fix" not in ran.out + ran.err


def test_the_public_part_of_such_a_range_is_shown(folder: GitFolder, road: Road) -> None:
    shown = road.draft(folder, "base..HEAD", "--dry-run").out
    assert "book each job once" in shown
    assert "ledger.interrupted_jobs()" in shown


@pytest.mark.requirement("AI-2")
@pytest.mark.parametrize(("edited", "said"), [(True, True), (False, False)])
def test_a_change_that_edits_its_own_profile_is_said_to(folder: GitFolder, road: Road, *, edited: bool, said: bool) -> None:
    if edited:
        folder.commit(
            "chore(apps/worker): more audiences", {".ack/profile.yaml": PROFILE.replace("[operators,", "[everyone, operators,")}
        )
    ran = road.draft(folder, "base..HEAD", json=True)
    assert ("note: profile-in-change: .ack/profile.yaml" in ran.err) == said


def test_a_commit_whose_reviewed_configuration_was_cut_off_is_not_drafted_without_it(folder: GitFolder, road: Road) -> None:
    shallow = GitFolder.clone(folder, folder.path.with_name("shallow"), "--depth=1")
    refused = road.draft(shallow, "HEAD")
    assert (refused.code, refused.out) == (2, "")
    assert "git fetch --unshallow" in refused.err
    assert road.draft(shallow, "HEAD", "--config", str(shallow.path / "evidraft.toml")).code == 3


@pytest.mark.requirement("IC-12.4")
def test_a_record_that_is_a_link_out_of_the_repository_is_refused_not_read(folder: GitFolder, road: Road) -> None:
    outside = folder.path.with_name("outside.yaml")
    outside.write_text(f"{CANARY}: [")
    (folder.path / ".ack/changes/linked.yaml").symlink_to(outside)
    ran = road.draft(folder, "base..HEAD")
    assert ran.code == 2
    assert ".ack/changes/linked.yaml" in ran.err
    assert CANARY not in ran.out + ran.err


def test_a_pipe_among_the_records_keeps_nobody_waiting(folder: GitFolder, road: Road) -> None:
    os.mkfifo(folder.path / ".ack/changes/pipe.yaml")
    ran = road.draft(folder, "base..HEAD")
    assert ran.code == 2
    assert ".ack/changes/pipe.yaml: got a pipe" in ran.err


@pytest.mark.requirement("IC-12.2")
def test_a_record_too_large_to_be_read_is_withheld_like_any_that_cannot_be_read(folder: GitFolder, road: Road) -> None:
    large = EMBARGOED.replace("hush-fix", f"{CANARY}-2") + "# x\n" * 500_000
    folder.commit(f"fix(apps/worker): close it\n\nChangeset: {CANARY}-2\n", {f".ack/changes/{CANARY}-2.yaml": large})
    ran = road.draft(folder, "base..HEAD", "--dry-run")
    assert ran.code == 0
    assert CANARY not in ran.out + ran.err
    assert "book each job once" in ran.out


@pytest.mark.requirement("IC-12.2")
def test_more_records_than_can_be_held_are_refused(folder: GitFolder, road: Road) -> None:
    folder.write({f".ack/changes/{number}.yaml": f"# {number}".ljust(2**20) for number in range(65)})
    ran = road.draft(folder, "base..HEAD")
    assert (ran.code, ran.out) == (2, "")
    assert ".ack/changes: the records are larger than" in ran.err
