"""A provider on loopback that speaks the three wires, answers what a test tells it, and keeps every byte that it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NAME = "stub-1"
KEY = "made-up-key-of-the-provider"


@dataclass(frozen=True)
class Answer:
    """What the provider answers: a status, headers, and a body as JSON or as bytes."""

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Says = Callable[[str], str | Answer]
"""From the path and the text of a request to the text of the reply, or to a whole answer."""


@dataclass
class Provider:
    """Where it listens, what it says, and the requests so far as they came: start line, headers, body."""

    says: Says
    address: str = ""
    seen: list[bytes] = field(default_factory=list)

    @property
    def asked(self) -> list[bytes]:
        """The requests for a draft; others only ask what there is."""
        return [request for request in self.seen if request.startswith(b"POST /v1/")]

    def environment(self) -> dict[str, str]:
        """The variables of a person who has this provider."""
        return {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": f"{self.address}/v1",
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": self.address,
            "EVIDRAFT_ENDPOINT_KEY": KEY,
        }

    def client(self, wire: str) -> str:
        """The drafter as `--model` names it."""
        return f"{self.address}/v1#{NAME}" if wire == "url" else f"{wire}:{NAME}"


@contextmanager
def provider(says: Says) -> Iterator[Provider]:
    """A provider that runs for as long as the test needs it."""
    one = Provider(says)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(one))
    one.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield one
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(one: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._keep(b"")
            is_list = self.path.endswith("/models")
            self._answer(
                Answer({"object": "list", "data": [{"id": NAME, "object": "model"}]} if is_list else None, 404 - 204 * is_list)
            )

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            self._keep(body)
            said = one.says(body.decode())
            self._answer(said if isinstance(said, Answer) else Answer(reply(self.path, said)))

        def _keep(self, body: bytes) -> None:
            head = f"{self.command} {self.path}\n{self.headers}"
            one.seen.append(head.encode() + b"\n" + body)

        def _answer(self, answer: Answer) -> None:
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", "content-length": str(len(body)), **answer.headers}.items():
                self.send_header(name, value)
            with suppress(BrokenPipeError):  # who was interrupted does not read on
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


def reply(path: str, text: str) -> dict[str, object]:
    """A finished answer in the shape of the wire that was asked; the tokens are about what a prompt here has."""
    if path.endswith("/responses"):
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
        usage = {"input_tokens": 3000, "output_tokens": 20, "total_tokens": 3020}
        return {"id": "resp_1", "object": "response", "model": NAME, "status": "completed", "output": [message], "usage": usage}
    if path.endswith("/messages"):
        content = [{"type": "text", "text": text}]
        usage = {"input_tokens": 3000, "output_tokens": 20}
        told = {"id": "msg_1", "type": "message", "role": "assistant", "model": NAME, "content": content, "usage": usage}
        return {**told, "stop_reason": "end_turn", "stop_sequence": None}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 3000, "completion_tokens": 20, "total_tokens": 3020}
    return {"id": "chat_1", "object": "chat.completion", "model": NAME, "choices": [choice], "usage": usage}
