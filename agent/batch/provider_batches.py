"""`--batch`: every release drafted in this process, and their calls handed to the provider's batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from agent.batch.asking import Asking, desk
from agent.batch.events import Listener, Waiting, Why
from agent.batch.journal import Journal
from agent.model.batches.client import Batches
from agent.replies.batching import batched
from agent.replies.desk import Untimed
from agent.replies.metering import Limits, Metered
from agent.replies.polling import Polling, Standing
from guardrails.redaction.secrets import SecretEngine

_AT_ONCE: Final = 1_000_000
"""Parts of a release that are asked at once: all, for each that waits for another one waits for a batch."""


def batching(
    spec: str,
    journal: Journal,
    engine: SecretEngine,
    *,
    environ: Mapping[str, str],
    limits: Limits,
    listener: Listener,
    note: Callable[[str], None],
    polled: Callable[[Batches], Polling] = Polling,
) -> Asking:
    """Workers that ask the drafter `spec` in batches, which the journal remembers; `note` is told of what stays behind.

    Raises:
        NotConfigured: it lacks a key; or a limit on dollars cannot be held.
        UsageFailure: it has no batches.
    """

    def watch(standing: Standing) -> None:
        listener(Waiting(standing.seconds, Why.PROVIDER_BATCH))

    def watched(batches: Batches) -> Polling:
        return replace(polled(batches), watch=watch)

    asked = batched(spec, journal, environ=environ, polled=watched, note=note)
    own = desk(asked.name, journal, Untimed(), limits=limits, listener=listener, in_batch=True)
    return Asking(Metered(asked, in_batch=True), asked.stop, own, engine, _AT_ONCE)
