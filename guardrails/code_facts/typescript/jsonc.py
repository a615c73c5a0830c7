"""JSON with comments and trailing commas, as configuration of TypeScript is written (Change Contracts: fact clauses)."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_PARTS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*[\s\S]*?\*/')
_TRAILING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])')


class NotJson(ValueError):
    """A text that is not JSON even without comments."""


def read_lenient(text: str) -> Any:
    """The value of `text`.

    Raises:
        NotJson: it has none.
    """
    try:
        return json.loads(_TRAILING.sub(_kept, _PARTS.sub(_kept, text.removeprefix("\ufeff"))))
    except (ValueError, RecursionError):
        raise NotJson("it is not JSON, even without comments") from None


def _kept(match: re.Match[str]) -> str:
    """Strings stay, whatever they hold."""
    return match[0] if match[0].startswith('"') else " "
