"""The tape: what is read does not depend on how the stream was cut into pieces."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.evidence.tape import PIECE, MalformedDiff, Tape


class Cut(io.BytesIO):
    """A stream that gives at most `size` bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.size)


PART = st.binary(max_size=20).map(lambda part: part.replace(b"\0", b"").replace(b"\n", b""))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from((b"\n", b"\0")), PART), max_size=8), st.integers(1, 12))
def test_lines_and_fields_come_as_they_were_written(parts: list[tuple[bytes, bytes]], size: int) -> None:
    tape = Tape(Cut(b"".join(part + end for end, part in parts), size))
    for end, part in parts:
        assert not tape.ended()
        assert tape.starts_with((part + end)[:3])
        assert not tape.skip(part + b"\x01")
        assert (tape.field() if end == b"\0" else tape.line()) == (part if end == b"\0" else part + end)
    assert tape.ended()
    assert (tape.line(), tape.piece(), tape.skip(b"x")) == (b"", b"", False)


@pytest.mark.parametrize("size", [7, PIECE])
def test_a_field_without_an_end_is_refused(size: int) -> None:
    with pytest.raises(MalformedDiff):
        Tape(Cut(b"x" * 100, size)).field()


@pytest.mark.parametrize("size", [1000, PIECE])
def test_a_long_line_comes_in_pieces_that_together_are_the_line(size: int) -> None:
    line = b"x" * (3 * PIECE) + b"\n"
    tape = Tape(Cut(line + b"next\n", size))
    pieces = [tape.piece()]
    while not pieces[-1].endswith(b"\n"):
        assert PIECE <= len(pieces[-1]) < 2 * PIECE
        pieces.append(tape.piece())
    assert b"".join(pieces) == line
    assert tape.line() == b"next\n"
