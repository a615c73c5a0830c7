"""The examples in the prompts teach a form; a drafter that copies what they say gets none of it into a draft."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace

import pytest

import prompts
from agent import pipeline
from agent.model.client import Prompt
from agent.model.scripted import Scripted
from agent.pipeline import Outcome, Pace, Terms
from agent.tasks import CHANGESET, ENVELOPE, PULL_REQUEST, Task
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Evidence, Hunk
from guardrails.grounding.verdict import Accepted, drafted
from guardrails.records.profile import Profile
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from tests.guardrails.resolving.building import PROFILE, RULES, WHOLE, bundle, commit, file

HUNK = Hunk("H1", "git:src/orders.py:1", "", 1, 1, 1, 1, "", "-keep(orders)\n+keep(orders, retry=True)")
CHANGE = replace(commit(1, WHOLE), files=(replace(file(1, "src/orders.py"), hunks=(HUNK,)),))
TASKS: list[tuple[Task, Profile | None]] = [(CHANGESET, PROFILE), (PULL_REQUEST, PROFILE), (ENVELOPE, None)]
SETTLED = {"changeset": {}, "pull-request": {}, "envelope": {"shape": "single", "operation.repository": "example/payments"}}


def example(name: str) -> list[str]:
    """The sentences of the example of a prompt text."""
    found = re.search(r"^    \{\"fields\".*?^    \]\}$", prompts.text(name), re.MULTILINE | re.DOTALL)
    assert found is not None
    return [one["text"] for field in json.loads(found[0])["fields"] for one in field["sentences"] or ()]


def walked(engine: SecretEngine, task: Task, profile: Profile | None, text: str) -> Outcome:
    """A drafter that gives one sentence for every field."""

    def says(prompt: Prompt) -> str:
        asked = [
            {"field": one.field, "sentences": [{"text": text, "evidence": list(one.sources[:1])}]} for one in prompt.requests
        ]
        return json.dumps({"fields": asked})

    terms = Terms(profile, RULES, Policy(), engine)
    return asyncio.run(
        pipeline.draft(task, Evidence(bundle(CHANGE, answers=SETTLED[task.name])), terms, Scripted(says), Pace(repairs=0))
    )


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("task", "profile"), TASKS, ids=lambda one: getattr(one, "name", ""))
@pytest.mark.parametrize(
    "text",
    [
        *example("changeset"),
        *example("pull-request"),
        *example("envelope"),
        "Keep orders of example-service",
        "Jobs reach example.invalid again.",
        "Resume the jobs of EXAMPLE-0000",
    ],
)
def test_nothing_that_an_example_says_gets_into_a_draft(
    engine: SecretEngine, task: Task, profile: Profile | None, text: str
) -> None:
    outcome = walked(engine, task, profile, text)
    assert len(outcome.attempts) == 1
    assert not isinstance(outcome.verdict, Accepted)
    draft = drafted(outcome.verdict)
    if draft is not None:
        assert not any(text in prose.text for prose in draft.prose.values() if prose.basis is Basis.SYNTHESIS)


@pytest.mark.parametrize(("task", "profile"), TASKS, ids=lambda one: getattr(one, "name", ""))
def test_its_neighbour_that_the_evidence_says_does(engine: SecretEngine, task: Task, profile: Profile | None) -> None:
    draft = drafted(walked(engine, task, profile, "Resume interrupted settlement jobs").verdict)
    assert draft is not None
    assert any("Resume interrupted settlement jobs" in prose.text for prose in draft.prose.values())


def test_every_sentence_of_an_example_has_a_reserved_name() -> None:
    for text in (*example("changeset"), *example("envelope")):
        assert re.search(r"EXAMPLE-0000|example\.invalid|example-service", text)
