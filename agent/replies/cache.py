"""Replies kept from earlier runs, so that what was paid for once is not paid for again (evidraft).

Only what the pipeline could use is kept: replies of the required shape, without anything that the redactor would take out.
Nothing of a prompt is kept but its digest. What comes back is judged like any reply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import platformdirs

from agent.model import written
from agent.model.client import Model, Prompt, Reply
from agent.model.recorded import Turns
from agent.model.written import WrittenReply
from agent.replies import cleaning
from agent.replies.around import Around
from agent.replies.shelf import Shelf, Unusable
from guardrails.digests import digest_of
from guardrails.drafts import reply as replies

_FORMAT: Final = 1
"""Part of each key: with another one, nothing that was kept before is found."""


def cache_file() -> Path:
    """Where replies are kept: in the user's own cache folder."""
    return platformdirs.user_cache_path("evidraft") / "replies.sqlite3"


class Cached(Around):
    """A drafter that is not asked what it has answered before: under the same parameters, to the same prompt.

    A prompt that is asked again for one draft wants another answer, and gets one. A cache that cannot be used is done without,
    which `note` is told once.
    """

    def __init__(self, model: Model, shelf: Shelf, *, note: Callable[[str], None] = lambda _: None) -> None:
        """Keep what `model` answers on `shelf`."""
        super().__init__(model)
        self._shelf: Shelf | None = shelf
        self._note = note
        self._turns = Turns()
        self._parameters: Mapping[str, object] | None = None

    async def room(self) -> int | None:
        """As the drafter."""
        self._turns.begin()
        return await self._model.room()

    async def draft(self, prompt: Prompt) -> Reply:
        """The reply that is kept, or else the drafter's, which is kept from now on."""
        key = self._key(prompt)
        kept = self._kept(key)
        if kept is not None:
            return kept
        reply = await self._model.draft(prompt)
        clean = cleaning.reply(prompt.evidence.guard, reply)
        if _is_sound(reply) and clean.text == reply.text:
            self._keep(key, WrittenReply.of(clean, prompt=prompt.digest, client=self.name))
        return reply

    async def close(self) -> None:
        """As the drafter, and the file is let go."""
        if self._shelf is not None:
            self._shelf.close()
        await self._model.close()

    def _key(self, prompt: Prompt) -> str:
        # A drafter may learn of a server what else to send; the next run begins as this one did, and has to find the same keys.
        if self._parameters is None:
            self._parameters = dict(self.parameters)
        turn = self._turns.next(prompt.digest)
        asked = {"client": self.name, "parameters": self._parameters, "prompt": prompt.digest, "turn": turn, "format": _FORMAT}
        return digest_of(asked)

    def _kept(self, key: str) -> Reply | None:
        """None also where the text is no reply that we wrote."""
        text = self._use(lambda shelf: shelf.get(key))
        found = None if text is None else written.read(text.encode("utf-8", "backslashreplace"))
        return found.reply() if isinstance(found, WrittenReply) else None

    def _keep(self, key: str, answer: WrittenReply) -> None:
        self._use(lambda shelf: shelf.put(key, answer.json_text()))

    def _use(self, ask: Callable[[Shelf], str | None]) -> str | None:
        if self._shelf is None:
            return None
        try:
            return ask(self._shelf)
        except Unusable as error:
            self._note(f"note: replies are not kept: {error.why}: {self._shelf.path}")
            self._shelf = None
            return None


def _is_sound(reply: Reply) -> bool:
    """Whether the pipeline could use it."""
    return reply.fault is None and not isinstance(replies.parse(reply.text), tuple)
