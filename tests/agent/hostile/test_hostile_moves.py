"""No move of a drafter with the form of its reply comes out, for changesets and for envelopes."""

from __future__ import annotations

import pytest

from agent.pipeline import Outcome
from guardrails.grounding.verdict import Accepted, NeedsInput, drafted
from tests.agent.hostile.moves import DROPPED, NEEDLE, REFUSED, UNREADABLE, Spoil, Spoiler, citing_left_out
from tests.agent.hostile.scene import Stage, everything, writer


def record_of(outcome: Outcome) -> str:
    draft = drafted(outcome.verdict)
    assert draft is not None
    return draft.form.write(draft.record())


def codes(outcome: Outcome) -> set[str]:
    return {finding.code for attempt in outcome.attempts for finding in attempt.findings}


@pytest.mark.requirement("AI-3", "AI-5")
@pytest.mark.parametrize("spoil", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_reply_leaves_every_asked_field_open(spoil: Spoil, stage: Stage) -> None:
    outcome = stage.walk(Spoiler(spoil))
    assert isinstance(outcome.verdict, NeedsInput)
    assert codes(outcome) == {"reply-shape"}
    asked = {request.field for request in outcome.resolved.requests}
    assert asked <= {question.field for question in outcome.verdict.unresolved}
    assert NEEDLE not in everything(outcome)


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("code", "spoil"), REFUSED.values(), ids=REFUSED)
def test_a_reply_that_cites_or_counts_wrong_is_not_accepted(code: str, spoil: Spoil, stage: Stage) -> None:
    outcome = stage.walk(Spoiler(spoil))
    assert not isinstance(outcome.verdict, Accepted)
    assert code in codes(outcome)


@pytest.mark.requirement("AI-3")
def test_what_there_was_no_room_for_is_not_cited(stage: Stage) -> None:
    full = Spoiler(lambda _, reply: reply)
    stage.walk(full)
    model = Spoiler(citing_left_out, characters=max(prompt.size for prompt in full.prompts) - 1)
    outcome = stage.walk(model)
    assert any(prompt.left_out for prompt in model.prompts)
    assert not isinstance(outcome.verdict, Accepted)
    assert "outside-sources" in codes(outcome)


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    "spoil", [*UNREADABLE.values(), *(spoil for _, spoil in REFUSED.values())], ids=[*UNREADABLE, *REFUSED]
)
def test_a_drafter_that_replies_well_when_asked_again_is_accepted_as_if_it_had_at_first(spoil: Spoil, stage: Stage) -> None:
    mended = stage.walk(Spoiler(spoil, once=True), repairs=1)
    assert isinstance(mended.verdict, Accepted), mended.verdict
    assert record_of(mended) == record_of(stage.walk(writer(None)))


@pytest.mark.requirement("AI-3", "AI-5")
@pytest.mark.parametrize("spoil", DROPPED.values(), ids=DROPPED)
def test_what_nobody_asked_for_changes_nothing(spoil: Spoil, stage: Stage) -> None:
    outcome = stage.walk(Spoiler(spoil))
    assert isinstance(outcome.verdict, Accepted), outcome.verdict
    assert record_of(outcome) == record_of(stage.walk(writer(None)))
    assert NEEDLE not in everything(outcome)
