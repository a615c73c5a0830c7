"""A byte stream read as git writes it: lines, and fields that end in NUL, mixed (Intent Changesets 11.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf
from typing import Final, Protocol

PIECE: Final = 64 * 1024
"""So much is read at a time, and about so much is held of a line that may be endless."""
_LOOK: Final = 32
"""No longer than this is what `starts_with` is asked for."""
_UNSIGNED: Final = re.compile(rb"\n[^ +\-\\]")


class MalformedDiff(ValueError):
    """The stream is not what git writes, or it ends too early."""


class ByteStream(Protocol):
    """What is read from: a binary stream."""

    def read1(self, size: int, /) -> bytes:
        """At most `size` bytes, as many as come at once; empty at the end."""
        ...


class Tape:
    """A byte stream read forwards, in pieces; what was read last stays in view."""

    __slots__ = ("_at", "_read", "_view")

    def __init__(self, stream: ByteStream) -> None:
        """Read from `stream`, from where it stands; nobody else may."""
        self._read = stream.read1
        self._view = b""
        self._at = 0

    def line(self) -> bytes:
        """The next line with its newline: for structure, whose length paths bound. What is left, when no newline comes."""
        return self._until(b"\n")

    def piece(self) -> bytes:
        """The next line with its newline, or at least PIECE bytes of it: for content. Empty at the end."""
        return self._until(b"\n", PIECE)

    def field(self) -> bytes:
        """The bytes up to the next NUL, which is consumed.

        Raises:
            MalformedDiff: the stream ends before a NUL.
        """
        data = self._until(b"\0")
        if not data.endswith(b"\0"):
            raise MalformedDiff("the stream ends within a field")
        return data[:-1]

    def signed_lines(self) -> Iterator[bytes]:
        r"""The lines that come next, as long as they begin with a space, `+`, `-` or `\`, in pieces; to be taken to the last.

        Right after a line. Each piece has the byte before it in front, so that every sign stands behind its newline.
        """
        start = self._at - 1
        while not (found := _UNSIGNED.search(self._view, start)):
            yield self._view[start:]
            self._view, start = self._view[-1:] + self._read(PIECE), 0
            if len(self._view) < 2:
                self._at = len(self._view)
                return
        self._at = found.start() + 1
        yield self._view[start : self._at]

    def starts_with(self, start: bytes | tuple[bytes, ...]) -> bool:
        """Whether `start`, or one of several, comes next; nothing is consumed. They are short."""
        self._ahead(_LOOK)
        return self._view.startswith(start, self._at)

    def skip(self, start: bytes) -> bool:
        """Consume `start` if it comes next; whether it did."""
        found = self._ahead(len(start)) and self._view.startswith(start, self._at)
        self._at += found * len(start)
        return found

    def ended(self) -> bool:
        """Whether nothing comes any more."""
        return not self._ahead(1)

    def _until(self, end: bytes, enough: float = inf) -> bytes:
        """The bytes up to and with the next `end`; without it when the stream ends, or `enough` were read."""
        start, stop = self._at, self._view.find(end, self._at) + 1
        if stop:
            self._at = stop
            return self._view[start:stop]
        pieces: list[bytes] = []
        gathered = 0
        while not stop and gathered < enough and self._ahead(1):
            stop = self._view.find(end, self._at) + 1
            piece = self._view[self._at : stop or None]
            self._at += len(piece)
            gathered += len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def _ahead(self, size: int) -> bool:
        """Bring the next `size` bytes into view; whether there are so many."""
        while len(self._view) - self._at < size:
            more = self._read(PIECE)
            if not more:
                return False
            self._view, self._at = self._view[self._at :] + more, 0
        return True
