"""What was wrong with an earlier reply, as a drafter is told: field, code, and what the code means in general.

Never the finding's own message: that may name what the drafter said, or what it was not to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from guardrails.grounding import catalogue


def feedback(faults: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """One line for each code on each field."""
    return tuple(f"{field}: {_told(code)}" for field, codes in faults.items() for code in codes)


def _told(code: str) -> str:
    known = catalogue.codes().get(code)
    return f"{code}: {known.summary}" if known is not None else code
