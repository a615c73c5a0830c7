"""Hunks of a patch as bytes: ranges, digest, and text as far as a budget admits it (Intent Changesets 11.1)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from guardrails.digests import sha256
from guardrails.evidence.generated import is_generated
from guardrails.evidence.tape import MalformedDiff, Tape

_OPENING: Final = 256
_HEADER: Final = re.compile(rb"@@ -(\d{1,18})(?:,(\d{1,18}))? \+(\d{1,18})(?:,(\d{1,18}))? @@ ?([^\n]*)\n?")
_RANGE: Final = re.compile(rb"[-+](\d{1,18})(?:,(\d{1,18}))?")
_EDIT: Final = re.compile(rb"\n[+-]")
_SIGNS: Final = (b" ", b"+", b"-")
_NO_NEWLINE: Final = b"\\ No newline at end of file\n"


class RawHunk(NamedTuple):
    """One hunk: `text` are its lines with their signs, or None when it was not kept; `digest` is of all its bytes anyway.

    One of two sides without text is told without the context at its ends, which nothing else would tell from what changed.
    A tuple, for there are many: a frozen dataclass takes four times as long to make.
    """

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    section: bytes
    text: bytes | None
    digest: str
    added: int
    deleted: int
    opening: bytes
    """The first bytes of the text, also when it was not kept."""


@dataclass(slots=True)
class TextBudget:
    """How much hunk text may be kept: `hunk_limit` bytes each, `remaining` in all; counts by path what was let go, and why.

    Text that nobody wrote for a reader is let go, unless all is wanted.
    """

    hunk_limit: int
    remaining: int
    keeps_generated: bool = False
    beyond_budget: dict[bytes, int] = field(default_factory=dict)
    beyond_limit: dict[bytes, int] = field(default_factory=dict)
    generated: dict[bytes, int] = field(default_factory=dict)

    def admits(self, path: bytes, size: int) -> bool:
        """Whether a hunk of `size` bytes may be kept; when not, it is counted."""
        if is_generated(path) and not self.keeps_generated:
            refused = self.generated
        elif size > self.hunk_limit:
            refused = self.beyond_limit
        elif size > self.remaining:
            refused = self.beyond_budget
        else:
            self.remaining -= size
            return True
        refused[path] = refused.get(path, 0) + 1
        return False


class _Body:
    """The text of one hunk while it is read: hashed as a whole, kept up to a limit."""

    __slots__ = ("_hash", "_kept", "limit", "opening", "size")

    def __init__(self, limit: int) -> None:
        self.opening = b""
        self.size = 0
        self.limit = limit
        self._kept: list[bytes] = []
        self._hash = hashlib.sha256()

    def add(self, piece: bytes) -> None:
        self._hash.update(piece)
        self.opening += piece[: _OPENING - len(self.opening)]
        self.size += len(piece)
        if self.size <= self.limit:
            self._kept.append(piece)
        else:
            self._kept.clear()

    def close(self, path: bytes, texts: TextBudget) -> tuple[bytes | None, str]:
        """The text, if it is small enough and the budget admits it, and the digest of it all."""
        text = b"".join(self._kept) if texts.admits(path, self.size) else None
        return text, "sha256:" + self._hash.hexdigest()


def read_hunk(tape: Tape, header: bytes, path: bytes, texts: TextBudget) -> RawHunk:
    """The hunk under a `@@` header of two sides.

    Raises:
        MalformedDiff: the header is broken, or the body does not have the lines that it promises.
    """
    match = _HEADER.fullmatch(header)
    if match is None:
        raise MalformedDiff("a hunk header is broken")
    old_start, old, new_start, new = int(match[1]), int(match[2] or 1), int(match[3]), int(match[4] or 1)
    body = _Body(texts.hunk_limit)
    shared, start, end = _consume(tape, body, old, new)
    text, digest = body.close(path, texts)
    read = RawHunk(old_start, old, new_start, new, match[5], text, digest, new - shared, old - shared, body.opening)
    return read if text is not None else _without_context(read, start, end)


def _without_context(read: RawHunk, start: int, end: int) -> RawHunk:
    """A hunk without the lines of context at its ends, but for the two beside a gap where nothing else is left."""
    if read.new_lines == start + end:
        start, end = max(start - 1, 0), max(end - 1, 0)
    return read._replace(
        old_start=read.old_start + start,
        old_lines=read.old_lines - start - end,
        new_start=read.new_start + start,
        new_lines=read.new_lines - start - end,
    )


def _consume(tape: Tape, body: _Body, old: int, new: int) -> tuple[int, int, int]:
    """Read a body of `old` and `new` lines into `body`; how many lines both sides share, and how many of them at either end."""
    shared = end = 0
    start: int | None = None
    for piece in tape.signed_lines():
        both = piece.count(b"\n ")
        old -= both + piece.count(b"\n-")
        new -= both + piece.count(b"\n+")
        shared += both
        if (first := _EDIT.search(piece)) is None:
            end += both
        else:
            start = end + piece.count(b"\n ", 0, first.start()) if start is None else start
            end = piece.count(b"\n ", max(piece.rfind(b"\n+"), piece.rfind(b"\n-")))
        body.add(piece[1:])
    if old or new:
        raise MalformedDiff(f"a hunk is {'longer' if min(old, new) < 0 else 'shorter'} than its header says")
    return shared, start or 0, end


def read_combined_hunk(tape: Tape, header: bytes, path: bytes, parents: int, texts: TextBudget) -> RawHunk:
    """The hunk of a merge, told with one sign a line.

    `+` is a line that no parent has, `-` a line of some parent that the merge does not have, ` ` one that it has from a parent.
    A line that went because another parent goes on without it is left out, for the merge did nothing to it. The old range is
    that of the first parent. Git counts lines that parents lost at the very beginning of a hunk, and leaves them out.

    Raises:
        MalformedDiff: the header is broken, or the body does not have the lines that it promises.
    """
    marks = b"@" * (parents + 1)
    head, _, section = header.rstrip(b"\n").removeprefix(marks + b" ").partition(b" " + marks)
    ranges = [_RANGE.fullmatch(word) for word in head.split(b" ")]
    sides = [(int(match[1]), int(match[2] or 1)) for match in ranges if match]
    if len(sides) != parents + 1 or len(ranges) != parents + 1:
        raise MalformedDiff("a hunk header of a merge is broken")
    body = _Body(texts.hunk_limit)
    added, deleted = _consume_combined(tape, body, [lines for _, lines in sides])
    text, digest = body.close(path, texts)
    (old_start, old), (new_start, new) = sides[0], sides[-1]
    return RawHunk(old_start, old, new_start, new, section.lstrip(b" "), text, digest, added, deleted, body.opening)


def _consume_combined(tape: Tape, body: _Body, left: list[int]) -> tuple[int, int]:
    parents = len(left) - 1
    run = _Run(body, is_gone=not left[-1])
    while any(count > 0 for count in left) and (left[-1] > 0 or tape.starts_with(_SIGNS)):
        line = tape.piece()
        columns = line[:parents]
        if len(columns) < parents or columns.strip(b" +-"):
            raise MalformedDiff("a hunk of a merge is shorter than its header says")
        lost = b"-" in columns
        for side, sign in enumerate(columns):
            left[side] -= sign == (ord("-") if lost else ord(" "))
        left[-1] -= not lost
        run.add(columns, line[parents:])
        while line and not line.endswith(b"\n"):
            line = tape.piece()
            run.go_on(line)
    if left[-1] or min(left) < 0:
        raise MalformedDiff("a hunk of a merge is longer than its header says")
    run.close()
    return run.added, run.deleted


class _Run:
    """Lines of a merge between two that all its parents have, held until it is clear whether the merge itself did something.

    It did where it has a line that no parent has, lacks one that every parent has, or leaves nothing of a file (`is_gone`).
    """

    __slots__ = ("_body", "_held", "_is_gone", "_own", "_size", "added", "deleted")

    def __init__(self, body: _Body, *, is_gone: bool) -> None:
        self.added = self.deleted = 0
        self._is_gone = is_gone
        self._body = body
        self._held: list[bytes] = []
        self._start()

    def _start(self) -> None:
        self._held.clear()
        self._own = self._is_gone
        self._size = 0

    def add(self, columns: bytes, text: bytes) -> None:
        """Take a line; one that all parents have ends the run."""
        if not columns.strip(b" "):
            self.close()
            self._body.add(b" " + text)
            return
        is_new = not columns.strip(b"+")
        self._own |= is_new or not columns.strip(b"-")
        self._held.append((b"-" if b"-" in columns else b"+" if is_new else b" ") + text)
        self._bound(text)

    def go_on(self, text: bytes) -> None:
        """Take more of the same line."""
        if not self._held:
            self._body.add(text)
            return
        self._held[-1] += text
        self._bound(text)

    def _bound(self, text: bytes) -> None:
        self._size += len(text)
        if self._size > self._body.limit:  # its text is not kept anyway
            self._own = True
            self.close()

    def close(self) -> None:
        """Tell what was held."""
        for line in self._held:
            if self._own or line[:1] != b"-":
                self.added += line[:1] == b"+"
                self.deleted += line[:1] == b"-"
                self._body.add(line)
        self._start()


def whole_text(data: bytes, path: bytes, texts: TextBudget) -> RawHunk:
    """The hunk that adds a whole text, `data`, which is not empty: for files that git does not know yet."""
    *lines, unended = data.split(b"\n")
    text = b"".join(b"+" + line + b"\n" for line in lines)
    if unended:
        text += b"+" + unended + b"\n" + _NO_NEWLINE
    count = len(lines) + bool(unended)
    kept = text if texts.admits(path, len(text)) else None
    return RawHunk(0, 0, 1, count, b"", kept, sha256(text), count, 0, text[:_OPENING])
