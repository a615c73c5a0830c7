"""Looking at a repository: its remote, the manifests at HEAD, recent messages, tags and changelog; nothing is changed."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from agent.errors import RepositoryFailure
from agent.proposing.habits import MAX_MESSAGES, observe
from agent.proposing.manifests import Manifest, is_manifest, packages, read
from agent.proposing.profile import Sight, profile_lines
from agent.proposing.rules import rules_lines
from agent.proposing.units import release_units, repository_uri, unit_word
from agent.sources.git import Repository
from agent.sources.messages import recent

_MOST_MANIFESTS: Final = 400
_CHANGELOGS: Final = ("CHANGELOG.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "changelog.md")


def propose(repository: Repository) -> str:
    """A commented profile for `repository`, and below it, commented out, rules for evidraft.toml.

    Raises:
        RepositoryFailure: git failed.
    """
    sight = look(repository)
    return "".join(f"{line}\n" for line in (*profile_lines(sight), *rules_lines(sight)))


def look(repository: Repository) -> Sight:
    """What the repository shows at HEAD; little, when nothing is committed yet.

    Raises:
        RepositoryFailure: git failed.
    """
    head = repository.head()
    paths = repository.list(head, "") if head else ()
    manifests, unread = _manifests(repository, head, paths)
    uri = repository_uri(_remote(repository))
    name = uri.rpartition("/")[2] if uri else _folder(repository)
    changelog = next((_read(repository, head, path) for path in _CHANGELOGS if path in paths), None)
    messages = recent(repository, head, MAX_MESSAGES) if head else ()
    habits = observe(messages, _tags(repository), paths, (changelog or b"").decode("utf-8", "replace"))
    return Sight(uri, unit_word(name) or "project", release_units(packages(manifests), name), habits, unread)


def _manifests(
    repository: Repository, head: str | None, paths: tuple[str, ...]
) -> tuple[tuple[Manifest, ...], tuple[str, ...]]:
    """The manifests that can be read, and the paths of those that cannot; those near the root first."""
    named = sorted(filter(is_manifest, paths), key=lambda path: (path.count("/"), path))[:_MOST_MANIFESTS]
    contents = [(path, _read(repository, head, path)) for path in named]
    found = [(path, read(path, data) if data is not None else None) for path, data in contents]
    return tuple(one for _, one in found if one is not None), tuple(path for path, one in found if one is None)


def _read(repository: Repository, head: str | None, path: str) -> bytes | None:
    """A file at HEAD; None for one that is too large to be what its name says, or is not there."""
    try:
        return repository.read(head, path) if head else None
    except RepositoryFailure:
        return None


def _remote(repository: Repository) -> str:
    return repository.git.ask("config", "--get", "remote.origin.url").out.decode("utf-8", "replace").strip()


def _folder(repository: Repository) -> str:
    return PurePosixPath(repository.top or repository.git_dir).name.removesuffix(".git")


def _tags(repository: Repository) -> list[str]:
    said = repository.git.tell("for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags")
    return said.decode("utf-8", "replace").splitlines()
