"""The journal of a run: what is done stays done, whatever ends the process (evidraft).

One file for one folder of outputs. It holds finished releases, replies that were paid for, and small notes of whoever must find
something again. It is private, holds nothing that the redactor would take out, and what it holds is on the disk before anybody
goes on because of it.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import platformdirs

from agent import store
from agent.batch.release import Document, Finished
from agent.batch.replies import Replies
from agent.batch.writer import Writer, unwritten
from agent.errors import Failure, InputFailure
from agent.replies import database
from guardrails.digests import sha256

_KIND: Final = database.Kind(
    mark=0x45566A6C,
    format=1,
    tables="""
CREATE TABLE releases (key TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE replies (key TEXT PRIMARY KEY, text TEXT, tokens INTEGER NOT NULL DEFAULT 0, dollars TEXT NOT NULL DEFAULT '0');
CREATE TABLE notes (kind TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, key));
""",
    synchronous="FULL",
)
_WAITS: Final = 10.0
"""Seconds; nobody but a person with a tool of their own holds the file."""

T = TypeVar("T")


def journal_file(out: Path) -> Path:
    """Where the journal of the run lies whose outputs go to `out`: in the user's own folder for such things."""
    name = sha256(str(out.absolute()).encode("utf-8", "surrogateescape")).removeprefix("sha256:")[:32]
    return platformdirs.user_state_path("evidraft") / "batches" / f"{name}.sqlite3"


class Journal:
    """A journal that this process has to itself. Each change is on the disk when the method that makes it returns.

    Every method raises `agent.errors.RunStopped` where the file can be used no more; what was written before stays.
    """

    def __init__(self, path: Path, claim: store.Claim, writer: Writer, reading: sqlite3.Connection) -> None:
        """Use `open`."""
        self.path = path
        self._claim = claim
        self._writer = writer
        self._reading = reading
        self.replies = Replies(writer, self._ask)

    @classmethod
    def open(cls, path: Path) -> Journal:
        """The journal at `path`, which is made where there is none.

        Raises:
            InputFailure: the file is no journal, or damaged; it is left as it is.
            RunStopped, StoreFailure: another run is at work there, or the disk refuses.
        """
        with ExitStack() as held:
            claim = store.Claim(path.with_name(f"{path.name}.lock"))
            held.callback(claim.release)
            try:
                opened = database.opened(path, _KIND, waits=_WAITS, is_shared=True)
                held.callback(opened.close)
                reading = database.reading(path, waits=_WAITS)
            except sqlite3.Error as error:
                raise _unusable(error, path) from None
            held.pop_all()
            return cls(path, claim, Writer(opened, str(path)), reading)

    def finished(self, key: str) -> Finished | None:
        """What became of the release of this key; None where that is not known."""
        text = self._text("SELECT text FROM releases WHERE key = ?", key)
        return None if text is None else Finished.of(json.loads(text))

    def finish(self, key: str, done: Finished) -> None:
        """Write down what became of the release of this key."""
        self._writer.write(*_finished(key, done)).result()

    async def finishing(self, key: str, done: Finished) -> None:
        """The same without holding others up."""
        await asyncio.shield(asyncio.wrap_future(self._writer.write(*_finished(key, done))))

    def put(self, kind: str, key: str, note: Document) -> None:
        """Keep a note in the place of an earlier one."""
        self._writer.write("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (kind, key, _json(note))).result()

    def get(self, kind: str, key: str) -> dict[str, Any] | None:
        """A note; None where there is none."""
        text = self._text("SELECT text FROM notes WHERE kind = ? AND key = ?", kind, key)
        return None if text is None else dict(json.loads(text))

    def all(self, kind: str) -> Mapping[str, dict[str, Any]]:
        """The notes of a kind, by key."""
        rows = self._ask(
            lambda opened: opened.execute("SELECT key, text FROM notes WHERE kind = ? ORDER BY key", (kind,)).fetchall()
        )
        return {key: dict(json.loads(text)) for key, text in rows}

    def forget(self) -> None:
        """Empty it: another run begins."""
        for statement in ("DELETE FROM releases", "DELETE FROM replies", "DELETE FROM notes"):
            self._writer.write(statement).result()

    def close(self) -> None:
        """Let go of it."""
        self._reading.close()
        self._writer.close()
        self._claim.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def releases(self) -> int:
        """How many releases it knows the end of."""
        return int(self._ask(lambda opened: opened.execute("SELECT count(*) FROM releases").fetchone()[0]))

    def _text(self, question: str, *values: str) -> str | None:
        row = self._ask(lambda opened: opened.execute(question, values).fetchone())
        return None if row is None else str(row[0])

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return question(self._reading)
        except sqlite3.Error as error:
            raise unwritten(error, str(self.path)) from None


def _unusable(error: sqlite3.Error, path: Path) -> Failure:
    """The failure of a file that is there and no journal, or of one that the disk refuses."""
    if not database.is_strange(error):
        return unwritten(error, str(path))
    cure = "it was left as it is; move it away to begin anew"
    return InputFailure(database.why(error), where=str(path), cure=cure)


def _finished(key: str, done: Finished) -> tuple[str, tuple[str, str]]:
    return "INSERT OR REPLACE INTO releases VALUES (?, ?)", (key, _json(done.document()))


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False)
