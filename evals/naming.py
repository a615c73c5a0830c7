"""The independent check of what texts name: each identifier, relation and chosen word stands in what git and the forge show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evals.grepping import names
from evals.placing import changes
from evals.shown import Envelope, Shown

CHOSEN = ("title", "short_md", "medium_md")
"""Texts that are chosen, not put together."""
_TEXTS = (*CHOSEN, "detail_md")
_PLACES = re.compile(r"^([-*] )(?:`+[^`]+`+(?:, | and )?)+ — ", re.MULTILINE)
_BLANKS = re.compile(r"[ \t]+")
"""Markdown makes one blank of many in code."""
_JOINING = frozenset({"revert", "update", "updates", "from", "to", "and", "others", "dependency", "dependencies"})
"""Words that join what was chosen: how updates and reverts are called."""


def texts(envelope: Envelope) -> Iterator[tuple[str, str]]:
    """Name and text of each text of an envelope; a page without the places that its list items begin with."""
    for part in (envelope.get("summary", {}), *changes(envelope)):
        yield from ((name, _PLACES.sub(r"\1", part[name])) for name in _TEXTS if part.get(name))
        yield from (("note", ref["note"]) for ref in part.get("refs") or () if "note" in ref)


def identifiers(envelope: Envelope) -> Iterator[str]:
    """Every identifier of every text, and every relation and operation that is named."""
    yield from (name for _, text in texts(envelope) for name in names(text))
    for change in changes(envelope):
        yield from (value for value in change.get("relations", {}).values() if value)


def not_found(envelope: Envelope, shown: Shown, said: str) -> tuple[str, ...]:
    """Identifiers that stand neither in what is shown nor in what a person said."""
    known = _BLANKS.sub(" ", f"{shown.printed}\n{shown.operation.label}\n{said}")
    return tuple(dict.fromkeys(name for name in identifiers(envelope) if name not in known and not _stands(name, known)))


def _stands(name: str, known: str) -> bool:
    """Whether each part of a name of code that stands inside another one is shown: `Client.send` by `Client` and `send`."""
    parts = [part for part in re.split(r"[.:#\s]+", name.replace("()", "")) if part]
    return len(parts) > 1 and all(part in known and not part.isdecimal() for part in parts)


def new_words(envelope: Envelope, shown: Shown, said: str) -> tuple[str, ...]:
    """Words of titles, short and medium texts that nothing shows: what is chosen adds no word."""
    known = f"{shown.printed}\n{shown.operation.label}\n{said}".casefold()
    chosen = " ".join(text for change in changes(envelope) for text in _chosen(change))
    words = (word.casefold() for word in re.findall(r"\w+", chosen))
    return tuple(dict.fromkeys(word for word in words if word not in known and word not in _JOINING))


def _chosen(change: dict[str, Any]) -> Iterator[str]:
    yield from (change[name] for name in CHOSEN if change.get(name))
