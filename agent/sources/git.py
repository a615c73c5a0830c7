"""A repository as git answers about it (Intent Changesets 11.1, 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final
from weakref import finalize

from agent.errors import RepositoryFailure
from agent.sources.git_program import Git, Running
from agent.sources.hardening import refusal
from guardrails.evidence.tape import PIECE

READ_LIMIT: Final = 16 * 1024 * 1024
"""No blob larger than this is read whole."""
REFETCHING: Final = "get what is missing first: git fetch --refetch --no-filter origin"
"""What a person does where objects are missing; a partial clone would leave them out again."""
_FULL_NAME: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REGULAR: Final = frozenset((b"100644", b"100755"))
_EMPTY_TREES: Final = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


class Repository:
    """A git repository as its answers tell it. Object names are full; paths are repository-relative with forward slashes."""

    def __init__(self, git: Git, top: Path | None, git_dir: Path, object_format: str, shallow: frozenset[str]) -> None:
        """Use `open`."""
        self.git: Final = git
        self.top: Final = top
        self.git_dir: Final = git_dir
        self.object_format: Final = object_format
        self.shallow: Final = shallow
        self._blobs: dict[tuple[str, str], str | None] = {}
        self._commits: set[str] = set()
        self._objects: Running | None = None

    @staticmethod
    def open(path: Path) -> Repository:
        """The repository that `path` is in; bare ones, linked work trees and submodules too.

        Raises:
            RepositoryFailure: git is missing or too old; no repository; one that belongs to someone else.
        """
        git = Git.at(path)
        asked = ("--show-object-format", "--is-inside-work-tree", "--show-cdup", "--absolute-git-dir")
        object_format, is_inside, told = git.tell("rev-parse", *asked).split(b"\n", 2)
        top: Path | None = None
        if is_inside == b"true":
            up, told = told.split(b"\n", 1)
            top = (path / up.decode()).resolve()
        elif told.count(b"\n") > 1:  # before it stands the path of a work tree elsewhere, or it has a line break
            told = git.tell("rev-parse", "--absolute-git-dir")
        git_dir = Path(_line(told))
        boundary = git_dir / "shallow"
        if (git_dir / "commondir").is_file():  # a linked work tree shares it with the others
            boundary = Path(_line(git.tell("rev-parse", "--path-format=absolute", "--git-path", "shallow")))
        if top is not None and not _owns(top, git_dir):
            top = None
        shallow = frozenset(boundary.read_text("ascii", "replace").split()) if boundary.is_file() else frozenset[str]()
        return Repository(replace(git, folder=top or git_dir), top, git_dir, object_format.decode(), shallow)

    @property
    def objects(self) -> Git:
        """Git, asked about committed content alone: as a bare repository it reads no attributes that a change could set.

        `*.py -diff` in a work tree would show text as binary.
        """
        alone = {"core.bare": "true", "attr.tree": self.empty_tree, "safe.bareRepository": "all"}
        return replace(self.git, folder=self.git_dir).configured(alone)

    @property
    def is_shallow(self) -> bool:
        """Whether history was cut off when it was fetched."""
        return bool(self.shallow)

    @property
    def empty_tree(self) -> str:
        """The tree without entries, which git knows without having it."""
        return _EMPTY_TREES[self.object_format]

    def head(self) -> str | None:
        """The commit that HEAD names; None on an unborn branch."""
        answered = self.git.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return None if answered.code else answered.out.decode().strip()

    def has(self, oid: str) -> bool:
        """Whether a commit is here, by its object name."""
        return self.git.ask("cat-file", "-e", f"{oid}^{{commit}}").code == 0

    def commit(self, name: str) -> str | None:
        """The full object name of the commit that an object name or the full name of a ref means; None when there is none."""
        answered = self.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return None if answered.code else answered.out.decode().strip()

    def is_ancestor(self, earlier: str, later: str) -> bool:
        """Whether `earlier` is in the history of `later`, both of them commits that are here.

        Raises:
            RepositoryFailure: git could not tell.
        """
        answered = self.git.ask("merge-base", "--is-ancestor", earlier, later)
        if answered.code > 1:
            raise refusal(answered.err, self.git.folder, "git could not compare two commits")
        return answered.code == 0

    def resolve(self, revision: str) -> str:
        """The full object name of the one commit that `revision` means.

        Raises:
            RepositoryFailure: it looks like an option, is unknown, or is ambiguous (with the candidates).
        """
        if not _is_name(revision):
            raise RepositoryFailure(
                "is no revision", where=revision or "an empty name", cure="give a branch, a tag or an object name"
            )
        answered = self.git.ask("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        if b"ambiguous" in answered.err and not _FULL_NAME.fullmatch(revision):
            candidates = ", ".join(self._candidates(revision)) or "several"
            raise RepositoryFailure("is ambiguous", where=revision, cure=f"say which: {candidates}")
        if answered.code:
            raise RepositoryFailure("is no commit of this repository", where=revision, cure=self.fetching(revision))
        commit = answered.out.decode().strip()
        self._commits.add(commit)
        return commit

    def resolve_all(self, revisions: Sequence[str]) -> dict[str, str]:
        """What `resolve` says of several revisions, asked at once; nothing where there is more to say of any of them."""
        if not all(map(_is_name, revisions)):
            return {}
        names = "".join(f"{revision}^{{commit}}\n" for revision in revisions)
        answered = self.git.ask("cat-file", "--batch-check=%(objecttype) %(objectname)", given=names.encode())
        commits = [line.removeprefix("commit ") for line in answered.out.decode("utf-8", "replace").splitlines()]
        if answered.code or b"ambiguous" in answered.err or not all(map(_FULL_NAME.fullmatch, commits)):
            return {}
        self._commits.update(commits)
        return dict(zip(revisions, commits, strict=True))

    def fetching(self, revision: str) -> str:
        """What a person does to get `revision`."""
        return (
            "run: git fetch --unshallow --tags" if self.is_shallow else f"check the name, or run: git fetch origin {revision}"
        )

    def _candidates(self, revision: str) -> list[str]:
        names = [f"refs/{kind}/{revision}" for kind in ("heads", "tags", "remotes")]
        found = self.git.ask("for-each-ref", "--format=%(refname)", "--count=8", "--", *names).out
        if not found and set(revision) <= set("0123456789abcdef"):
            found = self.git.ask("rev-parse", f"--disambiguate={revision}").out
        return found.decode("utf-8", "backslashreplace").split()[:8]

    def read(self, revision: str, path: str) -> bytes | None:
        """The bytes of a regular file at a revision; None if there is none (a link or a folder is none).

        Raises:
            RepositoryFailure: it is larger than READ_LIMIT, its object is missing, or the revision is.
        """
        known = (revision, path) in self._blobs
        oid = self._blobs[revision, path] if known else dict(self._entries(revision, path)).get(path)
        return None if oid is None else self._blob(oid, path)

    def look_up(self, revision: str, paths: tuple[str, ...]) -> None:
        """Ask at once for what `read` is to tell of several files at a commit, by its full name.

        Raises:
            RepositoryFailure: the commit or its tree is missing.
        """
        found = dict(self._entries(revision, *paths))
        if _FULL_NAME.fullmatch(revision):
            self._blobs.update({(revision, path): found.get(path) for path in paths})

    def read_object(self, oid: str) -> bytes | None:
        """The bytes of a blob by its object name; None when it is no blob, absent, or larger than READ_LIMIT."""
        with suppress(RepositoryFailure):
            return self._blob(oid, oid)
        return None

    def _blob(self, oid: str, where: str) -> bytes:
        talk = self._objects or self._talk()
        talk.given.write(f"{oid}\n".encode())
        talk.given.flush()
        said = talk.out.readline(PIECE)
        kind, size = [*said.split(), b"", b"", b""][1:3]
        if not size:
            self._objects = self._objects if said else None
            raise RepositoryFailure("its object is missing", where=where, cure=REFETCHING)
        if int(size) > READ_LIMIT:
            self._objects = None
            raise RepositoryFailure(f"is larger than {READ_LIMIT} bytes", where=where, cure="keep large files elsewhere")
        data = talk.out.read(int(size) + 1)[:-1]
        if kind != b"blob":
            raise RepositoryFailure("is no file", where=where, cure="name a file")
        return data

    def _talk(self) -> Running:
        """One process answers for all objects; it is left when an answer is too long to be heard."""
        self._objects = self.git.start("cat-file", "--batch")
        finalize(self, self._objects.close)
        return self._objects

    def list(self, revision: str, directory: str) -> tuple[str, ...]:
        """The paths of all regular files below `directory` at a revision ("" for all), in git's order."""
        found = dict(self._entries(revision, directory))
        if _FULL_NAME.fullmatch(revision):
            self._blobs.update({(revision, path): oid for path, oid in found.items()})
        return tuple(found)

    def _entries(self, revision: str, *paths: str) -> Iterator[tuple[str, str]]:
        if any(".." in path.split("/") for path in paths):
            return
        where = [path.rstrip("/") for path in paths if path]
        commit = revision if revision in self._commits else self.resolve(revision)
        answered = self.git.ask("ls-tree", "-r", "-z", "--full-tree", commit, "--", *where)
        if answered.code:
            raise RepositoryFailure("its files cannot be listed: a tree is missing", where=commit, cure=REFETCHING)
        for entry in answered.out.split(b"\0"):
            meta, _, name = entry.partition(b"\t")
            mode, _, oid = meta.rpartition(b" ")
            if mode.partition(b" ")[0] in _REGULAR:
                yield name.decode("utf-8", "backslashreplace"), oid.decode()

    def files_ever(self, directory: str) -> tuple[tuple[str, str], ...]:
        """Path and object name of every file that any commit of any ref ever had below `directory`, sorted, each once."""
        options = ("log", "--all", "--format=", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=d", "-m", "-z")
        told = iter(self.git.tell(*options, "--end-of-options", "--", directory.rstrip("/") or ".").split(b"\0"))
        # Between commits stands nothing or a line break; what stands behind a line of facts is a name, whatever it looks like.
        pairs = ((next(told), facts.split()[3]) for facts in told if facts.strip(b"\n"))
        return tuple(sorted({(name.decode("utf-8", "backslashreplace"), oid.decode()) for name, oid in pairs}))


def work_tree(repository: Repository) -> Path:
    """The root of the work tree, where records live.

    Raises:
        RepositoryFailure: there is none.
    """
    if repository.top is None:
        where = str(repository.git_dir)
        raise RepositoryFailure("a bare repository holds no records", where=where, cure="use a work tree")
    return repository.top


def _is_name(revision: str) -> bool:
    return revision.isprintable() and bool(revision) and not revision.startswith("-")


def _line(said: bytes) -> str:
    return said.removesuffix(b"\n").decode("utf-8", "surrogateescape")


def _owns(top: Path, git_dir: Path) -> bool:
    """Whether the work tree names this repository as its own: a hostile `core.worktree` could point at any folder."""
    link = top / ".git"
    if link.is_file():
        link = top / link.read_text("utf-8", "surrogateescape").removeprefix("gitdir:").strip()
    return link.resolve() == git_dir.resolve()
