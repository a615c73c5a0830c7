"""The one Protocol of all drafters, and what goes in and comes out of one call."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Final, Protocol

from guardrails.findings import Code
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.resolved import ProseRequest

NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a model. `role` is `system` or `user`."""

    role: str
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call: instructions of ours, evidence as data, and what is asked.

    `instructions` are our own texts, the same for every prompt of a task; `data` is the redacted evidence as text between
    `fence`s; `question` names what is asked and, of a repair, what was wrong with an earlier reply. `schema` is the JSON Schema
    of the reply: the narrow subset that every provider takes. `digest` covers instructions, question, data and schema with the
    fence left out: it names the request, also in caches and recordings. `shown` are the ids of the items in the data,
    `left_out` of those that did not fit: a reply may not cite them. `open_fields` are decisions that a person takes, with the
    words that each accepts: a reply may suggest one. `part` is the part of the draft that is asked for, "" for the whole.
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
    question: str = field(default="", repr=False)
    schema: Mapping[str, object] = field(default_factory=lambda: NOTHING, repr=False)
    feedback: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    open_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    part: str = ""

    @property
    def messages(self) -> tuple[Message, ...]:
        """What a model is sent, in order: what never changes first, what is asked last."""
        return (Message("system", self.instructions), Message("user", f"{self.data}\n\n{self.question}"))

    @property
    def size(self) -> int:
        """How many characters the messages have."""
        return sum(len(message.content) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost in tokens; None where a drafter does not count them.

    `cached_tokens` and `written_tokens` are those of the input that the provider read from its own cache, or put into it;
    `reasoning_tokens` those of the output that nobody gets to read.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A drafter's answer as text (JSON of `guardrails.drafts.reply`), not yet believed.

    `fault` tells why there is no answer in it (refused, empty, …), a code of `guardrails.drafts.unusable`. `model` is what
    the provider says answered, `stop` its own word for why it ended, `seconds` the time that the call took, `cost` its price in
    US dollars, None where nobody knows. A reply that was `kept` was paid for earlier: it comes from a cache or a recording.
    """

    text: str = field(repr=False)
    usage: Usage = Usage()
    fault: Code | None = None
    model: str = ""
    request_id: str = ""
    stop: str = ""
    seconds: float | None = None
    cost: Decimal | None = None
    kept: bool = False


class Model(Protocol):
    """A drafter. It takes redacted evidence only; what it says is held against the evidence afterwards."""

    @property
    def name(self) -> str:
        """As `--model` names it: `extractive`, `openai:NAME`, `anthropic:NAME`, `URL#NAME`, `recorded:DIR`."""
        raise NotImplementedError

    @property
    def reads_evidence(self) -> bool:
        """Whether it reads the evidence of a prompt itself; one that is sent the messages cites only what fits into them."""
        return False

    @property
    def parameters(self) -> Mapping[str, object]:
        """What is sent besides the messages, as JSON types: for the draft record and for the keys of caches. Never a key."""
        return NOTHING

    async def room(self) -> int | None:
        """How many characters the messages of a prompt may have; None where no limit is known.

        Raises:
            agent.errors.ProviderFailure: the drafter had to be asked, and could not be reached.
        """
        return None

    @abstractmethod
    async def draft(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            agent.errors.TooLong: the messages do not fit; a shorter prompt may.
            agent.errors.ProviderFailure: the drafter could not be reached, or does not serve us.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Let go of connections. It may be asked again afterwards."""
        return
