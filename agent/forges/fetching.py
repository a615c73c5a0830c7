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
from agent.forges.transport import opened

_PATHS: Final = {
    Kind.GITHUB: re.compile(r"[\w.-]{1,100}/[\w.-]{1,100}", re.ASCII),
    Kind.GITLAB: re.compile(r"[\w.-]{1,255}(?:/[\w.-]{1,255}){1,20}", re.ASCII),
}
_GATHER: Final = {Kind.GITHUB: github.gather, Kind.GITLAB: gitlab.gather}


def fetch(
    request: ForgeRequest, environ: Mapping[str, str], *, with_diff: bool, sleep: Callable[[float], None] = time.sleep
) -> dict[str, Any]:
    """What its forge tells of a request, as one value of JSON of the form that payloads are read from.

    Commits and files are asked for only where `with_diff`: git knows them better, where it has them. A token is taken from the
    environment, if there is one for this host, and only read with.

    Raises:
        ForgeFailure: the request cannot be had; what else cannot is named in the value.
    """
    with asking(request, environ, sleep) as client:
        gather = _GATHER[client.transport.place.kind]
        return gather(client, request.repository, request.number, with_diff=with_diff)


@contextmanager
def asking(request: ForgeRequest, environ: Mapping[str, str], sleep: Callable[[float], None] = time.sleep) -> Iterator[Client]:
    """A client for the forge that a request lies on, closed at the end.

    Raises:
        ForgeFailure: nothing says which forge that is, or it has no repositories of such a name.
    """
    place, repository = places.place(request.host, environ), request.repository
    if not _PATHS[place.kind].fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise ForgeFailure(f"got no repository of {place.kind.value}", where=repository, cure="name it as owner/name")
    with opened(place, sleep) as transport:
        yield Client(transport)
