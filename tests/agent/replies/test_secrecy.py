"""A hostile drafter that knows what it may not know leaves none of it in the cache or in a recording."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from agent import pipeline
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.model.client import Reply
from agent.model.recorded import Recorded
from agent.model.scripted import Scripted
from agent.pipeline import Pace, Terms
from agent.replies.cache import Cached
from agent.replies.recording import Recording
from agent.replies.shelf import Shelf
from agent.tasks import CHANGESET
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from tests.agent.payments import MENDED, MESSAGE, RECORD, payments
from tests.guardrails.redaction.made_up import TOKEN
from tests.repositories import GitFolder

EMBARGOED = "The zebra cipher is broken"
TERM = "Project Kestrel"
EMAIL = "ada@example.org"
HIDDEN_ID = "mend-the-zebra-cipher"
CANARIES = (TOKEN, HIDDEN_ID, TERM, EMAIL)
"""Words of an embargoed record are in no prompt, so that no drafter knows them; what names the record can be guessed."""
HIDDEN = (
    RECORD.replace("resume-settlement-jobs", HIDDEN_ID)
    .replace("Resume settlement jobs interrupted during shutdown", EMBARGOED)
    .replace("DEVELOP-219", "DEVELOP-7")
    .replace("state: public", "state: embargoed")
    .replace("not-before: null", "not-before: 2030-01-01T00:00:00Z")
)


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A change with a secret, a policy term and an author, beside an embargoed record with its commit."""
    made = payments(tmp_path / "payments", None)
    made.commit(
        f"fix(apps/worker): {EMBARGOED.lower()}\n\nChangeset: {HIDDEN_ID}\n",
        {f".ack/changes/{HIDDEN_ID}.yaml": HIDDEN, "apps/worker/cipher.py": "zebra = None\n"},
    )
    made.commit(
        MESSAGE.replace("incomplete.", f"incomplete, as {TERM} needs.\n\nThe token was {TOKEN}.") + "Refs: DEVELOP-219\n",
        {"apps/worker/settlement.py": MENDED + f"TOKEN = '{TOKEN}'\n# {TERM}\n"},
    )
    return made


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


def said(text: str) -> str:
    sentence = {"text": "X", "evidence": ["C2"]}
    return json.dumps({"fields": [{"field": "summary", "sentences": [sentence]}]}).replace("X", text)


@pytest.mark.requirement("AI-7", "IC-12.5")
@pytest.mark.parametrize("canary", CANARIES)
def test_nothing_withheld_is_found_in_any_file(folder: GitFolder, engine: SecretEngine, tmp_path: Path, canary: str) -> None:
    (tmp_path / "said").mkdir()
    run = gather(Request(folder.path, "HEAD~2..HEAD", environ={}))
    terms = Terms(run.profile, run.rules, Policy(terms=(TERM,)), engine)
    texts = (said(canary), said(escaped(canary)), f"No: {canary}", said("Resume interrupted settlement jobs"))
    model = Scripted([Reply(text, model=canary, request_id=canary, stop=canary) for text in texts], name="openai:example")
    cached = Cached(model, Shelf(tmp_path / "own" / "replies"))
    asyncio.run(pipeline.draft(CHANGESET, run.evidence, terms, Recording(cached, tmp_path / "said"), Pace(repairs=3)))
    kept = b"".join(path.read_bytes() for place in ("own", "said") for path in (tmp_path / place).iterdir())
    asyncio.run(cached.close())
    assert len(model.prompts) > 1
    assert EMBARGOED not in "".join(message.content for prompt in model.prompts for message in prompt.messages)
    assert len(list((tmp_path / "said").iterdir())) > 2
    assert canary.encode() not in kept
    assert escaped(canary).encode() not in kept.replace(b"\\\\", b"\\")
    asyncio.run(pipeline.draft(CHANGESET, run.evidence, terms, Recorded(tmp_path / "said"), Pace(repairs=0)))
