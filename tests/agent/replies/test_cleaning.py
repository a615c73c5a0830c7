"""What may be put on a disk of what a drafter said."""

from __future__ import annotations

import json

import pytest

from agent.model.client import Reply
from agent.replies import cleaning
from guardrails.redaction.secrets import SecretEngine
from tests.agent.replies.asked import TERM, said, shown
from tests.guardrails.redaction.made_up import TOKEN


@pytest.mark.parametrize(
    "text", ["", "plain", "{", '{"a": "\\u00e4"}', said("Resume jobs"), said('"Jobs" \u00e4'), "[1, null, true]"]
)
def test_harmless_text_stays_as_it_is(engine: SecretEngine, text: str) -> None:
    guard = shown(engine).guard
    assert not cleaning.leaks(guard, text)
    assert cleaning.cleaned(guard, text) == text


@pytest.mark.requirement("AI-7")
def test_json_stays_json_of_the_same_shape(engine: SecretEngine) -> None:
    guard = shown(engine).guard
    text = cleaning.cleaned(guard, said(f"It was {TOKEN}"))
    content = json.loads(text)
    assert TOKEN not in text
    assert content["fields"][0]["field"] == "summary"
    assert content["fields"][0]["sentences"][0]["evidence"] == ["C1"]


@pytest.mark.requirement("AI-7")
def test_what_only_several_strings_give_away_is_not_kept_at_all(engine: SecretEngine) -> None:
    guard = shown(engine).guard
    assert cleaning.cleaned(guard, json.dumps(TERM.split())) == ""
    assert cleaning.cleaned(guard, json.dumps([TOKEN[:12], TOKEN[12:]])) == ""


@pytest.mark.requirement("AI-7")
def test_of_a_word_nothing_is_left_that_is_long_unseen_or_may_not_leave(engine: SecretEngine) -> None:
    guard = shown(engine).guard
    words = [cleaning.word(guard, text) for text in ("gpt-4o", "a\x1b[2Jb", "x" * 1_000, TERM, f"m-{TOKEN}")]
    assert words == ["gpt-4o", "a[2Jb", "x" * 200, "", ""]


def test_usage_and_cost_of_a_reply_stay(engine: SecretEngine) -> None:
    given = Reply(said("Resume jobs"), model="m", seconds=1.0)
    assert cleaning.reply(shown(engine).guard, given) == given
