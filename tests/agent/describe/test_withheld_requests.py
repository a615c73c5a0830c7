"""A request that belongs to an embargoed record is withheld whole: its commits say nothing of the record by themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.payments import RECORD, Ran, Road, payments
from tests.repositories import GitFolder

CANARY = "zugzwang"
EMBARGOED = (
    RECORD.replace("resume-settlement-jobs", "hush-fix")
    .replace("state: public\n  not-before: null\n  policy: null", "state: embargoed\n  not-before: null\n  policy: security")
    .replace("DEVELOP-219", "'#12'")
)
ISSUE = {"number": 12, "url": "https://github.com/acme/widgets/issues/12"}
TIES: dict[str, dict[str, Any]] = {
    "a trailer in its body": {"body": f"Rejects {CANARY}.\n\nChangeset: hush-fix"},
    "an issue in its body": {"body": f"Rejects {CANARY}. Fixes #12"},
    "an issue that the forge ties to it": {"closingIssuesReferences": [ISSUE]},
    "a label": {"labels": [{"name": "hush-fix"}]},
    "its title": {"title": "Mend hush-fix"},
    "its branch": {"headRefName": "ada/hush-fix"},
}
REQUEST = {"number": 7, "title": f"Reject odd {CANARY}s", "body": f"Odd {CANARY}s are rejected."}


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A repository with an embargoed record, and a commit that says nothing of it."""
    made = payments(tmp_path / "payments", None)
    made.commit("chore(apps/worker): add a record", {".ack/changes/hush-fix.yaml": EMBARGOED})
    made.commit(f"fix(apps/worker): reject {CANARY} replays", {"apps/worker/guard.py": f"{CANARY} = True\n"})
    return made


def described(road: Road, folder: GitFolder, tie: dict[str, Any], *words: str) -> Ran:
    ends = {"baseRefOid": folder.oid("HEAD~1"), "headRefOid": folder.oid("HEAD")}
    payload = folder.path.with_name("payload.json")
    payload.write_text(json.dumps({**REQUEST, "url": "https://github.com/acme/widgets/pull/7", **ends, **tie}))
    return road.describe(folder, "--payload", str(payload), *words)


@pytest.mark.requirement("IC-6.9", "IC-12.2")
@pytest.mark.parametrize("words", [["--shape", "single"], ["--shape", "itemized"], ["--dry-run"]], ids=" ".join)
@pytest.mark.parametrize("tie", TIES.values(), ids=TIES)
def test_a_withheld_request_takes_its_commits_with_it(
    road: Road, folder: GitFolder, tie: dict[str, Any], words: list[str]
) -> None:
    ran = described(road, folder, tie, *words, "--answer", "change.kind=bug_fix")
    assert ran.code == (0 if "--dry-run" in words else 3)
    assert CANARY not in ran.out + ran.err
    assert "hush-fix" not in ran.out + ran.err


@pytest.mark.parametrize("name", ["hush-fix", "v1..hush-fix"])
def test_a_selection_that_is_called_after_a_withheld_record_is_withheld(road: Road, folder: GitFolder, name: str) -> None:
    folder.git("tag", "v1", "HEAD~1")
    folder.git("branch", "hush-fix")
    ran = road.describe(folder, name, "--shape", "single")
    assert ran.code == 3
    assert CANARY not in ran.out + ran.err


@pytest.mark.parametrize("tie", [{}, {"headRefName": "ada/loud-fix"}], ids=["nothing", "another branch"])
def test_a_request_that_belongs_to_no_such_record_is_described(road: Road, folder: GitFolder, tie: dict[str, Any]) -> None:
    ran = described(road, folder, tie, "--shape", "single")
    assert ran.code == 0
    assert CANARY in ran.out
