"""Stand-ins for drafting that other processes find by name. `place` is a folder to leave marks in."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn

from agent.batch.drafting import drafted
from agent.batch.release import Conditions, Finished, Release, Status
from agent.errors import Denied, GuardNotReady
from agent.model.client import Model, Prompt, Reply, Usage
from tests.agent.batch.stub_server import answered


def drafts(release: Release, conditions: Conditions) -> Finished:
    """Tells the name, and which process it was."""
    return Finished(release.name, Status.DRAFTED, pages={"notes.md": f"{release.title} by {conditions.model}"}, usage=_here())


def dies_once(release: Release, conditions: Conditions) -> Finished:
    """Dies the first time, as the system kills who takes all memory."""
    mark = Path(release.place, release.title)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return drafts(release, conditions)


def dies_for_v2(release: Release, conditions: Conditions) -> Finished:
    """Dies of one release, every time."""
    if release.title == "v2":
        os.kill(os.getpid(), signal.SIGKILL)
    return drafts(release, conditions)


def drafts_in_earnest_but_dies_once(release: Release, conditions: Conditions) -> Finished:
    """Drafts, and dies over one release in the middle of the run."""
    mark = Path(release.place, "began")
    if release.name.endswith("25/v1") and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return drafted(release, conditions)


def is_faulty(_release: Release, _conditions: Conditions) -> NoReturn:
    """Has a fault whose message quotes evidence."""
    raise ZeroDivisionError("hunter2")


def has_no_guard(_release: Release, _conditions: Conditions) -> NoReturn:
    """Meets what concerns the whole run."""
    raise GuardNotReady("no secret engine could be built", where="redaction", cure="reinstall evidraft")


def never_ends(release: Release, _conditions: Conditions) -> NoReturn:
    """Leaves its number and waits for ever."""
    told = Path(release.place, f"{release.title}.writing")
    told.write_text(str(os.getpid()), "ascii")
    told.rename(told.with_suffix(".pid"))
    threading.Event().wait()
    raise AssertionError("nobody sets it")


def _here() -> dict[str, object]:
    return {"process": os.getpid()}


class Marking(Model):
    """A drafter that answers as the stub server does, marks each call, and does before what a test says."""

    def __init__(self, place: Path, before: Callable[[Path, Prompt], Awaitable[None]] | None = None) -> None:
        self.place, self._before = place, before

    @property
    def name(self) -> str:
        return "scripted"

    async def draft(self, prompt: Prompt) -> Reply:
        (self.place / f"call-{uuid.uuid4().hex}").touch()
        if self._before is not None:
            await self._before(self.place, prompt)
        told = json.loads(answered({"messages": [{"content": message.content} for message in prompt.messages]}))
        return Reply(told["choices"][0]["message"]["content"], Usage(100, 20))


def once(place: Path, name: str) -> bool:
    """Whether this is the first time that any process asks."""
    try:
        (place / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def is_about(prompt: Prompt, release: int) -> bool:
    """Whether a prompt is about the first change of a release."""
    return f" of client {release}-0" in prompt.messages[-1].content


async def dies_once_in_the_second(place: Path, prompt: Prompt) -> None:
    """Ends its process, once."""
    if is_about(prompt, 2) and once(place, "died"):
        os.kill(os.getpid(), signal.SIGKILL)


async def dies_in_the_second(_place: Path, prompt: Prompt) -> None:
    """Ends its process, every time."""
    if is_about(prompt, 2):
        os.kill(os.getpid(), signal.SIGKILL)


async def is_faulty_in_the_second(_place: Path, prompt: Prompt) -> None:
    """Has a fault whose message quotes evidence."""
    if is_about(prompt, 2):
        raise ZeroDivisionError("hunter2")


async def is_denied_in_the_second(_place: Path, prompt: Prompt) -> None:
    """Takes nothing any more."""
    if is_about(prompt, 2):
        raise Denied("it does not accept the key", where="scripted", cure="set KEY")


async def waits_to_be_interrupted(place: Path, _prompt: Prompt) -> None:
    """Interrupts the run, once, and answers a little later."""
    if once(place, "interrupted"):
        os.kill(int((place / "driver").read_text("ascii")), signal.SIGINT)
    await asyncio.sleep(0.2)
