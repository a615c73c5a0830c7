"""Patterns that others wrote: they run on RE2 alone, in linear time and bounded memory (Intent Changesets 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Protocol

import re2

_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 8 << 20


class Pattern(Protocol):
    """What is asked of a compiled pattern."""

    def search(self, text: str, /) -> re.Match[str] | None:
        """The first place that fits."""
        ...

    def finditer(self, text: str, /) -> Iterator[re.Match[str]]:
        """Every place that fits, without overlaps."""
        ...


def compiled(text: str) -> Pattern:
    """The pattern that `text` is.

    Raises:
        ValueError: RE2 refuses it: no expression, look-around or back references in it, or too large.
    """
    try:
        pattern: Pattern = re2.compile(text, _OPTIONS)
    except re2.error:
        raise ValueError("RE2 refuses this pattern") from None
    return pattern
