"""Texts by key in a file of one's own, of bounded size, that several processes may use at once (evidraft)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agent.errors import StoreFailure
from agent.replies import database

LARGEST: Final = 256 * 1024 * 1024
WAITS: Final = 2.0
_KIND: Final = database.Kind(
    mark=0x45566472,
    format=1,
    tables="""
CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, used INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_use ON texts (used);
""",
)
_LATEST: Final = "(SELECT coalesce(max(used), 0) + 1 FROM texts)"
"""Counted rather than timed: clocks go backwards."""
_PAGES: Final = ("page_count", "freelist_count", "page_size")


class Unusable(Exception):
    """The file cannot be used; `why` says so in a few words of ours."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Shelf:
    """A database in a private file, opened when it is first wanted. Beyond `largest` bytes what was not used longest goes.

    Every method raises `Unusable` when the file is no database of ours, is damaged, locked, or cannot be read or written.
    """

    def __init__(self, path: Path, *, largest: int = LARGEST, waits: float = WAITS) -> None:
        """Name the file; nothing is opened yet. `waits` are the seconds for which another process may hold it."""
        self.path = path
        self._waits = waits
        self._largest = largest
        self._opened: sqlite3.Connection | None = None

    def get(self, key: str) -> str | None:
        """The text of `key`, which counts as used now; None when there is none."""
        with self._database() as opened:
            row = opened.execute("SELECT text FROM texts WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            with suppress(sqlite3.Error):  # what was found is given also where its use cannot be noted
                opened.execute(f"UPDATE texts SET used = {_LATEST} WHERE key = ?", (key,))  # noqa: S608 - a constant
            return str(row[0])

    def put(self, key: str, text: str) -> None:
        """Keep a text in the place of an earlier one, and make room for it."""
        with self._database() as opened:
            opened.execute(f"INSERT OR REPLACE INTO texts VALUES (?, {_LATEST}, ?)", (key, text))  # noqa: S608 - a constant
            while self._size(opened) > self._largest:
                few = "SELECT key FROM texts ORDER BY used LIMIT (SELECT count(*) / 10 + 1 FROM texts)"
                if not opened.execute(f"DELETE FROM texts WHERE key IN ({few})").rowcount:  # noqa: S608 - a constant
                    break

    def close(self) -> None:
        """Let go of the file. It is opened again when it is wanted."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._opened is None:
                self._opened = database.opened(self.path, _KIND, waits=self._waits)
            yield self._opened
        except (sqlite3.Error, StoreFailure) as error:
            self.close()
            raise Unusable(database.why(error)) from None

    @staticmethod
    def _size(opened: sqlite3.Connection) -> int:
        """The bytes in use; the file may have more, which are used again."""
        pages, free, size = (opened.execute(f"PRAGMA {name}").fetchone()[0] for name in _PAGES)
        return int((pages - free) * size)
