"""Git's `--raw -z --patch` output as values: raw entries and the patch of each, read as a stream (Intent Changesets 11.1).

Nothing in content can pass for structure: the raw entries come first and NUL-separated, a patch is taken only under the header
that its entry announces, and a hunk's body is consumed by the line counts of its `@@` header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from guardrails.evidence.hunks import RawHunk, TextBudget, read_combined_hunk, read_hunk, whole_text
from guardrails.evidence.tape import MalformedDiff, Tape

NO_MODE: Final = "000000"
_LFS_OPENING: Final = b"version https://git-lfs.github.com/spec/v1"
_EXTENDED: Final = (
    *(b"index ", b"--- ", b"+++ ", b"old mode ", b"new mode ", b"mode ", b"new file mode ", b"deleted file mode "),
    *(b"similarity index ", b"dissimilarity index ", b"rename from ", b"rename to ", b"copy from ", b"copy to "),
)
_BINARY: Final = b"Binary files "
_SPECIAL: Final = re.compile(rb'[\x00-\x1f"\\\x7f]')
_ESCAPES: Final = {
    **dict(zip((b"\a", b"\b", b"\t", b"\n", b"\v", b"\f", b"\r"), (b"\\" + bytes((c,)) for c in b"abtnvfr"), strict=True)),
    b'"': b'\\"',
    b"\\": b"\\\\",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One raw entry. `status` is git's letter, one per parent in a merge; `parents` says how many sides were compared."""

    status: str
    old_mode: str
    new_mode: str
    old_object: str
    new_object: str
    path: bytes
    old_path: bytes | None = None
    parents: int = 1


@dataclass(frozen=True, slots=True)
class Patch:
    """What one entry changed. `announced`: git printed a patch for it. `missing`: its objects are not in the repository."""

    entry: Entry
    hunks: tuple[RawHunk, ...] = ()
    binary: bool = False
    announced: bool = True
    missing: bool = False

    @property
    def lfs_pointer(self) -> bool:
        """Whether the file (the old one, when deleted) is a pointer of Git LFS."""
        first = self.hunks[0] if self.hunks else None
        if first is None or max(first.old_lines, first.new_lines) > 16 or first.old_start > 1:
            return False
        gone = b"+" if self.entry.new_mode == NO_MODE else b"-"
        lines = (line[1:] for line in first.opening.split(b"\n") if line[:1] != gone)
        return next(lines, b"") == _LFS_OPENING


def read_entries(tape: Tape) -> tuple[Entry, ...]:
    """The raw entries that come next, and the separator after them.

    Raises:
        MalformedDiff: an entry is broken.
    """
    entries: list[Entry] = []
    while tape.starts_with(b":"):
        entries.append(_entry(tape))
    if entries:
        tape.skip(b"\0")
    return tuple(entries)


def _entry(tape: Tape) -> Entry:
    meta = tape.field().decode("ascii", "replace")
    words = meta.lstrip(":").split(" ")
    parents = len(meta) - len(meta.lstrip(":"))
    if len(words) != 2 * parents + 3 or not words[-1]:
        raise MalformedDiff("a raw entry is broken")
    modes, objects, status = words[: parents + 1], words[parents + 1 : -1], words[-1]
    first = tape.field()
    renamed = parents == 1 and status[0] in "RC"
    return Entry(
        status=status[0] if parents == 1 else status,
        old_mode=modes[0],
        new_mode=modes[-1],
        old_object=objects[0],
        new_object=objects[-1],
        path=tape.field() if renamed else first,
        old_path=first if renamed else None,
        parents=parents,
    )


def read_patches(tape: Tape, entries: tuple[Entry, ...], texts: TextBudget) -> Iterator[Patch]:
    """One patch for each entry, in order, as the stream gives them; `texts` decides which hunk texts are kept.

    A change of type is printed as a deletion and an addition of one path, and is one patch all the same.

    Raises:
        MalformedDiff: something stands where no header can, or the stream ends within a patch.
    """
    for entry in entries:
        header = _header_of(entry)
        parts: list[Patch] = []
        _skip_unmerged(tape)
        while entry.status != "U" and tape.skip(header):
            parts.append(_patch(tape, entry, texts))
            _skip_unmerged(tape)
        yield _joined(entry, parts)
    if tape.starts_with(b"d"):
        raise MalformedDiff("a patch has no raw entry")


def _joined(entry: Entry, parts: list[Patch]) -> Patch:
    """One patch out of all; in a work tree only they know the new object's name."""
    if len(parts) == 1:
        return parts[0]
    hunks = tuple(hunk for part in parts for hunk in part.hunks)
    named = parts[-1].entry if parts else entry
    return Patch(named, hunks, any(part.binary for part in parts), announced=bool(parts))


def _skip_unmerged(tape: Tape) -> None:
    """Pass over the lines that mark an unmerged path: its raw entry says so already."""
    while tape.starts_with(b"* Unmerged path "):
        tape.line()


def _header_of(entry: Entry) -> bytes:
    if entry.parents > 1:
        return b"diff --cc " + _quoted(b"", entry.path) + b"\n"
    return b"diff --git " + _quoted(b"a/", entry.old_path or entry.path) + b" " + _quoted(b"b/", entry.path) + b"\n"


def _quoted(prefix: bytes, path: bytes) -> bytes:
    """`path` as git writes it in a header with core.quotePath off."""
    if not _SPECIAL.search(path):
        return prefix + path
    return b'"' + prefix + _SPECIAL.sub(lambda found: _ESCAPES.get(found[0]) or b"\\%03o" % ord(found[0]), path) + b'"'


def _patch(tape: Tape, entry: Entry, texts: TextBudget) -> Patch:
    unnamed = entry.new_mode != NO_MODE and not entry.new_object.strip("0")
    while tape.starts_with(_EXTENDED):
        line = tape.line()
        if unnamed and line.startswith(b"index "):
            entry = replace(entry, new_object=line.partition(b"..")[2].split()[0].decode("ascii", "replace"))
    binary = tape.starts_with(_BINARY)
    if binary:
        tape.line()
    hunks = tuple(_hunks(tape, entry, texts))
    if entry.parents > 1 and hunks:
        own = tuple(hunk for hunk in hunks if hunk.added or hunk.deleted)
        return Patch(entry, own, binary, announced=bool(own))
    if not entry.new_object.strip("0") and entry.new_mode != NO_MODE and not hunks and not binary:
        entry = replace(entry, new_object=entry.old_object)  # no index line: the content is the same
    return Patch(entry, hunks, binary)


def _hunks(tape: Tape, entry: Entry, texts: TextBudget) -> Iterator[RawHunk]:
    mark = b"@" * (entry.parents + 1)
    while tape.starts_with(mark):
        header = tape.line()
        if entry.parents == 1:
            yield read_hunk(tape, header, entry.path, texts)
        else:
            yield read_combined_hunk(tape, header, entry.path, entry.parents, texts)


def whole_file(path: bytes, mode: str, oid: str, data: bytes, texts: TextBudget) -> Patch:
    """The patch that adds a file of the work tree that git does not know yet; a NUL near its start makes it binary."""
    entry = Entry("A", NO_MODE, mode, "0" * len(oid), oid, path)
    if b"\0" in data[:8000]:
        return Patch(entry, binary=True)
    return Patch(entry, (whole_text(data, path, texts),) if data else ())
