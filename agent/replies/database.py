"""Databases of ours in private files: made where there is nothing, known by their mark, and never laid over anything else."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent import store
from agent.errors import StoreFailure

_WHOSE: Final = ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version")
_WORDS: Final = {
    5: "another process holds it",
    6: "another process holds it",
    8: "it cannot be written",
    10: "the disk failed",
    13: "the disk is full",
}
"""By the primary error codes of SQLite."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a database of ours is for: the `mark` that says whose it is, the number of its format, and its tables.

    `synchronous` says what is on the disk when a change is done: NORMAL may lose the last ones with the machine, FULL none.
    """

    mark: int
    format: int
    tables: str
    synchronous: str = "NORMAL"


def opened(path: Path, kind: Kind, *, waits: float, is_shared: bool = False) -> sqlite3.Connection:
    """The database of this kind at `path`. `waits` are the seconds for which another process may hold it.

    A connection that `is_shared` may be used from any thread, by one at a time.

    Raises:
        sqlite3.Error: it is no database, one of somebody else or of another format, or cannot be used.
        StoreFailure: there can be no private file.
    """
    store.private_file(path)
    database = sqlite3.connect(path, timeout=waits, isolation_level=None, check_same_thread=not is_shared)
    try:
        # In this order: another process may make it ours in between.
        tables, *found = (database.execute(question).fetchone()[0] for question in _WHOSE)
        if found != [kind.mark, kind.format]:
            if tables or any(found):
                raise sqlite3.DatabaseError("foreign")
            _lay_out(database, kind)
        database.execute(f"PRAGMA synchronous = {kind.synchronous}")
    except sqlite3.Error:
        database.close()
        raise
    return database


def reading(path: Path, *, waits: float) -> sqlite3.Connection:
    """One more connection to a database that is open in this process: it reads, and waits for nobody who writes.

    Raises:
        sqlite3.Error: it cannot be used.
    """
    # The file is not opened besides: closing it would let go of the locks that the other connection has on it.
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=waits, isolation_level=None)


def why(error: sqlite3.Error | StoreFailure) -> str:
    """Why a database cannot be used, in a few words of ours."""
    if isinstance(error, StoreFailure):
        return error.what
    return _WORDS.get(_code(error), "it is no database of ours, or damaged")


def is_strange(error: sqlite3.Error) -> bool:
    """Whether the file itself is the fault: it is no database, one of somebody else, or damaged."""
    return _code(error) not in _WORDS


def _code(error: sqlite3.Error) -> int:
    """The primary one."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _lay_out(database: sqlite3.Connection, kind: Kind) -> None:
    """Make an empty file ours. Another process may do the same at the same time."""
    with suppress(sqlite3.OperationalError):  # that is then the other one's to do
        database.execute("PRAGMA journal_mode = WAL")
    database.executescript(
        f"BEGIN IMMEDIATE; {kind.tables} PRAGMA application_id = {kind.mark}; PRAGMA user_version = {kind.format}; COMMIT;"
    )
