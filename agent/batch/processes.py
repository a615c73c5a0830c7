"""Processes of a run, which none outlives: deaf to what a terminal sends to all, they end by themselves when it is killed."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Final, TypeAlias

from agent.errors import Failure

Process: TypeAlias = ForkServerProcess
End: TypeAlias = Connection
"""One end of a line to a process."""
FRESH: Final = multiprocessing.get_context("forkserver")
"""Workers branch off a process that has loaded the program and done nothing: what is open or locked here is neither there."""
FRESH.set_forkserver_preload(["agent.batch.distant"])
_OBJECTS: Final = 50_000
"""How many objects are made before circles are looked for, as in `agent.cli`."""


def start(work: Callable[..., None], *arguments: object) -> Process:
    """A process that does `work`, a function of a module, so that another process finds it."""
    process = FRESH.Process(target=_serve, args=(work, *arguments), daemon=True)
    deaf = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, deaf)
    return process


def kill(process: Process) -> int:
    """End a process; how it ended, as `multiprocessing` counts: the signal that ended it is negative."""
    process.kill()
    process.join()
    return process.exitcode or 0


def lost(code: int) -> Failure:
    """What is said of a release whose workers died: how the last one did, and what usually helps."""
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else "broke off"
    return Failure(
        f"the process that drafted it {how}, and so did the one before",
        where="workers",
        cure="let fewer work at once with --jobs, for memory may have run out; or cut the range in two",
    )


def _serve(work: Callable[..., None], *arguments: object) -> None:
    """A fault of ours ends the process without a word: that might hold evidence."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(_OBJECTS)
    try:
        work(*arguments)
    finally:
        os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
