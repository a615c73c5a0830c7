"""The schema of a reply: as narrow as its prompt, in the subset that every provider takes, and never against the reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.drafts import reply as replies
from guardrails.drafts.page import Heading
from guardrails.drafts.reply_schema import reply_schema

FIELDS, IDS = ("change.title", "change.detail_md"), ("C1", "H1", "H2")
SUBSET = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "description"}


def valid(schema: dict[str, Any], reply: object) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(reply))


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items")]
    for node in inner:
        if node is not None:
            yield from nodes(node)


@pytest.mark.parametrize("has_headings", [False, True])
def test_it_keeps_to_the_subset_that_every_provider_takes(has_headings: bool) -> None:
    schema = reply_schema(FIELDS, IDS, has_headings=has_headings)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    for node in nodes(schema):
        assert set(node) <= SUBSET
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)


@st.composite
def told(draw: st.DrawFn, *, has_headings: bool) -> dict[str, Any]:
    """A reply to the prompt, with every property that the schema asks for."""
    heading = {"heading": st.none() | st.sampled_from([one.value for one in Heading])} if has_headings else {}
    evidence = st.lists(st.sampled_from(IDS), min_size=1, max_size=3)
    sentence = st.fixed_dictionaries({"text": TEXTS, "evidence": evidence, **heading})
    some = st.none() | st.lists(sentence, min_size=1, max_size=3)
    field = st.fixed_dictionaries({"field": st.sampled_from(FIELDS), "sentences": some})
    return draw(st.fixed_dictionaries({"fields": st.lists(field, max_size=4)}))


@settings(deadline=None, max_examples=60)
@given(st.booleans().flatmap(lambda pages: st.tuples(st.just(pages), told(has_headings=pages))))
def test_schema_and_reader_take_the_same_replies(case: tuple[bool, dict[str, Any]]) -> None:
    has_headings, reply = case
    assert valid(reply_schema(FIELDS, IDS, has_headings=has_headings), reply)
    assert isinstance(replies.parse(json.dumps(reply)), replies.ProseReply)


def said(**changed: object) -> dict[str, Any]:
    sentence = {"text": "It works.", "evidence": ["C1"], **changed}
    return {"fields": [{"field": "change.title", "sentences": [sentence]}]}


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"fields": None},
        {"fields": [], "id": "x"},
        {"fields": [{"field": "change.kind", "sentences": None}]},
        {"fields": [{"field": "change.title"}]},
        said(evidence=["C9"]),
        said(evidence="C1"),
        said(text=None),
        said(heading="Why"),
        said(places=["a.py:1"]),
    ],
)
def test_what_was_not_asked_or_not_shown_is_outside(reply: object) -> None:
    schema = reply_schema(FIELDS, IDS)
    assert valid(schema, said())
    assert not valid(schema, reply)


def test_a_page_has_the_headings_of_the_contract_and_no_others() -> None:
    schema = reply_schema(FIELDS, IDS, has_headings=True)
    assert valid(schema, said(heading="Why"))
    assert valid(schema, said(heading=None))
    assert not valid(schema, said(heading="Thoughts"))


@pytest.mark.parametrize(("count", "length", "is_closed"), [(250, 4, True), (251, 4, False), (100, 75, True), (100, 76, False)])
def test_many_or_long_ids_are_no_closed_vocabulary(count: int, length: int, is_closed: bool) -> None:
    ids = [f"H{number:0{length - 1}}" for number in range(count)]
    assert valid(reply_schema(FIELDS, ids), said(evidence=["C1"])) is not is_closed


def test_where_nothing_is_asked_the_schema_stays_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(reply_schema((), ()))
    assert "enum" not in json.dumps(reply_schema((), ()))


def test_bounds_are_told_in_words() -> None:
    assert "At least 1 item, at most 10000 items." in json.dumps(reply_schema(FIELDS, IDS))


OPEN = {"targets[0].impact": ("minor", "patch"), "targets[0].audiences": ("operators", "developers")}


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("suggestion", "is_asked"),
    [
        ({"field": "targets[0].impact", "value": "minor", "evidence": ["C1"]}, True),
        ({"field": "targets[0].audiences", "value": ["operators", "developers"], "evidence": ["H2"]}, True),
        ({"field": "id", "value": "minor", "evidence": ["C1"]}, False),
        ({"field": "targets[0].impact", "value": "enormous", "evidence": ["C1"]}, False),
        ({"field": "targets[0].impact", "value": "minor", "evidence": ["C9"]}, False),
        ({"field": "targets[0].impact", "value": "minor"}, False),
    ],
)
def test_suggestions_are_asked_for_open_fields_alone(suggestion: dict[str, Any], is_asked: bool) -> None:
    schema = reply_schema(FIELDS, IDS, open_fields=OPEN, shown=IDS)
    assert all(set(node) <= SUBSET for node in nodes(schema))
    assert valid(schema, {**said(), "suggestions": [suggestion]}) is is_asked
    assert valid(schema, {**said(), "suggestions": []})
    assert not valid(reply_schema(FIELDS, IDS), {**said(), "suggestions": []})
    if is_asked:
        assert isinstance(replies.parse(json.dumps({**said(), "suggestions": [suggestion]})), replies.ProseReply)
