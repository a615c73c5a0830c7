"""A reference that the change does not show is refused, whatever is wrong with it; one that it shows is let through."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.evidence.model import Selection, SelectionKind
from guardrails.evidence.references import GAP, REMOVED, Catalogue, Reference
from guardrails.grounding.envelopes import references
from guardrails.grounding.envelopes.places import Places
from tests.guardrails.grounding.pointing import HERE, PARENT, codes, small, told, two
from tests.guardrails.resolving.building import bundle, oid

PLACES = Places.of(small())
CHECKS: tuple[tuple[str, Reference, list[str]], ...] = (
    ("a changed line", Reference("src/db/pool.ts", "22", HERE), []),
    ("an abbreviated commit", Reference("src/db/pool.ts", "22", HERE[:7]), []),
    ("no commit", Reference("src/db/pool.ts", "22", None), []),
    ("no range", Reference("src/db/pool.ts", None, HERE), []),
    ("context with what changed", Reference("src/db/pool.ts", "20-23", HERE), []),
    ("both ends in hunks", Reference("src/db/pool.ts", "22-61", HERE), ["ref-range-spans"]),
    ("around a gap", Reference("src/short.ts", "8-9", HERE, GAP), []),
    ("beside a gap", Reference("src/short.ts", "9", HERE, "two calls fewer"), []),
    ("lines of a file that was not read", Reference("package-lock.json", "11", HERE), []),
    ("a binary file by its path", Reference("logo.png", None, HERE, "binary"), []),
    ("removed lines at the commit before", Reference("src/old.ts", "1-2", PARENT, REMOVED), []),
    ("a removed path", Reference("src/old.ts", None, PARENT[:7], "the old module was removed"), []),
    ("the old path of a rename", Reference("src/name.ts", "6", PARENT, "renamed to src/new-name.ts"), []),
    ("a note on a part that is gone", Reference("src/short.ts", "8-9", HERE, "the calls below were removed"), []),
    ("a path that is not changed", Reference("src/db/other.ts", "22", HERE), ["ref-path-unchanged"]),
    ("a path in another case", Reference("src/DB/pool.ts", "22", HERE), ["ref-path-unchanged"]),
    ("the end of a path", Reference("pool.ts", "22", HERE), ["ref-path-unchanged"]),
    ("a foreign commit", Reference("src/db/pool.ts", "22", "0" * 40), ["ref-sha-foreign"]),
    ("too few digits", Reference("src/db/pool.ts", "22", HERE[:6]), ["ref-sha-foreign"]),
    ("the commit before", Reference("src/db/pool.ts", "22", PARENT), ["ref-sha-elsewhere"]),
    ("beyond the file", Reference("src/db/pool.ts", "9000", HERE), ["ref-range-outside"]),
    ("between the hunks", Reference("src/db/pool.ts", "40-45", HERE), ["ref-range-outside"]),
    ("one end outside", Reference("src/db/pool.ts", "22-30", HERE), ["ref-range-outside"]),
    ("lines of a binary file", Reference("logo.png", "1", HERE), ["ref-range-outside"]),
    ("beyond removed lines", Reference("src/old.ts", "2-3", PARENT, REMOVED), ["ref-range-outside"]),
    ("context alone", Reference("src/db/pool.ts", "20-21", HERE), ["ref-range-unchanged"]),
    ("removed lines at the commit that removed them", Reference("src/old.ts", "1-2", HERE, REMOVED), ["ref-sha-after"]),
    ("a removed file without a word of it", Reference("src/old.ts", "1-2", PARENT, "the pool"), ["removal-unsaid"]),
    ("a removed file without a note", Reference("src/old.ts", "1-2", PARENT), ["removal-unsaid"]),
    ("a living file as removed", Reference("src/db/pool.ts", "22", HERE, "File was removed."), ["removal-untrue"]),
    ("a renamed file as removed", Reference("src/new-name.ts", "6", HERE, REMOVED), ["removal-untrue"]),
)


@pytest.mark.requirement("DC-07", "DC-09", "DC-10", "DC-11", "DC-13")
@pytest.mark.parametrize(("reference", "expected"), [row[1:] for row in CHECKS], ids=[row[0] for row in CHECKS])
def test_a_reference_lies_in_the_change(reference: Reference, expected: list[str]) -> None:
    assert codes(references.check("change.refs[0]", reference, PLACES)) == expected


SPANS: tuple[tuple[str, Reference, str, list[str]], ...] = (
    ("a changed line", Reference("src/db/pool.ts", "22", None), "`maxConnections` is 10", []),
    ("a line of context", Reference("src/db/pool.ts", "20", None), "as before", []),
    ("outside", Reference("src/db/pool.ts", "30", None), "the size", ["ref-range-outside"]),
    ("gone, and said so", Reference("src/old.ts", "1", None), "the module is removed", []),
    ("gone, told as living", Reference("src/old.ts", "1", None), "the module adds two numbers", ["removal-unsaid"]),
)


@pytest.mark.requirement("DC-06")
@pytest.mark.parametrize(("reference", "sentence", "expected"), [row[1:] for row in SPANS], ids=[row[0] for row in SPANS])
def test_a_place_in_a_text_lies_in_what_the_change_shows(reference: Reference, sentence: str, expected: list[str]) -> None:
    assert codes(references.check_span("change.detail_md", reference, sentence, PLACES)) == expected


def test_a_place_twice_is_told_to_the_reviewer() -> None:
    one = Reference("a", "1", HERE)
    assert codes(references.twice("change.refs", (one, one, Reference("a", "2", HERE)))) == ["ref-twice"]
    assert codes(references.twice("change.refs", (one, Reference("a", "1", PARENT)))) == []


RANGES: tuple[tuple[str, Reference, list[str]], ...] = (
    ("each commit has its lines", Reference("a.py", "1", oid(1)), []),
    ("not the lines of another", Reference("a.py", "2", oid(1)), ["ref-range-outside"]),
    ("the head has those of both", Reference("a.py", "1-2", oid(251)), []),
    ("the base has none", Reference("a.py", "1", oid(250)), ["ref-sha-elsewhere"]),
)


@pytest.mark.requirement("DC-11")
@pytest.mark.parametrize(("reference", "expected"), [row[1:] for row in RANGES], ids=[row[0] for row in RANGES])
def test_lines_are_those_of_the_commit_that_is_named(reference: Reference, expected: list[str]) -> None:
    assert codes(references.check("items[0].refs[0]", reference, Places.of(two()))) == expected


def test_what_no_commit_holds_has_no_commit_to_name() -> None:
    staged = replace(small(), commits=(), uncommitted=small().commits[0].files)
    places = Places.of(replace(staged, selection=Selection(SelectionKind.STAGED, "--staged", HERE, HERE)))
    assert codes(references.check("r", Reference("src/db/pool.ts", "22", None), places)) == []
    assert codes(references.check("r", Reference("src/db/pool.ts", "22", HERE), places)) == ["ref-sha-elsewhere"]
    assert codes(references.check("r", Reference("src/old.ts", "1-2", HERE, REMOVED), places)) == []


NAMES = (
    ("the whole path", "src/db/pool.ts", "src/db/pool.ts"),
    ("its end", "pool.ts", "src/db/pool.ts"),
    ("half a name", "ool.ts", None),
    ("nothing changed", "src/none.ts", None),
)


@pytest.mark.parametrize(("written", "path"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_a_text_may_name_the_end_of_a_path(written: str, path: str | None) -> None:
    assert PLACES.named(written) == path


def test_an_end_that_two_paths_have_names_neither() -> None:
    files = small().commits[0].files[0]
    assert Places.of(told(files, replace(files, path="lib/pool.ts"))).named("pool.ts") is None


@settings(deadline=None)
@given(st.integers(1, 80), st.integers(0, 30), st.sampled_from(sorted(PLACES.paths)), st.sampled_from((HERE, PARENT, None)))
def test_no_reference_that_is_let_through_has_an_end_outside_of_the_hunks(
    first: int, more: int, path: str, sha: str | None
) -> None:
    reference = Reference(path, f"{first}-{first + more}", sha, REMOVED)
    found = [
        code for code in codes(references.check("r", reference, PLACES)) if code not in {"removal-untrue", "ref-range-spans"}
    ]
    if not found:
        shown = {
            line
            for file in small().commits[0].files
            for hunk in file.hunks
            for line in (
                *range(hunk.old_start, hunk.old_start + hunk.old_lines),
                *range(hunk.new_start, hunk.new_start + hunk.new_lines),
            )
        }
        assert {first, first + more} <= shown


def test_every_reference_of_the_catalogue_is_let_through() -> None:
    for evidence in (small(), two(), bundle(net=small().commits[0].files)):
        places, catalogue = Places.of(evidence), Catalogue.of(evidence)
        for item, _ in catalogue.places():
            reference = catalogue.reference(item)
            assert reference is not None
            assert codes(references.check("r", reference, places)) == []
