"""The folder of a run's outputs holds what the run says, and loses nothing that is somebody else's."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agent.batch.folder import LIST, bring
from agent.errors import Failure, InputFailure, StoreFailure


def tree(root: Path) -> dict[str, str]:
    """Every file below `root` but the list, by path."""
    files = (path for path in root.rglob("*") if not path.is_dir() and path.name != LIST)
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in files}


def test_a_folder_is_made_and_holds_exactly_what_it_is_brought(tmp_path: Path) -> None:
    files = {"index.md": "é\n", "a/v1/notes.md": "one\n", "a/v2/notes.md": "two\n"}
    assert bring(tmp_path / "out", files) == ()
    assert tree(tmp_path / "out") == files


def test_what_no_longer_belongs_goes_and_so_do_empty_folders(tmp_path: Path) -> None:
    bring(tmp_path, {"index.md": "1", "a/v1/notes.md": "one", "a/v1/notes.txt": "one"})
    assert bring(tmp_path, {"index.md": "2"}) == ()
    assert tree(tmp_path) == {"index.md": "2"}
    assert not (tmp_path / "a").exists()


def test_what_no_run_wrote_stays(tmp_path: Path) -> None:
    (tmp_path / "a/v1").mkdir(parents=True)
    (tmp_path / "a/v1/mine.md").write_text("mine")
    bring(tmp_path, {"a/v1/notes.md": "one"})
    bring(tmp_path, {})
    assert tree(tmp_path) == {"a/v1/mine.md": "mine"}


@pytest.mark.parametrize("after", [{"notes.md": "two"}, {"notes.md": "one"}, {}])
def test_what_a_person_has_changed_is_kept_under_another_name(after: dict[str, str], tmp_path: Path) -> None:
    bring(tmp_path, {"notes.md": "one"})
    (tmp_path / "notes.md").write_text("edited")
    assert bring(tmp_path, after) == ("notes.md.kept",)
    assert tree(tmp_path) == {**after, "notes.md.kept": "edited"}


def test_each_change_is_kept_once(tmp_path: Path) -> None:
    for edited in ("first", "second", "first"):
        bring(tmp_path, {"notes.md": "one"})
        (tmp_path / "notes.md").write_text(edited)
    bring(tmp_path, {})
    assert tree(tmp_path) == {"notes.md.kept": "first", "notes.md.kept-2": "second"}


def test_what_stands_in_the_way_of_a_first_run_is_kept(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("mine")
    assert bring(tmp_path, {"index.md": "1"}) == ("index.md.kept",)
    assert tree(tmp_path) == {"index.md": "1", "index.md.kept": "mine"}


def test_a_file_that_is_right_is_not_written_again(tmp_path: Path) -> None:
    bring(tmp_path, {"index.md": "1"})
    before = (tmp_path / "index.md").stat().st_ino
    bring(tmp_path, {"index.md": "1", "a.md": "2"})
    assert (tmp_path / "index.md").stat().st_ino == before


@pytest.mark.parametrize("place", ["b.md", "c.md", "d/e.md"])
@pytest.mark.parametrize("then", [{"index.md": "2", "b.md": "2", "c.md": "2", "d/e.md": "2"}, {"index.md": "3"}])
def test_a_run_that_ended_in_the_middle_is_brought_to_its_end_by_the_next(
    place: str, then: dict[str, str], tmp_path: Path
) -> None:
    bring(tmp_path, {"index.md": "1", "a.md": "1"})
    (tmp_path / place).mkdir(parents=True)
    with pytest.raises(StoreFailure):
        bring(tmp_path, {"index.md": "2", "b.md": "2", "c.md": "2", "d/e.md": "2"})
    assert tree(tmp_path)["index.md"] == "2"
    (tmp_path / place).rmdir()
    assert bring(tmp_path, then) == ()
    assert tree(tmp_path) == then


@pytest.mark.parametrize(
    "files",
    [
        {"a/notes.md": "1", "A/notes.md": "2"},
        {"\u00e9.md": "1", "e\u0301.md": "2"},
        {"a": "1", "a/b.md": "2"},
        {"files.json": "1"},
        {"Files.json/notes.md": "1"},
        {"../a.md": "1"},
        {"/a.md": "1"},
        {"a/../b.md": "1"},
        {"~/a.md": "1"},
        {"": "1"},
    ],
)
def test_files_that_cannot_all_stand_below_are_refused_before_any_is_written(files: dict[str, str], tmp_path: Path) -> None:
    bring(tmp_path, {"index.md": "1"})
    with pytest.raises(StoreFailure):
        bring(tmp_path, {"index.md": "2", **files})
    assert tree(tmp_path) == {"index.md": "1"}


@pytest.mark.parametrize("link", ["a", "a/notes.md", "old.md", "files.json"])
def test_nothing_is_written_or_removed_through_a_link(link: str, tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    other.mkdir()
    (other / "notes.md").write_text("theirs")
    bring(out, {"old.md": "1"})
    place = out / link
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(other if link == "a" else other / "notes.md")
    with pytest.raises(StoreFailure):
        bring(out, {"a/notes.md": "2"})
    assert tree(other) == {"notes.md": "theirs"}


def test_a_folder_that_a_person_names_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "there")
    bring(tmp_path / "out", {"index.md": "1"})
    assert tree(tmp_path / "there") == {"index.md": "1"}


@pytest.mark.parametrize("kind", ["file", "missing"])
def test_a_place_where_no_folder_can_be_is_told(kind: str, tmp_path: Path) -> None:
    if kind == "file":
        (tmp_path / "out").write_text("")
    with pytest.raises(StoreFailure):
        bring(tmp_path / ("out" if kind == "file" else "out/deep"), {})


@pytest.mark.parametrize(
    "told",
    [
        "{",
        "[]",
        "{}",
        '{"files": []}',
        '{"files": {"../a": "x"}}',
        '{"files": {"a": 1}}',
        '{"files": {"a": [1]}}',
        '{"files": {"/a": "x"}}',
    ],
)
def test_a_list_that_no_run_wrote_is_not_followed(told: str, tmp_path: Path) -> None:
    (tmp_path / LIST).write_text(told)
    (tmp_path / "a").write_text("mine")
    with pytest.raises(InputFailure):
        bring(tmp_path, {"b": "1"})
    assert tree(tmp_path) == {"a": "mine"}


def test_the_list_names_what_was_written_by_its_digest(tmp_path: Path) -> None:
    bring(tmp_path, {"b.md": "", "a.md": ""})
    empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert json.loads((tmp_path / LIST).read_text()) == {"files": {"a.md": empty, "b.md": empty}}


def test_what_the_disk_refuses_is_a_failure(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        (tmp_path / "index.md").mkdir()
    else:
        tmp_path.chmod(0o500)
    with pytest.raises(Failure):
        bring(tmp_path, {"index.md": "1"})
