"""Every changed file and hunk has one reference, and no range says more than its hunk does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.evidence.model import Bundle, Change, Content, FileChange, Hunk, Selection, SelectionKind
from guardrails.evidence.references import GAP, REMOVED, Catalogue, Reference, place_of
from guardrails.redaction.renumbering import renumbered
from tests.guardrails.resolving.building import bundle, commit, file, oid

BASE, HEAD = oid(250), oid(251)


def hunk(number: int, old: int, new: int, *lines: str, known: bool = True) -> Hunk:
    """The hunk of these signed lines, which begin at the given line of either side."""
    sides = [sum(line[:1] in signs for line in lines) for signs in (" -", " +")]
    text = "".join(f"{line}\n" for line in lines) if known else None
    return Hunk(f"H{number}", f"git:f:{number}", f"sha256:{number}", old, sides[0], new, sides[1], "", text)


def changed(path: str, *hunks: Hunk, number: int = 1, **fields: Any) -> FileChange:
    """A changed file with hunks."""
    return replace(file(number, path), hunks=hunks, **fields)


def committed(*files: FileChange, parents: int = 1) -> Bundle:
    """A bundle of one commit that changes these files."""
    return bundle(replace(commit(1, "One", parents=parents), files=files))


HUNKS: tuple[tuple[str, tuple[str, ...], str | None, str | None], ...] = (
    ("lines between context", (" a", "+b", "+c", " d"), "11-12", None),
    ("one line", (" a", "-b", "+c", " d"), "11", None),
    ("context between changes stays", (" a", "+b", " c", "+d", " e"), "11-13", None),
    ("a change that begins with what went", ("-a", " b", "+c"), "10-11", None),
    ("no context at all", ("+a",), "10", None),
    ("a line without its end", (" a", "-b", "\\ No newline at end of file", "+c", "\\ No newline at end of file"), "11", None),
    ("only lines taken out", (" a", " b", "-c", " d", " e"), "11-12", GAP),
    ("taken out in two places", (" a", "-b", " c", "-d", " e"), "10-12", GAP),
    ("taken out at the end", (" a", " b", "-c"), "11", GAP),
    ("taken out at the beginning", ("-a", " b", " c"), "10", GAP),
    ("nothing left", ("-a", "-b"), None, None),
)


@pytest.mark.requirement("DC-10")
@pytest.mark.parametrize(("lines", "range_", "note"), [row[1:] for row in HUNKS], ids=[row[0] for row in HUNKS])
def test_a_hunk_is_cited_by_its_changed_lines(lines: tuple[str, ...], range_: str | None, note: str | None) -> None:
    catalogue = Catalogue.of(committed(changed("src/a.py", hunk(1, 10, 10, *lines))))
    assert catalogue.reference("H1") == Reference("src/a.py", range_, oid(1), note)
    assert catalogue.reference("F1") == Reference("src/a.py", None, oid(1))


def test_a_hunk_that_was_not_read_is_cited_by_all_of_its_lines() -> None:
    catalogue = Catalogue.of(committed(changed("a.py", hunk(1, 10, 10, " a", "+b", " c", known=False))))
    assert catalogue.reference("H1") == Reference("a.py", "10-12", oid(1))


def test_a_text_that_does_not_fit_its_header_is_not_counted_in() -> None:
    cut = replace(hunk(1, 10, 10, " a", "+b", " c"), text="+b\n")
    assert Catalogue.of(committed(changed("a.py", cut))).reference("H1") == Reference("a.py", "10-12", oid(1))


WITHOUT_LINES: tuple[tuple[str, dict[str, Any], str | None], ...] = (
    ("binary", {"content": Content.BINARY}, "binary"),
    ("submodule", {"content": Content.SUBMODULE}, "submodule"),
    ("symbolic link", {"content": Content.SYMLINK}, "symbolic link"),
    ("emptied", {"content": Content.EMPTY}, "empty file"),
    ("in Git LFS", {"content": Content.LFS_POINTER}, "stored in Git LFS"),
    ("missing", {"content": Content.MISSING}, "content not available"),
    ("renamed", {"change": Change.RENAMED, "old_path": "b.py"}, "renamed from b.py"),
    ("copied", {"change": Change.COPIED, "old_path": "b.py"}, "copied from b.py"),
    ("renamed from a place that reads as HTML", {"change": Change.RENAMED, "old_path": "d/<a>"}, "renamed from `d/<a>`"),
    ("renamed from a place with back ticks", {"change": Change.RENAMED, "old_path": "d/`*`"}, "renamed from `` d/`*` ``"),
    ("mode", {"change": Change.MODE_CHANGED}, "mode changed"),
    ("type", {"change": Change.TYPE_CHANGED}, "type changed"),
    ("unmerged", {"change": Change.UNMERGED}, "unmerged"),
    ("renamed and binary", {"change": Change.RENAMED, "old_path": "b", "content": Content.BINARY}, "binary"),
    ("modified without lines", {}, None),
)


@pytest.mark.requirement("DC-10")
@pytest.mark.parametrize(("fields", "note"), [row[1:] for row in WITHOUT_LINES], ids=[row[0] for row in WITHOUT_LINES])
def test_where_no_range_can_exist_the_path_stands_alone(fields: dict[str, Any], note: str | None) -> None:
    assert Catalogue.of(committed(changed("a.py", **fields))).reference("F1") == Reference("a.py", None, oid(1), note)


@pytest.mark.parametrize("content", [Content.SUBMODULE, Content.SYMLINK, Content.LFS_POINTER])
def test_the_lines_of_a_pointer_are_no_lines_of_the_file(content: Content) -> None:
    reference = Catalogue.of(committed(changed("a", hunk(1, 1, 1, "-x", "+y"), content=content))).reference("H1")
    assert reference is not None
    assert (reference.range, reference.place()) == (None, "a")


@pytest.mark.requirement("DC-13")
def test_a_deleted_file_is_cited_by_the_lines_it_had_at_the_commit_that_has_them() -> None:
    gone = changed("a.py", hunk(1, 1, 0, "-a", "-b"), change=Change.DELETED)
    catalogue = Catalogue.of(committed(gone))
    assert catalogue.reference("H1") == Reference("a.py", "1-2", oid(200), REMOVED)
    assert catalogue.reference("F1") == Reference("a.py", None, oid(200), REMOVED)
    assert Catalogue.of(committed(gone, parents=0)).reference("H1") == Reference("a.py", "1-2", None, REMOVED)
    net = Catalogue.of(bundle(net=(gone,)))
    assert net.reference("H1") == Reference("a.py", "1-2", BASE, REMOVED)
    binary = Catalogue.of(committed(changed("a.bin", change=Change.DELETED, content=Content.BINARY)))
    assert binary.reference("F1") == Reference("a.bin", None, oid(200), REMOVED)


def test_a_place_is_valid_at_the_commit_that_made_it() -> None:
    one = hunk(1, 1, 1, "+a")
    staged = Selection(SelectionKind.STAGED, "--staged", HEAD, HEAD)
    assert Catalogue.of(bundle(net=(changed("a", one),))).reference("H1") == Reference("a", "1", HEAD)
    assert Catalogue.of(bundle(uncommitted=(changed("a", one),), selection=staged)).reference("H1") == Reference("a", "1", None)


def test_what_is_no_change_has_no_place() -> None:
    catalogue = Catalogue.of(committed(changed("a")))
    assert [catalogue.reference(item) for item in ("C1", "H1", "F2", "", "P1")] == [None] * 5
    assert catalogue.references(("C1", "F1", "P1")) == (Reference("a", None, oid(1)),)
    assert list(Catalogue.of(committed(changed("a", hunk(2, 1, 1, "+x")))).places()) == [("F1", "a"), ("H2", "a:1")]


MERGED: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("in the order of the ids", ("H3", "H1"), ("a:30", "a:1-2")),
    ("touching", ("H1", "H2"), ("a:1-3",)),
    ("touching in any order, at the first one's place", ("H2", "H3", "H1"), ("a:1-3", "a:30")),
    ("once each", ("H1", "H1"), ("a:1-2",)),
    ("other files stay apart", ("H1", "H4", "H2"), ("a:1-3", "b:3")),
    ("the path alone says no more than its lines", ("F1", "H3"), ("a:30",)),
    ("the path alone", ("F1", "F1"), ("a",)),
)


@pytest.mark.parametrize(("ids", "places"), [row[1:] for row in MERGED], ids=[row[0] for row in MERGED])
def test_references_are_merged(ids: tuple[str, ...], places: tuple[str, ...]) -> None:
    hunks = (hunk(1, 0, 1, "+a", "+b"), hunk(2, 0, 3, "+c"), hunk(3, 0, 30, "+d"))
    catalogue = Catalogue.of(committed(changed("a", *hunks), changed("b", hunk(4, 0, 3, "+e"), number=2)))
    assert tuple(one.place() for one in catalogue.references(ids)) == places


def test_a_note_survives_only_where_it_holds_for_all_lines() -> None:
    gap, far = hunk(1, 1, 1, " a", "-b", " c"), hunk(2, 5, 9, " a", "-b", " c")
    catalogue = Catalogue.of(committed(changed("a", gap, hunk(3, 3, 3, "+d"), far)))
    assert catalogue.references(("H1", "H3")) == (Reference("a", "1-3", oid(1)),)
    assert catalogue.references(("H1", "H2")) == (Reference("a", "1-2", oid(1), GAP), Reference("a", "9-10", oid(1), GAP))
    renamed = changed("n", hunk(1, 1, 1, "+d"), change=Change.RENAMED, old_path="o")
    assert Catalogue.of(committed(renamed)).references(("F1", "H1")) == (
        Reference("n", None, oid(1), "renamed from o"),
        Reference("n", "1", oid(1)),
    )


def test_the_same_lines_at_two_commits_are_two_references() -> None:
    first, second = (replace(commit(n, "x"), files=(changed("a", hunk(n, 1, 1, "+x"), number=n),)) for n in (1, 2))
    assert Catalogue.of(bundle(first, second)).references(("H1", "H2")) == (
        Reference("a", "1", oid(1)),
        Reference("a", "1", oid(2)),
    )


@pytest.mark.requirement("DC-11")
def test_a_reference_is_written_with_what_it_has() -> None:
    assert Reference("a", "1-2", oid(1), "n").as_mapping() == {"path": "a", "range": "1-2", "sha": oid(1), "note": "n"}
    assert Reference("a", None, None).as_mapping() == {"path": "a"}


LINES = st.lists(st.sampled_from((" a", "+b", "-c", "\\ No newline at end of file")), min_size=1, max_size=12)
STARTS = st.integers(1, 40)


@settings(deadline=None)
@given(st.lists(st.tuples(LINES, STARTS, STARTS), min_size=1, max_size=5), st.booleans())
def test_every_range_lies_within_the_post_change_lines_of_its_hunk(
    drawn: list[tuple[list[str], int, int]], known: bool
) -> None:
    hunks = [hunk(n, old, new, *lines, known=known) for n, (lines, old, new) in enumerate(drawn, start=1)]
    told = committed(changed("a", *hunks))
    catalogue = Catalogue.of(told)
    for one in hunks:
        reference = catalogue.reference(one.id)
        assert reference is not None
        lines = lines_of(reference)
        assert lines <= set(range(one.new_start, one.new_start + one.new_lines))
        assert bool(lines) == bool(one.new_lines)
        assert added(one) <= lines
    ids = [one.id for one in hunks]
    merged = catalogue.references(ids)
    assert set().union(*map(lines_of, merged)) == set().union(*(lines_of(one) for one in map(catalogue.reference, ids) if one))
    ranged = [one for one in merged if one.range]
    assert all(
        lines_of(a).isdisjoint(range(min(lines_of(b)) - 1, max(lines_of(b)) + 2)) for a in ranged for b in ranged if a != b
    )


def lines_of(reference: Reference) -> set[int]:
    """The lines that a range names."""
    if reference.range is None:
        return set()
    first, _, last = reference.range.partition("-")
    assert last != first
    return set(range(int(first), int(last or first) + 1))


def added(one: Hunk) -> set[int]:
    """The post-change lines that a hunk added."""
    post = [line for line in (one.text or "").split("\n") if line[:1] in {" ", "+"}]
    return {one.new_start + place for place, line in enumerate(post) if line.startswith("+")}


def test_new_numbers_change_no_reference() -> None:
    told = committed(changed("a", hunk(7, 1, 1, "+a"), hunk(9, 5, 5, "-b", "+c"), number=4))
    again = renumbered(told)
    assert [one.id for one in again.commits[0].files[0].hunks] == ["H1", "H2"]
    assert Catalogue.of(again).references(("H1", "H2")) == Catalogue.of(told).references(("H7", "H9"))


@pytest.mark.parametrize(
    ("span", "path", "lines"),
    [
        ("src/a.py:12-30", "src/a.py", "12-30"),
        ("src/a.py:12", "src/a.py", "12"),
        ("src/a.py#L12-L30", "src/a.py", "12-30"),
        ("src/a.py", "src/a.py", None),
        ("a:b:3", "a:b", "3"),
        ("src/a.py:", "src/a.py:", None),
        ("", "", None),
    ],
)
def test_a_place_is_read_as_it_is_written(span: str, path: str, lines: str | None) -> None:
    assert place_of(span) == Reference(path, lines, None)


@pytest.mark.requirement("DC-10")
@pytest.mark.parametrize(
    ("written", "meets"),
    [
        ("src/a.py:10-20", True),
        ("src/a.py:20-40", True),
        ("a.py:15", True),
        ("src/a.py", False),
        ("src/a.py:21", False),
        ("rc/a.py:15", False),
        ("src/b.py:15", False),
    ],
)
def test_a_written_place_meets_the_lines_that_it_shares(written: str, meets: bool) -> None:
    assert Reference("src/a.py", "10-20", None).meets(place_of(written)) is meets


def test_a_path_alone_meets_only_a_path_alone() -> None:
    assert Reference("src/a.py", None, None).meets(place_of("src/a.py"))
    assert not Reference("src/a.py", None, None).meets(place_of("src/a.py:1"))
