"""A line carries plain values both ways, in order, and neither end waits for the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from agent.batch import processes
from agent.batch.line import Line


class Ends:
    """Both ends of a line in the running loop, and what each heard."""

    def __init__(self) -> None:
        self.heard: list[list[object]] = [[], []]
        self.lost: list[int] = []
        self.lines = tuple(self._line(number, end) for number, end in enumerate(processes.FRESH.Pipe()))

    def _line(self, number: int, end: processes.End) -> Line:
        return Line(end, self.heard[number].append, lambda: self.lost.append(number))

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait for something that is heard."""
        async with asyncio.timeout(30):
            while not happened():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0.001)


@pytest.mark.parametrize("size", [0, 1, 1 << 12, 3 << 20])
def test_what_is_told_at_one_end_is_heard_at_the_other_in_order(size: int) -> None:
    async def go() -> None:
        ends = Ends()
        told: list[object] = [(number, "x" * size, "\udc80") for number in range(5)]
        # Both tell before either has read anything: more than a line holds must make nobody wait.
        for message in told:
            for line in ends.lines:
                line.tell(message)
        await ends.until(lambda: min(map(len, ends.heard)) == len(told))
        assert ends.heard == [told, told]
        for line in ends.lines:
            line.close()

    asyncio.run(go())


def test_who_loses_the_other_end_is_told_once_after_all_that_was_said(capfd: pytest.CaptureFixture[str]) -> None:
    async def go() -> None:
        ends = Ends()
        staying, going = ends.lines
        going.tell("the last word")
        going.close()
        going.tell("nobody hears this")
        await ends.until(lambda: bool(ends.lost))
        staying.tell("nor this")
        await asyncio.sleep(0.01)
        assert (ends.heard, ends.lost) == ([["the last word"], []], [0])

    asyncio.run(go())
    assert capfd.readouterr().err == ""


def test_what_an_end_that_went_away_did_not_read_is_lost(capfd: pytest.CaptureFixture[str]) -> None:
    async def go() -> None:
        ends = Ends()
        staying, going = ends.lines
        staying.tell("x" * (3 << 20))
        going.close()
        staying.tell("more")
        await ends.until(lambda: bool(ends.lost))
        assert ends.lost == [0]

    asyncio.run(go())
    assert capfd.readouterr().err == ""
