"""What has happened in a run so far, counted out of its events: for a bar, a line or a report (evidraft)."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from agent.batch.events import Answered, Asked, Cause, Ended, Event, Finished, Planned, Resumed, Waiting, Why
from agent.batch.release import WORDS, Status

WHY: Final = {
    Why.RATE_LIMIT: "the provider was asked too often",
    Why.OVERLOAD: "the provider has too much to do",
    Why.OWN_LIMIT: "as much was asked as a minute may have",
    Why.PROVIDER_BATCH: "the provider works on a batch",
}
_MINUTE: Final = 60
_HOUR: Final = 3_600
_LONG: Final = 100


@dataclass(slots=True)
class Tally:
    """Counts of one run. `since` is when it began, `done_before` what earlier parts of it had done."""

    since: float
    releases: int = 0
    done_before: int = 0
    asked: int = 0
    answered: int = 0
    kept: int = 0
    tokens: int = 0
    dollars: Decimal | None = Decimal()
    cause: Cause | None = None
    ends: dict[Status, int] = field(default_factory=lambda: dict.fromkeys(Status, 0))

    @property
    def done(self) -> int:
        """How many releases have an outcome."""
        return sum(self.ends.values())

    def take(self, event: Event) -> None:
        """Count an event."""
        if isinstance(event, Planned):
            self.releases = event.releases
        elif isinstance(event, Finished):
            self.ends[event.status] += 1
            self.done_before += event.resumed
        elif isinstance(event, Asked):
            self.asked += event.calls
        elif isinstance(event, Answered):
            self._take_answer(event)
        elif isinstance(event, Ended):
            self.cause = event.cause

    def _take_answer(self, event: Answered) -> None:
        self.answered += not event.kept
        self.kept += event.kept
        if not event.kept:
            self.tokens += (event.input_tokens or 0) + (event.output_tokens or 0)
            self.dollars = None if event.dollars is None or self.dollars is None else self.dollars + event.dollars

    def line(self, now: float) -> str:
        """What has happened until `now`: `12 of 100 releases: 11 drafted, 1 failed; 3.2 calls/s; $0.12; 3 min left`."""
        ends = self.counts()
        done = f"{self.done} of {self.releases} releases{f': {ends}' if ends else ''}"
        return "; ".join(filter(None, (done, *self.rates(now))))

    def counts(self) -> str:
        """How the releases ended that did."""
        return ", ".join(f"{count} {WORDS[status]}" for status, count in self.ends.items() if count)

    def rates(self, now: float) -> tuple[str, ...]:
        """Calls a second, what they cost, and the time that is left, as far as they are known."""
        passed, new = now - self.since, self.done - self.done_before
        calls = f"{self.answered / passed:.1f} calls/s" if self.answered and passed > 0 else ""
        price = "" if not self.answered else "at an unknown price" if self.dollars is None else f"${self.dollars:.2f}"
        left = self.releases - self.done
        time = f"{duration(passed / new * left)} left" if new and left and passed > 0 else ""
        return calls, price, time


def told(event: Resumed | Waiting) -> str:
    """What a person should know at once."""
    if isinstance(event, Waiting):
        return f"waiting {duration(event.seconds)}: {WHY[event.why]}"
    again = f"; calls asked again: {event.under_way}" if event.under_way else ""
    return f"going on with an earlier run; releases done: {event.finished}; replies kept: {event.replies}{again}"


def duration(seconds: float) -> str:
    """A time as people say it: `40 s`, `12 min`, `3 h`."""
    if seconds < _LONG:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < _LONG * _MINUTE else f"{seconds / _HOUR:.0f} h"
