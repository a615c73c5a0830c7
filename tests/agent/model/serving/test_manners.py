"""How a server is asked after it refused a part of a request: without that part, and with all that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from agent.model.serving.manners import Manner, Shape, bounded, without_lists
from tests.agent.model.wired import PROMPT, SCHEMA

USUAL = Manner()
SYSTEM, USER = PROMPT.messages
LONG: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["feature", "fix"], "type": "string"},
        "ids": {"type": "array", "items": {"type": "string", "enum": [f"E{number}" for number in range(2_000)]}},
        "level": {"enum": [1, None]},
    },
    "required": ["ids"],
    "additionalProperties": False,
}


def test_the_whole_is_asked_for_at_first() -> None:
    assert USUAL.request(PROMPT, "m", 100) == {
        "model": "m",
        "messages": [{"role": "system", "content": SYSTEM.content}, {"role": "user", "content": USER.content}],
        "max_tokens": 100,
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": bounded(SCHEMA)}},
    }


@pytest.mark.parametrize(
    ("manner", "changed"),
    [
        (replace(USUAL, shape=Shape.OBJECT), {"response_format": {"type": "json_object"}}),
        (replace(USUAL, shape=Shape.FREE), {"response_format": None}),
        (replace(USUAL, limit="max_completion_tokens"), {"max_tokens": None, "max_completion_tokens": 100}),
        (replace(USUAL, limit=""), {"max_tokens": None}),
        (replace(USUAL, has_temperature=False), {"temperature": None}),
        (
            replace(USUAL, has_system=False),
            {"messages": [{"role": "user", "content": f"{SYSTEM.content}\n\n{USER.content}"}]},
        ),
    ],
)
def test_a_plainer_request_lacks_one_part_and_keeps_the_others(manner: Manner, changed: Mapping[str, object]) -> None:
    expected = {**USUAL.request(PROMPT, "m", 100), **changed}
    assert manner.request(PROMPT, "m", 100) == {key: value for key, value in expected.items() if value is not None}


def test_a_prompt_without_a_schema_is_asked_for_an_object() -> None:
    assert USUAL.request(replace(PROMPT, schema={}), "m", 1)["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    ("told", "steps"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported with this model.", {"limit": "max_completion_tokens"}),
        ("Unsupported value: 'temperature' does not support 0 with this model.", {"has_temperature": False}),
        ("System role not supported", {"has_system": False}),
        ("Conversation roles must alternate user/assistant/user/assistant/...", {"has_system": False}),
        ("Only user and assistant roles are supported!", {"has_system": False}),
        ("Failed to initialize samplers: failed to parse grammar", {"shape": Shape.SCHEMA}),
        ("JSON schema conversion failed: too many states", {"shape": Shape.SCHEMA}),
        ("The provided JSON schema contains features not supported by xgrammar.", {"shape": Shape.SCHEMA}),
        ("'response_format.type' must be 'text'", {"shape": Shape.OBJECT}),
        ("This response_format type is unavailable now", {"shape": Shape.OBJECT}),
        ("response_format is not supported by this model", {"shape": Shape.OBJECT}),
        ("body response_format Extra inputs are not permitted", {"shape": Shape.OBJECT}),
        ("body Extra inputs are not permitted", {"shape": Shape.OBJECT, "has_temperature": False}),
        ("unknown parameter", {"shape": Shape.OBJECT, "has_temperature": False}),
    ],
)
def test_what_a_refusal_is_about_is_left_out_from_then_on(told: str, steps: dict[str, Any]) -> None:
    assert USUAL.plainer(told) == replace(USUAL, **steps)


@pytest.mark.parametrize(
    "told", ["", "Not Found", "the model does not exist", "upstream connect error", "x" * 10_000 + "temperature"]
)
def test_a_refusal_of_something_else_leaves_nothing_out(told: str) -> None:
    assert USUAL.plainer(told) is None


@pytest.mark.parametrize("told", ["max_tokens", "temperature", "system role", "schema", "response_format", "unknown parameter"])
def test_refusals_come_to_an_end(told: str) -> None:
    manner: Manner | None = USUAL
    for _ in range(5):
        manner = manner.plainer(told) if manner is not None else None
    assert manner is None


def test_after_the_bounded_schema_follow_the_bare_one_one_without_lists_of_ids_an_object_and_nothing() -> None:
    shapes = [USUAL]
    while (plainer := shapes[-1].plainer("grammar")) is not None:
        shapes.append(plainer)
    assert [one.shape for one in shapes] == [Shape.BOUNDED, Shape.SCHEMA, Shape.OPEN_SCHEMA, Shape.OBJECT, Shape.FREE]


def test_in_a_bounded_schema_every_list_and_text_has_an_end() -> None:
    told = bounded(LONG)
    assert told["properties"]["ids"] == {**LONG["properties"]["ids"], "maxItems": 32}
    assert told["properties"]["kind"] == LONG["properties"]["kind"], "what is one of some words has an end"
    assert bounded({"anyOf": [{"type": "string"}, {"type": "null"}]}) == {
        "anyOf": [{"type": "string", "maxLength": 500}, {"type": "null"}]
    }
    assert "maxItems" not in LONG["properties"]["ids"]


def test_an_end_that_a_list_or_text_has_stays() -> None:
    ended = {"type": "array", "items": {"type": "string", "maxLength": 9}, "maxItems": 1}
    assert bounded(ended) == ended


def test_a_schema_without_lists_of_ids_is_the_same_otherwise() -> None:
    assert without_lists(LONG) == {
        "type": "object",
        "properties": {
            "kind": {"type": "string"},
            "ids": {"type": "array", "items": {"type": "string"}},
            "level": {"enum": [1, None]},
        },
        "required": ["ids"],
        "additionalProperties": False,
    }
    assert len(LONG["properties"]["ids"]["items"]["enum"]) == 2_000


@pytest.mark.parametrize(
    ("shape", "after"),
    [
        (Shape.BOUNDED, Shape.OBJECT),
        (Shape.SCHEMA, Shape.OBJECT),
        (Shape.OPEN_SCHEMA, Shape.OBJECT),
        (Shape.OBJECT, Shape.OBJECT),
        (Shape.FREE, Shape.FREE),
    ],
)
def test_a_server_that_ignores_a_schema_is_asked_for_an_object(shape: Shape, after: Shape) -> None:
    assert replace(USUAL, shape=shape).unheeded().shape is after
