"""An envelope as markdown: the body of a pull request, or a release page (Describe Changes: the envelope)."""

from __future__ import annotations

from collections.abc import Mapping

from agent.render import envelope_page
from agent.render.forge_links import Links
from agent.render.marks import Marks


def render(
    envelope: Mapping[str, object],
    links: Links | None = None,
    *,
    level: int | None = None,
    most: int | None = None,
    whole: str = "",
) -> str:
    """The `envelope_page.page` in markdown; `links` is the repository on its forge, without it nothing leads anywhere."""
    return envelope_page.page(envelope, Marks.to(links), level=level, most=most, whole=whole)
