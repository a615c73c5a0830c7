"""Writes down what a drafter answers (`--record-replies DIR`), so that a run can be had again with `--model recorded:DIR`."""

from __future__ import annotations

from pathlib import Path

from agent import store
from agent.errors import TooLong, UsageFailure
from agent.model.client import Model, Prompt, Reply
from agent.model.recorded import ABOUT, About, Turns, about_of, file_name
from agent.model.written import WrittenReply
from agent.replies import cleaning
from agent.replies.around import Around


class Recording(Around):
    """A drafter whose answers are written to a folder, one file each, without anything that the redactor would take out."""

    def __init__(self, model: Model, folder: Path) -> None:
        """Record what `model` answers into `folder`, which must be there.

        Raises:
            UsageFailure: there is no such folder.
        """
        if not folder.is_dir():
            raise UsageFailure("there is no such folder", where=f"--record-replies {folder}", cure="make it first")
        super().__init__(model)
        self._folder = folder
        self._turns = Turns()

    async def room(self) -> int | None:
        """As the drafter, and written down: with another one its prompts would be others.

        Raises:
            UsageFailure: the folder holds the replies of another drafter, or to prompts of another size.
            InputFailure, StoreFailure: what the folder tells of itself cannot be read or written.
        """
        self._turns.begin()
        room = await self._model.room()
        about, known = About(client=self.name, room=room), about_of(self._folder)
        if known not in {None, about}:
            raise UsageFailure(
                "the folder holds a recording of another drafter",
                where=f"--record-replies {self._folder}",
                cure="name an empty folder",
            )
        store.write_output(self._folder / ABOUT, about.json_text().encode())
        return room

    async def draft(self, prompt: Prompt) -> Reply:
        """As the drafter, and written down.

        Raises:
            StoreFailure: it cannot be written.
            ProviderFailure: as the drafter; that a prompt was too long is written down as well.
        """
        turn = self._turns.next(prompt.digest)
        try:
            reply = await self._model.draft(prompt)
        except TooLong as failure:
            too_long = WrittenReply(prompt=prompt.digest, client=self.name, too_long=min(max(failure.share, 0.0), 1.0))
            self._write(too_long, turn)
            raise
        clean = cleaning.reply(prompt.evidence.guard, reply)
        self._write(WrittenReply.of(clean, prompt=prompt.digest, client=self.name), turn)
        return reply

    def _write(self, answer: WrittenReply, turn: int) -> None:
        store.write_output(self._folder / file_name(answer.prompt, turn), answer.json_text().encode())
