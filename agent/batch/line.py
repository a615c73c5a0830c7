"""A line between the run and a process that drafts for it: plain values both ways, in the order in which they are told.

Neither end ever waits for the other one to read: what does not fit onto the line yet is kept, and goes when there is room.
"""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Callable
from typing import Any, Final

from agent.batch.processes import End

_AT_ONCE: Final = 1 << 18
"""Bytes that are read at once."""
_HEAD: Final = 8
"""Bytes before each value, which tell how many it has."""


class Line:
    """One end, in the running loop."""

    def __init__(self, end: End, take: Callable[[Any], None], lost: Callable[[], None]) -> None:
        """`take` what is told, and be told once when the other end is `lost`."""
        self._end, self._take, self._lost = end, take, lost
        self._loop = asyncio.get_running_loop()
        self._heard, self._untold = bytearray(), bytearray()
        os.set_blocking(end.fileno(), False)
        self._loop.add_reader(end.fileno(), self._hear)

    def tell(self, message: object) -> None:
        """Tell a plain value; what nobody hears any more is lost."""
        if self._end.closed:
            return
        told = pickle.dumps(message)
        is_waiting = bool(self._untold)
        self._untold += len(told).to_bytes(_HEAD) + told
        if not is_waiting:
            self._send()

    def close(self) -> None:
        """Let go of this end."""
        if not self._end.closed:
            self._loop.remove_reader(self._end.fileno())
            self._loop.remove_writer(self._end.fileno())
            self._end.close()

    def _send(self) -> None:
        """Send what there is room for, and the rest once there is more."""
        try:
            sent = os.write(self._end.fileno(), self._untold)
        except BlockingIOError:
            sent = 0
        except OSError:
            sent = len(self._untold)  # the other end is gone, which reading tells
        del self._untold[:sent]
        if self._untold:
            self._loop.add_writer(self._end.fileno(), self._send)
        else:
            self._loop.remove_writer(self._end.fileno())

    def _hear(self) -> None:
        try:
            heard = os.read(self._end.fileno(), _AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        if not heard:
            self.close()
            self._lost()
            return
        self._heard += heard
        for message in self._whole():
            self._take(message)

    def _whole(self) -> list[Any]:
        """The values that have come as a whole."""
        whole, done = [], 0
        while (start := done + _HEAD) <= len(self._heard):
            stop = start + int.from_bytes(self._heard[done:start])
            if stop > len(self._heard):
                break
            whole.append(pickle.loads(self._heard[start:stop]))  # noqa: S301 - another process of ours wrote it
            done = stop
        del self._heard[:done]
        return whole
