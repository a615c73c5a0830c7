"""A draft in parts: each is asked for by itself and shown only what it may rest on, and all are judged as one."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping

import pytest

from agent import pipeline
from agent.commands import seeing
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome, Pace, Terms
from agent.receipt import receipt
from agent.render.outcomes import Frame
from agent.tasks import Task
from guardrails.drafts.draft import Draft
from guardrails.drafts.reply import ProseReply
from guardrails.evidence.model import Bundle, Evidence
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.verdict import Accepted, NeedsInput
from guardrails.records.draft_record import DraftRecord, read
from guardrails.records.profile import Profile
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import Guard, RedactedEvidence
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.resolved import ProseRequest, Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import bundle

LOUD = Code(name="loud", summary="It shouts.", cure="Say it quietly.", section="here")
SPOILT = Code(name="spoilt", summary="Something else is spoilt.", cure="Mend it.", section="here")


class Notes:
    """One note for each commit, `notes[C1].text`, each a part by itself, as lines."""

    def part(self, path: str) -> str:
        return path.rpartition(".")[0]

    def order(self, path: str) -> tuple[int | str, ...]:
        return tuple(int(piece) if piece.isdecimal() else piece for piece in re.split(r"(\d+)", path))

    def question(self, path: str) -> str:
        return f"What does {path} say?"

    def record(self, draft: Draft) -> dict[str, object]:
        return {path: draft.get(path) for path in draft.paths}

    def pieces(self, record: Mapping[str, object]) -> Iterator[str]:
        yield self.write(record)

    def write(self, record: Mapping[str, object]) -> str:
        return "".join(f"{path}: {value}\n" for path, value in record.items())


def resolve(evidence: RedactedEvidence, _profile: Profile | None, _rules: Rules) -> Resolved:
    requests = tuple(ProseRequest(f"notes[{commit.id}].text", (commit.id,), "What?") for commit in evidence.bundle.commits)
    return Resolved({}, {}, requests, (), (), {}, Notes())


def assemble(_evidence: RedactedEvidence, resolved: Resolved, reply: ProseReply | None) -> Draft:
    return resolved.drafted(reply)


def shouting(draft: Draft, _citable: Citable, _resolved: Resolved, _guard: Guard) -> tuple[Finding, ...]:
    return tuple(LOUD.at(path, "got a shout") for path in draft.paths if draft.prose[path].text.isupper())


NOTES = Task("notes", "1", ("shared",), Notes(), resolve, assemble, shouting)
Says = Callable[[Prompt], str]


class Told(Model):
    """A drafter that answers by a function of the prompt, and keeps every prompt."""

    name = "told"
    reads_evidence = False

    def __init__(self, says: Says) -> None:
        self._says = says
        self.prompts: list[Prompt] = []

    async def draft(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        return Reply(self._says(prompt))


def say(prompt: Prompt, text: str, field: str | None = None) -> str:
    request = prompt.requests[0]
    sentence = {"text": text, "evidence": list(request.sources)}
    return json.dumps({"fields": [{"field": field or request.field, "sentences": [sentence]}]})


def walked(engine: SecretEngine, says: Says, *, commits: int = 3, repairs: int = 2) -> tuple[Outcome, Told]:
    model = Told(says)
    terms = Terms(None, Rules(), Policy(), engine)
    return asyncio.run(pipeline.draft(NOTES, Evidence(many(commits)), terms, model, Pace(repairs=repairs))), model


def many(commits: int) -> Bundle:
    return bundle(*(f"fix: mend part {number}" for number in range(1, commits + 1)))


def told_of(outcome: Outcome) -> list[tuple[str, list[str]]]:
    return [(attempt.part, [finding.code for finding in attempt.findings]) for attempt in outcome.attempts]


@pytest.mark.requirement("AI-1")
def test_each_part_is_asked_for_by_itself_with_what_it_may_rest_on(engine: SecretEngine) -> None:
    outcome, model = walked(engine, lambda prompt: say(prompt, "It is mended."))
    assert isinstance(outcome.verdict, Accepted)
    assert outcome.verdict.draft.record() == {f"notes[C{number}].text": "It is mended." for number in (1, 2, 3)}
    assert [prompt.part for prompt in model.prompts] == ["notes[C1]", "notes[C2]", "notes[C3]"]
    for number, prompt in enumerate(model.prompts, start=1):
        assert [request.field for request in prompt.requests] == [f"notes[C{number}].text"]
        assert re.findall(r"mend part \d", prompt.data) == [f"mend part {number}"]


def test_many_parts_show_no_more_than_the_whole(engine: SecretEngine) -> None:
    outcome, model = walked(engine, lambda prompt: say(prompt, "It is mended."), commits=300)
    assert isinstance(outcome.verdict, Accepted)
    assert sum(prompt.data.count("mend part") for prompt in model.prompts) == len(model.prompts) == 300
    assert list(outcome.verdict.draft.record()) == [f"notes[C{number}].text" for number in range(1, 301)]


@pytest.mark.requirement("AI-3", "AI-7")
def test_a_finding_goes_back_to_its_part_alone(engine: SecretEngine) -> None:
    def says(prompt: Prompt) -> str:
        return say(prompt, "MENDED" if prompt.part == "notes[C2]" and not prompt.feedback else "It is mended.")

    outcome, model = walked(engine, says)
    assert isinstance(outcome.verdict, Accepted)
    assert told_of(outcome) == [("notes[C1]", []), ("notes[C2]", ["loud"]), ("notes[C3]", []), ("notes[C2]", [])]
    assert model.prompts[-1].feedback == ("notes[C2].text: loud",)
    assert outcome.verdict.draft.get("notes[C1].text") == "It is mended."


def test_each_part_has_its_own_bounded_attempts(engine: SecretEngine) -> None:
    def says(prompt: Prompt) -> str:
        return say(prompt, "It is mended." if prompt.part == "notes[C1]" else "MENDED")

    outcome, _ = walked(engine, says, repairs=1)
    assert [attempt.part for attempt in outcome.attempts] == [f"notes[C{number}]" for number in (1, 2, 3, 2, 3)]
    assert isinstance(outcome.verdict, NeedsInput)
    assert [question.field for question in outcome.verdict.unresolved] == ["notes[C2].text", "notes[C3].text"]


def test_a_reply_of_another_shape_leaves_its_own_part_open(engine: SecretEngine) -> None:
    outcome, _ = walked(engine, lambda prompt: "no" if prompt.part == "notes[C1]" else say(prompt, "It is mended."), repairs=0)
    assert told_of(outcome) == [("notes[C1]", ["reply-shape"]), ("notes[C2]", []), ("notes[C3]", [])]
    assert isinstance(outcome.verdict, NeedsInput)
    assert [question.field for question in outcome.verdict.unresolved] == ["notes[C1].text"]
    assert list(outcome.verdict.partial.record()) == ["notes[C2].text", "notes[C3].text"]


@pytest.mark.requirement("AI-8")
def test_a_part_says_nothing_in_the_place_of_another(engine: SecretEngine) -> None:
    def says(prompt: Prompt) -> str:
        return say(prompt, "Not mine.", "notes[C1].text") if prompt.part == "notes[C3]" else say(prompt, "It is mended.")

    outcome, _ = walked(engine, says, repairs=0)
    assert isinstance(outcome.verdict, NeedsInput)
    assert outcome.verdict.partial.record() == {f"notes[C{number}].text": "It is mended." for number in (1, 2)}


@pytest.mark.requirement("AI-4")
def test_what_a_part_cites_must_be_its_own(engine: SecretEngine) -> None:
    def says(prompt: Prompt) -> str:
        return say(prompt, "It is mended.").replace('"C2"', '"C1"')

    outcome, _ = walked(engine, says, repairs=0)
    assert isinstance(outcome.verdict, NeedsInput)
    assert [(finding.code, finding.where) for finding in outcome.verdict.findings] == [("outside-sources", "notes[C2].text")]


def test_what_no_wording_cures_is_not_asked_again(engine: SecretEngine) -> None:
    def spoilt(draft: Draft, _citable: Citable, _resolved: Resolved, _guard: Guard) -> tuple[Finding, ...]:
        return (SPOILT.at("notes[C1].author", "got nothing"), SPOILT.at("", "got nothing"))

    model = Told(lambda prompt: say(prompt, "It is mended."))
    task = Task("notes", "1", ("shared",), Notes(), resolve, assemble, spoilt)
    terms = Terms(None, Rules(), Policy(), engine)
    outcome = asyncio.run(pipeline.draft(task, Evidence(many(2)), terms, model))
    assert told_of(outcome) == [("notes[C1]", ["spoilt"]), ("notes[C2]", [])]


@pytest.mark.requirement("AI-9")
def test_the_receipt_names_the_part_of_each_attempt_and_one_digest_for_all_prompts(engine: SecretEngine) -> None:
    def told(says: Says) -> DraftRecord:
        outcome, _ = walked(engine, says)
        selection = outcome.evidence.bundle.selection
        document = receipt(outcome, Frame("notes", selection.base, selection.head, None, "evidraft"))
        record = read(json.dumps(document).encode())
        assert isinstance(record, DraftRecord)
        return record

    once = told(lambda prompt: say(prompt, "It is mended."))
    again = told(lambda prompt: say(prompt, "It is mended." if prompt.feedback else "MENDED"))
    assert [attempt.part for attempt in once.drafter.attempts] == ["notes[C1]", "notes[C2]", "notes[C3]"]
    assert once.profile.digest is None
    assert once.drafter.prompt is not None
    assert once.drafter.prompt == again.drafter.prompt
    assert once.drafter.prompt.digest not in {attempt.prompt_digest for attempt in once.drafter.attempts}


@pytest.mark.requirement("AI-1")
def test_what_would_be_sent_is_shown_part_by_part(engine: SecretEngine, capsys: pytest.CaptureFixture[str]) -> None:
    seen = pipeline.see(NOTES, Evidence(many(2)), Terms(None, Rules(), Policy(), engine), client="told")
    assert seeing.view(seen, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["prompt"] is None
    assert list(document["parts"]) == ["notes[C1]", "notes[C2]"]
    assert "mend part 2" in document["parts"]["notes[C2]"]["messages"][1]["content"]
    assert seeing.view(seen, as_json=False) == 0
    told = capsys.readouterr()
    assert told.out.count("mend part") == 2
    assert "in 2 prompts, asking for notes[C1].text, notes[C2].text" in told.err
