"""Reading below a root: what stays inside is read, and no path leaves, whatever is exchanged on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent import below
from agent.errors import InputFailure
from agent.sources import inputs
from agent.sources.record_files import on_disk
from agent.sources.stored import read_records
from tests.guardrails.resolving.building import PROFILE

SECRET = b"id: from-outside\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with records in it, beside a folder with a record that is none of its own."""
    made = tmp_path / "root"
    for name in ("a/one.yaml", "a/deep/two.yaml", "a/deep.yaml", "a/note.txt", "b/three.yml"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(name.encode())
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "two.yaml").write_bytes(SECRET)
    return made


def read(root: Path, path: str) -> bytes | None:
    with below.opened(root, path) as file:
        return None if file is None else file.read()


def listed(root: Path, directory: str = "a") -> list[str]:
    return [path for path, data in on_disk(root, directory) if data != SECRET or pytest.fail("left the root")]


@pytest.mark.requirement("IC-5.3")
def test_records_are_listed_in_order_of_path_and_nothing_else_is(root: Path) -> None:
    assert listed(root) == sorted(["a/deep.yaml", "a/deep/two.yaml", "a/one.yaml"])
    assert listed(root, "b") == ["b/three.yml"]
    assert listed(root, "b/") == ["b/three.yml"]
    assert listed(root, "missing") == listed(root, "missing/too") == []


@pytest.mark.parametrize("path", ["a", "a/missing.yaml", "a/one.yaml/x", "missing/one.yaml", "pipe"])
def test_what_is_no_file_is_none(root: Path, path: str) -> None:
    os.mkfifo(root / "pipe")
    assert read(root, path) is None


LINKS_INSIDE = [
    ("link", "a", "link/one.yaml"),
    ("link", "./a/deep/..", "link/one.yaml"),
    ("a/up", "../a", "a/up/one.yaml"),
    ("a/file.yaml", "one.yaml", "a/file.yaml"),
    ("a/deep/far", "../../a", "a/deep/far/deep/../one.yaml"),
]


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize(("link", "target", "path"), LINKS_INSIDE)
def test_a_link_that_stays_inside_is_followed(root: Path, link: str, target: str, path: str) -> None:
    (root / link).symlink_to(target)
    assert read(root, path) == b"a/one.yaml"


@pytest.mark.requirement("IC-12.4")
def test_an_absolute_link_is_followed_where_it_leads_inside(root: Path, tmp_path: Path) -> None:
    (root / "link").symlink_to(root / "a")
    (tmp_path / "named").symlink_to(root)
    assert read(root, "link/one.yaml") == read(tmp_path / "named", "link/one.yaml") == b"a/one.yaml"


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("../outside", "link/two.yaml"),
        ("../outside/two.yaml", "link"),
        ("a/../../outside", "link/two.yaml"),
        ("a/deep/../../..", "link/outside/two.yaml"),
        ("..", "link/root/a/one.yaml"),
        ("a", "../outside/two.yaml"),
        ("a", "link/../../outside/two.yaml"),
        ("{outside}", "link/two.yaml"),
        ("{root}-more", "link/two.yaml"),
        ("{root}/../outside", "link/two.yaml"),
        ("/etc", "link/passwd"),
        ("link", "link"),
    ],
)
def test_no_path_leaves_the_root_nor_goes_in_circles(root: Path, tmp_path: Path, target: str, path: str) -> None:
    (tmp_path / "root-more").symlink_to("outside")
    (root / "link").symlink_to(target.format(root=root, outside=tmp_path / "outside"))
    with pytest.raises(below.Refused), below.opened(root, path):
        pytest.fail("it was opened")
    with pytest.raises(InputFailure) as refused:
        inputs.read_below(root, path)
    assert (refused.value.where, refused.value.cure != "") == (path, True)


def test_what_the_system_refuses_is_told_by_its_place(root: Path) -> None:
    with pytest.raises(InputFailure) as refused:
        inputs.read_below(root, "a/" + "x" * 300)
    assert "could not be read" in str(refused.value)


Spoil = Callable[[Path, Path], object]


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (lambda a, out: (a / "x.yaml").symlink_to(out / "two.yaml"), "a/x.yaml"),
        (lambda a, _: (a / "x.yaml").symlink_to("gone.yaml"), "a/x.yaml"),
        (lambda a, _: (a / "x.yaml").symlink_to("deep"), "a/x.yaml"),
        (lambda a, _: (a / "other").symlink_to("deep"), "a/other"),
        (lambda a, out: (a / "other").symlink_to(out), "a/other"),
        (lambda a, _: os.mkfifo(a / "x.yaml"), "a/x.yaml"),
    ],
    ids=["outside", "nowhere", "folder", "folder inside", "folder outside", "pipe"],
)
def test_a_listing_refuses_what_it_cannot_read_as_a_record(root: Path, tmp_path: Path, spoil: Spoil, where: str) -> None:
    spoil(root / "a", tmp_path / "outside")
    with pytest.raises(InputFailure) as refused:
        listed(root)
    assert refused.value.where == where


def test_a_listing_reads_a_record_through_a_link_inside_and_passes_over_other_links(root: Path) -> None:
    (root / "a" / "copy.yaml").symlink_to("../b/three.yml")
    (root / "a" / "readme").symlink_to("nowhere")
    (root / "c").symlink_to("a")
    assert dict(on_disk(root, "c"))["c/copy.yaml"] == b"b/three.yml"


@pytest.mark.requirement("IC-12.4")
def test_a_directory_that_leads_outside_or_is_a_file_is_refused(root: Path) -> None:
    (root / "out").symlink_to("../outside")
    for directory in ("out", "a/one.yaml", "out/deep", "../outside"):
        with pytest.raises(InputFailure):
            list(on_disk(root, directory))


# what is exchanged meanwhile


@pytest.mark.requirement("IC-12.4")
def test_a_folder_exchanged_for_a_link_after_it_was_listed_is_refused(root: Path) -> None:
    listing = on_disk(root, "a")
    assert next(listing)[0] == "a/deep.yaml"
    (root / "a" / "deep").rename(root / "elsewhere")
    (root / "a" / "deep").symlink_to("../../outside")
    with pytest.raises(InputFailure, match="exchanged") as refused:
        next(listing)
    assert refused.value.where == "a/deep"


@pytest.mark.requirement("IC-12.4")
def test_a_file_exchanged_for_a_link_after_it_was_listed_is_refused(root: Path) -> None:
    listing = on_disk(root, "a")
    assert next(listing)[0] == "a/deep.yaml"
    (root / "a" / "one.yaml").unlink()
    (root / "a" / "one.yaml").symlink_to("../../outside/two.yaml")
    assert next(listing)[0] == "a/deep/two.yaml"
    with pytest.raises(InputFailure, match="exchanged"):
        next(listing)


def test_what_is_removed_after_it_was_listed_stops_the_listing(root: Path) -> None:
    listing = on_disk(root, "a")
    next(listing)
    (root / "a" / "one.yaml").unlink()
    next(listing)
    with pytest.raises(InputFailure, match="could not be read"):
        next(listing)


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("at", range(4))
def test_a_folder_exchanged_for_a_link_at_any_step_never_leads_out(
    root: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Right before the system opens any step of the path, the folder on the way becomes a link out of the root."""
    really, steps = os.open, iter(range(100))

    def open_after_exchange(path: Any, *arguments: Any, **named: Any) -> int:
        if next(steps) == at:
            (root / "a" / "deep").rename(root / "elsewhere")
            (root / "a" / "deep").symlink_to("../../outside")
        return really(path, *arguments, **named)

    monkeypatch.setattr(os, "open", open_after_exchange)
    try:
        found = read(root, "a/deep/two.yaml")
    except below.Refused:
        found = None
    assert found in {b"a/deep/two.yaml", None}
    assert (found is None) == (at < 3), "the exchange came before the folder was open, or not at all"


def test_the_records_of_a_profile_are_read_by_the_same_door(root: Path) -> None:
    (root / ".ack").mkdir()
    (root / ".ack" / "changes").symlink_to("../../outside")
    with pytest.raises(InputFailure, match="outside the repository"):
        read_records(root, PROFILE)
