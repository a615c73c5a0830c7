"""Writing to a journal from many tasks at once: what waits together is put onto the disk together."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeAlias

from agent.errors import RunStopped
from agent.replies import database

Change: TypeAlias = tuple[str, Sequence[object]]
"""A statement and its values."""


class Writer:
    """Changes a database in the order in which it is told to. Syncing a disk takes as long for one change as for many."""

    def __init__(self, opened: sqlite3.Connection, where: str) -> None:
        """Write to `opened`, which nobody else uses from now on; `where` is what failures name."""
        self._opened = opened
        self._where = where
        self._waiting: deque[tuple[Change, Future[None]]] = deque()
        self._is_coming = False
        self._thread = ThreadPoolExecutor(1, "journal")

    def write(self, statement: str, values: Sequence[object] = ()) -> Future[None]:
        """Make a change; it is on the disk when the future has a result.

        The future raises `agent.errors.RunStopped` where it cannot be written: then nothing of it is.
        """
        done: Future[None] = Future()
        self._waiting.append(((statement, values), done))
        if not self._is_coming:
            self._is_coming = True
            self._thread.submit(self._flush)
        return done

    def close(self) -> None:
        """Write what waits, and let go of the database."""
        self._thread.shutdown()
        self._opened.close()

    def _flush(self) -> None:
        """Write all that waits by now. Whoever comes later has it come again."""
        self._is_coming = False
        together: list[tuple[Change, Future[None]]] = []
        while self._waiting:
            together.append(self._waiting.popleft())
        if not together:
            return
        try:
            self._commit([change for change, _ in together])
        except sqlite3.Error as error:
            for _, done in together:
                done.set_exception(unwritten(error, self._where))
            return
        for _, done in together:
            done.set_result(None)

    def _commit(self, changes: Sequence[Change]) -> None:
        self._opened.execute("BEGIN IMMEDIATE")
        try:
            for statement, values in changes:
                self._opened.execute(statement, tuple(values))
            self._opened.execute("COMMIT")
        except sqlite3.Error:
            if self._opened.in_transaction:
                self._opened.execute("ROLLBACK")
            raise


def unwritten(error: sqlite3.Error, where: str) -> RunStopped:
    """The end of a run whose journal can be used no more."""
    return RunStopped(
        f"the journal of the run cannot be used: {database.why(error)}", where=where, cure="cure that, and go on with --resume"
    )
