"""What a server has to offer, for a person who looks for the name of a model (`evidraft models URL`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agent.errors import ProviderFailure
from agent.model import wire
from agent.model.serving import capabilities
from agent.model.serving.address import KEY, Address
from agent.model.serving.capabilities import Offer
from agent.model.serving.line import Line

_MEASURED: Final = 20
"""For how many models the server is asked how much they read, where its list does not tell."""
_RETRIES: Final = 1
_TIMEOUT: Final = 20.0


async def listing(url: str, *, environ: Mapping[str, str]) -> tuple[Offer, ...]:
    """The models of the server at `url`, with how much each reads at once where that can be known.

    Raises:
        agent.errors.NotConfigured: the URL can be none of a server, or its interface lies elsewhere.
        agent.errors.ProviderFailure: the server cannot be reached, does not serve us, or keeps no list.
    """
    address = Address.of(url, "")
    key = wire.key(environ, KEY, where=address.url) if environ.get(KEY, "").strip() else ""
    line = Line.opened(address, key, retries=_RETRIES, timeout=_TIMEOUT)
    try:
        offers = await capabilities.offered(line, address)
        if offers is None:
            raise ProviderFailure("it keeps no list of its models", where=address.url, cure="see what it was started with")
        return tuple([await _measured(line, address, offer, place) for place, offer in enumerate(offers)])
    finally:
        await line.close()


async def _measured(line: Line, address: Address, offer: Offer, place: int) -> Offer:
    if offer.context is not None or place >= _MEASURED:
        return offer
    return await capabilities.chosen(line, replace(address, name=offer.id))
