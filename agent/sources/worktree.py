"""Changes that no commit holds yet: the index, the work tree, and files that git does not know (Intent Changesets 11.1).

Files that git does not know are told as added. Their bytes are read as they lie on the disk: no filter and no conversion of
line ends runs, links are not followed, and nothing but regular files and links is opened.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from agent import below
from agent.errors import RepositoryFailure
from agent.sources.commits import AS_PATCH
from agent.sources.git import Repository
from agent.sources.git_program import Git
from guardrails.evidence.decoding import readable
from guardrails.evidence.diff import Patch, read_entries, read_patches, whole_file
from guardrails.evidence.hunks import TextBudget
from guardrails.evidence.notes import Notebook
from guardrails.evidence.tape import MalformedDiff, Tape

FILE_LIMIT: Final = 4 * 1024 * 1024
"""No unknown file larger than this is read."""
UNKNOWN_LIMIT: Final = 2000
"""How many unknown files are read, at most."""


def read_uncommitted(
    repository: Repository, head: str | None, texts: TextBudget, notes: Notebook, *, staged: bool
) -> tuple[Patch, ...]:
    """What the index (`staged`) or the work tree changes against `head` (None: an unborn branch).

    Raises:
        RepositoryFailure: there is no work tree, or git failed.
    """
    if repository.top is None:
        raise RepositoryFailure("has no work tree", where=str(repository.git_dir), cure="name a range or a revision")
    git = _without_filters(repository.git)
    options = ("diff", *AS_PATCH, "--ignore-submodules=dirty", *(["--cached"] if staged else []))
    with git.running(*options, head or repository.empty_tree, "--", lines=()) as running:
        tape = Tape(running.out)
        try:
            patches = tuple(read_patches(tape, read_entries(tape), texts))
        except MalformedDiff:
            patches = None
        if patches is None or not running.succeeded():
            raise RepositoryFailure("git could not tell the changes", where=str(repository.top), cure="see: git diff HEAD")
    for stage in git.tell("ls-files", "-z", "--unmerged", "--full-name").split(b"\0")[:-1]:
        notes.add("unmerged", readable(stage.partition(b"\t")[2]), "has conflicts that are not resolved")
    changed = tuple(patch for patch in patches if not _only_touched(patch))
    return changed if staged else (*changed, *_unknown(repository, repository.top, git, texts, notes))


def _only_touched(patch: Patch) -> bool:
    """Whether only the time of a file moved, which git tells without a patch as long as it may not refresh the index."""
    return patch.entry.status == "M" and patch.entry.old_mode == patch.entry.new_mode and not patch.announced


def _without_filters(git: Git) -> Git:
    """The same git with every filter driver that any configuration names switched off."""
    keys = git.ask("config", "-z", "--name-only", "--get-regexp", r"^filter\.").out.decode("utf-8", "surrogateescape")
    return git.configured({key: "false" if key.endswith(".required") else "" for key in keys.split("\0") if key})


def _unknown(repository: Repository, top: Path, git: Git, texts: TextBudget, notes: Notebook) -> Iterator[Patch]:
    paths = git.tell("ls-files", "-z", "--others", "--exclude-standard", "--full-name").split(b"\0")[:-1]
    if len(paths) > UNKNOWN_LIMIT:
        notes.add("untracked-limit", "", f"{len(paths)} files are unknown to git; the first {UNKNOWN_LIMIT} were read")
    for path in paths[:UNKNOWN_LIMIT]:
        found = _lying_there(top, path)
        if isinstance(found, str):
            notes.add("untracked", readable(path), found)
        else:
            mode, data = found
            oid = hashlib.new(repository.object_format, b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
            yield whole_file(path, mode, oid, data, texts)


def _lying_there(top: Path, path: bytes) -> tuple[str, bytes] | str:
    """Mode and bytes of what lies at `path` below the root, or why it was not read; no link is followed on the way either."""
    *folders, name = path.rstrip(b"/").split(b"/")
    try:
        with below.folder(top, folders) as folder:
            mode = os.lstat(name, dir_fd=folder).st_mode
            if stat.S_ISLNK(mode):
                return "120000", os.readlink(name, dir_fd=folder)
            if not stat.S_ISREG(mode):
                return "is no file, or a repository of its own; not read"
            with os.fdopen(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb") as stream:
                data = stream.read(FILE_LIMIT + 1)
    except below.Refused as refused:
        return refused.what
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if len(data) > FILE_LIMIT:
        return f"is larger than {FILE_LIMIT} bytes; not read"
    return ("100755" if mode & stat.S_IXUSR else "100644"), data
