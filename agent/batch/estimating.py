"""What a run may cost, told before anything is asked: the prompts are put together, counted and priced (evidraft)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import Decimal

from agent.batch.drafting import gather_release
from agent.batch.release import Conditions, Release
from agent.model.client import Model, Usage
from agent.pipeline import Terms, see
from agent.replies import prices
from agent.replies.metering import at_most
from agent.tasks import ENVELOPE
from guardrails.redaction.secrets import SecretEngine


@dataclass(frozen=True, slots=True)
class Estimate:
    """The first calls of some releases: how many, the most tokens that go in and come out, and the most that they cost.

    `dollars` is None where nobody knows the price. What is asked again after findings comes on top; what the drafter has
    answered before is in it, though it costs nothing.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: Decimal | None = Decimal()

    def __add__(self, other: Estimate) -> Estimate:
        dollars = None if self.dollars is None or other.dollars is None else self.dollars + other.dollars
        return Estimate(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            dollars,
        )


async def estimate(
    release: Release, conditions: Conditions, model: Model, engine: SecretEngine, *, in_batch: bool = False
) -> Estimate:
    """The calls that drafting of a release begins with. Nothing is sent; a drafter that only selects costs nothing.

    Raises:
        agent.errors.Failure: something cannot be read or used.
    """
    if model.reads_evidence or release.questions:
        return Estimate()
    room = await model.room()
    return await asyncio.to_thread(_estimated, release, conditions, _Asked(model, engine, room, in_batch))


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who would be asked: `room` is how many characters a prompt may have."""

    model: Model
    engine: SecretEngine
    room: int | None
    in_batch: bool


def _estimated(release: Release, conditions: Conditions, asked: _Asked) -> Estimate:
    gathered, client = gather_release(release, conditions), asked.model.name
    seen = see(ENVELOPE, gathered.evidence, Terms.of(gathered, asked.engine), client=client, room=asked.room)
    tokens = [at_most(prompt, asked.model.parameters) for prompt in seen.prompts()]
    calls = (Estimate(1, *pair, prices.dollars(client, Usage(*pair), in_batch=asked.in_batch)) for pair in tokens)
    return sum(calls, Estimate())
