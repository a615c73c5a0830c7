"""Closing words cite wherever they stand; a number by itself does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.records.citing import cited, without_citations

CITING = {
    "after a comma": ("Name the client in requests, closes #13", "Name the client in requests", ["closes #13"]),
    "after a dash": ("llm chat --option - refs #244", "llm chat --option", ["refs #244"]),
    "in parentheses": ("Keep the order of rows (fixes #12)", "Keep the order of rows", ["fixes #12"]),
    "a sentence of its own": ("Read colours always.  Closes #176.", "Read colours always", ["Closes #176"]),
    "run on": ("Read colours always closes #58", "Read colours always", ["closes #58"]),
    "several": ("Sort rows, refs #1, #2 and #3", "Sort rows", ["refs #1, #2 and #3"]),
    "with a noun": ("Made rows optional. Closes issue #111.", "Made rows optional", ["Closes #111"]),
    "several words": ("Sort rows - refs #736, closes #756", "Sort rows", ["refs #736", "closes #756"]),
    "another repository": ("Sort rows, fixes example/tool#5", "Sort rows", ["fixes example/tool#5"]),
    "an address": (
        "Sort rows, closes https://forge.test/a/b/issues/12.",
        "Sort rows",
        ["closes https://forge.test/a/b/issues/12"],
    ),
    "inside a sentence": ("This fixes #12 for good", "This fixes #12 for good", ["fixes #12"]),
    "object of a sentence": ("Add a test that closes #12", "Add a test that closes #12", ["closes #12"]),
    "nothing else": ("Fixes #1", "", ["Fixes #1"]),
    "a forge's number": ("Sort rows (#12)", "Sort rows", []),
    "a forge's number behind": ("Sort rows, closes #4 (GH-12)", "Sort rows", ["closes #4"]),
    "a number in the middle": ("Sort (#12) rows", "Sort (#12) rows", []),
    "only a number": ("Same idea as #56", "Same idea as #56", []),
    "see": ("Sort rows, see #5", "Sort rows, see #5", []),
    "denied": ("This does not fix #12", "This does not fix #12", []),
    "a longer word": ("Use the prefix #12", "Use the prefix #12", []),
    "no reference": ("Resolve relative paths", "Resolve relative paths", []),
    "a number that is no reference": ("Fix 12 typos", "Fix 12 typos", []),
}


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(("line", "rest", "found"), CITING.values(), ids=CITING.keys())
def test_a_citing_word_and_its_references_are_told_from_what_is_said(line: str, rest: str, found: list[str]) -> None:
    assert [f"{trailer.name} {trailer.value}" for trailer in cited(line)] == found
    assert without_citations(line) == rest


@pytest.mark.requirement("AI-3")
@given(st.text() | st.from_regex(r"[a-z ]{0,20}(, | - | \()(closes|refs|fix):? #\d{1,4}(, #\d)?[.)]?", fullmatch=True))
def test_cutting_citations_leaves_the_beginning_as_it_stands(line: str) -> None:
    assert line.startswith(without_citations(line))
