"""One request, fetched from the forge that its host is (Describe Changes: operation)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from agent.errors import ForgeFailure
from agent.forges import github, gitlab, places
from agent.forges.client import Client
from agent.forges.places import ForgeRequest, Kind

_PATHS: Final = {
    Kind.GITHUB: re.compile(r"[\w.-]{1,100}/[\w.-]{1,100}", re.ASCII),
    Kind.GITLAB: re.compile(r"[\w.-]{1,255}(?:/[\w.-]{1,255}){1,20}", re.ASCII),
}
_GATHER: Final = {Kind.GITHUB: github.gather, Kind.GITLAB: gitlab.gather}


def fetch(
    request: ForgeRequest, environ: Mapping[str, str], has: Callable[[str], bool], sleep: Callable[[float], None] = time.sleep
) -> dict[str, Any]:
    """What its forge tells of a request, as one value of JSON of the form that payloads are read from.

    `has` tells whether git has a commit; only where it lacks an end of the request are commits and files asked for as well. A
    token is taken from the environment, if there is one for this host, and only read with.

    Raises:
        ForgeFailure: the request cannot be had; what else cannot is named in the value.
    """
    with asking(request, environ, sleep) as client:
        return _GATHER[client.door.place.kind](client, request.repository, request.number, has)


@contextmanager
def asking(request: ForgeRequest, environ: Mapping[str, str], sleep: Callable[[float], None] = time.sleep) -> Iterator[Client]:
    """A client for the forge that a request lies on, closed at the end.

    Raises:
        ForgeFailure: nothing says which forge that is, or it has no repositories of such a name.
    """
    place, repository = places.place(request.host, environ), request.repository
    if not _PATHS[place.kind].fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise ForgeFailure(f"got no repository of {place.kind.value}", where=repository, cure="name it as owner/name")
    from agent.forges.transport import opened  # noqa: PLC0415 - the network is loaded when it is needed

    with opened(place, sleep) as transport:
        yield Client(transport)
