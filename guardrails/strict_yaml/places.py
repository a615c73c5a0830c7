"""Where each value of a document stands in its text: for the lines of findings and for edits in place (Intent Changesets 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands in a document: keys and list positions from the root."""


@dataclass(slots=True)
class Place:
    """One value: its 1-based line (that of its key, in a mapping), its characters from `start` to `end`, its column.

    `key_end` is where its key ends, None outside a mapping. `is_flow` and `is_list` say what kind of collection it is, `size`
    how many values it holds.
    """

    line: int
    start: int
    end: int
    column: int
    key_end: int | None
    is_flow: bool = False
    is_list: bool = False
    size: int = 0
