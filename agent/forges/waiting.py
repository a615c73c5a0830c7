"""How long a forge asks to be left alone, as its answers say it (evidraft).

GitHub says so with 403 or 429, GitLab with 429; both name the second at which they answer again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

UNSAID: Final = 60.0
"""GitHub asks for a minute where it names no time."""
_RESETS: Final = ("x-ratelimit-reset", "ratelimit-reset")
_REMAINING: Final = ("x-ratelimit-remaining", "ratelimit-remaining")


@dataclass(frozen=True, slots=True)
class Pause:
    """Leave the forge alone for so many seconds; `until` tells the time, as far as it is known."""

    seconds: float
    until: str


def asked(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Pause | None:
    """The pause that an answer asks for; None where it asks for none. `headers` have names in lower case."""
    after = headers.get("retry-after", "")
    limited = status == 429 or (status == 403 and bool(after or _is_spent(headers) or b"rate limit" in body.lower()))
    if not limited and not (status == 503 and after):
        return None
    moment = _moment(headers.get("date", ""), now)
    found = _after(after, moment)
    if found is None and _is_spent(headers):
        found = next((seconds for name in _RESETS if (seconds := _until(headers.get(name, ""), moment)) is not None), None)
    seconds = UNSAID if found is None else found
    return Pause(seconds, datetime.fromtimestamp(min(now + seconds, 2**33), UTC).strftime("%Y-%m-%d %H:%M UTC"))


def _is_spent(headers: Mapping[str, str]) -> bool:
    return any(headers.get(name) == "0" for name in _REMAINING)


def _after(said: str, moment: float) -> float | None:
    """Seconds, or a date."""
    if said.isascii() and said.isdigit() and len(said) < 10:
        return float(said)
    with suppress(ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(said).timestamp() - moment)
    return None


def _until(said: str, moment: float) -> float | None:
    """The seconds up to a second that is counted from 1970."""
    return max(0.0, float(said) - moment) if said.isascii() and said.isdigit() and len(said) < 12 else None


def _moment(said: str, now: float) -> float:
    """The forge's own time, so that a clock that is wrong here does not count."""
    with suppress(ValueError, OverflowError):
        return parsedate_to_datetime(said).timestamp()
    return now
