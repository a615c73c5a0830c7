"""Pages that lead to a forge only where that tells nothing that must not leave (Intent Changesets 11.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from agent.render.changes import mapping, text
from agent.render.forge_links import Links
from guardrails.redaction.redact import Guard

_PIECE: Final = 1 << 16
"""Characters that are looked at together at least: an address stands on one line, and looking at long pages takes memory."""


def guarded(page: Callable[[Links | None], str], links: Links | None, guard: Guard) -> str:
    """`page(links)`, or the page that leads nowhere where an address would tell what must not leave."""
    told = page(links)
    return page(None) if links and any(map(guard.leaks, _pieces(told))) else told


def _pieces(page: str) -> Iterator[str]:
    """A page in pieces of whole lines."""
    start = 0
    while start < len(page):
        end = page.find("\n", start + _PIECE) + 1 or len(page)
        yield page[start:end]
        start = end


def links_of(envelope: Mapping[str, object], host: str, path: str) -> Links | None:
    """Where identifiers of an envelope are seen, if it is of the repository at `path` on `host`; None where nothing tells."""
    return Links.of(host, path) if path and text(mapping(envelope, "operation"), "repository") == path else None
