"""Which forge a host is, where its interface stands, and which token is meant for it (evidraft).

A host is one of the two that everybody knows, or one that the environment names: no repository can point a token elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from agent.errors import ForgeFailure

_GITHUB: Final = "github.com"
_GITHUB_CLOUD: Final = ".ghe.com"
_GITLAB: Final = "gitlab.com"
_ENTERPRISE: Final = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")


class Kind(StrEnum):
    """Whose interface a forge has."""

    GITHUB = "GitHub"
    GITLAB = "GitLab"


@dataclass(frozen=True, slots=True)
class ForgeRequest:
    """One pull or merge request: `repository` is "owner/name", with as many groups before the name as there are."""

    host: str
    repository: str
    number: int


@dataclass(frozen=True, slots=True)
class Place:
    """One forge: the address of its interface, and the headers that a request carries. Its repr shows no token.

    `variables` are those that a token for it may stand in; `anonymous` tells whether there is none.
    """

    kind: Kind
    host: str
    api: str
    variables: tuple[str, ...]
    headers: Mapping[str, str] = field(repr=False)
    anonymous: bool


def place(host: str, environ: Mapping[str, str]) -> Place:
    """The forge at `host`, with the token that the environment has for it, if any.

    Raises:
        ForgeFailure: nothing says which forge this is, or its interface would be asked in the open.
    """
    api, kind, variables = _known(host.lower(), environ)
    if urlsplit(api).scheme != "https":
        raise ForgeFailure("this interface is not asked: its address does not begin with https", where=api, cure="use TLS")
    token = next((name for name in variables if environ.get(name)), "")
    return Place(kind, host, api.rstrip("/"), variables, _headers(kind, token, environ.get(token, "")), not token)


def _known(host: str, environ: Mapping[str, str]) -> tuple[str, Kind, tuple[str, ...]]:
    """Where the interface of a host stands, whose it is, and the variables of its tokens, the first that is set counting."""
    actions = _host(environ.get("GITHUB_SERVER_URL", "")) or _GITHUB
    job = environ.get("CI_SERVER_HOST", "").lower()
    home = _host(environ.get("GITLAB_HOST", "")) or job or _GITLAB
    own = ("GITHUB_TOKEN",) if actions == host else ()
    gitlab = (*(("GITLAB_TOKEN",) if host == home else ()), *(("CI_JOB_TOKEN",) if host == job else ()))
    if host == _GITHUB:
        return "https://api.github.com", Kind.GITHUB, ("GH_TOKEN", *own)
    if host.endswith(_GITHUB_CLOUD):
        return f"https://api.{host}", Kind.GITHUB, ("GH_TOKEN", *own)
    if host == actions:
        return environ.get("GITHUB_API_URL") or f"https://{host}/api/v3", Kind.GITHUB, (*_ENTERPRISE, "GH_TOKEN", *own)
    if host == _host(environ.get("GH_HOST", "")):
        return f"https://{host}/api/v3", Kind.GITHUB, _ENTERPRISE
    if host == job:
        return environ.get("CI_API_V4_URL") or f"https://{host}/api/v4", Kind.GITLAB, gitlab
    if host in {_GITLAB, home}:
        return f"https://{host}/api/v4", Kind.GITLAB, gitlab
    raise ForgeFailure(
        "nothing says which forge this is", where=host, cure="set GH_HOST or GITLAB_HOST to it, or give --payload FILE"
    )


def _host(said: str) -> str:
    """The host of an address, or of a variable that holds nothing but a host."""
    return (urlsplit(said).netloc if "://" in said else said).strip("/").lower()


def _headers(kind: Kind, variable: str, token: str) -> dict[str, str]:
    known = {"User-Agent": "evidraft"}
    if kind is Kind.GITHUB:
        known |= {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        return known | ({"Authorization": f"Bearer {token}"} if token else {})
    name = "JOB-TOKEN" if variable == "CI_JOB_TOKEN" else "PRIVATE-TOKEN"
    return known | ({name: token} if token else {})
