"""A process that drafts releases with a model, many at once: it reads, prompts, calls and judges, and the run lets it.

What is kept, whose turn it is and what may be spent is decided at the desk of the run, for all processes together.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias, TypeVar

from agent import engines
from agent.batch.drafting import draft_release
from agent.batch.line import Line
from agent.batch.processes import End
from agent.batch.words import Bring, Draft, Drafted, Give, Go, Heard, Want
from agent.errors import Failure
from agent.model import calls
from agent.model.client import Model
from agent.pipeline import Pace
from agent.replies.desk import Make, Wanted
from agent.replies.journaled import Journaled
from agent.replies.metering import Metered

Opens: TypeAlias = Callable[[], Model]
"""Gives the drafter; what another process finds as well, since it is called there."""
T = TypeVar("T")
_READERS: Final = 2
"""How many releases are read at once beside the calls, which all of them share a processor with."""
_REFUSED: Final = 400
"""From here on a status is no answer to what was asked."""


def serve(end: End, opens: Opens, jobs: int) -> None:
    """Draft what is asked over `end`, each release with at most `jobs` calls at once, until nobody asks any more."""
    asyncio.run(_serve(end, opens, jobs))


async def _serve(end: End, opens: Opens, jobs: int) -> None:
    over = asyncio.Event()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_READERS))
    model, engine = Metered(opens()), engines.secret_engine()
    under_way: set[asyncio.Task[None]] = set()

    async def draft(asked: Draft) -> None:
        pace = Pace(repairs=asked.conditions.repairs, jobs=jobs)
        done = await _ended(draft_release(asked.release, asked.conditions, Journaled(model, desk), engine, pace))
        line.tell(Drafted(asked.number, done))

    def take(message: Draft | Go | Give) -> None:
        if not isinstance(message, Draft):
            desk.hear(message)
            return
        task = asyncio.create_task(draft(message))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    line = Line(end, take, over.set)
    desk = _Desk(line)
    await over.wait()


class _Desk:
    """The desk of the run, at the other end of the line. A call goes on when the draft that wanted it is called off."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Go | Give]] = {}
        self._calls: set[asyncio.Task[str | Failure]] = set()

    async def reply(self, wanted: Wanted, make: Make) -> str:
        """As `Desk.reply`."""
        call = asyncio.create_task(self._called(wanted, make))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        text = await asyncio.shield(call)
        if isinstance(text, Failure):
            raise text
        return text

    def hear(self, message: Go | Give) -> None:
        """Hand on what the run said to one call."""
        self._waiting.pop(message.number).set_result(message)

    async def _called(self, wanted: Wanted, make: Make) -> str | Failure:
        number = next(self._numbers)
        answer = await self._said(Want(number, wanted))
        if isinstance(answer, Go):
            brought = await _ended(make(lambda heard: self._overheard(number, heard)))
            answer = await self._said(Bring(number, brought))
        if isinstance(answer, Go):
            raise TypeError("got another go, expected a reply")
        return answer.text

    def _overheard(self, number: int, heard: calls.Heard) -> None:
        """An answer that wants nothing of the run is not worth a word."""
        if heard.status >= _REFUSED or heard.wait:
            self._line.tell(Heard(number, heard))

    async def _said(self, message: Want | Bring) -> Go | Give:
        answer: asyncio.Future[Go | Give] = asyncio.get_running_loop().create_future()
        self._waiting[message.number] = answer
        self._line.tell(message)
        return await answer


async def _ended(work: Coroutine[Any, Any, T]) -> T | Failure:
    """What work came to, or why not. A fault of ours fails it alone, and its words are not told: they might hold evidence."""
    came: T | BaseException = (await asyncio.gather(work, return_exceptions=True))[0]
    if isinstance(came, Failure) or not isinstance(came, BaseException):
        return came
    what = f"a fault of this program ended it: {type(came).__name__}"
    return Failure(what, where="workers", cure="please report it")
