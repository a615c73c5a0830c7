"""A run takes every release to its end, once, in whichever order they end, and stops where the world stops it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from agent.batch import events
from agent.batch.events import Cause, Ended, Event, Planned, Resumed, Started
from agent.batch.journal import Journal
from agent.batch.keys import key
from agent.batch.release import Conditions, Finished, Options, Release, Status
from agent.batch.runner import Bounds, Run, run
from agent.errors import LimitReached, RunStopped

CONDITIONS = Conditions("scripted")


def release(number: int, commits: int = 1) -> Release:
    return Release(
        f"v{number}", "/payments", f"{number:040x}", f"{number + 1:040x}", f"v{number}..", f"v{number}", commits=commits
    )


FOUR = Bounds(4)
PLAN = tuple(map(release, range(8)))


@dataclass
class Hands:
    """Workers that do what a test says, and remember who was there at once."""

    act: Callable[[Release], Finished | BaseException] = lambda one: Finished(one.name, Status.DRAFTED)
    turns: Callable[[Release], int] = lambda _: 1
    seen: list[str] = field(default_factory=list)
    inside: dict[str, int] = field(default_factory=dict)
    most: int = 0

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        self.seen.append(release.name)
        self.inside[release.name] = release.commits
        self.most = max(self.most, len(self.inside))
        try:
            for _ in range(self.turns(release)):
                await asyncio.sleep(0)
            end = self.act(release)
        finally:
            del self.inside[release.name]
        if isinstance(end, BaseException):
            raise end
        return end

    async def close(self) -> None:
        return


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite3") as opened:
        yield opened


def go(
    journal: Journal,
    hands: Hands,
    plan: Sequence[Release] = PLAN,
    *,
    told: list[Event] | None = None,
    bounds: Bounds = FOUR,
) -> Run:
    listener = (told if told is not None else []).append
    return asyncio.run(run(plan, CONDITIONS, journal, hands, listener=listener, bounds=bounds))


def names(finished: Sequence[Finished]) -> list[str]:
    return [one.name for one in finished]


def test_results_come_in_the_order_of_the_plan_whichever_was_first(journal: Journal) -> None:
    ended = go(journal, Hands(turns=lambda one: 20 - int(one.name[1:])))
    assert names(ended.finished) == names_of(PLAN)
    assert (ended.undone, ended.cause, ended.end) == ((), Cause.DONE, None)


def names_of(plan: Sequence[Release]) -> list[str]:
    return [one.name for one in plan]


def test_what_ended_is_not_done_again_and_what_failed_is(journal: Journal) -> None:
    ends = dict(zip(names_of(PLAN), [*Status] * 2, strict=True))
    first = go(journal, Hands(lambda one: Finished(one.name, ends[one.name])))
    hands = Hands()
    again = go(journal, hands)
    failed = [name for name, status in ends.items() if status is Status.FAILED]
    assert hands.seen == failed
    assert [one for one in again.finished if one.name not in failed] == [
        one for one in first.finished if one.name not in failed
    ]


def test_an_answer_makes_one_release_be_drafted_again(journal: Journal) -> None:
    go(journal, Hands())
    hands = Hands()
    go(journal, hands, [PLAN[0], PLAN[1].answered({"shape": "itemized"}), *PLAN[2:]])
    assert hands.seen == ["v1"]


@pytest.mark.parametrize("option", ["profile", "config", "policy", "evidence", "EVIDRAFT_POLICY"])
def test_another_text_of_a_file_that_a_person_named_makes_its_release_be_drafted_again(tmp_path: Path, option: str) -> None:
    file = tmp_path / "named"
    file.write_text("terms: []")
    told: dict[str, Any] = {option: (str(file),) if option == "evidence" else str(file)}
    conditions = CONDITIONS if option.islower() else replace(CONDITIONS, environ=told)
    one = replace(PLAN[0], options=Options(**told)) if option.islower() else PLAN[0]
    before = key(one, conditions)
    assert key(one, conditions) == before
    file.write_text("terms: [Kestrel]")
    changed = key(one, conditions)
    file.unlink()
    assert len({before, changed, key(one, conditions)}) == 3


@pytest.mark.parametrize(
    ("commits", "bounds", "most"),
    [(1, Bounds(3), 3), (10, Bounds(8, commits=25), 2), (100, Bounds(8, commits=25), 1)],
    ids=["releases", "commits", "one-too-large"],
)
def test_no_more_is_under_way_than_there_is_room_for(journal: Journal, commits: int, bounds: Bounds, most: int) -> None:
    hands = Hands(turns=lambda _: 5)
    go(journal, hands, [release(number, commits) for number in range(8)], bounds=bounds)
    assert hands.most == most
    assert len(hands.seen) == 8


def test_each_end_is_in_the_journal_before_the_next_release_begins(journal: Journal) -> None:
    def look(one: Release) -> Finished:
        before = PLAN[: PLAN.index(one)]
        assert all(journal.finished(key(earlier, CONDITIONS)) for earlier in before)
        return Finished(one.name, Status.DRAFTED)

    assert len(go(journal, Hands(look), bounds=Bounds(1)).finished) == len(PLAN)


@pytest.mark.parametrize("end", [LimitReached("enough is spent"), RunStopped("the disk is full")], ids=["limit", "disk"])
def test_a_run_that_cannot_go_on_keeps_what_is_done_and_says_why(journal: Journal, end: Exception) -> None:
    ended = go(journal, Hands(lambda one: end if one.name == "v3" else Finished(one.name, Status.DRAFTED)), bounds=Bounds(1))
    assert names(ended.finished) == ["v0", "v1", "v2"]
    assert names_of(ended.undone) == names_of(PLAN[3:])
    assert (ended.cause, ended.end) == (Cause.STOPPED, end)
    hands = Hands()
    assert names(go(journal, hands).finished) == names_of(PLAN)
    assert hands.seen == names_of(PLAN[3:])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_is_done(journal: Journal, number: int) -> None:
    def interrupt(one: Release) -> Finished:
        if one.name == "v2":
            os.kill(os.getpid(), number)
        return Finished(one.name, Status.DRAFTED)

    ended = go(journal, Hands(interrupt, turns=lambda _: 3), bounds=Bounds(1))
    assert ended.cause is Cause.INTERRUPTED
    assert ended.end is not None
    assert "--resume" in ended.end.cure
    assert 2 <= len(ended.finished) < len(PLAN)
    assert names_of([*ended.undone]) == names_of(PLAN[len(ended.finished) :])
    assert names(go(journal, Hands()).finished) == names_of(PLAN)


def test_a_fault_of_ours_in_one_release_does_not_take_the_others_along(journal: Journal) -> None:
    with pytest.raises(ZeroDivisionError):
        go(journal, Hands(lambda one: ZeroDivisionError() if one.name == "v0" else Finished(one.name, Status.DRAFTED)))
    hands = Hands()
    go(journal, hands)
    assert hands.seen == ["v0"]


def test_who_watches_is_told_of_each_release_and_of_the_end(journal: Journal) -> None:
    told: list[Event] = []
    go(journal, Hands(), PLAN[:2], told=told, bounds=Bounds(1))
    done = [events.Finished(name, Status.DRAFTED) for name in ("v0", "v1")]
    assert told == [Planned(2), Started("v0"), done[0], Started("v1"), done[1], Ended()]
    told.clear()
    go(journal, Hands(), PLAN[:3], told=told)
    resumed = [replace(one, resumed=True) for one in done]
    assert told == [Planned(3), Resumed(2), *resumed, Started("v2"), events.Finished("v2", Status.DRAFTED), Ended()]
