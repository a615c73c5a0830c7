"""A run tells whoever watches it what happens: as bars, as a line now and then, as JSON, and never what anybody wrote."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from typing import get_args

import pytest

from agent.batch import events
from agent.batch.events import Answered, Asked, Cause, Ended, Event, Finished, Planned, Resumed, Started, Waiting, Why
from agent.batch.progress import can_show_bars, watching
from agent.batch.release import Status
from agent.batch.tally import duration, told

EVERY: list[tuple[Event, dict[str, object]]] = [
    (Planned(3), {"event": "planned", "releases": 3}),
    (Resumed(1, 5, 2), {"event": "resumed", "finished": 1, "replies": 5, "under-way": 2}),
    (Started("a/v1"), {"event": "started", "name": "a/v1"}),
    (Finished("a/v1", Status.DRAFTED), {"event": "finished", "name": "a/v1", "status": "DRAFTED", "resumed": False}),
    (Asked(), {"event": "asked", "calls": 1}),
    (
        Answered(10, 20, Decimal("0.000001")),
        {"event": "answered", "input-tokens": 10, "output-tokens": 20, "dollars": "0.000001", "kept": False},
    ),
    (
        Answered(kept=True),
        {"event": "answered", "input-tokens": None, "output-tokens": None, "dollars": None, "kept": True},
    ),
    (Waiting(1.5, Why.RATE_LIMIT), {"event": "waiting", "seconds": 1.5, "why": "rate-limit"}),
    (Ended(Cause.STOPPED), {"event": "ended", "cause": "stopped"}),
]


class Clock:
    """A clock that a test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def course(watch: Callable[[Event], None], clock: Clock) -> None:
    """A run of four releases, of which one was done before, half a second from one event to the next."""
    for event in (
        Planned(4),
        Resumed(1, 2, 1),
        Finished("a/v1", Status.DRAFTED, resumed=True),
        Started("a/v2"),
        Asked(),
        Answered(100, 50, Decimal("0.25")),
        Finished("a/v2", Status.NEEDS_INPUT),
        Waiting(90, Why.OVERLOAD),
        Answered(1, 1, kept=True),
        Finished("a/v3", Status.FAILED),
        Ended(Cause.INTERRUPTED),
    ):
        watch(event)
        clock.now += 0.5


@pytest.mark.parametrize(("event", "json_types"), EVERY, ids=lambda value: value["event"] if isinstance(value, dict) else "")
def test_every_event_is_json(event: Event, json_types: dict[str, object]) -> None:
    assert json.loads(json.dumps(events.document(event))) == json_types


def test_every_kind_of_event_is_proved_to_be_json() -> None:
    assert {type(event) for event, _ in EVERY} == set(get_args(Event))


@pytest.mark.requirement("AI-7")
def test_no_event_has_room_for_evidence_or_for_what_a_model_says() -> None:
    texts = {(kind.__name__, one.name) for kind in get_args(Event) for one in fields(kind) if "str" in str(one.type)}
    assert texts == {("Started", "name"), ("Finished", "name")}


def test_elsewhere_than_on_a_terminal_a_run_is_told_in_a_line_a_second_at_most() -> None:
    shown, clock = io.StringIO(), Clock()
    with watching(shown, clock=clock) as watch:
        course(watch, clock)
    assert shown.getvalue().splitlines() == [
        told(Resumed(1, 2, 1)),
        "1 of 4 releases: 1 drafted",
        "1 of 4 releases: 1 drafted; 0.4 calls/s; $0.25",
        "waiting 90 s: the provider has too much to do",
        "3 of 4 releases: 1 drafted, 1 in need of input, 1 failed; 0.2 calls/s; $0.25; 2 s left",
        "3 of 4 releases: 1 drafted, 1 in need of input, 1 failed; 0.2 calls/s; $0.25; 2 s left",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Resumed(1, 2), "going on with an earlier run; releases done: 1; replies kept: 2"),
        (
            Resumed(0, 0, 3),
            "going on with an earlier run; releases done: 0; replies kept: 0; calls asked again: 3",
        ),
        (Waiting(3, Why.RATE_LIMIT), "waiting 3 s: the provider was asked too often"),
        (Waiting(3, Why.OWN_LIMIT), "waiting 3 s: as much was asked as a minute may have"),
        (Waiting(7_200, Why.PROVIDER_BATCH), "waiting 2 h: the provider works on a batch"),
    ],
)
def test_what_a_person_should_know_is_told_at_once(event: Resumed | Waiting, line: str) -> None:
    assert told(event) == line


def test_what_nobody_knows_the_price_of_is_not_told_as_free() -> None:
    shown, clock = io.StringIO(), Clock()
    with watching(shown, clock=clock) as watch:
        for event in (Planned(1), Answered(1, 1, Decimal(1)), Answered(1, 1), Answered(1, 1, Decimal(1)), Ended()):
            watch(event)
            clock.now += 0.1
    assert "at an unknown price" in shown.getvalue()


def test_a_long_run_is_told_in_fewer_and_fewer_lines() -> None:
    shown, clock = io.StringIO(), Clock()
    with watching(shown, clock=clock) as watch:
        watch(Planned(40_000))
        for number in range(40_000):
            clock.now += 1
            watch(Finished(f"a/v{number}", Status.DRAFTED))
    assert 100 < len(shown.getvalue().splitlines()) < 500


@pytest.mark.parametrize(
    ("is_terminal", "environ", "can"),
    [(True, {"TERM": "xterm"}, True), (True, {}, True), (True, {"TERM": "dumb"}, False), (False, {"TERM": "xterm"}, False)],
)
def test_bars_are_for_terminals_that_can_show_them(is_terminal: bool, environ: dict[str, str], can: bool) -> None:
    assert can_show_bars(Terminal() if is_terminal else io.StringIO(), environ) is can


def test_events_are_written_as_they_come() -> None:
    written, clock = io.StringIO(), Clock()
    with watching(None, events=written, clock=clock) as watch:
        course(watch, clock)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [one["at"] for one in lines] == [number / 2 for number in range(11)]
    assert lines[0] == {"at": 0.0, "event": "planned", "releases": 4}
    assert lines[-1] == {"at": 5.0, "event": "ended", "cause": "interrupted"}


def test_a_run_goes_on_when_nobody_reads_its_events_any_more() -> None:
    shown, written, clock = io.StringIO(), io.StringIO(), Clock()
    written.close()
    with watching(shown, events=written, clock=clock) as watch:
        course(watch, clock)
    assert shown.getvalue()


def test_nobody_has_to_watch() -> None:
    with watching(None) as watch:
        course(watch, Clock())


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_bar_shows_what_was_done_at_what_rate_and_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": "200", "LINES": "25"}.items():
        monkeypatch.setenv(name, value)
    shown, written, clock = Terminal(), io.StringIO(), Clock()
    with watching(shown, is_terminal=True, events=written, clock=clock) as watch:
        course(watch, clock)
    text = shown.getvalue()
    assert "3/4" in text
    assert "1 drafted, 1 in need of input, 1 failed · 0.2 calls/s · $0.25 · 2 s left" in text
    assert "waiting 90 s: the provider has too much to do" in text
    assert len(written.getvalue().splitlines()) == 11


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (40, "40 s"), (99, "99 s"), (100, "2 min"), (3_600, "60 min"), (36_000, "10 h")]
)
def test_a_time_is_told_as_people_do(seconds: float, words: str) -> None:
    assert duration(seconds) == words
