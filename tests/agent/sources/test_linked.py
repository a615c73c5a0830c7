"""Which commits are read, in which order, and which records may not be passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import InputFailure, RepositoryFailure
from agent.sources.git import Repository
from agent.sources.linked import history, known_decisions, readable_records
from agent.sources.messages import spanned
from guardrails.records.profile import Profile, read
from tests.agent.payments import PROFILE, RECORD
from tests.repositories import GitFolder

PENDING = ".ack/changes/resume-settlement-jobs.yaml"
ARCHIVED = ".ack/archive/resume-settlement-jobs.yaml"


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> GitFolder:
    """Two commits, one on a side branch that is merged, and one more."""
    made = GitFolder.init(tmp_path_factory.mktemp("pattern") / "repository")
    made.commit("fix: one", {"a": "1\n"})
    made.commit("fix: two", {"a": "2\n"})
    made.branch("side", "HEAD~1")
    made.commit("fix: side", {"b": "1\n"})
    made.switch("main")
    made.merge("fix: merge", "side")
    made.git("tag", "v1")
    made.commit("fix: last", {"a": "3\n"})
    return made


@pytest.fixture
def folder(pattern: GitFolder, tmp_path: Path) -> GitFolder:
    """A copy to change."""
    return pattern.copy(tmp_path / "repository")


def active() -> Profile:
    profile = read(PROFILE.encode())
    assert isinstance(profile, Profile)
    return profile


def headers(path: Path, operand: str | None = None) -> list[str]:
    told = history(Repository.open(path), operand)
    return [said.message.description for said in told.commits if not isinstance(said.message, tuple)]


@pytest.mark.parametrize(
    ("operand", "expected"),
    [
        (None, {"one", "two", "side", "merge", "last"}),
        ("HEAD", {"one", "two", "side", "merge", "last"}),
        ("v1", {"one", "two", "side", "merge"}),
        ("v1..HEAD", {"last"}),
        ("v1..", {"last"}),
        ("v1...HEAD", {"last"}),
        ("HEAD..v1", set[str]()),
        ("side..main", {"two", "merge", "last"}),
    ],
)
def test_a_range_or_everything_up_to_a_revision_is_read(folder: GitFolder, operand: str | None, expected: set[str]) -> None:
    found = headers(folder.path, operand)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_commits_come_oldest_first_as_git_orders_them(folder: GitFolder) -> None:
    names = [said.oid for said in history(Repository.open(folder.path)).commits]
    assert names == folder.git("rev-list", "--topo-order", "--reverse", "HEAD").decode().split()


@pytest.mark.parametrize("operand", ["--all", "-n1", "nowhere", "v1..nowhere", "v1..--all", "v1\n^HEAD"])
def test_what_is_no_revision_is_refused(folder: GitFolder, operand: str) -> None:
    with pytest.raises(RepositoryFailure):
        history(Repository.open(folder.path), operand)


def test_a_message_is_told_whatever_bytes_it_holds(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path / "repository")
    folder.commit("fix: caf\u00e9 and a bell\a")
    folder.commit(b"fix: two\n\n" + b"f" * 40 + b"\n")
    assert headers(folder.path) == ["caf\u00e9 and a bell\a", "two"]


def test_a_missing_commit_is_a_failure_and_not_a_shorter_history(folder: GitFolder) -> None:
    oid = folder.oid("HEAD~3")
    (folder.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    repository = Repository.open(folder.path)
    with pytest.raises(RepositoryFailure):
        list(spanned(repository, folder.oid("HEAD"), ()))


def test_a_shallow_clone_is_said_to_be_one_only_where_it_cuts_the_range(folder: GitFolder, tmp_path: Path) -> None:
    clone = GitFolder.clone(folder, tmp_path / "clone", "--depth=3")
    told = history(Repository.open(clone.path))
    assert len(list(told.commits)) < 5
    assert {note.code for note in told.notes()} == {"shallow"}
    assert "--unshallow" in told.notes()[0].message
    whole = history(Repository.open(clone.path), "HEAD~1..HEAD")
    assert len(list(whole.commits)) == 1
    assert whole.notes() == ()


def test_a_range_whose_base_a_shallow_clone_does_not_have_is_refused(folder: GitFolder, tmp_path: Path) -> None:
    clone = GitFolder.clone(folder, tmp_path / "clone", "--depth=1")
    with pytest.raises(RepositoryFailure, match="shallow"):
        history(Repository.open(clone.path), "v1..HEAD")


# records


def test_decisions_are_those_of_the_work_tree(folder: GitFolder) -> None:
    folder.write({PENDING: RECORD})
    assert list(known_decisions(Repository.open(folder.path), active())) == ["resume-settlement-jobs"]


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ({PENDING: "id: [\n"}, f"{PENDING}:"),
        ({".ack/archive/deep/x.yml": RECORD.replace("targets:", "goals:")}, ".ack/archive/deep/x.yml"),
        ({".ack/changelog/worker.yaml": "intent-changelog: 1.0.0\n"}, ".ack/changelog/worker.yaml"),
        ({PENDING: RECORD, ".ack/changes/copy.yaml": RECORD}, PENDING),
        ({PENDING: RECORD, ARCHIVED: RECORD + "more: true\n"}, ARCHIVED),
    ],
)
@pytest.mark.requirement("IC-6.3")
def test_a_record_that_cannot_be_read_or_shares_its_id_stops_everything(
    folder: GitFolder, files: dict[str | bytes, str | bytes | None], where: str
) -> None:
    folder.write(files)
    with pytest.raises(InputFailure) as failure:
        readable_records(Repository.open(folder.path), active())
    assert failure.value.where.startswith(where)
    assert "settlement jobs" not in str(failure.value)


def test_an_interrupted_archiving_is_one_record(folder: GitFolder) -> None:
    folder.write({PENDING: RECORD, ARCHIVED: RECORD})
    assert len(readable_records(Repository.open(folder.path), active()).archived) == 1


def test_a_bare_repository_holds_no_records(folder: GitFolder, tmp_path: Path) -> None:
    bare = GitFolder.clone(folder, tmp_path / "bare", "--bare")
    with pytest.raises(RepositoryFailure, match="bare"):
        readable_records(Repository.open(bare.path), active())
