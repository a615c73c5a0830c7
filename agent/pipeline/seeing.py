"""The road up to the drafter: what it would see, and what a run is judged by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.collecting.request import Gathered
from agent.model.client import Prompt
from agent.prompting import Composer
from agent.tasks import Task
from guardrails.evidence.model import Evidence
from guardrails.grounding.suggesting import suggestible
from guardrails.records.profile import Profile
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import RedactedEvidence, redact
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run is judged by: the active profile if any, the reviewed rules, the redaction policy and its secret engine."""

    profile: Profile | None
    rules: Rules
    policy: Policy
    engine: SecretEngine

    @classmethod
    def of(cls, gathered: Gathered, engine: SecretEngine) -> Terms:
        """What was gathered to judge by, with the engine that this machine has."""
        return cls(gathered.profile, gathered.rules, gathered.policy, engine)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a drafter would see: redacted evidence, what is resolved without it, and a prompt for each part left to ask."""

    evidence: RedactedEvidence
    resolved: Resolved
    composer: Composer

    def prompts(self) -> Iterator[Prompt]:
        """The prompts that would be sent, put together one at a time: all of them may be more than fits at once."""
        every = (self.composer.prompt(requests, part=part) for part, requests in self.resolved.parts().items())
        return (prompt for prompt in every if prompt.requests)


def see(
    task: Task, evidence: Evidence, terms: Terms, *, client: str, reads_evidence: bool = False, room: int | None = None
) -> Seen:
    """Walk the road up to the drafter, sending nothing: `--dry-run`, `evidraft evidence`, and the first half of `draft`.

    `client`, `reads_evidence` and `room` are the drafter's name, whether it reads more than the text of a prompt, and how many
    characters that text may have.
    """
    redacted = redact(evidence, terms.policy, terms.engine, client=client)
    resolved = task.resolve(redacted, terms.profile, terms.rules)
    composer = Composer.of(
        task,
        redacted,
        terms.profile,
        reads_evidence=reads_evidence,
        room=room,
        open_fields={} if reads_evidence else suggestible(resolved),
    )
    return Seen(redacted, resolved, composer)
