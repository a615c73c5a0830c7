"""An envelope as plain text, rendered from its markdown (Describe Changes: there is no third format)."""

from __future__ import annotations

from collections.abc import Mapping

from agent.render import envelope_markdown
from agent.render.plain_text import plain


def render(envelope: Mapping[str, object], *, level: int = 1, most: int | None = None) -> str:
    """The plain text of an envelope that holds, its title first (`level` 0: without it), ending in one line break."""
    return plain(envelope_markdown.render(envelope, level=level, most=most))
