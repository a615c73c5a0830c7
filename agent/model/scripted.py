"""The double of a drafter: it answers what it was told to and keeps what it was asked, so that a test can read every prompt."""

from __future__ import annotations

from collections.abc import Iterable

from agent.errors import ProviderFailure
from agent.model.client import Model, Prompt, Reply


class Scripted(Model):
    """A drafter with prepared replies, given in order. `prompts` holds every prompt it saw."""

    def __init__(self, replies: Iterable[str | Reply], *, name: str = "scripted") -> None:
        """Take the replies, as texts or with their usage."""
        self._replies = [reply if isinstance(reply, Reply) else Reply(reply) for reply in replies]
        self._name = name
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    @property
    def reads_evidence(self) -> bool:
        """No: it stands for a drafter that is sent a text."""
        return False

    async def draft(self, prompt: Prompt) -> Reply:
        """Keep the prompt and give the next reply.

        Raises:
            ProviderFailure: no reply is left.
        """
        self.prompts.append(prompt)
        if len(self.prompts) > len(self._replies):
            raise ProviderFailure("the scripted drafter has no reply left", where=f"call {len(self.prompts)}")
        return self._replies[len(self.prompts) - 1]
