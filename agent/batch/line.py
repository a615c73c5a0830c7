"""A line between the run and a process that drafts for it: plain values both ways, as they come.

The run never waits for a process to read: it has a thread that tells, so that its own end is always read. That is why a process
may wait while it tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from agent.batch.processes import End


class Line:
    """One end, in the running loop."""

    def __init__(
        self,
        end: End,
        take: Callable[[Any], None],
        lost: Callable[[], None],
        *,
        teller: ThreadPoolExecutor | None = None,
    ) -> None:
        """`take` what is told, and be told once when the other end is `lost`; tell by a thread where there is one."""
        self._end, self._take, self._lost, self._teller = end, take, lost, teller
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(end.fileno(), self._hear)

    def tell(self, message: object) -> None:
        """Tell a plain value; what nobody hears any more is lost."""
        if self._teller is None:
            self._send(message)
        else:
            self._teller.submit(self._send, message)

    def close(self) -> None:
        """Let go of this end."""
        if not self._end.closed:
            self._loop.remove_reader(self._end.fileno())
            self._end.close()
        if self._teller is not None:
            self._teller.shutdown(wait=False, cancel_futures=True)

    def _send(self, message: object) -> None:
        with suppress(OSError):
            self._end.send(message)

    def _hear(self) -> None:
        try:
            message = self._end.recv()
        except (EOFError, OSError):
            self.close()
            self._lost()
        else:
            self._take(message)
