"""No lie of a drafter comes out, kind by kind, for changesets and for envelopes; honest words near to it do (AI-3)."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from agent.pipeline import Outcome
from guardrails.grounding.verdict import Accepted
from tests.agent.hostile.kinds import KINDS, KNOWN, MISPLACED, Kind, Lie
from tests.agent.hostile.scene import CHANGESET_RECORD, Stage, everything, saying, writer

EVERY = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def comes_out(needle: str, outcome: Outcome) -> bool:
    """Whether a text, as it is or as JSON escapes it, stands in anything that comes out of a run."""
    told = everything(outcome)
    return needle in told or json.dumps(needle)[1:-1] in told


def codes(outcome: Outcome) -> set[str]:
    return {finding.code for attempt in outcome.attempts for finding in attempt.findings}


@pytest.mark.requirement("AI-3", "AI-6")
@EVERY
def test_a_drafter_that_stays_hostile_gets_nothing_out(kind: Kind, stage: Stage) -> None:
    found = set[str]()
    for lie in kind.lies:
        outcome = stage.walk(writer(lie.text))
        assert not isinstance(outcome.verdict, Accepted), lie.text
        assert not comes_out(lie.needle, outcome), lie.text
        found |= codes(outcome)
    assert kind.code in found


@pytest.mark.requirement("AI-3", "AI-6")
@EVERY
def test_a_drafter_that_turns_honest_is_accepted_and_its_lie_forgotten(kind: Kind, stage: Stage) -> None:
    lie = kind.lies[0]
    model = writer(lie.text, None)
    outcome = stage.walk(model, repairs=1)
    assert isinstance(outcome.verdict, Accepted), outcome.verdict
    assert not comes_out(lie.needle, outcome)
    asked_again = [message.content for prompt in model.prompts if prompt.feedback for message in prompt.messages]
    assert asked_again
    assert not any(f"{lie.needle}\n" in text.partition("# Once more")[2] for text in asked_again)


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize("text", sorted({text for kind in KINDS for text in kind.honest}))
def test_honest_words_near_to_a_lie_are_accepted(text: str, stage: Stage) -> None:
    field = "summary" if stage.record is CHANGESET_RECORD else "detail_md"
    outcome = stage.walk(saying(field, text))
    assert isinstance(outcome.verdict, Accepted), outcome.verdict
    assert comes_out(text, outcome)


@pytest.mark.xfail(
    strict=True, reason="rules of words do not understand: each of these has the words of its evidence, or but one more"
)
@pytest.mark.parametrize("lie", KNOWN.values(), ids=KNOWN)
def test_what_the_gate_does_not_see_yet(lie: Lie, stage: Stage) -> None:
    field = "summary" if stage.record is CHANGESET_RECORD else "detail_md"
    assert not comes_out(lie.needle, stage.walk(saying(field, lie.text)))


@pytest.mark.xfail(strict=True, reason="a sentence is held against what it cites, and half of its words stand there")
@pytest.mark.parametrize(("item", "lie"), MISPLACED.values(), ids=MISPLACED)
def test_what_the_gate_does_not_see_under_another_item(item: str, lie: Lie, stages: Mapping[str, Stage]) -> None:
    assert not comes_out(lie.needle, stages["itemized"].walk(saying("detail_md", lie.text, item)))
