"""The double of a drafter: it answers what it was told to and keeps what it was asked, so that a test can read every prompt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeAlias

from agent.errors import Failure, ProviderFailure
from agent.model.client import NOTHING, Model, Prompt, Reply

Answer: TypeAlias = str | Reply | Failure
"""A text, a whole reply (also one with a fault), or a failure to raise."""


class Scripted(Model):
    """A drafter with prepared answers, given in order or by a function of the prompt. `prompts` holds every prompt it saw.

    `before` is awaited before each answer: with an event in it a test holds calls up, and no test needs to sleep. `closed`
    counts how often it was closed.
    """

    def __init__(
        self,
        replies: Iterable[Answer] | Callable[[Prompt], Answer],
        *,
        name: str = "scripted",
        parameters: Mapping[str, object] = NOTHING,
        room: int | None = None,
        before: Callable[[Prompt], Awaitable[object]] | None = None,
    ) -> None:
        """Take the answers; `name`, `parameters` and `room` are what it says of itself."""
        self._answer = replies if callable(replies) else self._in_order(tuple(replies))
        self._name = name
        self._parameters = parameters
        self._room = room
        self._before = before
        self.prompts: list[Prompt] = []
        self.closed = 0

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    @property
    def parameters(self) -> Mapping[str, object]:
        """As given."""
        return self._parameters

    async def room(self) -> int | None:
        """As given."""
        return self._room

    async def draft(self, prompt: Prompt) -> Reply:
        """Keep the prompt and give the next answer.

        Raises:
            ProviderFailure: no answer is left.
            Failure: that is the answer.
        """
        self.prompts.append(prompt)
        answer = self._answer(prompt)
        if self._before is not None:
            await self._before(prompt)
        if isinstance(answer, Failure):
            raise answer
        return answer if isinstance(answer, Reply) else Reply(answer)

    async def close(self) -> None:
        """Count it."""
        self.closed += 1

    def _in_order(self, answers: tuple[Answer, ...]) -> Callable[[Prompt], Answer]:
        def answer(_: Prompt) -> Answer:
            call = len(self.prompts)
            none_left = ProviderFailure("the scripted drafter has no reply left", where=f"call {call}")
            return answers[call - 1] if call <= len(answers) else none_left

        return answer
