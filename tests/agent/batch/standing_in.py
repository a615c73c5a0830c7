"""Stand-ins for drafting that other processes find by name. `place` is a folder to leave marks in."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import NoReturn

from agent.batch.drafting import drafted
from agent.batch.release import Conditions, Finished, Release, Status
from agent.errors import GuardNotReady


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
