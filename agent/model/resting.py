"""For how long a provider wants to be left alone, as the headers of its answers say (evidraft)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_LIMITS: Final = (
    ("x-ratelimit-remaining-{0}", "x-ratelimit-reset-{0}"),
    ("anthropic-ratelimit-{0}-remaining", "anthropic-ratelimit-{0}-reset"),
)
_LIMITED: Final = ("requests", "tokens", "input-tokens", "output-tokens")


def asked(headers: Mapping[str, str]) -> float:
    """How many seconds the provider asks for with a refusal; 0.0 where it does not say."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        told = headers.get(name, "")
        try:
            return float(told) * unit
        except ValueError:
            continue
    try:
        return parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return 0.0


def spent(headers: Mapping[str, str]) -> float:
    """In how many seconds there is something again of what is used up of a limit; 0.0 where something is left of all."""
    return max((seconds for seconds in _resets(headers)), default=0.0)


def _resets(headers: Mapping[str, str]) -> Iterator[float]:
    for remaining, reset in _LIMITS:
        for name in _LIMITED:
            if headers.get(remaining.format(name), "").strip() == "0":
                yield _seconds(headers.get(reset.format(name), ""))


def _seconds(told: str) -> float:
    """A span like `1m30s`, or a moment like `2026-01-31T12:00:00Z`; 0.0 for what is neither."""
    spans = _SPAN.findall(told)
    if spans and "".join(number + unit for number, unit in spans) == told:
        return sum(float(number) * _UNITS[unit] for number, unit in spans)
    try:
        return datetime.fromisoformat(told).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 0.0
