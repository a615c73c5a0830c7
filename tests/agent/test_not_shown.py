"""A drafter that reads little at once: what it was not shown it cannot rest on, is not asked about, and a reader is told."""

from __future__ import annotations

import asyncio
import json

import pytest

from agent import pipeline
from agent.commands import drafting
from agent.errors import TooLong
from agent.model.client import Prompt, Reply
from agent.model.extractive.drafter import Extractive
from agent.model.scripted import Answer, Scripted
from agent.pipeline import Outcome, Pace, Terms
from agent.tasks import CHANGESET, Task
from guardrails.drafts.draft import Draft
from guardrails.drafts.questions import Reason
from guardrails.evidence.model import Bundle, Evidence
from guardrails.findings import Finding
from guardrails.grounding import unread
from guardrails.grounding.citable import Citable
from guardrails.grounding.unread import EVIDENCE_NOT_READ, NOTHING_SHOWN
from guardrails.grounding.verdict import Accepted, NeedsInput
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import Guard, RedactedEvidence
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.resolved import ProseRequest, Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import bundle

LONG = "fix: keep rows\n\n" + "Rows were lost when the zanzibar gateway restarted. " * 400


def resolve(evidence: RedactedEvidence, _profile: object, _rules: Rules) -> Resolved:
    """Two texts; the second may rest on the last commit alone."""
    ids = tuple(commit.id for commit in evidence.bundle.commits)
    requests = (ProseRequest("summary", ids, "What?"), ProseRequest("rationale", ids[-1:], "Why?"))
    return Resolved({}, {}, requests, (), (), {})


def names(draft: Draft, citable: Citable, _resolved: Resolved, _guard: Guard) -> tuple[Finding, ...]:
    """A rule that knows what was shown."""
    return tuple(
        NOTHING_SHOWN.at(path, "got a name that was not shown")
        for path, prose in draft.prose.items()
        if "zanzibar" in prose.text and not any("zanzibar" in item.prose for item in citable.shown())
    )


def assemble(_evidence: RedactedEvidence, resolved: Resolved, reply: object) -> Draft:
    return resolved.drafted(reply)  # type: ignore[arg-type]


TASK = Task("notes", "1", ("shared",), CHANGESET.form, resolve, assemble, names)


def says(text: str) -> str:
    return json.dumps({"fields": [{"field": "summary", "sentences": [{"text": text, "evidence": ["C1"]}]}]})


def drafted(
    engine: SecretEngine, model: Scripted | Extractive, *, messages: tuple[str, ...] = ("fix: keep rows", LONG)
) -> Outcome:
    terms = Terms(None, Rules(), Policy(), engine)
    return asyncio.run(pipeline.draft(TASK, Evidence(bundle(*messages)), terms, model, Pace(repairs=1)))


def needs_input(outcome: Outcome) -> NeedsInput:
    assert isinstance(outcome.verdict, NeedsInput)
    return outcome.verdict


@pytest.mark.requirement("AI-6")
def test_a_field_of_which_nothing_fits_is_not_asked_and_stays_open(engine: SecretEngine) -> None:
    model = Scripted([says("Rows are kept.")], room=8_000)
    verdict = needs_input(drafted(engine, model))
    assert [request.field for request in model.prompts[0].requests] == ["summary"]
    assert model.prompts[0].size <= 8_000
    (question,) = verdict.unresolved
    assert (question.field, question.reason) == ("rationale", Reason.NOT_READ)
    assert "nothing-shown" in question.question
    assert verdict.partial.get("summary") == "Rows are kept."


@pytest.mark.requirement("AI-1")
def test_the_outcome_warns_of_what_was_not_read(engine: SecretEngine) -> None:
    verdict = needs_input(drafted(engine, Scripted([says("Rows are kept.")], room=8_000)))
    (told,) = (finding for finding in verdict.findings if finding.code == EVIDENCE_NOT_READ.name)
    assert told.message.startswith("not read (1 messages): ")
    assert "zanzibar" not in told.message
    whole = drafted(engine, Scripted([says("Rows are kept.")]), messages=("fix: keep rows",))
    assert not any(finding.code == "evidence-not-read" for finding in needs_input(whole).findings)


def test_where_nothing_at_all_fits_the_drafter_is_not_called(engine: SecretEngine) -> None:
    model = Scripted([], room=100)
    outcome = drafted(engine, model)
    assert (model.prompts, outcome.attempts) == ([], ())
    assert not isinstance(outcome.verdict, Accepted)
    assert {finding.where for finding in outcome.verdict.findings if finding.code == "nothing-shown"} == {
        "summary",
        "rationale",
    }


@pytest.mark.requirement("AI-3")
def test_a_name_that_stands_only_in_what_was_left_out_is_not_carried(engine: SecretEngine) -> None:
    text = says("The zanzibar gateway keeps rows.")
    left_out = drafted(engine, Scripted([text, text], room=8_000))
    assert "summary" in {question.field for question in needs_input(left_out).unresolved}
    shown = drafted(engine, Scripted([text, text]))
    assert needs_input(shown).partial.get("summary") == "The zanzibar gateway keeps rows."


def test_a_field_that_was_not_asked_stays_open_when_others_are_asked_again(engine: SecretEngine) -> None:
    model = Scripted(["no", says("Rows are kept.")], room=8_000)
    verdict = needs_input(drafted(engine, model))
    assert [(one.field, one.reason) for one in verdict.unresolved] == [("rationale", Reason.NOT_READ)]
    assert len(model.prompts) == 2


def test_a_prompt_that_turns_out_too_long_is_shortened_below_what_was_sent(engine: SecretEngine) -> None:
    def answer(prompt: Prompt) -> Answer:
        return TooLong("too long", share=0.5) if prompt.size > 9_000 else Reply(says("Rows are kept."))

    model = Scripted(answer)
    verdict = needs_input(drafted(engine, model))
    assert [prompt.size > 9_000 for prompt in model.prompts] == [True, False]
    assert {finding.code for finding in verdict.findings} == {"evidence-not-read", "nothing-shown"}
    assert [len(prompt.requests) for prompt in model.prompts] == [2, 1]


def test_what_never_fits_is_a_failure_and_not_asked_forever(engine: SecretEngine) -> None:
    model = Scripted(lambda _: TooLong("it does not fit", share=0.99))
    with pytest.raises(TooLong):
        drafted(engine, model, messages=tuple(f"fix: keep row {number}\n\n{'They were lost. ' * 30}" for number in range(40)))
    assert 2 < len(model.prompts) <= 6
    assert [prompt.size for prompt in model.prompts] == sorted({prompt.size for prompt in model.prompts}, reverse=True)


def test_a_drafter_that_reads_the_evidence_itself_is_asked_for_everything(engine: SecretEngine) -> None:
    outcome = drafted(engine, Extractive(), messages=("fix: keep rows", LONG * 20))
    told = needs_input(outcome).findings if isinstance(outcome.verdict, NeedsInput) else outcome.verdict.warnings  # type: ignore[union-attr]
    assert not {"evidence-not-read", "nothing-shown"} & {finding.code for finding in told}


@pytest.mark.requirement("AI-6")
def test_a_person_who_waits_is_told_of_what_was_not_read(engine: SecretEngine, capsys: pytest.CaptureFixture[str]) -> None:
    drafting._comment(drafted(engine, Scripted([says("Rows are kept.")], room=8_000)))
    told = capsys.readouterr().err
    assert "warning evidence-not-read: not read (1 messages): " in told
    drafting._comment(drafted(engine, Scripted([says("Rows are kept.")]), messages=("fix: keep rows",)))
    assert "evidence-not-read" not in capsys.readouterr().err


def many(count: int) -> Bundle:
    return bundle(*(f"fix: keep row {number}" for number in range(count)))


def test_places_are_named_up_to_a_bound() -> None:
    one = many(9)
    ids = frozenset(commit.id for commit in one.commits)
    (told,) = unread.check(one, ids)
    assert told.message.startswith("not read (9 messages): ")
    assert told.message.endswith(" and 4 more places")
    assert unread.check(one, frozenset()) == ()
