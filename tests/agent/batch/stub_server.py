"""A model server on loopback with bad manners: slow, refusing in bursts, and counting what it is asked. Run as a module.

It speaks the chat interface and answers every field from the message in the prompt, so that the same prompt gets the same
answer whenever it is asked. `GET /counts` tells how many requests came, how many answers were made, and of how many names.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

NAME: Final = "stub-1"
_ASKED: Final = re.compile(r"^- `([^`]+)`, which may rest on: (.+)$", re.MULTILINE)
_SAID: Final = re.compile(r"^feat: list the (\w+) of client (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Manners:
    """Seconds before an answer; of how many requests one begins a burst, how many it has; whether it knows names of calls."""

    latency: float = 0.0
    every: int = 0
    burst: int = 0
    knows_names: bool = False
    denies_after: int = 0


@dataclass
class Server:
    """What it was asked and what it answered."""

    manners: Manners = Manners()
    port: int = 0
    requests: int = 0
    answers: int = 0
    refused: int = 0
    named: dict[str, bytes] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def begin(self, manners: Manners) -> None:
        """Forget everything, and have other manners."""
        self.manners, self.requests, self.answers, self.refused, self.named, self.log = manners, 0, 0, 0, {}, []

    async def answer(self, path: str, name: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body."""
        if path.endswith("/chat/completions"):
            return await self._completed(name, body)
        about = {"counts": self.counts(), "models": {"object": "list", "data": [{"id": NAME, "object": "model"}]}}
        told = about.get(path.rpartition("/")[2])
        return (404, {}, b"{}") if told is None else (200, {}, json.dumps(told).encode())

    async def _completed(self, name: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        self.requests += 1
        self.log.append(name)
        manners = self.manners
        if manners.denies_after and self.requests > manners.denies_after:
            return 401, {}, b'{"error": {"message": "no", "code": "invalid_api_key"}}'
        if manners.every and self.requests % manners.every < manners.burst:
            self.refused += 1
            return 429 if self.requests % 2 else 500, {"retry-after-ms": "20"}, b'{"error": {"message": "not now"}}'
        await asyncio.sleep(manners.latency)
        if name not in self.named or not manners.knows_names:
            self.answers += 1
            self.named[name] = answered(json.loads(body))
        return 200, {}, self.named[name]

    def counts(self) -> dict[str, int]:
        """What `GET /counts` tells."""
        return {
            "requests": self.requests,
            "answers": self.answers,
            "refused": self.refused,
            "distinct": len(self.named),
        }


def answered(request: Mapping[str, list[dict[str, str]]]) -> bytes:
    """The answer to a request, which depends on nothing but the prompt without its fence."""
    text = request["messages"][-1]["content"]
    said = _SAID.search(text)
    word, client = said.groups() if said else ("ledger", "0")
    fields = [
        {"field": name, "sentences": [_sentence(name, sources.split(", "), word, client)]}
        for name, sources in _ASKED.findall(text)
    ]
    read = sum(len(message["content"]) for message in request["messages"]) // 4
    message = {"role": "assistant", "content": json.dumps({"fields": fields})}
    return json.dumps(
        {
            "id": "chat-1",
            "object": "chat.completion",
            "model": NAME,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": read, "completion_tokens": 60, "total_tokens": read + 60},
        }
    ).encode()


def _sentence(name: str, sources: list[str], word: str, client: str) -> dict[str, object]:
    """True words for a field."""
    texts = {
        "title": f"List the {word} of client {client}",
        "short_md": f"The {word} of client {client} is listed",
        "medium_md": f"Accountants read each {word} in one list.",
        "detail_md": f"The {word} of client {client} is listed.",
    }
    last = name.rpartition(".")[2]
    letters = "CFH" if last == "detail_md" else "C"
    evidence = [item for item in sources if item[0] in letters]
    return {"text": texts[last], "evidence": evidence, "heading": "What changed" if last == "detail_md" else None}


async def serve(server: Server) -> asyncio.Server:
    """Listen; HTTP/1.1 as far as an SDK needs it."""

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")) != b"":
                start, *lines = head.decode("latin-1").split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                status, more, told = await server.answer(start.split()[1], headers.get("idempotency-key", ""), body)
                shown = {"content-type": "application/json", "content-length": str(len(told)), **more}
                lines = [f"HTTP/1.1 {status} x", *(f"{name}: {value}" for name, value in shown.items())]
                writer.write("\r\n".join([*lines, "", ""]).encode() + told)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    listening = await asyncio.start_server(connection, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    return listening


async def main() -> None:
    """Serve with the manners that the first argument says, as JSON, until the process is ended."""
    told: dict[str, float] = json.loads(sys.argv[1]) if sys.argv[1:] else {}
    manners = Manners(**told)  # type: ignore[arg-type]
    server = Server(manners)
    listening = await serve(server)
    sys.stdout.write(f"{server.port}\n")
    sys.stdout.flush()
    await listening.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
