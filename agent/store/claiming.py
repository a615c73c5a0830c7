"""Files that one process has to itself."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.errors import StoreFailure
from agent.store.named import private_file
from agent.store.places import closing, refusals


class Claim:
    """A private file that one process has to itself until it lets go or ends, however it ends."""

    def __init__(self, path: Path, *, waits: bool = False) -> None:
        """Take it, and make the file where there is none. Where another process has it, that one's end is waited for or not.

        Raises:
            StoreFailure: another process has it and is not waited for, or there can be no such file.
        """
        private_file(path)
        with refusals(str(path)):
            self._file = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except OSError as error:
            os.close(self._file)
            what = "another process is at work there" if isinstance(error, BlockingIOError) else "it cannot be locked"
            raise StoreFailure(what, where=str(path)) from None

    def release(self) -> None:
        """Let go. The file stays, for another process may be waiting at it already."""
        os.close(self._file)


@contextmanager
def turn(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Be the only process that works here. Where another one is at it, `waiting` is called and its end is waited for.

    The file at `path` is made where it is missing, in a folder that is there, and it stays: another process may wait at it.

    Raises:
        StoreFailure: there can be no such file, or it cannot be locked.
    """
    with refusals(str(path)):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    with closing(file):
        with refusals(str(path)):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
