"""The head of a commit as git prints it under our own format: fields that end in NUL (Intent Changesets 11.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from guardrails.evidence.tape import MalformedDiff, Tape

FORMAT: Final = "tformat:%x01%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%e%x00%B"
_MARK: Final = b"\x01"
_FIELDS: Final = 10


@dataclass(frozen=True, slots=True)
class RawCommit:
    """A commit without its changes, as bytes."""

    oid: str
    parents: tuple[str, ...]
    author: tuple[bytes, bytes]
    authored: str
    committer: tuple[bytes, bytes]
    committed: str
    encoding: str
    message: bytes


def read_commit(tape: Tape) -> RawCommit | None:
    """The next commit's head; None at the end of the stream.

    Raises:
        MalformedDiff: something else stands there.
    """
    if tape.ended():
        return None
    if not tape.skip(_MARK):
        raise MalformedDiff("something stands where a commit begins")
    oid, parents, author, address, authored, committer, mail, committed, encoding, message = (
        tape.field() for _ in range(_FIELDS)
    )
    tape.skip(b"\n")  # what git puts between a message and a change;
    tape.skip(b"\0")  # and between a message and the change of a merge
    return RawCommit(
        oid.decode("ascii", "replace"),
        tuple(parents.decode("ascii", "replace").split()),
        (author, address),
        authored.decode("ascii", "replace"),
        (committer, mail),
        committed.decode("ascii", "replace"),
        encoding.decode("ascii", "replace"),
        message,
    )
