"""JSON that people read is the one that the standard library writes, whatever its pieces."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.indented_json import indented

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.lists(inner).map(tuple),
    max_leaves=20,
)


@given(VALUES)
def test_a_value_is_written_as_the_standard_library_does(value: object) -> None:
    assert "".join(indented(value)) == json.dumps(value, indent=2, ensure_ascii=False)


@pytest.mark.parametrize("value", [{}, [], (), {"a": {}}, {"a": []}, [[]], [{}], [[[[[]]]]], {"a": {"b": {"c": {"d": {}}}}}])
def test_what_holds_nothing_stays_on_one_line(value: object) -> None:
    assert "".join(indented(value)) == json.dumps(value, indent=2)


def test_a_long_document_comes_in_many_pieces() -> None:
    assert len(list(indented({"entries": [{"id": "C1"}] * 1_000}))) > 1_000


@pytest.mark.parametrize("value", [{"a": b"bytes"}, [Decimal(1)], {1, 2}, object()])
def test_what_is_no_json_type_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        list(indented(value))
