"""JSON with comments and trailing commas, as configuration of TypeScript is written (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
from typing import Any, Final

from guardrails.strict_json import read

_PARTS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*[\s\S]*?\*/|,(?=(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*[}\]])')


def read_lenient(text: str) -> Any:
    """The value of `text`.

    Raises:
        JsonFault: it is not JSON even without comments, or holds a key twice.
    """
    return read(_PARTS.sub(lambda match: match[0] if match[0].startswith('"') else " ", text).encode("utf-8", "replace"))
