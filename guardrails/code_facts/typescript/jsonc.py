"""JSON with comments and trailing commas, as configuration of TypeScript is written (Change Contracts: fact clauses)."""

from __future__ import annotations

import json
import re
from typing import Any, Final

MAX_CHARACTERS: Final = 1_000_000
_PARTS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)')
_TRAILING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|,(?=\s*+[}\]])')
"""What is not closed is gone over once, and stays, so that it is no JSON."""


class NotJson(ValueError):
    """A text that is not JSON even without comments."""


def read_lenient(text: str) -> Any:
    """The value of `text`.

    Raises:
        NotJson: it has none.
    """
    if len(text) > MAX_CHARACTERS:
        raise NotJson(f"it is longer than {MAX_CHARACTERS} characters")
    try:
        return json.loads(_TRAILING.sub(_kept, _PARTS.sub(_kept, text.removeprefix("\ufeff"))))
    except (ValueError, RecursionError):
        raise NotJson("it is not JSON, even without comments") from None


def _kept(match: re.Match[str]) -> str:
    """Strings stay, whatever they hold, and what is not closed."""
    part = match[0]
    is_open = part.startswith("/*") and (len(part) < len("/**/") or not part.endswith("*/"))
    return part if is_open or part.startswith('"') else " "
