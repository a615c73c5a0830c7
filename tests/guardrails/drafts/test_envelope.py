"""An envelope is read whole or not at all: each fault of shape is told by its place, and no text of it is repeated."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.envelope import (
    MAX_BYTES,
    MOST,
    Envelope,
    ItemizedEnvelope,
    SingleEnvelope,
    of,
    read,
)
from guardrails.drafts.envelope_rules import validate
from tests.guardrails.drafts.envelopes import GONE, HONEST, SEED, Step, changed, judged, places, single


@pytest.mark.requirement("DC-01", "DC-14")
@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_an_honest_envelope_is_read(path: Any) -> None:
    assert isinstance(read(path.read_bytes()), SingleEnvelope)


@pytest.mark.requirement("DC-01", "DC-14", "DC-15")
def test_the_examples_of_the_contract_are_read_in_their_shapes() -> None:
    assert {name: type(of(value)) for name, value in SEED.items()} == {
        "single": SingleEnvelope,
        "revert": SingleEnvelope,
        "itemized": ItemizedEnvelope,
    }


@pytest.mark.requirement("DC-01")
def test_a_range_may_have_tens_of_thousands_of_changes() -> None:
    value = SEED["itemized"]
    assert isinstance(of({**value, "items": value["items"][:1] * 20_000}), ItemizedEnvelope)


UNREADABLE = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b"\xff{}", "not UTF-8"),
    (b'{"shape": "single", "shape": "single"}', "stands twice"),
    (b'{"shape": NaN}', "NaN"),
    (b'{"shape": "\\ud800"}', "surrogate"),
    (b"[" * 100 + b"]" * 100, "nested deeper"),
    (b"[" * 100_000, ""),
    (b" " * (MAX_BYTES + 1), "bytes"),
]


@pytest.mark.parametrize(("data", "said"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_is_no_strict_json_is_no_envelope(data: bytes, said: str) -> None:
    found = read(data)
    assert isinstance(found, tuple)
    assert [finding.code for finding in found] == ["envelope-unreadable"]
    assert said in found[0].message


def test_a_byte_order_mark_is_no_fault() -> None:
    assert isinstance(read(b"\xef\xbb\xbf" + json.dumps(SEED["single"]).encode()), SingleEnvelope)


OTHER_SHAPES = [
    (None, "shape"),
    ([], "shape"),
    ({}, "shape"),
    ({"shape": "both"}, "shape"),
    (changed(SEED["single"], ("operation",), GONE), "operation"),
    (changed(SEED["single"], ("operation", "id"), 1482), "operation.id"),
    (changed(SEED["single"], ("operation", "repository"), GONE), "operation.repository"),
    (changed(SEED["single"], ("summary",), {}), "summary"),
    (changed(SEED["single"], ("note",), "x"), "note"),
    (single("title", new=GONE), "change.title"),
    (single("title", new=None), "change.title"),
    (single("medium_md", new=GONE), "change.medium_md"),
    (single("detail_md", new=["a"]), "change.detail_md"),
    (single("refs", new=None), "change.refs"),
    (single("refs", 0, new="src/a.py"), "change.refs[0]"),
    (single("refs", 0, "line", new=4), "change.refs[0].line"),
    (single("refs", 0, "range", new=41), "change.refs[0].range"),
    (single("refs", 0, new={"note": "no path, no range"}), "change.refs[0].path"),
    (single("relations", "ticket", new=412), "change.relations.ticket"),
    (single("relations", "issue", new=None), "change.relations.issue"),
    (single("odd key\n", new=None), "change.?"),
    (changed(SEED["itemized"], ("items",), []), "items"),
    (changed(SEED["itemized"], ("items", 3, "short_md"), GONE), "items[3].short_md"),
    (changed(SEED["itemized"], ("change",), {}), "change"),
]


@pytest.mark.requirement("DC-01", "DC-09", "DC-14", "DC-15")
@pytest.mark.parametrize(("value", "place"), OTHER_SHAPES, ids=[place for _, place in OTHER_SHAPES])
def test_another_shape_is_refused_at_its_place(value: object, place: str) -> None:
    assert ("envelope-shape", place) in places(value)


@pytest.mark.requirement("DC-02", "DC-08", "DC-16", "DC-24")
@pytest.mark.parametrize(
    ("value", "code", "place"),
    [
        (single("kind", new=None), "kind-outside-seven", "change.kind"),
        (single("kind", new=["feature"]), "kind-outside-seven", "change.kind"),
        (single("kind", new=GONE), "kind-outside-seven", "change.kind"),
        (single("relations", new=GONE), "relations-incomplete", "change.relations"),
        (single("relations", new=None), "relations-incomplete", "change.relations"),
        (single("relations", "request", new=GONE), "relations-incomplete", "change.relations.request"),
        (single("refs", 0, "path", new=GONE), "range-without-path", "change.refs[0].path"),
        (single("refs", 0, "path", new=None), "range-without-path", "change.refs[0].path"),
        (changed(SEED["itemized"], ("summary", "kind"), "breaking"), "summary-beyond-contract", "summary.kind"),
        (changed(SEED["itemized"], ("summary", "refs"), []), "summary-beyond-contract", "summary.refs"),
    ],
)
def test_a_rejection_that_is_a_matter_of_shape_has_its_own_code(value: object, code: str, place: str) -> None:
    assert places(value) == [(code, place)]


def test_faults_gather() -> None:
    value = single("title", new=None)
    del value["change"]["relations"]["ticket"]
    value["operation"]["extra"] = 1
    assert places(value) == [
        ("envelope-shape", "operation.extra"),
        ("envelope-shape", "change.title"),
        ("relations-incomplete", "change.relations.ticket"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        changed(SEED["itemized"], ("items",), [{}] * 9_000),
        changed(SEED["itemized"], ("items",), [1] * 1_000_000),
        single("refs", new=[1] * 1_000_000),
        {**SEED["single"], **{f"key-{number}": 1 for number in range(100_000)}},
    ],
    ids=["items", "numbers", "refs", "keys"],
)
def test_no_envelope_has_more_faults_than_anyone_reads(value: object) -> None:
    found = judged(value)
    assert 1 <= len(found) <= MOST + 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)
PLACES: list[tuple[Step, ...]] = [
    ("shape",),
    ("operation",),
    ("operation", "type"),
    ("change",),
    ("change", "kind"),
    ("change", "title"),
    ("change", "short_md"),
    ("change", "medium_md"),
    ("change", "detail_md"),
    ("change", "refs"),
    ("change", "refs", 0),
    ("change", "refs", 0, "path"),
    ("change", "refs", 0, "range"),
    ("change", "refs", 0, "note"),
    ("change", "relations"),
    ("change", "relations", "reporter"),
]


@given(data=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_an_envelope_or_have_a_finding(data: bytes) -> None:
    assert read(data)


@given(path=st.sampled_from(PLACES), new=JSON)
def test_any_value_in_any_place_is_judged(path: tuple[Step, ...], new: object) -> None:
    found = of(changed(SEED["single"], path, new))
    assert isinstance(found, Envelope) or found
    if isinstance(found, Envelope):
        validate(found)


@given(path=st.sampled_from([path for path in PLACES if len(path) > 1]), new=JSON, key=st.text(max_size=30))
def test_no_text_of_an_envelope_is_repeated(path: tuple[Step, ...], new: object, key: str) -> None:
    words = "Zq9Zq-unlikely words"
    value = changed(SEED["single"], path, {"a": [new, words], f"{key} {words}": words})
    assert all(words not in f"{finding.where}{finding.message}" for finding in judged(value))
