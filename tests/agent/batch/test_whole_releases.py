"""Notes that lose a commit, or tell one of another range, are no notes: the release is rejected."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agent.batch.drafting import accounted, gather_release, whole
from agent.model.extractive.drafter import Extractive
from agent.pipeline import Outcome, Terms, draft
from agent.tasks import RELEASE
from guardrails.grounding.verdict import Accepted, Rejected
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.rules import Rules
from tests.agent.batch.releasing import CONDITIONS, history, releases


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory, engine: SecretEngine) -> Outcome:
    release = releases(history(tmp_path_factory.mktemp("history"), 2, changes=2), 2)[1]
    gathered = gather_release(release, CONDITIONS)
    return asyncio.run(draft(RELEASE, gathered.evidence, Terms.of(gathered, engine), Extractive()))


def covering(outcome: Outcome, **changes: str) -> Outcome:
    """The outcome with other accounts of some commits."""
    verdict = outcome.verdict
    assert isinstance(verdict, Accepted), verdict
    return replace(
        outcome, verdict=replace(verdict, draft=replace(verdict.draft, coverage={**verdict.draft.coverage, **changes}))
    )


def held(outcome: Outcome) -> Outcome:
    assert isinstance(outcome.verdict, Accepted)
    return whole(outcome, accounted(outcome, Rules()), outcome.verdict.draft.record())


def test_a_release_that_is_equal_to_its_range_stays_as_it_is(outcome: Outcome) -> None:
    assert held(outcome) is outcome


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"C1": ""}, "release-unaccounted"),
        ({"C1": "abcdef0"}, "account-unknown-item"),
        ({"C1": "changes nothing", "C2": "changes nothing", "C3": "changes nothing"}, "item-without-commit"),
    ],
)
def test_a_release_that_is_not_is_rejected(outcome: Outcome, changes: dict[str, str], code: str) -> None:
    told = covering(outcome, **changes)
    verdict = held(told).verdict
    assert isinstance(verdict, Rejected)
    assert code in {finding.code for finding in verdict.findings}
