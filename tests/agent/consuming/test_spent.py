"""Identifiers that another record had: what the history of HEAD tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.sources.git import Repository
from agent.sources.spent import spent
from guardrails.records import changeset
from guardrails.records.stored import Stored
from tests.agent.payments import RECORD
from tests.consuming import ARCHIVED, ID, PENDING, policy
from tests.repositories import GitFolder

OTHER = RECORD.replace("DEVELOP-219", "DEVELOP-1")
Commit = Mapping[str | bytes, str | bytes | None]
ADDED: Commit = {PENDING: RECORD}
GONE: Commit = {PENDING: None}
CONSUMED: Commit = {PENDING: None, ARCHIVED: RECORD}


def told(folder: GitFolder, text: str = RECORD) -> Mapping[str, str]:
    data = text.encode()
    return spent(Repository.open(folder.path), policy(), [Stored(PENDING, data, changeset.read(data))])


SAME: dict[str, list[Commit]] = {
    "never committed": [],
    "committed": [ADDED],
    "edited": [{PENDING: OTHER}, ADDED],
    "edited and not committed": [{PENDING: OTHER}],
    "moved": [{".ack/changes/draft.yaml": RECORD}, {".ack/changes/draft.yaml": None, PENDING: RECORD}],
    "moved and edited": [{".ack/changes/draft.yaml": OTHER}, {".ack/changes/draft.yaml": None, PENDING: RECORD}],
    "taken back": [ADDED, CONSUMED, {PENDING: RECORD, ARCHIVED: None}],
    "deleted and brought back": [ADDED, GONE, ADDED],
    "brought back by hand": [ADDED, GONE],
    "brought back as it was before": [ADDED, {PENDING: OTHER}, GONE],
    "another id": [{".ack/changes/x.yaml": "id: other\n"}, {".ack/changes/x.yaml": None}],
    "no record": [{f".ack/changes/{ID}.txt": OTHER}, {f".ack/changes/{ID}.txt": None}],
    "in another place": [{f"docs/{ID}.yaml": OTHER}, {f"docs/{ID}.yaml": None}],
}
SPENT: dict[str, list[Commit]] = {
    "deleted": [{PENDING: OTHER}, GONE],
    "deleted, and another one committed": [{PENDING: OTHER}, GONE, ADDED],
    "deleted, and another one edited": [{PENDING: OTHER}, GONE, {PENDING: RECORD + "# x\n"}, ADDED],
    "consumed, and the archive emptied": [{PENDING: OTHER}, {PENDING: None, ARCHIVED: OTHER}, {ARCHIVED: None}],
    "deleted under another name": [{".ack/changes/x.yaml": OTHER}, {".ack/changes/x.yaml": None}],
    "archived under another name": [{".ack/archive/2025/x.yml": OTHER}, {".ack/archive/2025/x.yml": None}],
    "deleted where it was no strict record": [{PENDING: "a: ["}, GONE],
}


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A repository with one commit."""
    made = GitFolder.init(tmp_path / "repository")
    made.commit("chore: start", {"a": "a\n"})
    return made


@pytest.mark.requirement("IC-6.3")
@pytest.mark.parametrize("name", SAME)
def test_a_record_that_was_edited_moved_or_brought_back_is_the_same(name: str, folder: GitFolder) -> None:
    for number, files in enumerate(SAME[name]):
        folder.commit(f"chore: {number}", files)
    assert told(folder) == {}


@pytest.mark.requirement("IC-6.3")
@pytest.mark.parametrize("name", SPENT)
def test_an_id_that_was_deleted_or_consumed_is_not_free_for_another_record(name: str, folder: GitFolder) -> None:
    for number, files in enumerate(SPENT[name]):
        folder.commit(f"chore: {number}", files)
    assert list(told(folder)) == [ID]
    assert told(folder)[ID].endswith("in the git history")


def test_what_another_branch_holds_says_nothing(folder: GitFolder) -> None:
    folder.branch("side")
    folder.commit("chore: add", {PENDING: OTHER})
    folder.commit("chore: drop", GONE)
    folder.switch("main")
    assert told(folder) == {}
    folder.merge("chore: merge", "side")
    assert list(told(folder)) == [ID]


def test_a_repository_without_a_commit_has_no_history(tmp_path: Path) -> None:
    assert told(GitFolder.init(tmp_path)) == {}


def test_names_of_sha256_are_compared_like_those_of_sha1(tmp_path: Path) -> None:
    made = GitFolder.init(tmp_path, "--object-format=sha256")
    made.commit("chore: add", ADDED)
    made.commit("chore: drop", GONE)
    assert told(made) == {}
    assert list(told(made, OTHER)) == [ID]
