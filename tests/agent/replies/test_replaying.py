"""A recorded run can be had again without its drafter, to the byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import pipeline
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.errors import ProviderFailure, TooLong
from agent.model.client import Model, Prompt, Reply, Usage
from agent.model.recorded import Recorded
from agent.model.scripted import Answer, Scripted
from agent.pipeline import Outcome, Pace, Terms
from agent.render import outcomes
from agent.render.outcomes import Frame
from agent.replies.cache import Cached
from agent.replies.recording import Recording
from agent.replies.shelf import Shelf
from agent.tasks import CHANGESET
from guardrails.drafts.unusable import REPLY_CUT_OFF
from guardrails.redaction.secrets import SecretEngine
from tests.agent.payments import MENDED, MESSAGE, payments
from tests.repositories import GitFolder

LONG = 60_000


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's change, with more lines than a drafter reads at once."""
    made = payments(tmp_path / "payments", None)
    lines = "".join(f"LIMIT_{number} = {number}\n" for number in range(2_000))
    made.commit(MESSAGE + "Refs: DEVELOP-219\n", {"apps/worker/settlement.py": MENDED, "apps/worker/limits.py": lines})
    return made


def drafted(folder: GitFolder, engine: SecretEngine, model: Model) -> Outcome:
    run = gather(Request(folder.path, "HEAD~1..HEAD", environ={}))
    terms = Terms(run.profile, run.rules, run.policy, engine)
    return asyncio.run(pipeline.draft(CHANGESET, run.evidence, terms, model, Pace(repairs=3)))


def told(outcome: Outcome) -> bytes:
    """All that a person gets, and what was asked for it."""
    selection = outcome.evidence.bundle.selection
    frame = Frame("changeset", selection.base, selection.head, None, "evidraft")
    asked = [(one.part, one.prompt, one.left_out, [found.code for found in one.findings]) for one in outcome.attempts]
    return json.dumps([outcomes.document(outcome.verdict, frame), outcomes.text(outcome.verdict, frame), asked]).encode()


def said(summary: str) -> str:
    fields = {"summary": summary, "rationale": "Prevent deployment shutdowns from leaving settlement jobs incomplete."}
    sentences = {name: [{"text": text, "evidence": ["C1"]}] for name, text in fields.items()}
    return json.dumps({"fields": [{"field": name, "sentences": one} for name, one in sentences.items()]})


def eventful() -> Scripted:
    """A drafter that finds whole prompts too long, then claims too much, is cut off twice, and does well at last."""
    repairs: Iterator[Answer] = iter(
        [Reply("{", fault=REPLY_CUT_OFF), Reply("{", fault=REPLY_CUT_OFF), said("Resume interrupted settlement jobs")]
    )

    def answer(prompt: Prompt) -> Answer:
        if not prompt.left_out:
            return TooLong("too long", share=0.8)
        return next(repairs) if prompt.feedback else Reply(said("Encrypt the invoices of all customers"), Usage(9, 9))

    return Scripted(answer, name="openai:example", room=LONG)


def test_a_run_with_shortenings_and_repairs_is_replayed_to_the_byte(
    folder: GitFolder, engine: SecretEngine, tmp_path: Path
) -> None:
    (tmp_path / "said").mkdir()
    model = eventful()
    first = drafted(folder, engine, Recording(model, tmp_path / "said"))
    again = drafted(folder, engine, Recorded(tmp_path / "said"))
    assert [attempt.reply.fault for attempt in first.attempts] == [None, REPLY_CUT_OFF, REPLY_CUT_OFF, None]
    assert len(model.prompts) > len(first.attempts)
    assert told(again) == told(first)
    assert all(attempt.reply.kept for attempt in again.attempts)


def test_what_came_from_the_cache_is_recorded_too(folder: GitFolder, engine: SecretEngine, tmp_path: Path) -> None:
    (tmp_path / "said").mkdir()
    reply = said("Resume interrupted settlement jobs")
    for answers in ([reply], []):
        cached = Cached(Scripted(answers, name="openai:example"), Shelf(tmp_path / "own" / "replies"))
        first = drafted(folder, engine, Recording(cached, tmp_path / "said"))
        asyncio.run(cached.close())
        assert told(drafted(folder, engine, Recorded(tmp_path / "said"))) == told(first)


def test_another_change_finds_no_reply(folder: GitFolder, engine: SecretEngine, tmp_path: Path) -> None:
    (tmp_path / "said").mkdir()
    drafted(folder, engine, Recording(Scripted([said("Resume interrupted settlement jobs")]), tmp_path / "said"))
    folder.commit("fix(apps/worker): retry payments\n\nImpact: patch\n", {"apps/worker/payments.py": "retries = 3\n"})
    with pytest.raises(ProviderFailure, match="there is no reply to the prompt sha256:"):
        drafted(folder, engine, Recorded(tmp_path / "said"))
