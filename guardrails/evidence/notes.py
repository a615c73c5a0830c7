"""Notes that gather while evidence is collected: each once, a bounded number of each code (Intent Changesets 11.1)."""

from __future__ import annotations

from typing import Final

from guardrails.evidence.model import Note

PER_CODE: Final = 100
"""How many notes of one code name their place; the others are counted in one more."""


class Notebook:
    """What was left out, could not be read, or was read differently."""

    def __init__(self) -> None:
        """Begin without notes."""
        self._notes: dict[str, dict[tuple[str, str], Note]] = {}
        self._uncounted: dict[str, int] = {}

    def add(self, code: str, where: str, message: str) -> None:
        """Note `message` about `where`, unless that was noted already."""
        notes = self._notes.setdefault(code, {})
        if (where, message) in notes:
            return
        if len(notes) < PER_CODE:
            notes[where, message] = Note(code, where, message)
        else:
            self._uncounted[code] = self._uncounted.get(code, 0) + 1

    def notes(self) -> tuple[Note, ...]:
        """All notes, in the order in which their codes first came up."""
        told: list[Note] = []
        for code, notes in self._notes.items():
            told.extend(notes.values())
            if code in self._uncounted:
                told.append(Note(code, "", f"and {self._uncounted[code]} more like these"))
        return tuple(told)
