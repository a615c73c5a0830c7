"""Servers of the OpenAI chat interface, as their documentation shows them; each answers at its own paths and refuses others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import httpx
import respx

from agent.model.client import Prompt, Reply
from agent.model.compatible import Compatible
from tests.agent.model.wired import PROMPT, TEXT

URL = "http://127.0.0.1:8080/v1"
KEY = "endpoint-key-that-nobody-may-see"
MODELS = "/v1/models"
CHAT = "/v1/chat/completions"
Told: TypeAlias = httpx.Response | Exception | Mapping[str, Any]


def completion(content: object = TEXT, stop: object = "stop", /, **more: object) -> dict[str, Any]:
    """An answer of the chat interface; what `more` holds stands beside the content."""
    return {
        "id": "chatcmpl-7",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [{"index": 0, "finish_reason": stop, "message": {"role": "assistant", "content": content, **more}}],
        "usage": {"prompt_tokens": 4_000, "completion_tokens": 30, "total_tokens": 4_030},
    }


def refused(message: str, status: int = 400, **more: object) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message, "type": "invalid_request_error", **more}})


def listing(*entries: Mapping[str, object] | str) -> dict[str, Any]:
    named = [{"id": one} if isinstance(one, str) else one for one in entries]
    return {"object": "list", "data": [{"object": "model", "created": 1, "owned_by": "someone", **one} for one in named]}


@dataclass
class Server:
    """What is answered at each path: one thing, or one after the other, the last of them again and again."""

    answers: dict[str, list[Told]]
    requests: list[httpx.Request] = field(default_factory=list)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What the chat interface was sent."""
        return [json.loads(one.content) for one in self.requests if one.url.path.endswith("/chat/completions")]

    @property
    def paths(self) -> list[str]:
        return [one.url.path for one in self.requests]

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        steps = self.answers.get(request.url.path)
        if not steps:
            return httpx.Response(404, json={"error": {"message": "not found", "type": "not_found_error", "code": 404}})
        told = steps.pop(0) if len(steps) > 1 else steps[0]
        if isinstance(told, Exception):
            raise told
        if isinstance(told, httpx.Response):
            return httpx.Response(told.status_code, headers=told.headers, content=told.content)
        return httpx.Response(200, json=told)


def serving(router: respx.Router, answers: Mapping[str, Told | list[Told]]) -> Server:
    """A server that has a model and answers to prompts, except where `answers` says otherwise."""
    whole: dict[str, Told | list[Told]] = {MODELS: listing("some-model"), CHAT: completion(), **answers}
    server = Server({path: list(told) if isinstance(told, list) else [told] for path, told in whole.items()})
    router.route().mock(side_effect=server.answer)
    return server


def client(url: str = URL, name: str = "some-model", **options: Any) -> Compatible:
    return Compatible(url, name, **{"environ": {}, "retries": 0, **options})


def ask(model: Compatible, *prompts: Prompt) -> list[Reply]:
    """Its answers, one after the other, in a loop that it is closed in."""

    async def all_of_them() -> list[Reply]:
        try:
            return [await model.draft(prompt) for prompt in prompts or (PROMPT,)]
        finally:
            await model.close()

    return asyncio.run(all_of_them())


def room(model: Compatible) -> int | None:
    async def once() -> int | None:
        try:
            return await model.room()
        finally:
            await model.close()

    return asyncio.run(once())
