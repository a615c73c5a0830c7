"""How many lines a change adds and removes (Change Contracts: budget)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.contracts import distance as module
from guardrails.contracts.distance import changed, distance
from tests.repositories import GitFolder

TEXTS = st.lists(st.sampled_from("aaabcd"), max_size=14)


def by_table(before: Sequence[str], after: Sequence[str]) -> int:
    """The same by the whole table, cell by cell."""
    above = list(range(len(after) + 1))
    for number, line in enumerate(before, 1):
        row = [number]
        for place, other in enumerate(after, 1):
            row.append(above[place - 1] if line == other else 1 + min(above[place], row[-1]))
        above = row
    return above[-1]


def unlike(before: Sequence[str], after: Sequence[str]) -> int:
    left, right = Counter(before), Counter(after)
    return ((left - right) + (right - left)).total()


@pytest.mark.requirement("CC-07")
@given(TEXTS, TEXTS)
def test_the_distance_is_that_of_the_table(before: list[str], after: list[str]) -> None:
    assert distance(before, after) == by_table(before, after)


@pytest.mark.requirement("CC-07")
@settings(max_examples=300)
@given(TEXTS, TEXTS, st.integers(0, 12), st.integers(1, 9), st.integers(0, 4))
def test_above_the_limit_lines_count_without_their_order(
    before: list[str], after: list[str], exact: int, rows: int, pairs: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "EXACT", exact)
        patch.setattr(module, "_ROWS", rows)
        patch.setattr(module, "_BANDS", (1, 3))
        patch.setattr(module, "_PAIRS", pairs)
        counted = distance(before, after)
    whole = by_table(before, after)
    assert counted == (whole if whole <= exact else unlike(before, after))


@pytest.mark.requirement("CC-07")
@settings(max_examples=300)
@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30), st.text("ab\n", max_size=30), st.integers(1, 5))
def test_texts_are_counted_by_their_lines(same: str, before: str, after: str, part: int) -> None:
    one, other = f"{same}{before}{same}", f"{same}{after}{same}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PART", part)
        counted = changed(one, other)
    assert counted == by_table(*(text.removesuffix("\n").split("\n") if text else [] for text in (one, other)))


@pytest.mark.requirement("CC-07")
@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("", "", 0),
        ("a\nb\n", "a\nb", 0),
        ("a\n", "b\n", 2),
        ("a\nb\nc\n", "b\nc\na\n", 2),
        ("a\r\nb\r\n", "a\nb\n", 4),
        ("a\u2028b\n", "a\u2028c\n", 2),
        ("a\n\n", "a\n", 1),
        ("", "\n", 1),
        ("a\fb\vc\n", "a\fb\vd\n", 2),
    ],
)
def test_lines_end_at_line_feeds_alone(before: str, after: str, count: int) -> None:
    assert changed(before, after) == count


@pytest.mark.requirement("CC-07")
@pytest.mark.parametrize(("moved", "counted"), [(5_000, 10_000), (5_001, 0)])
def test_ten_thousand_edits_are_exact_and_one_more_is_not(moved: int, counted: int) -> None:
    kept = [f"kept {number}" for number in range(moved + 1)]
    gone = [f"moved {number}" for number in range(moved)]
    assert distance([*gone, *kept], [*kept, *gone]) == counted


@pytest.mark.requirement("CC-07")
def test_long_files_are_counted() -> None:
    chance = random.Random(7)  # noqa: S311 - the same lines each time
    before = [f"{chance.randrange(6_000)}" for _ in range(15_000)]
    after = [line for line in before if chance.random() > 0.001]
    assert distance(before, after) == len(before) - len(after)
    chance.shuffle(after)
    assert distance(before, after) == len(before) - len(after)


@pytest.mark.requirement("CC-07")
@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        pytest.param("a\n" * 3_000_000, "b\n" * 3_000_000, 6_000_000, id="all rewritten"),
        pytest.param("a\nb\n" * 1_000_000, "b\na\n" * 1_000_000, 2, id="moved by one"),
        pytest.param("\n" * 8_000_000, "a\n" + "\n" * 8_000_000 + "b", 2, id="blank"),
        pytest.param(
            "".join(f"{number}\n" for number in range(500_000)),
            "".join(f"{number}\n" for number in (*range(4_000, 500_000), *range(4_000))),
            8_000,
            id="every line another one",
        ),
    ],
)
def test_millions_of_lines_are_counted(before: str, after: str, count: int) -> None:
    assert changed(before, after) == count


def test_git_counts_the_same_where_every_line_is_another_one(tmp_path: Path) -> None:
    chance = random.Random(3)  # noqa: S311 - the same lines each time
    before = [f"line {number}\n" for number in range(400)]
    after = [line for line in before if chance.random() > 0.2]
    for number in range(60):
        after.insert(chance.randrange(len(after)), f"new {number}\n")
    repository = GitFolder.init(tmp_path)
    repository.commit("before", {"f": "".join(before)})
    repository.commit("after", {"f": "".join(after)})
    added, removed, _ = repository.git("diff", "--numstat", "--minimal", "HEAD~1", "HEAD").split(b"\t")
    assert changed("".join(before), "".join(after)) == int(added) + int(removed)
