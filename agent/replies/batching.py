"""What `--batch` makes of a drafter, and how what it left with a provider is called off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from agent.errors import UsageFailure
from agent.model import calls
from agent.model.anthropic import Anthropic
from agent.model.batches.anthropic import AnthropicBatches
from agent.model.batches.client import Batches, Phase
from agent.model.batches.openai import OpenAIBatches
from agent.model.client import Model, Prompt
from agent.model.openai import OpenAI
from agent.replies.batched import Batched
from agent.replies.polling import Polling
from agent.replies.waves import Notes, Waves
from guardrails.digests import digest_of

Asked: TypeAlias = tuple[Model, Batches]
"""A drafter, and its batches."""


def batched(
    spec: str,
    notes: Notes,
    *,
    environ: Mapping[str, str],
    polled: Callable[[Batches], Polling] = Polling,
    note: Callable[[str], None] = lambda _: None,
) -> Batched:
    """The drafter that `spec` names, asked in batches; nothing was sent yet.

    One is for all drafts of a run, each with a `Journaled` of its own around it: the name of the call under way is the name of
    its row. All that can be asked has to be asked at once, and without a deadline: what is asked after an answer goes with the
    next wave. `polled` says with what patience, and who is told where batches stand; `note` is told what stays behind.

    Raises:
        NotConfigured: it lacks a key.
        UsageFailure: it has no batches.
    """
    model, batches = _opened(spec, environ)
    return Batched(model, polled(batches), notes, named=lambda prompt: _row(model, prompt), note=note)


async def called_off(spec: str, notes: Notes, *, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Have the provider answer no more of what it was given; the batches that were running. What was answered can be had still.

    Raises:
        NotConfigured: it lacks a key.
        UsageFailure: it has no batches.
        ProviderFailure: the provider cannot be reached, or refuses.
    """
    model, batches = _opened(spec, environ)
    try:
        running = [
            batch
            for batch in Waves(notes, client=model.name, endpoint=str(model.parameters["endpoint"])).batches
            if (await batches.state(batch)).phase is Phase.RUNNING
        ]
        for batch in running:
            await batches.cancel(batch)
    finally:
        await model.close()
    return tuple(running)


def _openai(name: str, environ: Mapping[str, str], *, retries: int = 4) -> Asked:
    model = OpenAI(name, environ=environ, retries=retries)
    return model, OpenAIBatches(model)


def _anthropic(name: str, environ: Mapping[str, str], *, retries: int = 4) -> Asked:
    model = Anthropic(name, environ=environ, retries=retries)
    return model, AnthropicBatches(model)


KINDS: Final[Mapping[str, Callable[..., Asked]]] = {OpenAI.provider.name: _openai, Anthropic.provider.name: _anthropic}
"""Who answers in batches, by what `--model` calls it: takes the name of a model and the environment."""


def _opened(spec: str, environ: Mapping[str, str]) -> Asked:
    kind, _, name = spec.partition(":")
    if kind not in KINDS or not name:
        raise UsageFailure("only openai:NAME and anthropic:NAME answer in batches", where="--batch", cure="leave --batch away")
    return KINDS[kind](name, environ)


def _row(model: Model, prompt: Prompt) -> str:
    """The name of the call; of one that has none, whatever is the same when it is asked again."""
    named = calls.current().name
    asked = {"client": model.name, "parameters": dict(model.parameters), "prompt": prompt.digest}
    return named or digest_of(asked).removeprefix("sha256:")
