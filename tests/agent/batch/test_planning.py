"""What a run will draft: releases with names of their own, failures that end nothing, and what only looks like nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.batch import naming
from agent.batch.planning import Plan, plan
from agent.batch.release import Options, Release, Status
from agent.batch.wish import Entry, Wish
from agent.errors import UsageFailure
from tests.agent.batch.histories import history
from tests.repositories import GitFolder


def planned(folder: GitFolder, **wanted: object) -> Plan:
    return plan(Wish((Entry(str(folder.path), **wanted),)))  # type: ignore[arg-type]


def names(made: Plan) -> list[str]:
    return [release.name for release in made.releases]


@pytest.mark.parametrize(
    ("operand", "spec", "ends", "commits"),
    [
        ("v1.0..v1.1", "v1.0..v1.1", ("v1.0", "v1.1"), 2),
        ("v1.1..", "v1.1..HEAD", ("v1.1", "HEAD"), 1),
        ("v1.0...HEAD", "v1.0...HEAD", ("v1.0", "HEAD"), 3),
    ],
)
def test_a_range_is_a_release(tmp_path: Path, operand: str, spec: str, ends: tuple[str, str], commits: int) -> None:
    folder = history(tmp_path, ". v1.0 . . v1.1 .")
    (release,) = planned(folder, ranges=(operand,)).releases
    assert (release.spec, release.commits, release.questions) == (spec, commits, ())
    assert (release.base, release.head) == tuple(map(folder.oid, ends))


def test_a_range_that_ends_at_a_version_is_called_so(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1 .")
    made = planned(folder, ranges=("v1.0..v1.1", "v1.1..main"))
    assert [(one.name, one.title, one.tags) for one in made.releases] == [
        ("v1.0..v1.1", "v1.1", ("v1.1",)),
        ("v1.1..main", "v1.1..main", ()),
    ]


def test_a_release_that_shares_its_name_is_answered_by_the_name_of_its_own(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . >a/b . >main . >a-b .")
    entries = (Entry(str(folder.path), ranges=("v1.0..a/b", "v1.0..a-b")),)
    first, second = (one.name for one in plan(Wish(entries)).releases)
    assert second == f"{first}-{folder.oid('a-b')[:7]}"
    made = plan(Wish(entries, answers={first: {"shape": "single"}, second: {"shape": "itemized"}}))
    assert [one.decided for one in made.releases] == [(("shape", "single"),), (("shape", "itemized"),)]


FAILING = {
    "v1.0..v1.2": "v1.2: is no commit of this repository (did you mean v1.1 or v1.0?)",
    "v1.0": "v1.0: is no range (give BASE..HEAD, or --tags for what a tag adds to the one before)",
    "--all..HEAD": "--all: is no revision (give a branch, a tag or an object name)",
}


@pytest.mark.parametrize(("operand", "failure"), FAILING.items())
def test_a_range_that_cannot_be_read_fails_alone(tmp_path: Path, operand: str, failure: str) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1")
    made = planned(folder, ranges=(operand, "v1.0..v1.1"))
    assert names(made) == ["v1.0..v1.1"]
    assert [(one.status, one.failure) for one in made.failures] == [(Status.FAILED, failure)]


def test_a_repository_that_is_missing_fails_alone(tmp_path: Path) -> None:
    folder = history(tmp_path / "here", ". v1.0")
    gone = Entry(str(tmp_path / "gone"), name="gone", tags=("*",))
    made = plan(Wish((gone, Entry(str(folder.path), name="here", tags=("*",)))))
    assert names(made) == ["here/v1.0"]
    assert [one.name for one in made.failures] == ["gone"]
    assert made.failures[0].failure == "gone: is not a folder (give the path of a git repository)"


def test_no_failure_tells_where_on_this_machine_a_repository_lies(tmp_path: Path) -> None:
    folder = history(tmp_path / "widgets", ". v1.0 . v1.1")
    blob = folder.oid("v1.0^{commit}")
    (folder.path / ".git/packed-refs").write_text(f"{'1' * 40} refs/tags/v0.9\n")
    made = planned(folder, tags=("*",), ranges=(f"{blob}..nothing",))
    assert made.failures
    assert str(tmp_path) not in "".join(one.failure for one in made.failures)


def test_a_misspelt_tag_fails_with_the_near_ones(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1")
    (failure,) = planned(folder, tags=("v1.1.",)).failures
    assert failure.failure == "v1.1.: no tag is called so (did you mean v1.1 or v1.0?)"


@pytest.mark.parametrize("wanted", [{"ranges": ("v1.0..v1.1",)}, {"tags": ("v1.1",)}], ids=["range", "tag"])
def test_a_shallow_clone_without_tags_is_asked_to_fetch(tmp_path: Path, wanted: dict[str, tuple[str, ...]]) -> None:
    origin = history(tmp_path / "origin", ". v1.0 . v1.1")
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth", "1", "--no-tags")
    made = planned(clone, **wanted)
    (release,) = made.releases
    (question,) = release.questions
    assert not made.failures
    assert (question["field"], question["reason"]) == ("base", "no-evidence")
    assert "run: git fetch --unshallow --tags" in str(question["question"])


def test_a_range_that_reaches_behind_the_end_of_a_shallow_clone_is_asked_about(tmp_path: Path) -> None:
    origin = history(tmp_path / "origin", ". v1.0 . . . v1.1")
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth", "2")
    clone.git("fetch", "-q", "--depth", "1", "origin", "tag", "v1.0")
    (release,) = planned(clone, ranges=("v1.0..v1.1",)).releases
    assert [question["field"] for question in release.questions] == ["base"]


def test_the_same_release_twice_is_one(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1")
    assert names(planned(folder, tags=("v1.*", "v1.1", "*"))) == ["v1.0", "v1.1"]


def test_answers_reach_the_release_they_are_for(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . >line . v1.0.1 >main . v1.1 . v1.2")
    entry = Entry(str(folder.path), tags=("v1.1", "v1.2"), answers=(("operation.repository", "acme/widgets"),))
    made = plan(Wish((entry,), answers={"v1.1": {"base": "v1.0", "shape": "single"}}))
    assert made.releases[0].answers[0] == ("base", "v1.0")
    assert [(one.spec, dict(one.decided)) for one in made.releases] == [
        ("v1.0..v1.1", {"operation.repository": "acme/widgets", "shape": "single"}),
        ("v1.1..v1.2", {"operation.repository": "acme/widgets"}),
    ]


def test_an_answer_that_names_no_commit_fails_that_release_alone(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1 . v1.2")
    made = plan(Wish((Entry(str(folder.path), tags=("*",)),), answers={"v1.1": {"base": "v0.9"}}))
    assert names(made) == ["v1.0", "v1.2"]
    assert [one.name for one in made.failures] == ["v1.1"]


def test_entries_stand_in_the_order_of_the_wish(tmp_path: Path) -> None:
    folders = [history(tmp_path / str(number), ". v1.0") for number in range(6)]
    made = plan(Wish(tuple(Entry(str(one.path), name=f"r{number}", tags=("*",)) for number, one in enumerate(folders))))
    assert names(made) == [f"r{number}/v1.0" for number in range(6)]


def test_an_empty_release_says_so(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1 v1.2")
    made = planned(folder, tags=("*",))
    assert made.releases[-1].commits == 0
    assert made.notes == ("v1.2: holds nothing that v1.1 does not hold",)


def test_what_is_left_aside_is_told(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 nightly latest v1.1\u202e $(id) . v1.0.1 v1")
    assert planned(folder, tags=("*",)).notes == (
        "no release: latest, nightly, 2 more (tells no version)",
        "no release: v1 (moves with the releases and is now at v1.0.1)",
    )


def test_two_plans_of_one_wish_are_equal(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . >line . v1.0.1 >main . v1.1 1.1 nightly")
    assert planned(folder, tags=("*",)) == planned(folder, tags=("*",))


def test_nothing_to_draft_is_a_usage_failure() -> None:
    with pytest.raises(UsageFailure, match="nothing to draft"):
        plan(Wish((Entry("."),)))


PROFILE_LESS = "there is no Project Profile"


def test_release_units_need_a_profile(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0")
    made = planned(folder, tags=("*",), units=("payments",))
    assert not made.releases
    assert PROFILE_LESS in made.failures[0].failure


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("payments", "v1.2.0"), "payments/v1.2.0"),
        (("", "", "v1.0"), "v1.0"),
        (("@acme/cli@2.0.0",), "@acme/cli@2.0.0"),
        (("../../etc",), "_/_/etc"),
        (("-rf", ".git", "a b$c"), "rf/git/a-b-c"),
        (("web@stable", "v1..v2"), "web@stable/v1..v2"),
        (("CON.",), "CON"),
    ],
)
def test_a_name_is_a_safe_folder(parts: tuple[str, ...], name: str) -> None:
    assert naming.folder(*parts) == name


def test_a_long_name_is_cut_and_stays_itself() -> None:
    one, other = naming.folder("x" * 150), naming.folder("x" * 151)
    assert len(one) == len(other) == 100
    assert one != other


def release(name: str, head: str) -> Release:
    return Release(name=name, place="p", base="", head=head, spec="s", title="t", options=Options())


def test_names_that_only_capitals_tell_apart_get_an_ending() -> None:
    made = [release("v1", "a" * 40), release("V1", "b" * 40), release("v1", "a" * 40), release("v1", "c" * 40)]
    assert [one.name for one in naming.unique(made)] == ["v1", "V1-bbbbbbb", "v1-ccccccc"]
