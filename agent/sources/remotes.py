"""Where a clone came from, as far as its configuration tells (Describe Changes: operation.repository).

An address can hold a password: only the host and the path are kept, and nothing else of it is ever shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from agent.sources.git import Repository

_SCHEMES: Final = frozenset({"https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https"})
_SHORT: Final = re.compile(r"(?:[^/:@\s]{1,100}@)?(?P<host>[A-Za-z0-9.-]{2,253}):(?P<path>[^:\s]{1,500})")
"""`git@host:path`; a single letter before the colon would be a drive."""
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,252})(?::\d{1,5})?")
_PATH: Final = re.compile(r"[\w.-]{1,255}(?:/[\w.-]{1,255}){1,20}", re.ASCII)
_ALIASES: Final = {"ssh.github.com": "github.com", "www.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository on a host: `path` is "owner/name", with as many groups before the name as there are."""

    host: str
    path: str


def origin(repository: Repository) -> Remote | None:
    """The remote that is called origin; None where there is none, or it is a folder.

    Raises:
        RepositoryFailure: the system cannot start git.
    """
    answered = repository.git.ask("remote", "get-url", "origin")
    return None if answered.code else read(answered.out.decode("utf-8", "replace").strip())


def read(address: str) -> Remote | None:
    """The host and path of an address of a remote; None for a folder, and for what is no such address."""
    if "://" in address:
        found = _of_url(address)
    else:
        short = _SHORT.fullmatch(address)
        found = (short["host"], short["path"]) if short else None
    if found is None:
        return None
    host, path = found[0].lower(), found[1].strip("/").removesuffix(".git").rstrip("/")
    good = _HOST.fullmatch(host) and _PATH.fullmatch(path) and not {".", ".."} & set(path.split("/"))
    return Remote(_ALIASES.get(host, host), path) if good else None


def _of_url(address: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES:
        return None
    # A port of HTTP is another server; one of SSH is another door of the same.
    is_web = parts.scheme.lower() in {"http", "https"} and port not in {None, 80, 443}
    return f"{host}:{port}" if is_web else host, parts.path
