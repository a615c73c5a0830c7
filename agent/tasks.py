"""Tasks: what a drafter can be asked for, by name, and the prompt text that asks it (Intent Changesets 11)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of draft. `prompt` names the texts in `prompts`, in the order in which they are put together."""

    name: str
    version: str
    prompt: tuple[str, ...]


CHANGESET = Task(name="changeset", version="1", prompt=("shared", "changeset"))
