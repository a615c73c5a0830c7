"""One draft of a small repository with a real model, and what git itself says of what came out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent import pipeline
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.model.client import Model
from agent.pipeline import Outcome, Pace, Terms
from agent.tasks import CHANGESET, ENVELOPE
from evals import naming
from evals.believing import Asked, Listening
from evals.grepping import not_found
from evals.operations import Operation
from evals.placing import wrong_refs
from evals.ruling import broken
from evals.shown import Envelope, Shown
from guardrails.redaction.secrets import SecretEngine
from tests.repositories import GitFolder

LAST = "HEAD~1..HEAD"
SINGLE = "single"


def walked(
    folder: GitFolder, engine: SecretEngine, model: Model, *, shape: str | None = SINGLE
) -> tuple[Outcome, Sequence[Asked]]:
    """Draft the last commit, as an envelope of `shape` or as a changeset; the outcome, and what the model was asked."""
    listening = Listening(model, is_small=True)

    async def drafted() -> Outcome:
        try:
            return await pipeline.draft(task, run.evidence, Terms.of(run, engine), listening, Pace(repairs=0))
        finally:
            await listening.close()

    task = CHANGESET if shape is None else ENVELOPE
    is_envelope = shape is not None
    run = gather(Request(folder.path, LAST, environ={}, describes=is_envelope, needs_profile=not is_envelope, shape=shape))
    return asyncio.run(drafted()), tuple(listening.asked)


def made_up(folder: GitFolder, record: Envelope) -> tuple[str, ...]:
    """What a record names that git does not show: identifiers, numbers, paths, references."""
    if "shape" not in record:
        given = (folder.path / ".ack" / "profile.yaml", folder.path / "evidraft.toml")
        return not_found(record, folder.git("log", "-p", "-m", LAST).decode(), given)
    shown = Shown(folder.path, Operation("commit", LAST, "HEAD~1", "HEAD"))
    return (*naming.not_found(record, shown, ""), *wrong_refs(record, shown), *broken(record, shown))
