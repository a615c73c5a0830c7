"""The one Protocol of all drafters, and what goes in and comes out of one call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.resolved import ProseRequest


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call: instructions of ours, evidence as data, and what is asked.

    `instructions` is our own text; `data` the redacted evidence as text between `fence`s; `digest` covers instructions and data
    with the fence left out. `feedback` names codes and fields of findings on an earlier reply, never evidence. `left_out` are
    the ids of items that did not fit: they were not shown, so a reply may not cite them. `part` is the part of the draft that
    is asked for, "" for the whole.
    """

    task: str
    name: str
    version: str
    instructions: str = field(repr=False)
    data: str = field(repr=False)
    fence: str
    requests: tuple[ProseRequest, ...]
    evidence: RedactedEvidence
    digest: str
    feedback: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost: tokens in and out; None where a drafter has none."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A drafter's answer as text (JSON of `guardrails.drafts.reply`), not yet believed."""

    text: str = field(repr=False)
    usage: Usage = Usage()


class Model(Protocol):
    """A drafter. It takes redacted evidence only; what it says is held against the evidence afterwards."""

    @property
    def name(self) -> str:
        """As `--model` names it: `extractive`, `openai:NAME`, `anthropic:NAME`, `URL#NAME`."""
        ...

    @property
    def reads_evidence(self) -> bool:
        """Whether it reads the evidence of a prompt itself; one that reads `data` cites only what fits into it."""
        ...

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            agent.errors.ProviderFailure: the drafter could not be reached or refused to answer.
        """
        ...
