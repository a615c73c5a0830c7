"""What lies below a root, reached step by step from open folders, so that no path leaves the root: not by `..`, not by a link,
and not by what is exchanged on the way meanwhile (Intent Changesets 12).

A link that stays below the root is followed, but none between the folders of a listing: what it leads to is listed elsewhere.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

LINKS: Final = 40
"""How many links one path may lead through, as the system has it."""
DEPTH: Final = 256
"""How deep folders of a tree may stand: each one is held open while it is gone through."""
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY
_ANY: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""A pipe in the place of a file must not hold us up."""
_IS_LINK: Final = frozenset((errno.ELOOP, errno.EMLINK))


class Refused(Exception):
    """Something that is not opened: `what` is wrong with it, and `where` it is."""

    def __init__(self, what: str, where: str) -> None:
        """Keep both apart, so that whoever asked can tell it as a failure of its own."""
        super().__init__(what)
        self.what = what
        self.where = where


@contextmanager
def opened(root: Path, path: str) -> Iterator[BinaryIO | None]:
    """The regular file at `path` (forward slashes) below `root`, open for reading; None where there is none.

    Raises:
        Refused: the path leaves the root, or leads through too many links.
        OSError: the system refused.
    """
    with ExitStack() as handles:
        try:
            handle = _reach(root, path, handles)
        except (FileNotFoundError, NotADirectoryError):
            handle = None
        if handle is None or not stat.S_ISREG(os.fstat(handle).st_mode):
            yield None
        else:
            yield handles.enter_context(os.fdopen(handle, "rb", closefd=False))


@contextmanager
def folder(root: Path, names: Iterable[bytes]) -> Iterator[int]:
    """The folder that `names` lead to below `root`, open; no link is followed, wherever it leads.

    Raises:
        Refused: a link stands on the way.
        OSError: the system refused.
    """
    with ExitStack() as handles:
        handle = os.open(root, _FOLDER)
        handles.callback(os.close, handle)
        for name in names:
            handle = handles.enter_context(_closing(_step(name, handle, os.fsdecode(name), os.O_DIRECTORY)))
        yield handle


def files(root: Path, directory: str, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, BinaryIO]]:
    """Path and open bytes of each wanted file below a directory, in order of path; `is_wanted` is told its name.

    Raises:
        Refused: the directory or a file leaves the root, a link stands where a folder should or leads to no file, or a wanted
            name is that of no file at all.
        OSError: the system refused.
    """
    with ExitStack() as handles:
        try:
            folder = _reach(root, directory, handles)
        except FileNotFoundError:
            return
        yield from _listed(root, directory.rstrip("/"), folder, is_wanted)


def tree(root: Path, is_left_out: Callable[[str], bool]) -> Iterator[tuple[str, int, BinaryIO | bytes]]:
    """Path, mode and open bytes of everything below a root, links as the bytes of where they lead; none is followed.

    The root is a folder and no link to one. `is_left_out` is told each name, those of folders too.

    Raises:
        Refused: something is neither file nor folder nor link, stands too deep, or was exchanged meanwhile.
        OSError: the system refused.
    """
    with _closing(os.open(root, _FOLDER | os.O_NOFOLLOW)) as folder:
        yield from _grown(folder, "", is_left_out)


def _grown(folder: int, place: str, is_left_out: Callable[[str], bool]) -> Iterator[tuple[str, int, BinaryIO | bytes]]:
    if place.count("/") > DEPTH:
        raise Refused(f"stands deeper than {DEPTH} folders", place)
    for entry in _entries(folder):
        name = entry.name
        path = f"{place}{name}"
        if is_left_out(name):
            continue
        try:
            mode = entry.stat(follow_symlinks=False).st_mode
        except FileNotFoundError:
            continue  # somebody removed it meanwhile
        if stat.S_ISDIR(mode):
            with _closing(_step(name, folder, path, os.O_DIRECTORY)) as inner:
                yield from _grown(inner, f"{path}/", is_left_out)
        elif stat.S_ISLNK(mode):
            yield path, mode, os.fsencode(os.readlink(name, dir_fd=folder))
        elif not stat.S_ISREG(mode):
            raise Refused("got a pipe, a socket or a device, expected files and folders", path)
        else:
            with _closing(_step(name, folder, path)) as handle, os.fdopen(handle, "rb", closefd=False) as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise Refused("was exchanged for something else while it was read", path)
                yield path, mode, file


def _listed(root: Path, place: str, folder: int, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, BinaryIO]]:
    for entry in _entries(folder):
        name = entry.name
        path = f"{place}/{name}"
        if entry.is_dir(follow_symlinks=False):
            with _closing(_step(name, folder, path, os.O_DIRECTORY)) as inner:
                yield from _listed(root, path, inner, is_wanted)
        elif entry.is_symlink():
            yield from _linked(root, path, folder, is_wanted)
        elif is_wanted(name):
            with _closing(_step(name, folder, path)) as handle, os.fdopen(handle, "rb", closefd=False) as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise Refused("got a pipe or a device, expected a file", path)
                yield path, file


def _entries(folder: int) -> list[os.DirEntry[str]]:
    """What is in a folder, so that paths come in order: `a.yaml` stands before `a/`."""
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name)


def _linked(root: Path, path: str, folder: int, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, BinaryIO]]:
    name = path.rpartition("/")[2]
    if _is_folder(name, folder):
        raise Refused("got a symbolic link, expected folders only", path)
    if is_wanted(name):
        with opened(root, path) as file:
            if file is None:
                raise Refused("got a symbolic link that leads to no file", path)
            yield path, file


def _is_folder(name: str, folder: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=folder).st_mode)
    except OSError:
        return False


def _reach(root: Path, path: str, handles: ExitStack) -> int:
    """The file or folder at `path`, open; each step is taken from the open folder before it, and a link's own steps as well."""

    def kept(handle: int) -> int:
        handles.callback(os.close, handle)
        return handle

    way = [kept(os.open(root, _FOLDER))]
    steps = deque(path.split("/"))
    links = 0
    while steps:
        step = steps.popleft()
        if step in {"", "."}:
            continue
        if step == "..":
            way.pop()
            if not way:
                raise Refused("this lies outside the repository", path)
            continue
        try:
            way.append(kept(os.open(step, _ANY, dir_fd=way[-1])))
        except OSError as error:
            if error.errno not in _IS_LINK:
                raise
            links += 1
            if links > LINKS:
                raise Refused("this leads through too many symbolic links", path) from None
            target = os.readlink(step, dir_fd=way[-1])
            if target.startswith("/"):
                target = _inside(root, target, path)
                del way[1:]
            steps.extendleft(reversed(target.split("/")))
    return way[-1]


def _inside(root: Path, target: str, path: str) -> str:
    """The way from the root to where an absolute link leads."""
    top = os.path.realpath(root)
    if target != top and not target.startswith(f"{top}/"):
        raise Refused("this lies outside the repository", path)
    return target[len(top) :]


def _step(name: str | bytes, folder: int, path: str, kind: int = 0) -> int:
    """What `name` is in an open folder, open; never a link, also if one came there since the folder was listed."""
    try:
        return os.open(name, _ANY | kind, dir_fd=folder)
    except OSError as error:
        if error.errno in _IS_LINK or (kind and error.errno == errno.ENOTDIR):
            raise Refused("was exchanged for a symbolic link while it was read", path) from None
        raise


@contextmanager
def _closing(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)
