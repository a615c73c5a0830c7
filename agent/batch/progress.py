"""Who watches a run: bars on a terminal, a line now and then elsewhere, and every event as JSON where that was asked for.

None of them tells evidence or a model's words: events hold none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TextIO

from agent.batch.events import Ended, Event, Listener, Resumed, Waiting, document, nobody
from agent.batch.tally import Tally, told

Clock = Callable[[], float]
_PAUSE: Final = 1.0
"""Seconds between two lines, at least."""
_SHARE: Final = 0.02
"""The same as a share of the time that has passed: a run of a night is not told in thousands of lines."""
_DUMB: Final = frozenset({"dumb", "unknown"})


def can_show_bars(shown: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether `shown` is a terminal that lines can be written over on."""
    return shown.isatty() and environ.get("TERM") not in _DUMB


@contextmanager
def watching(
    shown: TextIO | None, *, is_terminal: bool = False, events: TextIO | None = None, clock: Clock = time.monotonic
) -> Iterator[Listener]:
    """A listener that shows the run on `shown` (None: to nobody), and writes each event to `events` where that is given."""
    watchers = [journal(events, clock)] if events is not None else []
    if shown is None:
        yield _all(watchers)
    elif is_terminal:
        with bars(shown, clock) as watcher:
            yield _all([*watchers, watcher])
    else:
        yield _all([*watchers, lines(shown, clock)])


def lines(shown: TextIO, clock: Clock) -> Listener:
    """A listener that writes a line when something has happened: one a second at most, later fewer, but for what is urgent."""
    last = clock()
    tally = Tally(last)

    def watch(event: Event) -> None:
        nonlocal last
        tally.take(event)
        now = clock()
        if now - last < max(_PAUSE, (now - tally.since) * _SHARE) and not isinstance(event, Resumed | Ended):
            return
        last = now
        shown.write(f"{told(event) if isinstance(event, Resumed | Waiting) else tally.line(now)}\n")
        shown.flush()

    return watch


def journal(written: TextIO, clock: Clock) -> Listener:
    """A listener that writes each event as a line of JSON, `at` so many seconds since the run began. A reader may go."""
    begun, is_read = clock(), True

    def watch(event: Event) -> None:
        nonlocal is_read
        if is_read:
            try:
                written.write(json.dumps({"at": round(clock() - begun, 3), **document(event)}) + "\n")
                written.flush()
            except (OSError, ValueError):
                is_read = False

    return watch


@contextmanager
def bars(shown: TextIO, clock: Clock) -> Iterator[Listener]:
    """A listener that shows a bar, and beside it what was drafted, how fast, at what cost, and how long it still takes."""
    from rich.console import Console  # noqa: PLC0415 - it takes its time to load
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    tally = Tally(clock())
    columns = (TextColumn("releases"), BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("{task.fields[told]}"))
    with Progress(*columns, console=Console(file=shown, markup=False, highlight=False), expand=True) as progress:
        task = progress.add_task("", total=None, told="")

        def watch(event: Event) -> None:
            tally.take(event)
            if isinstance(event, Resumed | Waiting):
                progress.console.print(told(event))
            beside = " · ".join(filter(None, (tally.counts(), *tally.rates(clock()))))
            progress.update(task, total=tally.releases, completed=tally.done, told=beside)

        yield watch


def _all(watchers: list[Listener]) -> Listener:
    if len(watchers) < 2:
        return watchers[0] if watchers else nobody

    def watch(event: Event) -> None:
        for one in watchers:
            one(event)

    return watch
