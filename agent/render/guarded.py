"""Pages that lead to a forge only where that tells nothing that must not leave (Intent Changesets 11.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.render.changes import mapping, text
from agent.render.forge_links import Links
from guardrails.redaction.redact import Guard


def guarded(page: Callable[[Links | None], str], links: Links | None, guard: Guard) -> str:
    """`page(links)`, or the page that leads nowhere where an address would tell what must not leave."""
    told = page(links)
    return page(None) if links and guard.leaks(told) else told


def links_of(envelope: Mapping[str, object], host: str, path: str) -> Links | None:
    """Where identifiers of an envelope are seen, if it is of the repository at `path` on `host`; None where nothing tells."""
    return Links.of(host, path) if path and text(mapping(envelope, "operation"), "repository") == path else None
