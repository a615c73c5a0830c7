"""Prompts and replies for what stands around the calls of a drafter."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

from agent.model.client import Model, Prompt, Reply
from agent.prompting import compose
from agent.tasks import CHANGESET
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import RedactedEvidence
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.resolved import ProseRequest
from tests.guardrails.resolving.building import PROFILE, WHOLE, bundle
from tests.redacting import redacted

TERM = "Project Kestrel"
REQUEST = ProseRequest("summary", ("C1",), "What?")


def shown(engine: SecretEngine | None = None) -> RedactedEvidence:
    """One change, under a policy that takes `TERM` out."""
    return redacted(bundle(WHOLE), Policy(terms=(TERM,)), engine=engine)


def prompt(*, feedback: str = "", part: str = "", evidence: RedactedEvidence | None = None) -> Prompt:
    """The prompt for the summary of that change; another `feedback` makes it another one."""
    told = (feedback,) if feedback else ()
    return replace(compose(CHANGESET, evidence or shown(), (REQUEST,), PROFILE, feedback=told), part=part)


def said(text: str) -> str:
    """A reply of the required shape."""
    return json.dumps({"fields": [{"field": "summary", "sentences": [{"text": text, "evidence": ["C1"]}]}]}, ensure_ascii=False)


def asked(model: Model, *prompts: Prompt) -> list[Reply]:
    """What a drafter says to prompts of one draft, one after another."""

    async def ask() -> list[Reply]:
        await model.room()
        try:
            return [await model.draft(one) for one in prompts]
        finally:
            await model.close()

    return asyncio.run(ask())
