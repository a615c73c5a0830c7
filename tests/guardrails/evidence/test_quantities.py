"""Quantities: what is shown carries what is told only with the same number and unit."""

from __future__ import annotations

import pytest

from guardrails.evidence.quantities import elided, normal, supports, times, tuples


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30 s", "30 s"),
        ("30 seconds", "30 s"),
        ("30_000", "30000"),
        ("1,000", "1000"),
        ("007", "7"),
        ("2.50 MB", "2.5 mb"),
        ("three", "3"),
        ("Two days", "2 d"),
        ("twice", "2 x"),
        ("half", "0.5 x"),
        ("half a minute", "0.5 min"),
        ("Half an hour", "0.5 h"),
        ("twice an hour", "twice an hour"),
        ("many", "many"),
    ],
)
def test_a_number_has_one_normal_form(text: str, value: str) -> None:
    assert normal(text) == value


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("shown", "told", "carried"),
    [
        ("30 s", "30 s", True),
        ("30 s", "30", True),
        ("60 s", "1 min", True),
        ("30 s", "0.5 min", True),
        ("1500 ms", "1.5 s", True),
        ("0.5 x", "50 %", True),
        ("1024 kib", "1 mib", True),
        ("3", "3 ordinal", True),
        ("30", "30 s", False),
        ("30 s", "30 ms", False),
        ("1 mb", "1 mib", False),
        ("5 %", "5 pp", False),
        ("30 s", "31", False),
        ("30 px", "30 s", False),
    ],
)
def test_a_quantity_is_carried_only_by_its_equal(shown: str, told: str, carried: bool) -> None:
    assert supports(shown, told) is carried


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from 5 to 20 seconds", {"5 s"}),
        ("2-4x faster", {"2 x"}),
        ("10 or 20 MB", {"10 mb"}),
        ("5 to 20", set()),
        ("v1.5 to 20 s", set()),
    ],
)
def test_the_first_number_of_a_pair_has_the_unit_of_the_second(text: str, values: set[str]) -> None:
    assert elided(text) == values


@pytest.mark.parametrize(
    ("text", "values"), [(">= (3, 6)", {"3.6"}), ("(3,11,0)", {"3.11"}), ("f(x, 6)", set()), ("3, 6", set())]
)
def test_a_tuple_of_numbers_is_a_version(text: str, values: set[str]) -> None:
    assert tuples(text) == values


@pytest.mark.parametrize(
    ("old", "new", "factor"),
    [
        ("4", "8", "2 x"),
        ("8", "4", "0.5 x"),
        ("10s", "30 s", "3 x"),
        ("two", "five", "2.5 x"),
        ("4", "8 s", ""),
        ("0", "8", ""),
        ("off", "on", ""),
        ("1.2.3", "2.0", ""),
    ],
)
def test_a_change_of_a_value_tells_how_many_times_it_is(old: str, new: str, factor: str) -> None:
    assert times(old, new) == factor
