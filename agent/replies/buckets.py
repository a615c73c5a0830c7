"""So much a minute, and what was saved up of one minute at most."""

from __future__ import annotations

_SECONDS = 60.0


class Bucket:
    """Fills by `a_minute` a minute up to that; what is taken beyond is owed, and waited for by who takes it."""

    def __init__(self, a_minute: int | None) -> None:
        """A full one; None has no end."""
        self._most = a_minute
        self._level = float(a_minute or 0)
        self._filled: float | None = None

    def take(self, amount: float, now: float) -> float:
        """Take out an amount, or put one back (below zero); the seconds until what is owed has come in."""
        if self._most is None:
            return 0.0
        rate = self._most / _SECONDS
        past = 0.0 if self._filled is None else now - self._filled
        self._filled = now
        self._level = min(float(self._most), self._level + past * rate) - amount
        return max(0.0, -self._level / rate)
