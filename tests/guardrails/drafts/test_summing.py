"""The summary of an itemized envelope is counted out of its items, and says no more than they do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts import register, summing
from guardrails.drafts.envelope import KINDS
from guardrails.drafts.sourced import Sentence
from guardrails.drafts.summing import Item
from guardrails.evidence.model import Document, DocumentKind, Operation, OperationType


def item(kind: str, title: str = "Export reports", short: str | None = None, number: int = 1) -> Item:
    said = None if short is None else Sentence(short, (f"C{number}",))
    return Item(kind, Sentence(title, (f"C{number}",)), said)


def range_(name: str = "a..b") -> Operation:
    return Operation(OperationType.RANGE, name, "acme/widgets")


# Titles


@pytest.mark.requirement("DC-15", "DC-03")
@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("v2.3.0..v2.4.0", "Release 2.4.0"),
        ("v2.3.0...v2.4.0", "Release 2.4.0"),
        ("2.3..2.4", "Release 2.4"),
        ("widgets@1.0.0..widgets@1.1.0", "Release 1.1.0"),
        ("v2.3.0..v2.4.0-rc.1", "Release 2.4.0-rc.1"),
        ("main..HEAD", "Changes in main..HEAD"),
        ("v2.3.0..HEAD", "Changes in v2.3.0..HEAD"),
        ("1.0..feature/v2", "Changes in 1.0..feature/v2"),
        (f"{'a' * 40}..{'b' * 40}", "Two changes in this range"),
        ("main..<b>", "Two changes in this range"),
    ],
)
def test_a_range_is_called_by_the_version_that_it_ends_at_or_by_its_ends(spec: str, title: str) -> None:
    told = summing.title(range_(spec), spec, None, [item("feature"), item("bug_fix", number=2)])
    assert (told.text, told.evidence) == (title, ("C1", "C2"))
    assert not list(register.title("", told.text))


def request(title: str) -> Document:
    return Document("P1", "", "", DocumentKind.PULL_REQUEST, "#12", "", title, "")


@pytest.mark.parametrize(
    ("title", "called"),
    [
        ("Export reports as CSV", "Export reports as CSV"),
        ("feature/csv-export", "Changes in request 12"),
        ("x" * 80, "Changes in request 12"),
        ("<b>", "Changes in request 12"),
        ("", "Changes in request 12"),
    ],
)
def test_a_request_is_called_by_its_title_where_that_can_be_one(title: str, called: str) -> None:
    operation = Operation(OperationType.PULL_REQUEST, "12", "acme/widgets")
    told = summing.title(operation, "a...b", request(title), [item("feature")])
    assert told.text == called
    assert told.evidence == (("P1",) if called == title else ("C1",))


def test_a_commit_is_called_by_its_short_name() -> None:
    operation = Operation(OperationType.COMMIT, "9f2c1ab" + "0" * 33, "acme/widgets")
    assert summing.title(operation, "HEAD", None, [item("feature")]).text == "Changes in 9f2c1ab"


# Counts

THREE_OF_EACH = (
    "21 changes: 3 breaking changes, 3 security changes, 3 features, 3 fixes, 3 improvements, 3 ops changes, 3 docs changes"
)


@pytest.mark.requirement("DC-16")
@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (["bug_fix"], "One change: one fix"),
        (
            ["bug_fix"] * 3 + ["improvement"] * 4 + ["feature", "breaking"],
            "Nine changes: one breaking change, one feature, three fixes, four improvements",
        ),
        (["docs", "security", "ops"], "Three changes: one security change, one ops change, one docs change"),
        (["bug_fix"] * 11, "11 changes: 11 fixes"),
        (
            [kind for kind in KINDS if kind != "docs"] * 11,
            "66 changes: 11 breaking changes, 11 security changes, 11 features, 11 fixes, 11 improvements, 11 ops changes",
        ),
        (
            [*KINDS] * 3,
            THREE_OF_EACH,
        ),
        (
            [*KINDS] * 9_999,
            "69993 changes: 9999 breaking, 9999 security, 9999 features, 9999 fixes, 9999 improvements, 9999 ops, 9999 docs",
        ),
    ],
)
def test_the_short_text_counts_the_items_by_kind_the_dangerous_first(kinds: list[str], said: str) -> None:
    assert summing.short([item(kind) for kind in kinds]).text == said


@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3_000))
def test_what_is_counted_is_short(kinds: list[str]) -> None:
    assert not list(register.short("", summing.short([item(kind) for kind in kinds]).text))


# The paragraph


def paragraph(*items: Item) -> str:
    return " ".join(sentence.text for sentence in summing.medium(items))


@pytest.mark.requirement("DC-15", "DC-16", "DC-05")
def test_the_paragraph_tells_every_danger_and_the_most_significant_of_the_rest() -> None:
    dangers = [item("breaking", f"Remove endpoint {number}") for number in range(5)] + [item("security", "Escape names")]
    told = paragraph(*dangers, item("feature", "Export reports"))
    assert told == (
        "Remove endpoint 0. Remove endpoint 1. Remove endpoint 2. Remove endpoint 3. Remove endpoint 4. Escape names. "
        "One further change is listed."
    )
    plain = [item("feature", f"Show page {number}") for number in range(6)]
    assert paragraph(*plain) == "Show page 0. Show page 1. Show page 2. Show page 3. Two further changes are listed."


@pytest.mark.requirement("DC-05")
@pytest.mark.parametrize(
    ("one", "told"),
    [
        (item("feature", "Export", "Reports can be exported"), "Reports can be exported."),
        (item("feature", "Export reports", "Adds `csv()` to `src/a.py`"), "Export reports."),
        (item("feature", "Add `csv()`", "Adds `csv()`"), "One change in all."),
        (item("feature", "Why not?"), "Why not?"),
    ],
)
def test_the_paragraph_holds_no_code_and_no_paths(one: Item, told: str) -> None:
    assert paragraph(one) == told
    assert not list(register.medium("", told))


def test_each_sentence_rests_on_its_own_item() -> None:
    told = summing.medium([item("feature", "Export", number=1), item("bug_fix", "Mend", number=2)])
    assert [sentence.evidence for sentence in told] == [("C1",), ("C2",)]
