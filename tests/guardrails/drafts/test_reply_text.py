"""Reading replies: lenient about what stands around the one object, strict about the object itself, and never a crash."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.drafts.reply import ProseReply, parse
from guardrails.drafts.reply_text import MAX_LENGTH, only_object

REPLY = json.dumps({"fields": [{"field": "summary", "sentences": [{"text": 'Keep } and { " in `{}`.', "evidence": ["C1"]}]}]})


@pytest.mark.requirement("UC-04")
@pytest.mark.parametrize(
    "text",
    [
        REPLY,
        f"\ufeff \n{REPLY}\n",
        f"```json\n{REPLY}\n```",
        f"```\n{REPLY}\n```\n",
        f"Here is the reply:\n\n```json\n{REPLY}\n```\n\nIs there anything else?",
        f'<think>\nThe field {{summary}} may rest on C1, so {{"a": 1}}.\n</think>\n\n{REPLY}',
        f"The field {{summary}} …\n</think>\n{REPLY}",
        f'Sure. {REPLY} It says "keep", as C1 does.',
        REPLY.replace("Keep", "Keep </think>"),
        json.dumps(json.loads(REPLY), indent=4),
    ],
)
def test_one_object_is_read_whatever_stands_around_it(text: str) -> None:
    assert isinstance(parse(text), ProseReply)


@pytest.mark.requirement("UC-04", "AI-6")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "null",
        "[]",
        f"[{REPLY}]",
        f"{REPLY}{REPLY}",
        f"{REPLY}\n{{}}",
        f"{{}} {REPLY}",
        f"<think>{REPLY}",
        f"<think>{REPLY}</think>",
        REPLY[:-1],
        REPLY[1:],
        REPLY.replace("]}]}", "],}]}"),
        REPLY.replace('"fields"', "'fields'"),
        REPLY.replace("[{", "[ /* one */ {"),
        REPLY.replace('"summary"', "summary"),
        REPLY.replace('"field": "summary"', '"field": "summary", "field": "rationale"'),
        REPLY.replace('"C1"', "NaN"),
        REPLY.replace('"C1"', "Infinity"),
        REPLY.replace('"C1"', "1e999999"),
        REPLY.replace('"C1"', "1" * 10_000),
        REPLY.replace("Keep", "\\ud800"),
        REPLY.replace("Keep", "\ud800"),
        REPLY.replace("Keep", "\x00"),
        REPLY.replace("Keep", "\n"),
        '{"fields": ' + "[" * 100_000,
        '{"fields": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"fields": ' * 50_000 + "1" + "}" * 50_000,
        '{"' + '\\"' * 400_000,
        "{" * MAX_LENGTH,
        " " * MAX_LENGTH + REPLY,
    ],
)
def test_anything_else_is_of_another_shape(text: str) -> None:
    found = parse(text)
    assert isinstance(found, tuple)
    assert {finding.code for finding in found} == {"reply-shape"}


def test_faults_never_quote_the_reply() -> None:
    told = parse(json.dumps({"fields": [{"field": "summary", "sentences": None, "zanzibar": "quince"}], "quince": 1}))
    assert isinstance(told, tuple)
    assert sorted(finding.where for finding in told) == ["fields.0.…", "…"]
    assert "zanzibar" not in repr(told)
    assert "quince" not in repr(told)


def test_thousands_of_faults_are_told_by_a_few() -> None:
    found = parse(json.dumps({"fields": [{"field": 1}] * 150}))
    assert isinstance(found, tuple)
    assert len(found) == 20


PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', "\\", ":", ",", "<think>", "</think>", "```", "\n", "NaN", "1e9", "\ud800", REPLY]
)


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join))
def test_no_text_makes_it_crash(text: str) -> None:
    found = parse(text)
    assert isinstance(found, ProseReply) or {finding.code for finding in found} == {"reply-shape"}


@pytest.mark.parametrize("value", [{"</think>": ""}, {"a": "x </think> y"}, {"</think>": {"a": None}}, {"a": "</think> {}"}])
def test_an_object_may_hold_the_marks_of_thoughts(value: object) -> None:
    text = json.dumps({"it": value})
    assert only_object(f"Look: {text} (done)") == text


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(
        st.text(max_size=8), st.text(max_size=8) | st.dictionaries(st.text(max_size=4), st.none(), max_size=3), max_size=4
    )
)
def test_an_object_is_found_whole_between_other_words(value: object) -> None:
    text = json.dumps({"it": value})
    assert only_object(f"Look: {text} (done)") == text
