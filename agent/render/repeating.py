"""What is said already is not said again: short texts often begin the longer ones (Describe Changes: short_md, medium_md)."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = re.compile(r"[^\W_]+")


def beyond(text: str, *said: str) -> str:
    """`text`, or nothing where one of the texts beside it begins with all its words."""
    words = _WORDS.findall(text.casefold())
    return "" if words and any(_WORDS.findall(other.casefold())[: len(words)] == words for other in said if other) else text
