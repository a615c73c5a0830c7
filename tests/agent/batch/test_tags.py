"""Tags to ranges: since what each version of a small history is told, and where a person is asked (cases 46 to 50)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.batch import tags
from agent.batch.tagged import Tagged
from agent.batch.tags import Tags
from agent.batch.wish import Bases
from agent.errors import RepositoryFailure
from agent.sources.git import Repository
from guardrails.evidence.model import AnswerValue
from tests.agent.batch.histories import history
from tests.repositories import GitFolder


def told(folder: GitFolder, bases: Bases = Bases.ASK, answers: dict[str, AnswerValue] | None = None) -> dict[str, str]:
    """The range of each version, or what is asked and what is suggested."""
    every = Tagged.of(Repository.open(folder.path), bases)
    found = {}
    for place in every.fitting("*"):
        release = every.release(place, answers or {})
        found[place.point.name] = release.spec if not release.questions else ""
        for question in release.questions:
            suggestions = question.get("suggestions", [])
            assert isinstance(suggestions, list)
            found[place.point.name] = f"{question['field']}? {' '.join(one['value'] for one in suggestions)}".strip()
    return found


HISTORIES: dict[str, tuple[str, dict[str, str]]] = {
    "numbers compare as numbers": (
        ". v0.9 . v0.10 . v0.12 . v0.13",
        {"v0.9": "v0.9", "v0.10": "v0.9..v0.10", "v0.12": "v0.10..v0.12", "v0.13": "v0.12..v0.13"},
    ),
    "a final release follows the final one, a prerelease whatever comes before it": (
        ". v1.0 . v1.1-rc.1 . v1.1-rc.2 . v1.1 . v1.2-rc.1",
        {
            "v1.0": "v1.0",
            "v1.1-rc.1": "v1.0..v1.1-rc.1",
            "v1.1-rc.2": "v1.1-rc.1..v1.1-rc.2",
            "v1.1": "v1.0..v1.1",
            "v1.2-rc.1": "v1.1..v1.2-rc.1",
        },
    ),
    "each thing of a repository has its own versions": (
        ". cli@1.0 . lib@1.0 . cli@1.1 . lib@2.0",
        {"cli@1.0": "cli@1.0", "cli@1.1": "cli@1.0..cli@1.1", "lib@1.0": "lib@1.0", "lib@2.0": "lib@1.0..lib@2.0"},
    ),
    "two names of one version on one commit are one release, in the usual spelling": (
        ". v1.0 . v1.1 1.1 . v1.2",
        {"v1.0": "v1.0", "v1.1": "v1.0..v1.1", "v1.2": "v1.1..v1.2"},
    ),
    "two names of one version on two commits are asked about, and so is what follows both": (
        ". v1.0 . v1.1 . 1.1 . v1.2",
        {"v1.0": "v1.0", "v1.1": "head? v1.1 1.1", "v1.2": "base? v1.1 1.1"},
    ),
    "of two names on two commits the one in the history is the base": (
        ". v1.0 >side . 1.1 >main . v1.1 . v1.2",
        {"v1.0": "v1.0", "v1.1": "head? v1.1 1.1", "v1.2": "v1.1..v1.2"},
    ),
    "two versions on one commit: nothing is new in the later one": (
        ". v1.0 . v1.1 v1.2 . v1.3",
        {"v1.0": "v1.0", "v1.1": "v1.0..v1.1", "v1.2": "v1.1..v1.2", "v1.3": "v1.2..v1.3"},
    ),
    "a name that moves with the releases is none": (
        ". v4.0.0 . v4.1.0 v4 v4.1 . v5.0.0 v5",
        {"v4.0.0": "v4.0.0", "v4.1.0": "v4.0.0..v4.1.0", "v5.0.0": "v4.1.0..v5.0.0"},
    ),
    "a fix on a maintenance line follows the fix before it": (
        ". v1.2.0 >line . v1.2.1 . v1.2.2 >main . v1.3.0 >line . v1.2.3",
        {
            "v1.2.0": "v1.2.0",
            "v1.2.1": "v1.2.0..v1.2.1",
            "v1.2.2": "v1.2.1..v1.2.2",
            "v1.2.3": "v1.2.2..v1.2.3",
            "v1.3.0": "v1.2.0..v1.3.0",
        },
    ),
    "a maintenance line that begins behind its release: both bases are possible": (
        ". v1.0 . >line . v1.0.1 >main . v1.1",
        {"v1.0": "v1.0", "v1.0.1": "v1.0..v1.0.1", "v1.1": "base? v1.0.1 v1.0"},
    ),
    "a maintenance line that was merged back is the version before": (
        ". v1.0 . >line . v1.0.1 >main . +line v1.1",
        {"v1.0": "v1.0", "v1.0.1": "v1.0..v1.0.1", "v1.1": "v1.0.1..v1.1"},
    ),
    "releases that are tagged off the trunk are asked about": (
        ". >r1 . v1.0 >main . . >r2 . v1.1",
        {"v1.0": "v1.0", "v1.1": "base? v1.0 nothing"},
    ),
    "a lower version behind a higher one is asked about": (
        ". v1.0 . v2.0 . v1.1",
        {"v1.0": "v1.0", "v1.1": "base? v1.0 v2.0", "v2.0": "v1.0..v2.0"},
    ),
    "a new way of counting begins with a question": (
        ". 2021.1 . 2021.2 . 1.0 . 1.1",
        {"1.0": "base? nothing 2021.2", "1.1": "1.0..1.1", "2021.1": "2021.1", "2021.2": "2021.1..2021.2"},
    ),
    "annotated tags are as good": (". ^v1.0 . ^v1.1", {"v1.0": "v1.0", "v1.1": "v1.0..v1.1"}),
    "a branch of the same name does not stand in the way": (". v1.0 >v1.1 . v1.1", {"v1.0": "v1.0", "v1.1": "v1.0..tags/v1.1"}),
}


@pytest.mark.parametrize(("steps", "expected"), HISTORIES.values(), ids=HISTORIES)
def test_each_version_is_told_since_the_one_before_it(tmp_path: Path, steps: str, expected: dict[str, str]) -> None:
    assert told(history(tmp_path, steps)) == expected


@pytest.mark.parametrize(
    ("bases", "expected"), [(Bases.VERSION, "v1.0.1..v1.1"), (Bases.ANCESTRY, "v1.0..v1.1"), (Bases.ASK, "base? v1.0.1 v1.0")]
)
def test_a_person_can_decide_once_for_all_what_counts(tmp_path: Path, bases: Bases, expected: str) -> None:
    assert told(history(tmp_path, ". v1.0 . >line . v1.0.1 >main . v1.1"), bases)["v1.1"] == expected


@pytest.mark.parametrize(("answer", "expected"), [("v1.0", "v1.0..v1.1"), ("nothing", "v1.1"), ("v1.0~0", "v1.0~0..v1.1")])
def test_an_answer_settles_the_base(tmp_path: Path, answer: str, expected: str) -> None:
    folder = history(tmp_path, ". v1.0 . >line . v1.0.1 >main . v1.1")
    assert told(folder, answers={"base": answer})["v1.1"] == expected


@pytest.mark.parametrize(("answer", "expected"), [("v1.0", "base?"), ("HEAD~1", "HEAD~1..v1.1")])
def test_an_answer_cannot_bring_back_what_is_cut_off(tmp_path: Path, answer: str, expected: str) -> None:
    origin = history(tmp_path / "origin", ". v1.0 . . . v1.1")
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth", "2")
    clone.git("fetch", "-q", "--depth", "1", "origin", "tag", "v1.0")
    assert told(clone, answers={"base": answer})["v1.1"] == expected


def test_an_answer_that_names_a_tag_means_the_tag(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 >v1.0 . >main . v1.1")
    assert told(folder, answers={"base": "v1.0"})["v1.1"] == "tags/v1.0..v1.1"


def test_an_answer_settles_which_commit_is_meant(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1 . 1.1")
    assert told(folder, answers={"head": "1.1"})["v1.1"] == "v1.0..1.1"


def test_a_question_says_what_each_candidate_is(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . >line . v1.0.1 >main . v1.1")
    every = Tagged.of(Repository.open(folder.path), Bases.ASK)
    (place,) = every.fitting("v1.1")
    (question,) = every.release(place, {}).questions
    assert question["question"] == (
        "Which version does v1.1 follow? Versions and history do not agree. "
        "v1.0.1: the version before, outside of its history, 1 commit; "
        "v1.0: the highest version before it in its history, 2 commits. "
        "To decide that for all releases of a run at once: --bases version, or --bases ancestry."
    )


def test_a_release_knows_its_names_day_and_size(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0 . . ^v1.1 1.1")
    every = Tagged.of(Repository.open(folder.path), Bases.ASK)
    (place,) = every.fitting("v1.1")
    release = every.release(place, {})
    assert (release.base, release.head) == (folder.oid("v1.0"), folder.oid("v1.1^{commit}"))
    assert (release.tags, release.commits, release.previous, release.date) == (("v1.1", "1.1"), 2, "v1.0", "2023-11-14")


def test_what_is_no_release_is_told(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0.0 . v1.0.1 v1 nightly")
    folder.git("tag", "v0.9-tree", "HEAD^{tree}")
    folder.git("tag", "-a", "-m", "x", "nested", "v1.0.0")
    assert Tags.of(tags.read(Repository.open(folder.path))).others == {
        "nested": "tells no version",
        "nightly": "tells no version",
        "v0.9-tree": "leads to a tree, not to a commit",
        "v1": "moves with the releases and is now at v1.0.1",
    }


def test_a_tag_of_a_tag_leads_to_the_commit(tmp_path: Path) -> None:
    folder = history(tmp_path, ". ^inner")
    folder.git("tag", "-a", "-m", "x", "middle", "inner")
    folder.git("tag", "-a", "-m", "x", "v1.0", "middle")
    found = {tag.name: (tag.kind, tag.oid) for tag in tags.read(Repository.open(folder.path))}
    assert found["v1.0"] == ("commit", folder.oid("HEAD"))


@pytest.mark.parametrize(
    ("pattern", "what", "cure"),
    [
        ("v1.0.", "no tag is called so", "did you mean v1.0 or v1.1"),
        ("nightly", r"names no release: nightly \(tells no version\)", "give a range"),
        ("nothing-like-it", "no tag is called so", "check the name, or run: git fetch origin --tags"),
    ],
)
def test_a_glob_that_names_nothing_is_a_failure(tmp_path: Path, pattern: str, what: str, cure: str) -> None:
    folder = history(tmp_path, ". v1.0 . v1.1 . nightly")
    with pytest.raises(RepositoryFailure, match=what) as raised:
        Tagged.of(Repository.open(folder.path), Bases.ASK).fitting(pattern)
    assert cure in raised.value.cure


@pytest.mark.parametrize(("depth", "expected"), [(1, "base?"), (2, "base?"), (3, "v1.0..v1.1"), (4, "v1.0..v1.1")], ids=str)
def test_a_shallow_clone_that_cuts_off_what_is_new_is_a_question(tmp_path: Path, depth: int, expected: str) -> None:
    origin = history(tmp_path / "origin", ". . v1.0 . . v1.1")
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth", str(depth))
    clone.git("fetch", "-q", "--depth", str(depth), "origin", "tag", "v1.1")
    clone.git("fetch", "-q", "--depth", "1", "origin", "tag", "v1.0", fails=None)
    assert told(clone)["v1.1"] == expected


def test_a_question_of_a_shallow_clone_says_the_command_that_cures_it(tmp_path: Path) -> None:
    origin = history(tmp_path / "origin", ". v1.0 . v1.1")
    clone = GitFolder.clone(origin, tmp_path / "clone", "--depth", "1")
    every = Tagged.of(Repository.open(clone.path), Bases.ASK)
    (place,) = every.fitting("v1.1")
    (question,) = every.release(place, {}).questions
    assert "run: git fetch --unshallow --tags" in str(question["question"])


def test_a_thousand_tags_are_one_walk(tmp_path: Path) -> None:
    folder = history(tmp_path, " ".join(f". v1.{number}" for number in range(1000)))
    found = told(folder)
    assert len(found) == 1000
    assert found["v1.999"] == "v1.998..v1.999"
