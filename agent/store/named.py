"""Files and folders that a person names, and files that are ours alone; where links lead, unless said otherwise."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from agent.errors import StoreFailure
from agent.store.places import FOLDER, closing, move_over, place, refusals

STANDARD_OUTPUT: Final = frozenset({"-", "/dev/stdout"})
"""The names of standard output."""


def folder(path: Path) -> Path:
    """The folder at a path that a person named, made where it is missing; where links lead.

    Raises:
        StoreFailure: something else stands there, the folder around it is missing, or the disk refused.
    """
    target = Path(os.path.realpath(path))
    with refusals(str(path)), suppress(FileExistsError):
        target.mkdir()
    if not target.is_dir():
        raise StoreFailure("got a file or a device, expected a folder", where=str(path))
    return target


def remove_folder(path: Path) -> None:
    """Remove a folder of ours with all that is in it, if it is there.

    Raises:
        StoreFailure: the disk refused.
    """
    with refusals(str(path)), suppress(FileNotFoundError):
        shutil.rmtree(path)


def write_output(path: str | Path, data: bytes) -> None:
    """Write what a person asked for with `--output` or `--record`; a regular file that stands there is replaced whole.

    `-` and `/dev/stdout` are standard output. A link is followed, since the person named it.

    Raises:
        StoreFailure: the place is a folder or a device, its folder is missing, or the disk refused; what stood there stays.
    """
    with refusals(str(path)):
        if str(path) in STANDARD_OUTPUT:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise StoreFailure("got a folder or a device, expected a file", where=str(path))
        with closing(os.open(target.parent, FOLDER)) as folder:
            place(folder, target.name, data, move_over)


@contextmanager
def appending(path: Path) -> Iterator[TextIO]:
    """A file that a person names, open for lines at its end; it is made where it is missing.

    Raises:
        StoreFailure: it cannot be opened.
    """
    with refusals(str(path)):
        file = path.open("a", encoding="utf-8")
    with file:
        yield file


def private_file(path: Path) -> None:
    """Make a file and its folder, where they are missing, and close both to everyone else.

    Raises:
        StoreFailure: the file is a link or no regular file, belongs to somebody else, or the disk refused.
    """
    with refusals(str(path)):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(os.open(path.parent, FOLDER)) as folder:
            os.fchmod(folder, 0o700)
            with closing(os.open(path.name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=folder)) as file:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise StoreFailure("got a device, expected a file", where=str(path))
                os.fchmod(file, 0o600)
