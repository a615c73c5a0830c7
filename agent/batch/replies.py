"""The replies of a run as its journal keeps them: what was asked, what was answered, and what that cost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Protocol
from weakref import WeakValueDictionary

from agent.batch.writer import Writer
from agent.replies.metering import Spent


class Ask(Protocol):
    """Reads from the journal."""

    def __call__(self, question: Callable[[sqlite3.Connection], Any], /) -> Any:
        """What `question` finds."""
        ...


class Replies:
    """A keeper of replies by key. A key that was asked and has no reply yet stands there too: a kill may leave such."""

    def __init__(self, writer: Writer, ask: Ask) -> None:
        """Keep them by `writer`, find them by `ask`."""
        self._writer = writer
        self._ask = ask
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def turn(self, key: str) -> asyncio.Lock:
        """What whoever asks for this key must hold, so that one prompt of two releases is asked once."""
        return self._turns.setdefault(key, asyncio.Lock())

    def get(self, key: str) -> str | None:
        """The reply that is kept; None where there is none."""
        row = self._ask(lambda opened: opened.execute("SELECT text FROM replies WHERE key = ?", (key,)).fetchone())
        return None if row is None or row[0] is None else str(row[0])

    async def asked(self, key: str) -> None:
        """Note that a call for this key begins."""
        await self._write("INSERT OR IGNORE INTO replies (key) VALUES (?)", key)

    async def unasked(self, key: str) -> None:
        """Note that the call brought no reply."""
        await self._write("DELETE FROM replies WHERE key = ? AND text IS NULL", key)

    async def keep(self, key: str, text: str, spent: Spent) -> None:
        """Keep the reply to a call; it is on the disk when this returns."""
        values = (key, text, spent.tokens, f"{spent.dollars:f}")
        await self._write("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", *values)

    def spent(self) -> Spent:
        """What all kept replies cost."""
        rows = self._ask(lambda opened: opened.execute("SELECT tokens, dollars FROM replies WHERE text NOT NULL").fetchall())
        return Spent(sum(tokens for tokens, _ in rows), sum((Decimal(dollars) for _, dollars in rows), Decimal()))

    def count(self) -> int:
        """How many are kept."""
        return self._number("SELECT count(*) FROM replies WHERE text NOT NULL")

    def under_way(self) -> int:
        """How many calls were asked and not answered, as far as the journal knows."""
        return self._number("SELECT count(*) FROM replies WHERE text IS NULL")

    def _number(self, question: str) -> int:
        return int(self._ask(lambda opened: opened.execute(question).fetchone()[0]))

    async def _write(self, statement: str, *values: object) -> None:
        # Whoever is called off must not take back what is written already.
        await asyncio.shield(asyncio.wrap_future(self._writer.write(statement, values)))
