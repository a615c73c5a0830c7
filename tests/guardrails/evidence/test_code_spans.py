"""Code spans: which runs of back ticks belong together."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.code_spans import code_spans, without_code

CASES = {
    "none": ("plain text", []),
    "one": ("call `run` now", ["run"]),
    "two": ("`a` and `b`", ["a", "b"]),
    "a longer run holds a shorter one": ("``a`b``", ["a`b"]),
    "a run without its like is text": ("a ` b `` c", []),
    "an open run does not hide a span behind it": ("`` a `b`", ["b"]),
    "an empty text between runs is none": ("``", []),
    "over lines": ("`a\nb`", ["a\nb"]),
}


@pytest.mark.parametrize(("text", "inner"), CASES.values(), ids=CASES)
def test_equal_runs_of_back_ticks_hold_a_span(text: str, inner: list[str]) -> None:
    assert [span.inner for span in code_spans(text)] == inner


@given(st.text("a` \n", max_size=60))
def test_spans_stand_in_order_and_hold_no_run_like_their_own(text: str) -> None:
    done = 0
    for span in code_spans(text):
        marks = (span.end - span.start - len(span.inner)) // 2
        assert done <= span.start
        assert text[span.start : span.end] == "`" * marks + span.inner + "`" * marks
        assert marks not in map(len, re.findall("`+", span.inner))
        done = span.end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("`a` and ``b`c``", "`` and ``"),
        ("`` `a` `` <b> `c`", "`` <b> ``"),
        ("`a\n<b>`", "`a\n<b>`"),
        ("a ` <b>", "a ` <b>"),
    ],
)
def test_code_is_taken_out_line_by_line(text: str, expected: str) -> None:
    assert without_code(text) == expected
