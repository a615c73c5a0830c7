"""What a drafter suggests reaches a person as a hint with its name: it is no value, and no line takes it over."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace

import pytest

from agent import pipeline
from agent.commands import asking, resuming
from agent.model.client import Prompt
from agent.model.scripted import Scripted
from agent.pipeline import Outcome, Pace, Terms
from agent.render import outcomes
from agent.sources import answers
from agent.tasks import CHANGESET
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.evidence.model import Bundle, Evidence
from guardrails.findings import Severity
from guardrails.grounding.verdict import NeedsInput
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from tests.guardrails.resolving.building import PROFILE, RULES, bundle

OPEN = bundle("fix(apps/worker): resume interrupted settlement jobs\n\nChangeset: resume-settlement-jobs\n")
"""Of its decision the audiences and the type are open."""
EVERYTHING = ("major", "minor", "patch", "none", "public", "redacted", "feature", "operators", "x")


def hostile(prompt: Prompt) -> str:
    """It suggests everything for everything, open or not."""
    fields = (*prompt.open_fields, "id", "disclosure.state", "targets[0].migration", "summary", "y")
    suggestions = [{"field": field, "value": value, "evidence": ["C1"]} for field in fields[:8] for value in EVERYTHING]
    return json.dumps({"fields": said(prompt), "suggestions": suggestions})


def modest(prompt: Prompt) -> str:
    return json.dumps({"fields": said(prompt)})


def said(prompt: Prompt) -> list[dict[str, object]]:
    texts = {"summary": "Resume interrupted settlement jobs"}
    return [
        {"field": one.field, "sentences": [{"text": texts[one.field], "evidence": ["C1"]}] if one.field in texts else None}
        for one in prompt.requests
    ]


def drafted(engine: SecretEngine, model: Scripted, one: Bundle = OPEN) -> Outcome:
    terms = Terms(PROFILE, replace(RULES, types={}, audiences={}), Policy(), engine)
    return asyncio.run(pipeline.draft(CHANGESET, Evidence(one), terms, model, Pace(repairs=1)))


def needs_input(outcome: Outcome) -> NeedsInput:
    assert isinstance(outcome.verdict, NeedsInput)
    return outcome.verdict


@pytest.mark.requirement("AI-3", "AI-8")
def test_a_drafter_that_suggests_everything_changes_no_outcome(engine: SecretEngine) -> None:
    model = Scripted(hostile, name="openai:x")
    loud, quiet = needs_input(drafted(engine, model)), needs_input(drafted(engine, Scripted(modest, name="openai:x")))
    assert loud.partial == quiet.partial
    assert [(one.field, one.reason, one.leading) for one in loud.unresolved] == [
        (one.field, one.reason, one.leading) for one in quiet.unresolved
    ]
    assert answers.accepted(loud.unresolved, start=1) == answers.accepted(quiet.unresolved, start=1)
    lines = [resuming.resume(("evidraft", "changeset", "draft"), (), one.unresolved) for one in (loud, quiet)]
    assert lines[0] == lines[1]
    assert all(one.severity is Severity.WARNING for one in loud.findings if one not in quiet.findings)


@pytest.mark.requirement("AI-6")
def test_what_counts_is_told_with_the_name_of_who_suggests_it(engine: SecretEngine) -> None:
    model = Scripted(hostile, name="openai:x")
    verdict = needs_input(drafted(engine, model))
    own = set(model.prompts[0].open_fields)
    assert own, "something is open to suggestions"
    assert len(model.prompts) == 1, "a dropped suggestion is no reason to ask again"
    documents = [outcomes.question_document(question) for question in verdict.unresolved]
    told = {str(one["field"]): one.get("suggestions", []) for one in documents}
    by = {field: [hint for hint in hints if "by" in hint] for field, hints in told.items() if isinstance(hints, list)}
    assert {field for field, hints in by.items() if hints} == own
    assert all(hint["by"] == "openai:x" and hint["evidence"] == ["C1"] for hints in by.values() for hint in hints)


def test_the_prompt_lists_what_may_be_suggested_once(engine: SecretEngine) -> None:
    model = Scripted(["no", modest(prompt_of(engine))], name="openai:x")
    drafted(engine, model)
    first, again = model.prompts
    for field, words in first.open_fields.items():
        assert f"- `{field}`, one of: {', '.join(words)}" in first.question
    assert properties(first) == ["fields", "suggestions"]
    assert (dict(again.open_fields), "# Open" in again.question, properties(again)) == ({}, False, ["fields"])


def properties(prompt: Prompt) -> list[str]:
    told = prompt.schema["properties"]
    assert isinstance(told, dict)
    return list(told)


def prompt_of(engine: SecretEngine) -> Prompt:
    model = Scripted(modest)
    drafted(engine, model)
    return model.prompts[0]


def test_a_person_sees_whose_suggestion_it_is_and_takes_it_by_typing_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hint = Suggestion("minor", ("C1",), "openai:x")
    question = Unresolved("targets[0].impact", Reason.NO_EVIDENCE, "Which?", ("minor", "patch"), (hint,))
    for typed, answered in (("\n", []), ("minor\n", ["minor"])):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert [answer.value for answer in asking.ask((question,), start=1)] == answered
        assert "openai:x suggests: minor (from C1); it decides nothing" in capsys.readouterr().err
