"""Strict JSON: what is refused and where it stands; what is read is what the standard library reads."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails import strict_json

REFUSED = {
    "key twice": (b'{"a": 1, "a": 2}', "key 'a' stands twice", ""),
    "not a number": (b'{"a": NaN}', "NaN is no JSON value", ""),
    "infinite": (b"[-Infinity]", "-Infinity is no JSON value", ""),
    "endless digits": (b"9" * 5_000, "refused", ""),
    "not JSON": (b'{\n"a": 1,\n}', "this is not JSON", "line 3"),
    "nothing": (b"", "this is not JSON", "line 1"),
    "not UTF-8": (b'{"a": "\xff"}', "this is not UTF-8", "byte 7"),
    "half a surrogate pair": (b'["\\ud800"]', "surrogate", ""),
    "just too deep": (b"[" * 65 + b"]" * 65, "deeper than 64", ""),
    "far too deep": (b"[" * 100_000, "deeper than 64", ""),
}


@pytest.mark.parametrize(("data", "what", "place"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_strict_json_is_refused_with_its_place(data: bytes, what: str, place: str) -> None:
    with pytest.raises(strict_json.JsonFault) as caught:
        strict_json.read(data)
    assert what in caught.value.what
    assert caught.value.place == place


def test_depth_is_as_much_as_the_caller_wants() -> None:
    assert strict_json.read(b'{"a": [1]}', depth=2) == {"a": [1]}
    with pytest.raises(strict_json.JsonFault, match="deeper than 2"):
        strict_json.read(b'{"a": [[1]]}', depth=2)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(VALUES)
def test_what_was_written_is_read(value: object) -> None:
    assert strict_json.read(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        strict_json.read(data)
    except strict_json.JsonFault:
        return
