"""What stands at some paths of many commits, asked at once: a process for each takes longer than all that is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from agent.errors import RepositoryFailure
from agent.sources.git import REFETCHING, Repository

Standing: TypeAlias = tuple[tuple[str, str], ...]
"""Path and object name of each regular file, in the order of paths."""
_REGULAR: Final = frozenset((b"100644", b"100755"))


def standing(repository: Repository, commits: Iterable[str], paths: Sequence[str]) -> Mapping[str, Standing]:
    """The regular files among `paths` at each commit, by its full name. Their contents need not be here, but trees must.

    Raises:
        RepositoryFailure: a commit or a tree is missing.
    """
    wanted = list(dict.fromkeys(commits))
    trees = _trees(repository, wanted) if wanted else []
    found = _files(repository, dict.fromkeys(trees), paths) if trees else {}
    return {commit: found.get(tree, ()) for commit, tree in zip(wanted, trees, strict=True)}


def _trees(repository: Repository, commits: Sequence[str]) -> list[bytes]:
    asked = "".join(f"{commit}^{{tree}}\n" for commit in commits).encode()
    told = repository.git.ask("cat-file", "--batch-check=%(objectname)", given=asked)
    trees = told.out.split(b"\n")[:-1]
    if told.code or len(trees) != len(commits) or any(b" " in tree for tree in trees):
        raise RepositoryFailure("a commit is missing", where="tags", cure=REFETCHING)
    return trees


def _files(repository: Repository, trees: Iterable[bytes], paths: Sequence[str]) -> dict[bytes, Standing]:
    """What each tree has at the paths: what it has there and the empty one has not."""
    empty = repository.empty_tree.encode()
    asked = b"".join(b"%s %s\n" % (empty, tree) for tree in trees)
    command = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--", *paths)
    found: dict[bytes, list[tuple[str, str]]] = {}
    tree = b""
    told = iter(repository.git.tell(*command, given=asked).split(b"\0"))
    for piece in told:
        *pairs, facts = piece.split(b"\n")
        tree = pairs[-1].split()[1] if pairs else tree
        if facts:
            path = next(told).decode("utf-8", "backslashreplace")
            _, mode, _, oid, _ = facts.split()
            if mode in _REGULAR and path in paths:
                found.setdefault(tree, []).append((path, oid.decode()))
    return {tree: tuple(files) for tree, files in found.items()}
