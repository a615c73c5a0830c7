"""What the tests of drafters over HTTP share: a prompt, answers as the providers give them, and how one is asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx
import respx

from agent.model.anthropic import Anthropic
from agent.model.client import Model, Reply
from agent.model.openai import OpenAI
from agent.prompting import compose
from agent.tasks import CHANGESET
from tests.guardrails.resolving.building import PROFILE, WHOLE, evidence

KEY = "sk-the-one-that-nobody-may-see"
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"fields": {"type": "array", "items": {"type": "string"}}},
    "required": ["fields"],
    "additionalProperties": False,
}
PROMPT = replace(compose(CHANGESET, evidence(WHOLE), (), PROFILE), schema=SCHEMA)
TEXT = '{"fields": []}'
ENVIRON = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}


@dataclass(frozen=True)
class Wire:
    """One provider as the tests see it."""

    prefix: str
    address: str
    make: Callable[..., Model]
    answer: Mapping[str, Any]
    """Its answer to a prompt, with `TEXT` in it."""
    request_id: str
    """The header that names a request."""

    def model(self, name: str = "some-model", **options: Any) -> Model:
        return self.make(name, **{"environ": ENVIRON, "retries": 0, **options})

    def route(self, router: respx.Router, *answers: httpx.Response | Exception) -> respx.Route:
        """The one place that it may be asked at; the last answer is given again and again."""
        steps = iter(answers)
        last = answers[-1]

        def step(_: httpx.Request) -> httpx.Response:
            one = next(steps, last)
            if isinstance(one, Exception):
                raise one
            return httpx.Response(one.status_code, headers=one.headers, content=one.content)

        return router.post(self.address).mock(side_effect=step)

    def good(self, **changed: object) -> httpx.Response:
        return httpx.Response(200, json={**self.answer, **changed}, headers={self.request_id: "req_7"})


OPENAI = Wire(
    prefix="openai:",
    address="https://api.openai.com/v1/responses",
    make=OpenAI,
    answer={
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "some-model-2026-01-01",
        "error": None,
        "incomplete_details": None,
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": TEXT, "annotations": []}],
            },
        ],
        "usage": {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
            "output_tokens": 30,
            "output_tokens_details": {"reasoning_tokens": 20},
            "total_tokens": 130,
        },
    },
    request_id="x-request-id",
)
ANTHROPIC = Wire(
    prefix="anthropic:",
    address="https://api.anthropic.com/v1/messages",
    make=Anthropic,
    answer={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "some-model-2026-01-01",
        "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": TEXT}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 30,
            "cache_read_input_tokens": 60,
            "cache_creation_input_tokens": 10,
            "output_tokens": 30,
            "output_tokens_details": {"thinking_tokens": 20},
        },
    },
    request_id="request-id",
)
WIRES = (OPENAI, ANTHROPIC)


def ask(model: Model) -> Reply:
    """One call in a loop of its own, closed behind it."""

    async def once() -> Reply:
        try:
            return await model.draft(PROMPT)
        finally:
            await model.close()

    return asyncio.run(once())


def sent(route: respx.Route) -> Any:
    """The body of the last request."""
    return json.loads(route.calls.last.request.content)
