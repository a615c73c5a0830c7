"""Relations by themselves: each is an identifier that can be cited, or null (Describe Changes: relations)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.register import is_empty
from guardrails.findings import Code, Finding

RELATION_NOT_CITABLE = Code(
    name="relation-not-citable",
    summary="A relation is no identifier that can be cited: empty, a word for nothing, several words, no login.",
    cure="Write the identifier as the evidence has it, or null.",
    section="Describe Changes: relations",
)
KEYS: Final = ("ticket", "request", "reporter")

CITABLE: Final = r"(?=[^\s0-9]*[0-9])[^\s<>`\"]{1,300}|https?://[^\s<>`\"]{1,2000}"
"""One word with a digit in it, or an address: `PROJ-412`, `#12`, `!7`, `acme/widgets#1482`, `T1234`."""
LOGIN: Final = r"@?[A-Za-z0-9][A-Za-z0-9._-]{0,99}(?:\[bot\])?"
_FORMS: Final = {"ticket": re.compile(CITABLE), "request": re.compile(CITABLE), "reporter": re.compile(LOGIN)}


def check(where: str, key: str, value: str | None) -> Iterator[Finding]:
    """Hold the value of one of the three keys."""
    if value is not None and (is_empty(value) or not _FORMS[key].fullmatch(value)):
        expected = "a login" if key == "reporter" else "one identifier such as PROJ-412 or #12"
        yield RELATION_NOT_CITABLE.at(f"{where}.{key}", f"got no citable identifier, expected {expected}, or null")
