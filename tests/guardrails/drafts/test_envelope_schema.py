"""The printed schema says what an envelope is, as far as a schema can say it, and refuses nothing that the rules accept."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from guardrails.drafts.envelope import schema
from guardrails.findings import blocking
from tests.guardrails.drafts.envelopes import GONE, HONEST, SEED, changed, judged, single
from tests.guardrails.drafts.test_envelope import OTHER_SHAPES
from tests.guardrails.drafts.test_envelope_rules import BROKEN, DEGRADED, HELD

SCHEMA: Final = Draft202012Validator(schema())
BEYOND_A_SCHEMA: Final = frozenset(
    (
        *("title-case", "title-branch-name", "markup-not-allowed", "placeholder-text", "text-blank", "note-not-one-clause"),
        *("medium-not-one-paragraph", "medium-path", "medium-symbol", "medium-code", "page-unreadable"),
        *("items-out-of-order", "count-differs", "medium-missing", "ref-range", "relation-not-citable"),
    )
)
"""Codes whose rule reads words or markup, or joins several places; a schema may or may not see such a fault."""


def test_it_is_a_schema_of_draft_2020_12() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_it_accepts_an_honest_envelope(path: Any) -> None:
    assert SCHEMA.is_valid(json.loads(path.read_text("utf-8")))


@pytest.mark.requirement("DC-14", "DC-15")
@pytest.mark.parametrize("value", [*SEED.values(), *(value for _, value in HELD)], ids=str)
def test_it_accepts_what_keeps_the_rules(value: object) -> None:
    assert SCHEMA.is_valid(value)


@pytest.mark.requirement("DC-24")
@pytest.mark.parametrize(
    "value",
    [*(value for value, _ in OTHER_SHAPES), *(value for _, value, _, _ in BROKEN)],
    ids=range(len(OTHER_SHAPES) + len(BROKEN)),
)
def test_it_refuses_what_a_schema_can_refuse(value: object) -> None:
    found = {finding.code for finding in blocking(judged(value))}
    if found - BEYOND_A_SCHEMA:
        assert not SCHEMA.is_valid(value), sorted(found)


@pytest.mark.requirement("DC-02", "DC-04", "DC-08", "DC-21", "DC-24")
@pytest.mark.parametrize(
    "value",
    [
        single("kind", new="chore"),
        single("kind", new=None),
        single("title", new="A" * 80),
        single("title", new="two\nlines"),
        single("title", new="ends in a line feed\n"),
        single("short_md", new="x" * 141),
        single("refs", new=[]),
        single("medium_md", new=None),
        single("medium_md", new="\n"),
        single("relations", "reporter", new=GONE),
        single("relations", "reporter", new="Jared G"),
        single("relations", "ticket", new="none"),
        single("refs", 0, "path", new=GONE),
        single("refs", 0, "path", new="/a"),
        single("refs", 0, "path", new="a/../b"),
        single("refs", 0, "path", new="a/"),
        single("refs", 0, "range", new="0-4"),
        single("refs", 0, "sha", new="9F2C1AB"),
        changed(SEED["single"], ("change",), {**DEGRADED, "refs": SEED["single"]["change"]["refs"]}),
        changed(SEED["single"], ("operation", "type"), "merge"),
        changed(SEED["itemized"], ("items",), []),
        changed(SEED["itemized"], ("summary", "kind"), "breaking"),
    ],
    ids=range(22),
)
def test_a_single_fault_is_refused(value: object) -> None:
    assert not SCHEMA.is_valid(value)
