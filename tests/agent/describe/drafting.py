"""Drafters of every kind for the road of envelopes, and what became of what they said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent import pipeline
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome, Pace, Terms
from agent.tasks import ENVELOPE
from guardrails.drafts.page import Heading
from guardrails.grounding.verdict import NeedsInput
from guardrails.redaction.secrets import SecretEngine
from tests.repositories import GitFolder

Text = str | None | tuple[str, list[str]]


@dataclass
class Saying(Model):
    """A drafter that says the same of every change: a text by the last component of the field, null where it has none.

    A text rests on the first hunk or file for a page, else on the first message, unless its evidence is given with it.
    `prompts` holds every prompt that it saw.
    """

    texts: Mapping[str, Text]
    name: str = "saying"
    reads_evidence: bool = False
    prompts: list[Prompt] = field(default_factory=list)

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer each request."""
        self.prompts.append(prompt)
        told = [{"field": one.field, "sentences": self._said(one.field, one.sources)} for one in prompt.requests]
        return Reply(json.dumps({"fields": told}))

    def _said(self, where: str, sources: tuple[str, ...]) -> list[dict[str, object]] | None:
        name = where.rpartition(".")[2]
        text = self.texts.get(name)
        if text is None:
            return None
        letters = "HF" if name == "detail_md" else "CPI"
        first = next((item for letter in letters for item in sources if item.startswith(letter)), "C1")
        words, evidence = (text, [first]) if isinstance(text, str) else text
        heading = {"heading": Heading.CHANGED.value} if name == "detail_md" else {}
        return [{"text": words, "evidence": evidence, **heading}]


def drafted(folder: GitFolder, engine: SecretEngine, model: Model, operand: str = "HEAD", shape: str = "single") -> Outcome:
    """Walk the road of envelopes with a drafter."""
    request = Request(folder.path, operand, describes=True, needs_profile=False, shape=shape, environ={})
    run = gather(request)
    return asyncio.run(pipeline.draft(ENVELOPE, run.evidence, Terms.of(run, engine), model, Pace(repairs=0)))


def codes(outcome: Outcome) -> dict[str, set[str]]:
    """The codes of what was found, by the field they touch."""
    found: dict[str, set[str]] = {}
    for attempt in outcome.attempts:
        for finding in attempt.findings:
            found.setdefault(finding.where, set()).add(finding.code)
    return found


def open_fields(outcome: Outcome) -> list[str]:
    """The fields that a person is asked."""
    assert isinstance(outcome.verdict, NeedsInput), outcome.verdict
    return [question.field for question in outcome.verdict.unresolved]
