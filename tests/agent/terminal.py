"""A terminal for tests: a program talks on its standard input and error, and someone types when a question stands there."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 20.0
"""Seconds until a question that never comes is a fault."""
INTERRUPT, END = "\x03", "\x04"
"""What Ctrl-C and Ctrl-D type."""


@dataclass(frozen=True)
class Talked:
    """How a talk ended: the exit code, standard output, and all that stood on the screen."""

    code: int
    out: str
    screen: str


def talk(words: Sequence[str], replies: Sequence[tuple[str, str]], command: str = "draft_changeset") -> Talked:
    """Run `draft-changeset` on a terminal; for each reply, wait until its question stands on the screen and type it.

    `command` is what `agent.cli` calls another program; that of `evidraft` is `main`.
    """
    ours, theirs = pty.openpty()
    code = f"import sys\nfrom agent.cli import {command}\nsys.exit({command}(sys.argv[1:]))"
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm"},
        preexec_fn=lambda: _on_terminal(theirs),  # noqa: PLW1509 - the child is one thread
    ) as process:
        os.close(theirs)
        try:
            screen = ""
            for question, reply in replies:
                screen += _until(ours, question)
                if reply == INTERRUPT:
                    time.sleep(0.3)  # a signal that comes just before the program waits for input is not seen until it has some
                os.write(ours, (reply if reply in {INTERRUPT, END} else f"{reply}\n").encode())
            screen += _until(ours, None)
            out, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            os.close(ours)
    return Talked(process.returncode, out.decode(), screen.replace("\r\n", "\n"))


def _on_terminal(theirs: int) -> None:
    """Make the terminal the one that the child is controlled by, so that what is typed as Ctrl-C interrupts it."""
    os.setsid()
    os.close(os.open(os.ttyname(theirs), os.O_RDWR))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _until(ours: int, text: str | None) -> str:
    """What appears on the screen up to `text`, or up to the end."""
    seen = ""
    while text is None or text not in seen:
        ready, _, _ = select.select([ours], [], [], PATIENCE)
        if not ready:
            raise AssertionError(f"waited for {text!r}, and there stands {seen!r}")
        try:
            piece = os.read(ours, 65536).decode()
        except OSError:  # the other side has gone
            piece = ""
        if not piece:
            if text is None:
                break
            raise AssertionError(f"ended before {text!r}: {seen!r}")
        seen += piece
    return seen
