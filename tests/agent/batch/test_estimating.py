"""What a run may cost is told before anything is asked, and no call costs more."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from agent.batch.estimating import Estimate, estimate
from agent.batch.release import Release
from agent.model.client import Model, Prompt
from agent.model.extractive.drafter import Extractive
from agent.model.scripted import Scripted
from agent.replies import prices
from guardrails.redaction.secrets import SecretEngine
from tests.agent.batch.releasing import CONDITIONS, history, releases


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return releases(history(tmp_path_factory.mktemp("history"), 1, changes=3), 1)[0]


def silent(name: str = "openai:gpt-4o-mini") -> Scripted:
    def nothing(_prompt: Prompt) -> str:
        raise AssertionError("a drafter was asked")

    return Scripted(nothing, name=name, parameters={"max_output_tokens": 500})


def estimated(release: Release, engine: SecretEngine, model: Model) -> Estimate:
    return asyncio.run(estimate(release, CONDITIONS, model, engine))


def test_each_part_that_would_be_asked_is_counted_and_nobody_is_asked(release: Release, engine: SecretEngine) -> None:
    told = estimated(release, engine, silent())
    assert told.calls == 3
    assert told.output_tokens == 1500
    assert told.input_tokens > 1000


def test_a_price_is_told_where_one_is_known(release: Release, engine: SecretEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        prices, "dollars", lambda client, usage, **_: Decimal(usage.output_tokens) if client == "known" else None
    )
    assert estimated(release, engine, silent("known")).dollars == 1500
    assert estimated(release, engine, silent("unknown")).dollars is None


def test_what_only_selects_or_is_not_read_costs_nothing(release: Release, engine: SecretEngine) -> None:
    assert estimated(release, engine, Extractive()) == Estimate()
    asked = replace(release, questions=({"field": "base", "reason": "ambiguous", "question": "Which?"},))
    assert estimated(asked, engine, silent()) == Estimate()


def test_a_sum_knows_no_price_where_a_part_knows_none() -> None:
    known, unknown = Estimate(1, 10, 5, Decimal("0.5")), Estimate(2, 20, 5, None)
    assert known + known == Estimate(2, 20, 10, Decimal("1.0"))
    assert known + unknown == Estimate(3, 30, 10, None)
