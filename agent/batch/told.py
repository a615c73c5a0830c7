"""What a finished release tells, read out of its documents: its items by key, its evidence by id (evidraft design 1, 3)."""

from __future__ import annotations

import re
from typing import Final

from agent.batch.release import Finished
from agent.render.changes import mapping, mappings, text
from guardrails.drafts.envelope_form import CHANGE

_KEY: Final = re.compile(r"items\[([0-9a-f.]{1,80})\]\.")


def titles(finished: Finished) -> dict[str, str]:
    """The title of each item, or of the single change, by its key, in the order of the envelope; "" where it has none yet.

    Keys are told by the draft record alone: its fields stand in the order of the envelope.
    """
    envelope = finished.envelope or {}
    if change := mapping(envelope, CHANGE):
        return {CHANGE: text(change, "title")}
    found = (match[1] for path in mapping(finished.recorded(), "fields") if (match := _KEY.match(path)))
    keys = tuple(dict.fromkeys(found))
    items = mappings(envelope, "items")
    return dict(zip(keys, (text(item, "title") for item in items), strict=True)) if len(keys) == len(items) else {}


def locators(finished: Finished) -> dict[str, str]:
    """Where each item of the evidence stands, by its id."""
    return {text(item, "id"): text(item, "locator") for item in mappings(finished.recorded(), "evidence")}


def item_of(field: str) -> str:
    """The key of the item that a field is of; "" for a field of the whole."""
    match = _KEY.match(field)
    return match[1] if match else CHANGE if field.startswith(f"{CHANGE}.") else ""
