"""A byte stream read as git writes it: lines, and fields that end in NUL, mixed (Intent Changesets 11.1)."""

from __future__ import annotations

from typing import Final, Protocol

PIECE: Final = 64 * 1024
"""No line is read in pieces larger than this, so that one endless line costs no memory."""


class MalformedDiff(ValueError):
    """The stream is not what git writes, or it ends too early."""


class ByteStream(Protocol):
    """What is read from: a buffered binary stream."""

    def readline(self, size: int, /) -> bytes:
        """At most `size` bytes up to and with the next newline; empty at the end."""
        ...

    def peek(self, size: int, /) -> bytes:
        """What is buffered, without advancing; empty at the end."""
        ...

    def read(self, size: int, /) -> bytes:
        """Exactly `size` bytes unless the stream ends."""
        ...


class Tape:
    """A byte stream read forwards, with one piece of pushback. `readline` is the stream's own: for when nothing is pushed."""

    __slots__ = ("_back", "_stream", "readline")

    def __init__(self, stream: ByteStream) -> None:
        """Read from `stream`, from where it stands."""
        self.readline = stream.readline
        self._stream = stream
        self._back = b""

    def line(self) -> bytes:
        """The next line with its newline, a piece of it when it is very long, empty at the end."""
        back, self._back = self._back, b""
        return back or self.readline(PIECE)

    def whole_line(self) -> bytes:
        """The next line, however long: for structure, whose length paths bound."""
        line = self.line()
        return line if line.endswith(b"\n") or len(line) < PIECE else line + self.whole_line()

    def push(self, piece: bytes) -> None:
        """Put back what `line` gave, to be read again."""
        self._back = piece

    def field(self) -> bytes:
        """The bytes up to the next NUL, which is consumed.

        Raises:
            MalformedDiff: the stream ends before a NUL.
        """
        pieces = []
        if self._back:
            head, nul, self._back = self._back.partition(b"\0")
            if nul:
                return head
            pieces.append(head)
        while buffered := self._stream.peek(1):
            at = buffered.find(b"\0")
            if at >= 0:
                pieces.append(self._stream.read(at + 1)[:-1])
                return b"".join(pieces)
            pieces.append(self._stream.read(len(buffered)))
        raise MalformedDiff("the stream ends within a field")

    def starts_with(self, byte: bytes) -> bool:
        """Whether `byte` comes next; it is not consumed. At the end, whether `byte` is empty."""
        return (self._back or self._stream.peek(1))[:1] == byte

    def skip(self, byte: bytes) -> bool:
        """Consume `byte` if it comes next; whether it did."""
        if not self.starts_with(byte):
            return False
        if self._back:
            self._back = self._back[1:]
        else:
            self._stream.read(1)
        return True
