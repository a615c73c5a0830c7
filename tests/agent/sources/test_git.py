"""A repository as it answers: opening every kind, naming revisions, reading files, and refusing plainly."""

from __future__ import annotations

import hashlib
from itertools import count
from pathlib import Path

import pytest

from agent.errors import RepositoryFailure
from agent.sources import git
from agent.sources.git import Repository
from agent.sources.hardening import refusal, require_version
from agent.sources.history import Collected, collect
from guardrails.evidence.model import Content
from tests.repositories import GitFolder


def codes(collected: Collected) -> set[str]:
    return {note.code for note in collected.notes}


@pytest.fixture
def origin(tmp_path: Path) -> GitFolder:
    folder = GitFolder.init(tmp_path / "origin")
    folder.git("config", "uploadpack.allowFilter", "true")
    for number in range(1, 4):
        folder.commit(f"commit {number}", {"f": f"{number}\n", "d/g": f"{number} g\n" * number})
    return folder


def test_a_repository_is_found_from_any_folder_in_it(origin: GitFolder) -> None:
    repository = Repository.open(origin.path / "d")
    assert repository.top == origin.path
    assert repository.head() == origin.oid("HEAD")
    assert repository.read("HEAD", "d/g") == b"3 g\n" * 3
    assert not repository.is_shallow


def test_bare_linked_and_sha256_repositories_are_read_alike(origin: GitFolder, tmp_path: Path) -> None:
    origin.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    GitFolder.clone(origin, tmp_path / "bare", "--bare")
    other = GitFolder.init(tmp_path / "sha256", "--object-format=sha256")
    other.commit("one", {"f": "1\n"})
    other.commit("two", {"f": "2\n", "empty": ""})
    opened = {name: Repository.open(tmp_path / name) for name in ("linked", "bare", "sha256")}
    assert [opened[name].top for name in opened] == [tmp_path / "linked", None, tmp_path / "sha256"]
    assert collect(opened["bare"], "HEAD~2..HEAD") == collect(opened["linked"], "HEAD~2..HEAD")
    changes = list(collect(opened["sha256"], "HEAD").files())
    assert [(change.path, change.content, len(change.new_object)) for change in changes] == [
        ("empty", Content.EMPTY, 64),
        ("f", Content.TEXT, 64),
    ]


@pytest.mark.parametrize("name", ["origin", "two\nlines"])
def test_a_repository_is_found_wherever_it_is_entered(tmp_path: Path, name: str) -> None:
    folder = GitFolder.init(tmp_path / name)
    folder.commit("one", {"d/e/f": "1\n"})
    (tmp_path / "link").symlink_to(folder.path / "d/e")
    GitFolder.clone(folder, tmp_path / f"{name}.git", "--bare")
    inside = [Repository.open(path) for path in (folder.path, folder.path / "d/e", tmp_path / "link")]
    assert {(one.top, one.git_dir) for one in inside} == {(folder.path, folder.path / ".git")}
    outside = [Repository.open(path) for path in (folder.path / ".git", tmp_path / f"{name}.git")]
    assert [(one.top, one.git_dir) for one in outside] == [(None, folder.path / ".git"), (None, tmp_path / f"{name}.git")]


def test_a_repository_whose_work_tree_is_elsewhere_is_found_from_both(origin: GitFolder, tmp_path: Path) -> None:
    own = (origin.path / ".git").rename(tmp_path / "own")
    (origin.path / ".git").write_text(f"gitdir: {own}\n")
    origin.git("config", "core.worktree", str(origin.path))
    opened = {path: Repository.open(path) for path in (origin.path, own)}
    assert {path: (one.top, one.git_dir) for path, one in opened.items()} == {origin.path: (origin.path, own), own: (None, own)}


def test_a_work_tree_that_the_configuration_points_elsewhere_is_not_read(origin: GitFolder, tmp_path: Path) -> None:
    (tmp_path / "private").write_text("not for you\n")
    origin.git("config", "core.worktree", str(tmp_path))
    assert Repository.open(origin.path).top is None


@pytest.mark.parametrize("path", ["nowhere", "file", "plain"])
def test_what_is_no_repository_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "plain").mkdir()
    with pytest.raises(RepositoryFailure) as failed:
        Repository.open(tmp_path / path)
    assert failed.value.where == str(tmp_path / path)
    assert failed.value.cure


def test_git_is_never_taken_from_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ".")
    with pytest.raises(RepositoryFailure, match="git was not found"):
        Repository.open(tmp_path)


@pytest.mark.parametrize(
    ("said", "right"),
    [(b"git version 2.31.0\n", True), (b"git version 10.1", True), (b"git version 2.30.9", False), (b"hg", False)],
)
def test_an_old_git_is_refused_with_the_version_that_is_needed(said: bytes, right: bool) -> None:
    if right:
        require_version(said)
        return
    with pytest.raises(RepositoryFailure, match=r"2\.31"):
        require_version(said)


def test_a_repository_of_someone_else_is_refused_with_what_to_do() -> None:
    failure = refusal(b"fatal: detected dubious ownership in repository at '/r'\n", Path("/r"), "otherwise")
    assert "git config --global --add safe.directory '/r'" in str(failure)
    assert str(refusal(b"fatal: secret words\n", Path("/r"), "git x failed")).startswith("/r: git x failed")


@pytest.mark.parametrize(
    "operand", ["--output=x", "-p", "", "a\nb", "nope", "nope..HEAD", "HEAD..nope", "--all..HEAD", "HEAD:f", "HEAD^9"]
)
def test_what_names_no_commit_is_refused(origin: GitFolder, operand: str) -> None:
    with pytest.raises(RepositoryFailure) as failed:
        collect(Repository.open(origin.path), operand)
    assert failed.value.cure
    assert not (origin.path / "x").exists()


def test_a_name_of_two_things_is_refused_with_both(origin: GitFolder) -> None:
    origin.git("branch", "twice", "HEAD~1")
    origin.git("tag", "twice", "HEAD")
    with pytest.raises(RepositoryFailure, match="ambiguous") as failed:
        Repository.open(origin.path).resolve("twice")
    assert "refs/heads/twice" in failed.value.cure
    assert "refs/tags/twice" in failed.value.cure


@pytest.mark.parametrize("name", ["HEAD", "main", "main~1", "v1", "refs/tags/v1", "@", "HEAD^{/commit 2}", "HEAD@{0}"])
def test_names_that_are_asked_for_at_once_mean_what_each_means_alone(origin: GitFolder, name: str) -> None:
    origin.git("tag", "-a", "-m", "release", "v1", "HEAD~1")
    alone = Repository.open(origin.path)
    assert Repository.open(origin.path).resolve_all(("HEAD~2", name)) == {one: alone.resolve(one) for one in ("HEAD~2", name)}


@pytest.mark.parametrize(
    "name", ["nope", "twice", "HEAD:f", "HEAD^{tree}", "HEAD..main", "^main", "--all", "", "a\nHEAD", "\udc80"]
)
def test_names_of_which_one_is_no_plain_name_of_a_commit_are_asked_for_one_by_one(origin: GitFolder, name: str) -> None:
    origin.git("branch", "twice", "HEAD~1")
    origin.git("tag", "twice", "HEAD")
    assert Repository.open(origin.path).resolve_all(("HEAD", name)) == {}


def test_a_short_object_name_of_two_commits_is_refused_with_both(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    tree = folder.git("write-tree").decode().strip()
    seen: dict[str, bytes] = {}
    for number in count():
        one = _commit(tree, number)
        name = hashlib.sha1(b"commit %d\0%b" % (len(one), one), usedforsecurity=False).hexdigest()[:4]
        if (other := seen.setdefault(name, one)) != one:
            break
    oids = {folder.git("hash-object", "-t", "commit", "-w", "--stdin", given=data).decode().strip() for data in (one, other)}
    with pytest.raises(RepositoryFailure, match="ambiguous") as failed:
        Repository.open(tmp_path).resolve(name)
    assert oids <= set(failed.value.cure.replace(",", "").split())


def _commit(tree: str, number: int) -> bytes:
    return f"tree {tree}\nauthor A <a@b> {number} +0000\ncommitter A <a@b> {number} +0000\n\n{number}\n".encode()


def test_tags_are_read_as_the_commits_that_they_name(origin: GitFolder) -> None:
    origin.git("tag", "-a", "-m", "release", "v1", "HEAD~1")
    assert Repository.open(origin.path).resolve("v1") == origin.oid("HEAD~1")


def test_files_are_read_at_a_revision_and_what_is_no_file_is_none(origin: GitFolder) -> None:
    (origin.path / "link").symlink_to("/etc/passwd")
    origin.commit("odd", {'a "b"\n*': "odd\n", "large": b"x" * 100})
    repository = Repository.open(origin.path)
    assert repository.read("HEAD~1", "f") == b"3\n"
    assert repository.read("HEAD", 'a "b"\n*') == b"odd\n"
    assert [repository.read("HEAD", path) for path in ("link", "d", "nope", "../f", "", "f/x", "*")] == [None] * 7
    assert repository.list("HEAD", "d") == ("d/g",)
    assert repository.list("HEAD", "nope") == ()
    assert set(repository.list("HEAD", "")) == {"f", "d/g", 'a "b"\n*', "large"}
    assert repository.read_object(origin.oid("HEAD:f")) == b"3\n"
    assert [repository.read_object(oid) for oid in ("0" * 40, origin.oid("HEAD"), origin.oid("HEAD:f"))] == [None, None, b"3\n"]


def test_a_file_that_is_too_large_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"large": b"\0" * (git.READ_LIMIT + 1), "small": "s\n"})
    repository = Repository.open(tmp_path)
    with pytest.raises(RepositoryFailure, match="larger than"):
        repository.read("HEAD", "large")
    assert repository.read_object(folder.oid("HEAD:large")) is None
    assert repository.read("HEAD", "small") == b"s\n"


@pytest.mark.requirement("IC-6.3")
def test_files_of_all_history_are_told_each_once(origin: GitFolder) -> None:
    origin.branch("side")
    origin.commit("side", {"d/side": "1\n"})
    origin.switch("main")
    origin.commit("gone", {"d/g": None, "d/h": "3 g\n" * 3})
    origin.commit("edited", {"d/h": "h\n", "d/:1 2": ""})
    told = Repository.open(origin.path).files_ever("d")
    assert sorted({path for path, _ in told}) == ["d/:1 2", "d/g", "d/h", "d/side"]
    assert ("d/h", origin.oid("HEAD:d/h")) in told
    assert ("d/h", origin.oid("HEAD~1:d/h")) in told
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("operand", ["HEAD~1..HEAD", "v1..HEAD", "v1...HEAD"])
def test_a_base_that_a_shallow_clone_lacks_is_noted_with_the_command_to_run(
    origin: GitFolder, tmp_path: Path, operand: str
) -> None:
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth=1")
    collected = collect(Repository.open(clone.path), operand)
    assert collected.commits == ()
    assert [note.code for note in collected.notes] == ["shallow"]
    assert "git fetch --unshallow" in collected.notes[0].message


def test_a_commit_at_the_shallow_boundary_is_not_told_as_a_root(origin: GitFolder, tmp_path: Path) -> None:
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth=2")
    repository = Repository.open(clone.path)
    assert [len(collect(repository, operand).commits[0].files) for operand in ("HEAD~1", "HEAD")] == [0, 2]
    assert [codes(collect(repository, operand)) for operand in ("HEAD~1", "HEAD")] == [{"shallow"}, set()]
    assert collect(repository, "HEAD~1..HEAD").notes == ()


def test_a_range_over_the_shallow_boundary_is_noted(origin: GitFolder, tmp_path: Path) -> None:
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth=2")
    clone.git("fetch", "-q", "--depth=1", f"file://{origin.path}", f"{origin.oid('HEAD~2')}:refs/heads/base")
    collected = collect(Repository.open(clone.path), "base..main")
    assert "shallow" in codes(collected)


def test_what_a_partial_clone_lacks_is_noted_and_the_rest_is_read(origin: GitFolder, tmp_path: Path) -> None:
    origin.commit("commit 4", {"f": "4\n"})
    clone = GitFolder.clone(origin, tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    clone.git("fetch", "-q", "origin", origin.oid("HEAD:f"), origin.oid("HEAD~1:f"))
    collected = collect(Repository.open(clone.path), "HEAD~2..HEAD")
    assert [(commit.subject, [(c.path, c.content, len(c.hunks)) for c in commit.files]) for commit in collected.commits] == [
        ("commit 3", [("d/g", Content.MISSING, 0), ("f", Content.MISSING, 0)]),
        ("commit 4", [("f", Content.TEXT, 1)]),
    ]
    assert codes(collected) == {"missing-object"}
    assert clone.git("rev-list", "--objects", "--missing=print", "HEAD").count(b"\n?") > 1


@pytest.mark.parametrize(("filter_", "what"), [("blob:none", "its object is missing"), ("tree:0", "a tree is missing")])
def test_a_file_that_a_partial_clone_lacks_is_a_failure_that_tells_how_to_get_it(
    origin: GitFolder, tmp_path: Path, filter_: str, what: str
) -> None:
    clone = GitFolder.clone(origin, tmp_path / "clone", f"--filter={filter_}", "--no-checkout")
    repository = Repository.open(clone.path)
    for _ in range(2):  # git ends when it cannot get an object, and is started anew
        with pytest.raises(RepositoryFailure, match=what) as failure:
            repository.read("HEAD", "d/g")
        assert failure.value.cure == "get what is missing first: git fetch --refetch --no-filter origin"


def test_a_broken_tree_and_a_broken_merge_are_noted_and_the_rest_is_read(origin: GitFolder) -> None:
    origin.branch("side", "HEAD~1")
    origin.commit("side", {"f": "side\n"})
    origin.switch("main")
    origin.merge("merge", "side", resolved={"f": "both\n"})
    origin.commit("after", {"after": "a\n"})
    for name in ("side:f", "HEAD~4^{tree}"):
        oid = origin.oid(name)
        (origin.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    collected = collect(Repository.open(origin.path), "HEAD~4..HEAD")
    assert [(commit.subject, [change.content for change in commit.files]) for commit in collected.commits] == [
        ("commit 2", []),
        ("commit 3", [Content.TEXT, Content.TEXT]),
        ("side", [Content.MISSING]),
        ("merge", [Content.MISSING]),
        ("after", [Content.TEXT]),
    ]
    assert codes(collected) == {"missing-object"}
    assert [commit.id for commit in collected.commits] == ["C1", "C2", "C3", "C4", "C5"]


def test_replaced_and_grafted_commits_are_read_as_they_were_made(origin: GitFolder) -> None:
    first, second, third = (origin.oid(f"HEAD~{number}") for number in (2, 1, 0))
    origin.git("replace", third, first)
    grafts = origin.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{third} {first}\n")
    collected = collect(Repository.open(origin.path), "HEAD")
    assert (collected.commits[0].subject, collected.commits[0].parents) == ("commit 3", (second,))


def test_a_branch_that_is_called_like_a_commit_does_not_take_its_place(origin: GitFolder) -> None:
    first = origin.oid("HEAD~2")
    origin.git("update-ref", f"refs/heads/{first}", "HEAD")
    repository = Repository.open(origin.path)
    assert repository.resolve(first) == first
    assert repository.read(first, "f") == b"1\n"


def test_a_file_that_was_listed_is_read_again_when_the_branch_moves(origin: GitFolder) -> None:
    repository = Repository.open(origin.path)
    assert repository.list("main", "d") == ("d/g",)
    assert (repository.read("main", "f"), repository.read("main", "d/g")) == (b"3\n", b"3 g\n" * 3)
    origin.commit("next", {"d/g": "new\n"})
    assert repository.read("main", "d/g") == b"new\n"


@pytest.mark.parametrize("name", ["main\0", "\ud800"], ids=["a NUL", "half a character"])
def test_a_name_that_git_cannot_be_asked_for_is_refused(tmp_path: Path, name: str) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"f": "a\n"})
    with pytest.raises(RepositoryFailure, match="git cannot be asked for a name"):
        Repository.open(tmp_path).git.ask("rev-parse", name)
