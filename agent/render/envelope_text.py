"""An envelope as plain text: the same page, written without marks (Describe Changes: there is no third format)."""

from __future__ import annotations

from collections.abc import Mapping

from agent.render import envelope_page
from agent.render.plain_text import NoMarks


def render(envelope: Mapping[str, object], *, level: int = 1, most: int | None = None) -> str:
    """The `envelope_page.page` in plain text, its title first (`level` 0: without it)."""
    return envelope_page.page(envelope, NoMarks(), level=level, most=most)
