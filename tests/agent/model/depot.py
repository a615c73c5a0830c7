"""Providers of batches in memory, behind a router: what they take, hold and answer, and what of it is paid."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from typing import Any, ClassVar

import httpx
import respx

from tests.agent.model.wired import ANTHROPIC, OPENAI, Wire

TORN = b'{"custom_id": "to'


@dataclass
class Held:
    """A batch: its rows by name, what becomes of each (a good answer by default), and how often it is said to be running."""

    id: str
    rows: dict[str, Any]
    polls: int
    metadata: Mapping[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    status: str = ""

    def end(self, name: str) -> str:
        return self.ends.get(name, "good")


class Depot(ABC):
    """One provider.

    `fate` says what becomes of a row, `speaks` what is answered to a question, `meets` what happens to a request instead of its
    effect, or after it.
    """

    wire: ClassVar[Wire]
    host: ClassVar[str]

    def __init__(self, router: respx.Router, *, polls: int = 2) -> None:
        self.held: list[Held] = []
        self.fate: Callable[[str, int], str] = lambda _name, _time: "good"
        self.meets: Callable[[str, httpx.Request], httpx.Response | Exception | None] = lambda _when, _request: None
        self.speaks: Callable[[str], str] = lambda asked: f"answer to {asked[:8]}"
        self.polls = polls
        self.whole = ""
        self.told: list[str] = []
        self.paid: Counter[str] = Counter()
        router.route(host=self.host).mock(side_effect=self.serve)

    @property
    def rows(self) -> Counter[str]:
        """How often each row was handed over."""
        return Counter(name for batch in self.held for name in batch.rows)

    def serve(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1")
        self.told.append(f"{request.method} {path}")
        for when in ("before", "after"):
            met = self.meets(when, request)
            if isinstance(met, Exception):
                raise met
            if met is not None:
                return met
            if when == "before":
                answer = self.answer(request.method, path, request)
        return answer

    def take(self, rows: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> Held:
        held = Held(f"batch_{len(self.held) + 1}", dict(rows), self.polls, metadata or {})
        times = self.rows
        held.ends = {name: self.fate(name, times[name] + 1) for name in rows}
        held.status, self.whole = self.whole, ""
        if held.status != "failed":
            self.paid.update(name for name in rows if held.end(name) in {"good", "torn"})
        self.held.append(held)
        return held

    def cancel(self, held: Held, word: str) -> None:
        """Its first row was answered; the others are not, and cost nothing."""
        held.polls = min(held.polls, 1)
        _, *rest = held.rows
        held.ends |= dict.fromkeys(rest, word)
        self.paid.subtract(rest)

    def batch(self, name: str) -> Held | None:
        return next((held for held in self.held if held.id == name), None)

    def page(self, request: httpx.Request, cursor: str) -> tuple[list[Held], bool]:
        """The latest first, from the cursor on."""
        newest = self.held[::-1]
        after = request.url.params.get(cursor)
        start = 1 + [held.id for held in newest].index(after) if after else 0
        limit = int(request.url.params["limit"])
        return newest[start : start + limit], len(newest) > start + limit

    @abstractmethod
    def answer(self, method: str, path: str, request: httpx.Request) -> httpx.Response:
        raise NotImplementedError

    @abstractmethod
    def said(self, text: str) -> dict[str, Any]:
        """The answer of a model with this text in it."""
        raise NotImplementedError


def lines(rows: Iterable[Mapping[str, Any] | bytes]) -> httpx.Response:
    body = b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    return httpx.Response(200, content=body + b"\n" if body else b"", headers={"content-type": "application/octet-stream"})


class OpenAIDepot(Depot):
    """Files and batches of OpenAI."""

    wire, host = OPENAI, "api.openai.com"

    def __init__(self, router: respx.Router, *, polls: int = 2) -> None:
        super().__init__(router, polls=polls)
        self.files: dict[str, bytes] = {}
        self.orders: list[Any] = []

    def answer(self, method: str, path: str, request: httpx.Request) -> httpx.Response:
        steps = path.strip("/").split("/")
        match method, steps:
            case "POST", ["files"]:
                return self.upload(request)
            case "POST", ["batches"]:
                return self.order(json.loads(request.content))
            case "GET", ["batches"]:
                page, more = self.page(request, "after")
                return httpx.Response(200, json={"object": "list", "data": [*map(self.shape, page)], "has_more": more})
            case "GET", ["files", name, "content"]:
                return self.content(name)
        held = self.batch(steps[1])
        if held is None:
            return httpx.Response(404, json={"error": {"message": "?", "type": "invalid_request_error", "code": None}})
        if steps[2:] == ["cancel"]:
            held.status = "cancelled"
            self.cancel(held, "cancelled")
        else:
            held.polls -= 1
        return httpx.Response(200, json=self.shape(held))

    def upload(self, request: httpx.Request) -> httpx.Response:
        head = f"content-type: {request.headers['content-type']}\r\n\r\n".encode()
        parts = {
            str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True)
            for part in BytesParser().parsebytes(head + request.content).walk()
            if not part.is_multipart()
        }
        assert parts["purpose"] == b"batch"
        self.orders.append({name: text for name, text in parts.items() if name != "file"})
        name = f"file-{len(self.files) + 1}"
        self.files[name] = bytes(parts["file"])
        return httpx.Response(200, json={"id": name, "object": "file", "purpose": "batch"})

    def order(self, order: Any) -> httpx.Response:
        self.orders.append(order)
        rows = [json.loads(line) for line in self.files[order["input_file_id"]].splitlines()]
        assert all((row["method"], row["url"]) == ("POST", order["endpoint"]) for row in rows)
        return httpx.Response(200, json=self.shape(self.take({row["custom_id"]: row for row in rows}, order["metadata"])))

    def shape(self, held: Held) -> dict[str, Any]:
        ended = held.polls <= 0
        ends = [held.end(name) for name in held.rows]
        good = sum(end in {"good", "torn"} for end in ends)
        status = (held.status or ("expired" if "expired" in ends else "completed")) if ended else "in_progress"
        has_ends = ended and status != "failed"
        return {
            "id": held.id,
            "object": "batch",
            "endpoint": "/v1/responses",
            "status": status,
            "metadata": held.metadata,
            "request_counts": {"total": len(ends), "completed": good, "failed": len(ends) - good},
            "output_file_id": f"{held.id}-out" if has_ends and good else None,
            "error_file_id": f"{held.id}-err" if has_ends and good < len(ends) else None,
            "errors": {"object": "list", "data": [{"code": held.ends.get("", "?"), "message": "?"}]} if held.status else None,
        }

    def content(self, name: str) -> httpx.Response:
        batch, _, kind = name.rpartition("-")
        held = self.batch(batch)
        assert held is not None
        return lines(self.results(held, kind))

    def results(self, held: Held, kind: str) -> Iterator[Mapping[str, Any] | bytes]:
        for name, row in reversed(held.rows.items()):
            end = held.end(name)
            if (end in {"good", "torn", "missing"}) != (kind == "out") or end == "missing":
                continue
            told: dict[str, Any] = {"id": f"batch_req_{name[:8]}", "custom_id": name, "response": None, "error": None}
            if end == "torn":
                yield TORN
            elif end == "good":
                body = self.said(self.speaks(row["body"]["input"]))
                yield {**told, "response": {"status_code": 200, "request_id": f"req_{name[:8]}", "body": body}}
            elif end.isdigit():
                error = {"error": {"message": "quoted", "type": "?", "code": None}}
                yield {**told, "response": {"status_code": int(end), "request_id": "r", "body": error}}
            else:
                yield {**told, "error": {"code": f"batch_{end}", "message": "quoted"}}

    def said(self, text: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        return {**self.wire.answer, "output": [message]}


class AnthropicDepot(Depot):
    """Message batches of Anthropic."""

    wire, host = ANTHROPIC, "api.anthropic.com"
    kinds: ClassVar[Mapping[str, str]] = {"400": "invalid_request_error", "401": "authentication_error", "500": "api_error"}

    def answer(self, method: str, path: str, request: httpx.Request) -> httpx.Response:
        steps = path.removeprefix("/messages/batches").strip("/").split("/")
        match method, steps:
            case "POST", [""]:
                rows = json.loads(request.content)["requests"]
                return httpx.Response(200, json=self.shape(self.take({row["custom_id"]: row for row in rows})))
            case "GET", [""]:
                page, more = self.page(request, "after_id")
                return httpx.Response(200, json={"data": [*map(self.shape, page)], "has_more": more})
        held = self.batch(steps[0])
        if held is None:
            error = {"type": "error", "error": {"type": "not_found_error", "message": "?"}}
            return httpx.Response(404, json=error)
        match method, steps[1:]:
            case "GET", ["results"]:
                return lines(self.results(held))
            case "POST", ["cancel"]:
                self.cancel(held, "canceled")
        held.polls -= 1
        return httpx.Response(200, json=self.shape(held))

    def shape(self, held: Held) -> dict[str, Any]:
        ended = held.polls <= 0
        ends = [{"good": "succeeded", "torn": "succeeded"}.get(held.end(name), "errored") for name in held.rows]
        counts = Counter(ends) if ended else {"processing": len(ends)}
        return {
            "id": held.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0), **counts},
            "results_url": "https://elsewhere.example/results" if ended else None,
        }

    def results(self, held: Held) -> Iterator[Mapping[str, Any] | bytes]:
        for name, row in reversed(held.rows.items()):
            end = held.end(name)
            if end == "torn":
                yield TORN
            elif end == "good":
                text = self.said(self.speaks(row["params"]["messages"][0]["content"]))
                yield {"custom_id": name, "result": {"type": "succeeded", "message": text}}
            elif end.isdigit():
                error = {"type": "error", "error": {"type": self.kinds[end], "message": "quoted"}, "request_id": "r"}
                yield {"custom_id": name, "result": {"type": "errored", "error": error}}
            elif end != "missing":
                yield {"custom_id": name, "result": {"type": end}}

    def said(self, text: str) -> dict[str, Any]:
        return {**self.wire.answer, "content": [{"type": "text", "text": text}]}


DEPOTS: tuple[type[Depot], ...] = (OpenAIDepot, AnthropicDepot)
