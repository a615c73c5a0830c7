"""Replacing: the words in which two versions of a line differ, where they are few (Describe Changes: detail_md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_TOKEN: Final = re.compile(r"[\w.:^~<>=@/+$%-]+|\s+|.")
_EDGES: Final = " \t,;:"
_LONGEST: Final = 60
_LINE: Final = 600


def replacement(old: str, new: str) -> tuple[str, str] | None:
    """What of `old` gave way to what of `new`, either "" where nothing did; None where the lines have too little in common.

    Words are not cut; both parts are exact pieces of their lines.
    """
    if len(old) > _LINE or len(new) > _LINE:
        return None
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    was, now = ("".join(side[start : len(side) - end]).strip(_EDGES) for side in (before, after))
    rest = "".join((*before[:start], *before[len(before) - end :])).strip()
    has_few = max(len(was), len(now)) <= min(_LONGEST, 2 * len(rest))
    return (was, now) if has_few and any(map(str.isalnum, was + now)) and was != now else None


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens two lines begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
