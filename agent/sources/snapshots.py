"""The two sides of a change, as snapshots: folders as they lie there, or commits; nothing is checked out, nothing of them runs
(Change Contracts: intent and scope).
"""

from __future__ import annotations

import hashlib
import os
import stat
from base64 import b64encode
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from agent import below
from agent.errors import Failure, InputFailure, RepositoryFailure
from agent.sources import git_program, inputs
from agent.sources.git import REFETCHING, Repository
from agent.sources.git_program import Running
from guardrails.contracts.inventory import EXCLUDED, REGULAR, Category, Entry, Snapshot, category

MAX_FILE: Final = 16 * 1024 * 1024
MAX_TOTAL: Final = 128 * 1024 * 1024
MAX_ENTRIES: Final = 20_000
_LINK: Final = "120000"
_SUBMODULE: Final = "160000"
_MODES: Final = {mode.encode(): mode for mode in (*REGULAR, _LINK, _SUBMODULE)} | {b"100775": "100755"}
"""Modes as they are told; git once wrote others for files that everyone may write."""
_ASKED: Final = 512
"""So many objects are asked for before the answers are read: their names fit into any pipe."""
_LINE: Final = 1_024
_AGAIN: Final = "see that git works here and has the room that it needs, and try again"
_SMALLER: Final = "compare a part of it, or leave large files out"


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file: their digest and number, and the text that they are, None where they are none in UTF-8."""

    digest: str
    size: int
    text: str | None = field(repr=False)
    has_nul: bool

    @classmethod
    def of(cls, data: bytes) -> Content:
        """Look at some bytes; a byte order mark is no part of the text."""
        try:
            text = data.removeprefix(BOM_UTF8).decode()
        except UnicodeDecodeError:
            text = None
        return cls(hashlib.sha256(b64encode(data)).hexdigest(), len(data), text, b"\0" in data)


class _Listed(NamedTuple):
    """One line of a listing of a commit."""

    path: str
    mode: str
    oid: str
    size: int


def of_folder(root: Path) -> Snapshot:
    """The files below a folder, those that git does not know too; folders of what is made or fetched are left out.

    Raises:
        InputFailure: it is no folder, cannot be read, holds something else than files, folders and links, or too much.
    """
    told = _Told(InputFailure)
    with inputs.refusals(str(root)):
        for name, mode, file in _grown(root):
            path = os.fsencode(name).decode("utf-8", "backslashreplace")
            data = file if isinstance(file, bytes) else file.read(MAX_FILE + 1)
            told.count(path, len(data))
            told.add(path, _LINK if stat.S_ISLNK(mode) else "100755" if mode & 0o111 else "100644", Content.of(data))
    return told.snapshot()


def _grown(root: Path) -> Iterator[tuple[str, int, BinaryIO | bytes]]:
    try:
        yield from below.tree(root, EXCLUDED.__contains__)
    except below.Refused as refused:
        raise InputFailure(refused.what, where=refused.where, cure="compare folders of files and links alone") from None


def of_commits(repository: Repository, *commits: str) -> tuple[Snapshot, ...]:
    """All files of each commit, by full object names; what is the same in several of them is read once.

    Raises:
        RepositoryFailure: an object is missing, or there is too much.
    """
    read: dict[bytes, _Listed] = {}
    listed = {commit: tuple(_listing(repository, commit, read)) for commit in commits}
    for files in listed.values():
        counted = _Told(RepositoryFailure)
        for file in files:
            counted.count(file.path, file.size)
    wanted = {file.oid: file.path for files in listed.values() for file in files if file.mode != _SUBMODULE}
    contents = dict(_contents(repository, wanted))
    entries: dict[_Listed, Entry] = {}
    return tuple(_of_listing(commit, listed[commit], contents, entries) for commit in commits)


def _of_listing(commit: str, files: Iterable[_Listed], contents: dict[str, Content], entries: dict[_Listed, Entry]) -> Snapshot:
    told = _Told(RepositoryFailure, commit)
    for file in files:
        content = contents.get(file.oid) or Content.of(file.oid.encode())
        told.add(file.path, file.mode, content, entries.get(file))
        entries[file] = told.entries[file.path]
    return told.snapshot()


class _Told:
    """A snapshot in the making."""

    def __init__(self, failure: type[Failure], commit: str = "") -> None:
        self.failure: Final = failure
        self.commit: Final = commit
        self.entries: Final[dict[str, Entry]] = {}
        self.texts: Final[dict[str, str]] = {}
        self.undecodable: Final[set[str]] = set()
        self.links: Final[dict[str, str]] = {}
        self.number = 0
        self.total = 0

    def count(self, path: str, size: int) -> None:
        """Hold one more file against the limits; too much is never read in part."""
        self.number += 1
        self.total += size
        if size > MAX_FILE:
            raise self.failure(f"is larger than {MAX_FILE} bytes", where=path, cure=_SMALLER)
        if self.total > MAX_TOTAL:
            raise self.failure(f"with what stands before it, there are more than {MAX_TOTAL} bytes", where=path, cure=_SMALLER)
        if self.number > MAX_ENTRIES:
            raise self.failure(f"there are more than {MAX_ENTRIES} files", where=path, cure=_SMALLER)

    def add(self, path: str, mode: str, content: Content, known: Entry | None = None) -> None:
        """Put one file in; `known` is its entry where another snapshot has the same."""
        if path in self.entries:
            raise self.failure("two names are written alike", where=path, cure="rename one of them")
        entry = known or Entry(path, content.digest, content.size, mode, category(path, mode))
        self.entries[path] = entry
        is_modeled = entry.category is Category.SOURCE or entry.category is Category.CONFIGURATION
        if mode == _LINK and content.text is not None:
            self.links[path] = content.text
        if mode not in REGULAR:
            return
        if content.text is not None and (is_modeled or not content.has_nul):
            self.texts[path] = content.text
        elif is_modeled:
            self.undecodable.add(path)

    def snapshot(self) -> Snapshot:
        entries = dict(sorted(self.entries.items()))
        return Snapshot(entries, self.texts, self.commit, frozenset(self.undecodable), self.links)


def _listing(repository: Repository, commit: str, read: dict[bytes, _Listed]) -> Iterator[_Listed]:
    """The files of a commit; `read` holds the lines that were read of it and of others."""
    answered = repository.git.ask("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    if answered.code:
        raise RepositoryFailure("its files cannot be listed: an object is missing", where=commit, cure=REFETCHING)
    *lines, rest = answered.out.split(b"\0")
    for line in lines:
        if line not in read:
            read[line] = _listed(line, commit)
        yield read[line]
    if rest:
        raise _broken(commit)


def _listed(line: bytes, commit: str) -> _Listed:
    told, _, name = line.partition(b"\t")
    words = told.split()
    if len(words) != 4 or not name:
        raise _broken(commit)
    mode, _, oid, size = words
    path = name.decode("utf-8", "backslashreplace")
    return _Listed(path, _MODES.get(mode, "100644"), oid.decode("ascii", "replace"), int(size) if size.isdigit() else len(oid))


def _contents(repository: Repository, wanted: dict[str, str]) -> Iterator[tuple[str, Content]]:
    """What each wanted object holds; the paths are for messages."""
    with closing(repository.git.start("cat-file", "--batch")) as talk:
        oids = list(wanted)
        for start in range(0, len(oids), _ASKED):
            some = oids[start : start + _ASKED]
            with talk.within(git_program.PATIENCE):
                with suppress(BrokenPipeError):  # told by the first answer that is not there
                    talk.given.write(b"".join(f"{oid}\n".encode() for oid in some))
                    talk.given.flush()
                for oid in some:
                    yield oid, Content.of(_blob(talk, wanted[oid]))


def _blob(talk: Running, path: str) -> bytes:
    """The next answer: a line that tells of an object, its bytes, and a line feed."""
    line = talk.out.readline(_LINE)
    if not line.endswith(b"\n"):
        raise _broken(path)
    _, _, said = line.partition(b" blob ")
    if not said.rstrip(b"\n").isdigit():
        raise RepositoryFailure("its object is missing", where=path, cure=REFETCHING)
    size = int(said)
    if size > MAX_FILE:
        raise _broken(path)
    data = talk.out.read(size)
    if len(data) != size or talk.out.read(1) != b"\n":
        raise _broken(path)
    return data


def _broken(where: str) -> RepositoryFailure:
    return RepositoryFailure(
        f"git broke off while it told this, or took longer than {git_program.PATIENCE:g} seconds", where=where, cure=_AGAIN
    )
