"""The files of a work tree that are records, by their place and their name (Intent Changesets 5, 12)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from agent.sources import inputs

SUFFIXES: Final = (".yaml", ".yml")


def is_record(path: str) -> bool:
    """Whether a file of this name is a record."""
    return path.casefold().endswith(SUFFIXES)


def on_disk(top: Path | None, directory: str) -> Iterator[tuple[str, bytes]]:
    """Records below a profile directory of the work tree, in order of path; a link out of the repository is not followed (12).

    A link that stays inside may stand for the directory or for a file, but for no folder within the directory.

    Raises:
        InputFailure: a folder or file cannot be read, a link stands where a folder should, or it leads outside or nowhere.
    """
    if top is not None:
        yield from inputs.files_below(top, directory, is_record)
