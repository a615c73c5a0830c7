"""The drafters that there are, whether each could be asked now, and where its questions would go (`evidraft models`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agent.errors import NotConfigured
from agent.model.client import Model

_ANY: Final = "x"
"""Stands for a key where only the address is asked for."""


@dataclass(frozen=True, slots=True)
class Client:
    """One kind of drafter as `--model` names it. `missing` is what keeps it from being asked, `endpoint` where it would go."""

    name: str
    says: str
    missing: str = ""
    endpoint: str = ""

    @property
    def ready(self) -> bool:
        """Whether it could be asked, as far as one can tell without asking."""
        return not self.missing


def clients(environ: Mapping[str, str]) -> Iterator[Client]:
    """All of them. Nothing is sent, and nothing of a key is told."""
    from agent.model.anthropic import KEYS, Anthropic  # noqa: PLC0415 - the network is loaded when it is needed
    from agent.model.openai import KEY, OpenAI  # noqa: PLC0415 - as above

    yield Client("extractive", "selects from the evidence; no model, no network")
    yield _provider("openai:NAME", "a model of OpenAI", lambda told: OpenAI("NAME", environ=told), KEY, environ)
    yield _provider("anthropic:NAME", "a model of Anthropic", lambda told: Anthropic("NAME", environ=told), KEYS[0], environ)
    yield Client("URL#NAME", "a model of any server with OpenAI's chat interface, such as http://127.0.0.1:8080/v1#NAME")
    yield Client("recorded:DIR", "replies from files, recorded with --record-replies or written by hand; no network")


def _provider(
    name: str, says: str, opened: Callable[[Mapping[str, str]], Model], key: str, environ: Mapping[str, str]
) -> Client:
    """What keeps it from being asked is what it says itself when it is opened."""
    try:
        endpoint = str(opened({**environ, key: _ANY}).parameters["endpoint"])
    except NotConfigured as failure:
        return Client(name, says, missing=failure.cure)
    try:
        opened(environ)
    except NotConfigured as failure:
        return Client(name, says, missing=failure.cure, endpoint=endpoint)
    return Client(name, says, endpoint=endpoint)
