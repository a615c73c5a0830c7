"""Commit messages of chosen commits, streamed, with the lines that each commit changed (Intent Changesets 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from typing import Final

from agent.errors import RepositoryFailure
from agent.sources.git import REFETCHING, Repository

_NAME: Final = re.compile(rb"\n*([0-9a-f]{40}|[0-9a-f]{64})")
_COUNTS: Final = re.compile(rb"\n*([0-9]+|-)\t([0-9]+|-)\t.*", re.DOTALL)
_PIECE: Final = 64 * 1024
_LOG: Final = ("log", "-z", "--encoding=UTF-8", "--format=%H%x00%B%x00")
_COUNTING: Final = ("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv")


@dataclass(frozen=True, slots=True)
class Written:
    """One commit as its author wrote it. `changed` counts added and deleted lines; None when they were not counted."""

    oid: str
    message: str = field(repr=False)
    changed: int | None = None


def written(repository: Repository, oids: Sequence[str], *, count: bool = False) -> Iterator[Written]:
    """The commits with these full object names, in this order.

    Lines are counted as git counts them: none for binary files and for merges. At the edge of a shallow clone they cannot be.

    Raises:
        RepositoryFailure: git could not tell; an object may be missing.
    """
    if not oids:
        return  # told of no commit, git would tell of HEAD
    options = (*_LOG, "--no-walk=unsorted", *(_COUNTING if count else ()), "--stdin", "--")
    with repository.git.running(*options, lines=(oid.encode() for oid in oids)) as git:
        told = 0
        for oid, message, changed in _commits(_tokens(git.out), count=count):
            name = oid.decode()
            told += 1
            yield Written(name, message.decode("utf-8", "backslashreplace"), None if name in repository.shallow else changed)
        if not git.succeeded() or told != len(oids):
            raise RepositoryFailure(
                f"git could tell {told} of {len(oids)} commits; objects are missing",
                cure=REFETCHING,
            )


def spanned(repository: Repository, head: str, bases: Sequence[str]) -> Iterator[Written]:
    """The commits that `head` reaches and none of `bases` does, oldest first, told by one process while they are read.

    Raises:
        RepositoryFailure: git could not tell; an object may be missing.
    """
    options = (*_LOG, "--topo-order", "--reverse", "--no-patch", "--stdin", "--")
    with repository.git.running(*options, lines=(head.encode(), *(f"^{base}".encode() for base in bases))) as git:
        for oid, message, _ in _commits(_tokens(git.out), count=False):
            yield Written(oid.decode(), message.decode("utf-8", "backslashreplace"))
        if not git.succeeded():
            raise RepositoryFailure("git could not tell all commits; objects are missing", where=head, cure=REFETCHING)


def recent(repository: Repository, head: str, most: int) -> tuple[str, ...]:
    """The messages of the newest commits below `head` that are no merges, newest first, at most `most`.

    Raises:
        RepositoryFailure: git failed.
    """
    said = repository.git.tell(*_LOG, "--no-merges", f"--max-count={most}", "--end-of-options", head, "--")
    tokens = iter([*said.split(b"\0"), b""])
    return tuple(message.decode("utf-8", "backslashreplace") for _, message, _ in _commits(tokens, count=False))


def _tokens(stream: BufferedReader) -> Iterator[bytes]:
    """What stands between NUL bytes; a token may be as long as it likes, its pieces are joined once."""
    pieces: list[bytes] = []
    while piece := stream.read1(_PIECE):
        first, *more = piece.split(b"\0")
        pieces.append(first)
        if more:
            yield b"".join(pieces)
            yield from more[:-1]
            pieces = [more[-1]]
    yield b"".join(pieces)


def _commits(tokens: Iterator[bytes], *, count: bool) -> Iterator[tuple[bytes, bytes, int | None]]:
    """Object name, message and changed lines. What follows a name is its message, whatever it looks like."""
    current: tuple[bytes, bytes] | None = None
    changed = 0
    for token in tokens:
        if name := _NAME.fullmatch(token):
            if current:
                yield *current, changed if count else None
            current, changed = (name[1], next(tokens, b"")), 0
        elif counts := _COUNTS.fullmatch(token):
            changed += sum(int(number) for number in counts.groups() if number != b"-")
    if current:
        yield *current, changed if count else None
