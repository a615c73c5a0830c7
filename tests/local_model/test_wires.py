"""A real model over both wires: what it answers is a reply or a named fault, and nothing made up is handed out."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agent.errors import ProviderFailure, TooLong
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome
from evals import local_model
from evals.local_model import ANTHROPIC, NAME, OPENAI, Served
from guardrails.drafts import unusable
from guardrails.grounding.verdict import Rejected, drafted
from guardrails.redaction.secrets import SecretEngine
from tests.local_model.walking import SINGLE, made_up, walked
from tests.repositories import GitFolder

PATIENT = 600
"""Seconds for one answer: the machine may have other work."""
FAULTS = {code.name for code in unusable.UNUSABLE}
LONG = "".join(f"    rows.append(load({number}, 'table_{number}', depth={number * 7}))\n" for number in range(400))
ENDLESS = {"type": "array", "items": {"type": "string", "minLength": 100}, "minItems": 20}
"""The schema of an answer that is longer than any may be."""


def prompt_for(folder: GitFolder, engine: SecretEngine) -> Prompt:
    """What the last commit is described with."""

    class Silent(Model):
        name = "silent"

        async def draft(self, prompt: Prompt) -> Reply:
            return Reply("")

    _, asked = walked(folder, engine, Silent())
    return asked[0].prompt


def answer(model: Model, prompt: Prompt) -> Reply:
    async def once() -> Reply:
        try:
            return await model.draft(prompt)
        finally:
            await model.close()

    return asyncio.run(once())


def handed_out_but_not_there(folder: GitFolder, outcome: Outcome) -> tuple[str, ...]:
    told = drafted(outcome.verdict)
    return () if told is None else made_up(folder, told.record())


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("wire", "shape"), [(OPENAI, SINGLE), (ANTHROPIC, SINGLE), pytest.param(OPENAI, None, marks=pytest.mark.thorough)]
)
def test_a_draft_is_answered_and_counted_and_hands_out_nothing_that_git_does_not_show(
    folder: GitFolder, engine: SecretEngine, served: Served, wire: str, shape: str | None
) -> None:
    model = served.client(wire, timeout=PATIENT)
    outcome, asked = walked(folder, engine, model, shape=shape)
    assert outcome.model == model.name
    assert outcome.attempts
    for attempt, one in zip(outcome.attempts, asked, strict=True):
        assert (attempt.reply.usage.input_tokens or 0) > 0
        assert (attempt.reply.usage.output_tokens or 0) > 0
        assert attempt.reply.model == NAME
        assert one.fault in {"", *FAULTS}
    assert not isinstance(outcome.verdict, Rejected)
    assert handed_out_but_not_there(folder, outcome) == ()


@pytest.mark.parametrize("wire", [OPENAI, ANTHROPIC])
def test_what_does_not_fit_is_a_failure_that_says_how_much_would(
    folder: GitFolder, engine: SecretEngine, served: Served, wire: str
) -> None:
    prompt = prompt_for(folder, engine)
    with pytest.raises(TooLong) as failure:
        answer(served.client(wire, timeout=PATIENT), replace(prompt, data=prompt.data + LONG))
    assert 0 < failure.value.share < 1
    assert "table_7" not in str(failure.value)


def test_more_than_it_reads_at_once_is_left_out_and_that_is_said(
    folder: GitFolder, engine: SecretEngine, served: Served
) -> None:
    folder.commit("fix(apps/worker): load every table\n\nTables were missing.\n", {"apps/worker/tables.py": LONG})
    outcome, asked = walked(folder, engine, served.client(timeout=PATIENT))
    assert asked
    assert all(attempt.left_out for attempt in outcome.attempts)
    assert handed_out_but_not_there(folder, outcome) == ()


def test_an_answer_without_end_is_cut_off_and_nothing_of_it_is_used(
    folder: GitFolder, engine: SecretEngine, served: Served
) -> None:
    with local_model.brief(64):
        reply = answer(served.client(timeout=PATIENT), replace(prompt_for(folder, engine), schema=ENDLESS))
    assert reply.fault is unusable.REPLY_CUT_OFF
    assert reply.text == ""
    assert reply.usage.output_tokens in {63, 64}


@pytest.mark.parametrize("wire", [OPENAI, ANTHROPIC])
def test_a_server_that_has_gone_is_a_failure_that_names_the_drafter_and_what_to_do(
    folder: GitFolder, engine: SecretEngine, served: Served, wire: str
) -> None:
    with local_model.serving() as gone:
        model = gone.client(wire)
    with pytest.raises(ProviderFailure) as failure:
        walked(folder, engine, model)
    assert failure.value.exit_code == 2
    assert failure.value.where == model.name
    assert failure.value.cure
