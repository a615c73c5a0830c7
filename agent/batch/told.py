"""What outputs need of a drafted release besides its texts: its items by key, its evidence by id (evidraft design 1, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from agent.receipt import manifest
from agent.render.changes import mapping, mappings, text
from agent.render.json_text import Named
from agent.render.outcomes import each_source
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import CHANGE
from guardrails.evidence.model import Bundle
from guardrails.grounding.releases.accounts import keys
from guardrails.grounding.releases.told import decisions_told

_KEY: Final = re.compile(r"items\[([0-9a-f.]{1,80})\]\.")
_ID: Final = re.compile(r"\b[A-Z]\d{1,7}\b")


def titles(draft: Draft, envelope: Mapping[str, object]) -> dict[str, str]:
    """The title of each item, or of the single change, by its key, in the order of the envelope; "" where it has none yet.

    Keys are told by the fields of the draft alone: these stand in the order of the envelope.
    """
    if change := mapping(envelope, CHANGE):
        return {CHANGE: text(change, "title")}
    names = tuple(dict.fromkeys(match[1] for path in draft.paths if (match := _KEY.match(path)) is not None))
    items = mappings(envelope, "items")
    return dict(zip(names, (text(item, "title") for item in items), strict=True)) if len(names) == len(items) else {}


def item_of(field: str) -> str:
    """The key of the item that a field is of; "" for a field of the whole."""
    match = _KEY.match(field)
    return match[1] if match else CHANGE if field.startswith(f"{CHANGE}.") else ""


def places(bundle: Bundle, asked: Iterable[str], accounts: Iterable[str]) -> dict[str, str]:
    """Where each item of the evidence stands that a question asks about, or that the reason of an account names, by its id."""
    named = {*asked, *(item for account in dict.fromkeys(accounts) if not keys(account) for item in _ID.findall(account))}
    return {one["id"]: one["locator"] for one in manifest(bundle) if one["id"] in named} if named else {}


def decided(bundle: Bundle, draft: Draft) -> dict[str, str]:
    """The reviewed decisions that a draft tells in their own words, by id: the keys of the items that do."""
    records = [{"id": one.id, "kind": "record", "locator": one.locator} for one in bundle.records]
    return decisions_told({"evidence": records, "fields": Named(lambda: each_source(draft))}) if records else {}
