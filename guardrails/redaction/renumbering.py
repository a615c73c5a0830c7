"""Ids without gaps: what was withheld leaves no hole in the numbers of what is left (Intent Changesets 6.9, 11.7)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from guardrails.evidence.items import ItemT, items, with_items
from guardrails.evidence.model import Bundle

_ID: Final = re.compile(r"[CFHPIDRVSA][1-9][0-9]*")


def renumbered(bundle: Bundle) -> Bundle:
    """`bundle` with ids that run on without a gap, in the order they had; notes on an id that is gone are dropped."""
    held = {item.id for item in items(bundle)}
    new: dict[str, str] = {}
    for letter in sorted({name[0] for name in held}):
        ordered = sorted((name for name in held if name[0] == letter), key=lambda name: (len(name), name))
        new.update({name: f"{letter}{number}" for number, name in enumerate(ordered, 1)})

    def renamed(item: ItemT) -> ItemT:
        return replace(item, id=new[item.id])

    notes = tuple(
        replace(note, where=new.get(note.where, note.where))
        for note in bundle.notes
        if note.where in new or not _ID.fullmatch(note.where)
    )
    return replace(with_items(bundle, renamed), notes=notes)
