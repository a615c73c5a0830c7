"""Hunk bodies are read in bulk, and told as a reader of single lines tells them, however the stream is cut into pieces."""

from __future__ import annotations

import hashlib
import io
import tracemalloc
from typing import Final

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from guardrails.evidence.hunks import TextBudget, read_hunk
from guardrails.evidence.tape import PIECE, MalformedDiff, Tape

UNENDED: Final = b"\\ No newline at end of file\n"
SIGNS: Final = (b" ", b"+", b"-")
CONTENT = st.one_of(
    st.binary(max_size=5).map(lambda line: line.replace(b"\n", b"")),
    st.sampled_from((b"@@ -1 +1 @@", b"-- a/f", b"++ b/f", b"\0\x01", b"diff --git a/f b/f", b" " * 40)),
)
LINES = st.lists(st.one_of(st.tuples(st.sampled_from(SIGNS), CONTENT).map(b"".join), st.just(UNENDED[:-1])))
AFTER = st.sampled_from(
    (b"", b"\0\x01", b"diff --git a/g b/g\n", b"@@ -9 +9 @@\n+x\n", b"+more\n", b" \n", b"x\n", b"\n", b"\0+")
)


class Dripping(io.BytesIO):
    """A stream that gives few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, drip: int) -> None:
        super().__init__(data)
        self.drip = drip

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.drip)


def told(data: bytes, old: int, new: int) -> tuple[bytes, int, int, bytes] | None:
    """By single lines: the text under a header of `old` and `new` lines, what it adds and deletes, and the rest.

    None when the lines do not come to these counts, or more lines of a body follow.
    """
    rest = io.BytesIO(data)
    text, added, deleted = b"", 0, 0
    while old > 0 or new > 0:
        line = rest.readline()
        if line[:1] not in {*SIGNS, b"\\"}:
            return None
        old -= line[:1] in {b" ", b"-"}
        new -= line[:1] in {b" ", b"+"}
        added += line[:1] == b"+"
        deleted += line[:1] == b"-"
        text += line
    at = rest.tell()
    while data.startswith(b"\\", at):
        text, at = text + rest.readline(), rest.tell()
    return None if old or new or data[at : at + 1] in SIGNS else (text, added, deleted, data[at:])


@settings(deadline=None, max_examples=400)
@given(LINES, AFTER, st.tuples(st.integers(-1, 1), st.integers(-1, 1)) | st.just((0, 0)), st.integers(1, 9) | st.just(PIECE))
@example([b"-a", UNENDED[:-1], b"+b", UNENDED[:-1]], b"\0\x01", (0, 0), 1)
@example([b" a"], b" \n", (0, 0), 2)
def test_a_body_is_told_as_a_reader_of_single_lines_tells_it(
    lines: list[bytes], after: bytes, wrong: tuple[int, int], drip: int
) -> None:
    body = b"".join(line + b"\n" for line in lines)
    old, new = (
        max(0, sum(line[:1] in signs for line in lines) + by)
        for signs, by in zip(((b" ", b"-"), (b" ", b"+")), wrong, strict=True)
    )
    header = b"@@ -1,%d +1,%d @@\n" % (old, new)
    tape = Tape(Dripping(header + body + after, drip))
    expected = told(body + after, old, new)
    if expected is None:
        with pytest.raises(MalformedDiff, match=r"shorter|longer"):
            read_hunk(tape, tape.line(), b"f", TextBudget(1 << 20, 1 << 20))
        return
    text, added, deleted, rest = expected
    hunk = read_hunk(tape, tape.line(), b"f", TextBudget(1 << 20, 1 << 20))
    assert (hunk.text, hunk.added, hunk.deleted) == (text, added, deleted)
    assert (hunk.digest, hunk.opening) == ("sha256:" + hashlib.sha256(text).hexdigest(), text[:256])
    assert tape.skip(rest)
    assert tape.ended()


@settings(deadline=None)
@given(LINES, st.integers(1, 9) | st.just(PIECE))
@example([b" a", b" b", b"-c", b" d", b" e"], 1)
@example([b"-a", b" b"], PIECE)
@example([b"+a", b" " * 40, b"-b", b" c"], 3)
def test_a_body_that_is_not_kept_is_told_without_the_context_at_its_ends(lines: list[bytes], drip: int) -> None:
    signs = [line[:1] for line in lines if line[:1] in SIGNS]
    edits = [place for place, sign in enumerate(signs) if sign != b" "]
    assume(edits)
    first, last = edits[0], edits[-1]
    if set(signs[first : last + 1]) == {b"-"}:
        first, last = max(first - 1, 0), min(last + 1, len(signs) - 1)
    left = signs[first : last + 1]
    sides = [[sign for sign in signs if sign != gone] for gone in (b"+", b"-")]
    header = b"@@ -1,%d +1,%d @@\n" % tuple(map(len, sides))
    tape = Tape(Dripping(header + b"".join(line + b"\n" for line in lines), drip))
    hunk = read_hunk(tape, tape.line(), b"f", TextBudget(0, 0))
    assert (hunk.text, hunk.old_start, hunk.new_start) == (None, 1 + first, 1 + first)
    assert (hunk.old_lines, hunk.new_lines) == (len(left) - left.count(b"+"), len(left) - left.count(b"-"))
    assert (hunk.added, hunk.deleted) == (signs.count(b"+"), signs.count(b"-"))


class Endless:
    """A header, and a body of `count` units that nobody holds."""

    def __init__(self, header: bytes, unit: bytes, count: int) -> None:
        self.header = header
        self.unit = unit
        self.left = count

    def read1(self, size: int, /) -> bytes:
        header, self.header = self.header, b""
        if header:
            return header
        self.left -= 1
        return self.unit if self.left >= 0 else b"\n" * (self.left == -1)


LONG = (
    ("one endless line", b"@@ -0,0 +1 @@\n+", b"x" * PIECE),
    ("lines without end", b"@@ -0,0 +1,%d @@\n+" % (400 * 20_000 + 1), b"x\n+" * 20_000),
)


@pytest.mark.parametrize(("header", "unit"), [row[1:] for row in LONG], ids=[row[0] for row in LONG])
def test_a_body_without_end_is_never_held_whole(header: bytes, unit: bytes) -> None:
    tape, texts = Tape(Endless(header, unit, 400)), TextBudget(PIECE, 1 << 30)
    line = tape.line()
    tracemalloc.start()
    hunk = read_hunk(tape, line, b"f", texts)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (hunk.text, texts.beyond_limit, hunk.added) == (None, {b"f": 1}, hunk.new_lines)
    assert peak < 10 * PIECE


def test_text_that_nobody_wrote_is_kept_only_where_all_is_wanted() -> None:
    assert not TextBudget(10, 100).admits(b"web/yarn.lock", 1)
    assert TextBudget(10, 100, keeps_generated=True).admits(b"web/yarn.lock", 1)
    assert not TextBudget(10, 100, keeps_generated=True).admits(b"web/yarn.lock", 11)
