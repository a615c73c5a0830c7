"""A ledger that a command changes where it stands: in the work tree around it, or outside of any (Intent Changesets 12).

In a work tree it is read and written step by step from the root: a link that leads out of it is refused, whoever made it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from agent import store
from agent.commands.checking import read_operand
from agent.errors import InputFailure, RepositoryFailure, StoreFailure
from agent.sources import inputs
from agent.sources.git import Repository


@dataclass(frozen=True, slots=True)
class Standing:
    """The file as it was named, what it is called, its bytes; and where it stands in a work tree, by its root, if in one."""

    file: str
    name: str
    data: bytes = field(repr=False)
    top: Path | None = None
    path: str = ""

    @property
    def is_piped(self) -> bool:
        """Whether it comes from standard input and goes to standard output."""
        return self.file == inputs.STANDARD_INPUT

    @classmethod
    def read(cls, file: str, around: Repository | None) -> Standing:
        """The ledger at `file`, which stands in the work tree of `around`, or in none.

        Raises:
            InputFailure: it cannot be read, or leads out of the work tree.
        """
        if around is None or around.top is None:
            return cls(file, *read_operand(file))
        real, root = os.path.realpath(file), os.path.realpath(around.top)
        path = os.path.relpath(real, root).replace(os.sep, "/")
        data = inputs.read_below(around.top, path)
        if data is None:
            raise InputFailure("could not be read: there is no such file", where=file)
        return cls(file, file, data, around.top, path)

    def replace(self, data: bytes) -> None:
        """Let it hold `data`, whole or not at all.

        Raises:
            StoreFailure: it is not what was read any more, or cannot be written.
        """
        if self.top is None:
            if not self.is_piped and inputs.read(self.file) != self.data:
                raise _changed(self.file)
            store.write_output(self.file, data)
            return
        if inputs.read_below(self.top, self.path) != self.data:
            raise _changed(self.file)
        store.write_below(self.top, self.path, data, is_synced=True)


def repository(file: str, named: Path) -> Repository | None:
    """The repository in whose work tree `file` stands, by its name or where links lead: the `named` one, else that around."""
    if file == inputs.STANDARD_INPUT:
        return None
    spellings = (os.path.normpath(Path(file).absolute()), os.path.realpath(file))
    for folder in (named, *map(_root, spellings)):
        found = _opened(folder)
        if found is not None and found.top is not None:
            tops = {str(found.top), os.path.realpath(found.top)}
            if any(Path(spelling).is_relative_to(top) for spelling in spellings for top in tops):
                return found
    return None


def _root(path: str) -> Path | None:
    """The nearest folder above that git would take for the root of a work tree."""
    return next((folder for folder in Path(path).parents if os.path.lexists(folder / ".git")), None)


def _opened(folder: Path | None) -> Repository | None:
    try:
        return None if folder is None else Repository.open(folder)
    except RepositoryFailure:
        return None


def _changed(file: str) -> StoreFailure:
    return StoreFailure("was changed by somebody meanwhile", where=file, cure="it was left as it is; try again")
