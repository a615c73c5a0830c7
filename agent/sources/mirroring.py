"""A bare mirror of another repository: all its commits and trees, and of the contents what certain ranges need (evidraft).

The folder is ours and so is its configuration: it is the one place from which git may reach another machine, by the protocols
that the caller names and as whom the person's own set-up of git says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from agent.errors import RepositoryFailure
from agent.sources.git import Repository
from agent.sources.git_program import Git
from agent.sources.history import REVERTED

REFS: Final = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_FETCH: Final = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--filter=blob:none")
_PARTLY: Final = {"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none"}
_DONE: Final = "evidraft.mirrored"
_RAW: Final = ("--raw", "--no-abbrev", "--no-renames", "--root", "-r")
_CHANGE: Final = re.compile(rb":+((?:[0-7]{6} )+)((?:[0-9a-f]{40,64} )+)[A-Z]")
_ENTRY: Final = re.compile(r"100[0-7]{3} blob ([0-9a-f]{40,64})\t(.+)")
_HEAD: Final = re.compile(rb"ref: (refs/heads/[^\s]+)\tHEAD")
_LINK: Final = b"160000"
SETTINGS: Final = ("evidraft.toml", "pyproject.toml", ".ack")
"""What a run is judged by, beside what settings and a profile name."""


def begin(folder: Path, address: str) -> None:
    """Lay out an empty mirror of `address` at `folder`, which does not exist.

    Raises:
        RepositoryFailure: git failed.
    """
    Git.at(folder.parent).tell("init", "--quiet", "--bare", "--template=", "--", str(folder))
    Git.at(folder).tell("config", "--local", "remote.origin.url", address)


def is_done(folder: Path) -> bool:
    """Whether a mirror was there as a whole once."""
    return folder.is_dir() and Git.at(folder).ask("config", "--local", "--get", _DONE).out.strip() == b"true"


def remote_head(folder: Path, protocols: str) -> str | None:
    """The branch that the other repository's HEAD names, "" for none; None where it does not answer."""
    answered = Git.at(folder).reaching(protocols).ask("ls-remote", "--symref", "--quiet", "origin", "HEAD")
    found = _HEAD.match(answered.out)
    return None if answered.code else found[1].decode("utf-8", "surrogateescape") if found else ""


def update(folder: Path, protocols: str, head: str) -> bool:
    """Bring every branch and tag, and let HEAD name `head`; whether git was content."""
    git = Git.at(folder)
    if not _fetched(git, protocols, "--prune", "--force", "origin", *REFS):
        return False
    if head:
        git.tell("symbolic-ref", "HEAD", head)
    git.tell("config", "--local", _DONE, "true")
    return True


def complete(repository: Repository, protocols: str, oids: Iterable[str]) -> None:
    """Bring the contents of `oids` as far as they are missing; without `protocols` nothing is asked for.

    Raises:
        RepositoryFailure: some are missing still.
    """
    wanted = sorted(set(oids))
    missing = _missing(repository, wanted)
    if missing and protocols:
        _fetched(repository.git, protocols, "--stdin", "origin", given="".join(f"{oid}\n" for oid in missing).encode())
        missing = _missing(repository, missing)
    if missing:
        raise RepositoryFailure(
            f"{len(missing)} contents are missing from its mirror", where="mirror", cure="run again while it can be reached"
        )


def _fetched(git: Git, protocols: str, *arguments: str, given: bytes = b"") -> bool:
    """Fetch without contents that are not asked for; whether git was content.

    That the mirror lacks some is told to this command alone, although git writes it down: whoever only reads must not try to
    fetch what is missing. Where single contents are asked for, there is nothing to negotiate.
    """
    settings = {**_PARTLY, **({"fetch.negotiationAlgorithm": "noop"} if given else {})}
    answered = git.reaching(protocols).configured(settings).ask(*_FETCH, *arguments, given=given)
    for name in _PARTLY:
        git.ask("config", "--local", "--unset-all", name)
    return not answered.code


def needed(repository: Repository, ranges: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The contents that drafting of ranges (base or "", head) reads for their changes: both sides of each.

    Raises:
        RepositoryFailure: git failed.
    """
    for base, head in ranges:
        excluded = [f"^{base}"] if base else []
        yield from _changed(repository, "log", "--format=", "-c", *_RAW, head, *excluded, "--")
        yield from _changed(repository, "diff-tree", *_RAW, base or repository.empty_tree, head, "--")
        yield from _reverted(repository, head, excluded)


def below(repository: Repository, commit: str, places: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Object name and path of each regular file at and below some places of a commit.

    Raises:
        RepositoryFailure: git failed.
    """
    told = repository.git.tell("ls-tree", "-r", "--full-tree", commit, "--", *places).decode("utf-8", "backslashreplace")
    return tuple((match[1], match[2]) for line in told.splitlines() if (match := _ENTRY.fullmatch(line)))


def _reverted(repository: Repository, head: str, excluded: Sequence[str]) -> Iterator[str]:
    """Both sides of what the commits outside of a range change of which its messages say that they are reverted."""
    said = repository.git.tell("log", "--format=%B", "--encoding=UTF-8", head, *excluded, "--").decode("utf-8", "replace")
    for name in dict.fromkeys(REVERTED.findall(said)):
        if repository.has(name):
            yield from _changed(repository, "log", "--format=", "-c", *_RAW, "--no-walk", name, "--")


def _changed(repository: Repository, *command: str) -> Iterator[str]:
    """The contents on each side of what a command tells; names of files are quoted, so a line is one file."""
    for line in repository.git.tell(*command).splitlines():
        if (match := _CHANGE.match(line)) is not None:
            sides = zip(match[1].split(), match[2].split(), strict=True)
            yield from (oid.decode() for mode, oid in sides if mode not in {_LINK, b"000000"})


def _missing(repository: Repository, oids: Sequence[str]) -> list[str]:
    told = repository.git.ask("cat-file", "--batch-check", given="".join(f"{oid}\n" for oid in oids).encode())
    return [line.split()[0].decode() for line in told.out.splitlines() if line.endswith(b" missing")]
