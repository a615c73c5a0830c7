"""The only writes: new records below the repository's root, and output files and folders that a person names (Intent Changesets
5, 12).

Each file appears whole or not at all: its bytes are written under a passing name and then moved to their place.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from agent.errors import StoreFailure
from guardrails import paths

STANDARD_OUTPUT: Final = frozenset({"-", "/dev/stdout"})
"""The names of standard output."""
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


def write_new(root: Path, relative_path: str, data: bytes) -> Path:
    """Create the file `relative_path` (forward slashes) below `root` with exactly `data`, and the folders that it needs.

    Raises:
        StoreFailure: the file exists, the path leaves the root or leads through a link, or the disk refused; nothing is left.
    """
    *folders, name = _steps(relative_path)
    with _refusals(relative_path), _folder_below(root, folders) as folder:
        _place(folder, name, data, _move_new)
    return root / relative_path


def folder(path: Path) -> Path:
    """The folder at a path that a person named, made where it is missing; where links lead.

    Raises:
        StoreFailure: something else stands there, the folder around it is missing, or the disk refused.
    """
    target = Path(os.path.realpath(path))
    with _refusals(str(path)), suppress(FileExistsError):
        target.mkdir()
    if not target.is_dir():
        raise StoreFailure("got a file or a device, expected a folder", where=str(path))
    return target


def write_below(root: Path, relative_path: str, data: bytes) -> None:
    """Let the file `relative_path` (forward slashes) below `root` hold exactly `data`; a regular file there is replaced whole.

    It is not synced to the disk: whoever can make it again needs no more.

    Raises:
        StoreFailure: the path leaves the root or leads through a link, no regular file stands there, or the disk refused.
    """
    *folders, name = _steps(relative_path)
    with _refusals(relative_path), _folder_below(root, folders) as folder:
        _require_file(folder, name, relative_path)
        _place(folder, name, data, _move_over, is_synced=False)


def read_below(root: Path, relative_path: str) -> bytes | None:
    """The bytes of a regular file below `root`; None where nothing stands at that path.

    Raises:
        StoreFailure: as `write_below`.
    """
    *folders, name = _steps(relative_path)
    try:
        with _refusals(relative_path, FileNotFoundError), _folder_below(root, folders, makes=False) as folder:
            _require_file(folder, name, relative_path)
            with os.fdopen(os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as file:
                return file.read()
    except FileNotFoundError:
        return None


def rename_below(root: Path, relative_path: str, name: str) -> None:
    """Give a file below `root` another name in its folder, which no file there has.

    Raises:
        StoreFailure: as `write_below`, or a file has that name.
    """
    *folders, old = _steps(relative_path)
    with _refusals(relative_path), _folder_below(root, folders, makes=False) as folder:
        _require_file(folder, old, relative_path)
        _move_new(folder, old, name)
        os.unlink(old, dir_fd=folder)


def remove_below(root: Path, relative_path: str) -> None:
    """Remove a regular file below `root`, and the folders on the way to it that are empty then.

    Raises:
        StoreFailure: as `write_below`.
    """
    *folders, name = _steps(relative_path)
    with _refusals(relative_path):
        with _folder_below(root, folders, makes=False) as folder:
            _require_file(folder, name, relative_path)
            os.unlink(name, dir_fd=folder)
        for depth in range(len(folders), 0, -1):
            _remove_folder(root.joinpath(*folders[:depth]))


def write_output(path: str | Path, data: bytes) -> None:
    """Write what a person asked for with `--output` or `--record`; a regular file that stands there is replaced whole.

    `-` and `/dev/stdout` are standard output. A link is followed, since the person named it.

    Raises:
        StoreFailure: the place is a folder or a device, its folder is missing, or the disk refused; what stood there stays.
    """
    with _refusals(str(path)):
        if str(path) in STANDARD_OUTPUT:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise StoreFailure("got a folder or a device, expected a file", where=str(path))
        with _closing(os.open(target.parent, _FOLDER)) as folder:
            _place(folder, target.name, data, _move_over)


@contextmanager
def appending(path: Path) -> Iterator[TextIO]:
    """A file that a person names, open for lines at its end; it is made where it is missing.

    Raises:
        StoreFailure: it cannot be opened.
    """
    with _refusals(str(path)):
        file = path.open("a", encoding="utf-8")
    with file:
        yield file


def private_file(path: Path) -> None:
    """Make a file and its folder, where they are missing, and close both to everyone else.

    Raises:
        StoreFailure: the file is a link or no regular file, belongs to somebody else, or the disk refused.
    """
    with _refusals(str(path)):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _closing(os.open(path.parent, _FOLDER)) as folder:
            os.fchmod(folder, 0o700)
            with _closing(os.open(path.name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=folder)) as file:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise StoreFailure("got a device, expected a file", where=str(path))
                os.fchmod(file, 0o600)


class Claim:
    """A private file that one process has to itself until it lets go or ends, however it ends."""

    def __init__(self, path: Path, *, waits: bool = False) -> None:
        """Take it, and make the file where there is none. Where another process has it, that one's end is waited for or not.

        Raises:
            StoreFailure: another process has it and is not waited for, or there can be no such file.
        """
        private_file(path)
        with _refusals(str(path)):
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


def _steps(relative_path: str) -> list[str]:
    if paths.normal(relative_path) != relative_path:
        raise StoreFailure("got no path below the root", where=relative_path)
    return relative_path.split("/")


def _require_file(folder: int, name: str, shown: str) -> None:
    """Refuse what stands in the place of a file and is none. A link is none: who made it decides where it leads."""
    with suppress(FileNotFoundError):
        mode = os.lstat(name, dir_fd=folder).st_mode
        if not stat.S_ISREG(mode):
            found = "a symbolic link" if stat.S_ISLNK(mode) else "a folder or a device"
            raise StoreFailure(f"got {found}, expected a file", where=shown, cure="move it away")


def remove_folder(path: Path) -> None:
    """Remove a folder of ours with all that is in it, if it is there.

    Raises:
        StoreFailure: the disk refused.
    """
    with _refusals(str(path)), suppress(FileNotFoundError):
        shutil.rmtree(path)


@contextmanager
def _folder_below(root: Path, names: list[str], *, makes: bool = True) -> Iterator[int]:
    """The folder that `names` lead to, open; missing ones are made, and removed again when the work inside fails.

    Each step is taken from the open folder before it and follows no link, so that nothing can be exchanged on the way.
    """
    place = root
    with ExitStack() as opened, ExitStack() as made:
        folder = opened.enter_context(_closing(os.open(root, _FOLDER)))
        for name in names:
            place /= name
            with suppress(FileExistsError):
                if makes:
                    os.mkdir(name, dir_fd=folder)
                    made.callback(_remove_folder, place)
            folder = opened.enter_context(_closing(_open_folder(name, folder)))
        yield folder
        made.pop_all()


def _open_folder(name: str, parent: int) -> int:
    mode = os.lstat(name, dir_fd=parent).st_mode
    if not stat.S_ISDIR(mode):
        found = "a symbolic link" if stat.S_ISLNK(mode) else "a file"
        raise StoreFailure(f"got {found} on the way, expected folders only", where=name)
    return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=parent)


def _place(folder: int, name: str, data: bytes, move: Callable[[int, str, str], None], *, is_synced: bool = True) -> None:
    """Write `data` under a passing name in `folder`, sync it, and `move` it to `name`; leave nothing else behind."""
    passing = f".evidraft-{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(passing, _NEW_FILE, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            if is_synced:
                os.fsync(file.fileno())
        move(folder, passing, name)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(passing, dir_fd=folder)
    if is_synced:
        # Some file systems cannot sync a folder; the file itself is on the disk already.
        with suppress(OSError):
            os.fsync(folder)


def _move_new(folder: int, passing: str, name: str) -> None:
    """Unlike a rename, a link never takes the place of another file."""
    os.link(passing, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)


def _move_over(folder: int, passing: str, name: str) -> None:
    """Take the place of `name` and keep its mode."""
    with suppress(FileNotFoundError):
        os.chmod(passing, stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode), dir_fd=folder)
    os.replace(passing, name, src_dir_fd=folder, dst_dir_fd=folder)


def _remove_folder(place: Path) -> None:
    with suppress(OSError):
        place.rmdir()


@contextmanager
def _closing(folder: int) -> Iterator[int]:
    try:
        yield folder
    finally:
        os.close(folder)


@contextmanager
def _refusals(shown: str, *expected: type[OSError]) -> Iterator[None]:
    """Tell what the disk refused as a StoreFailure, but for what is `expected`."""
    try:
        yield
    except expected:
        raise
    except FileExistsError:
        raise StoreFailure("a file stands there already", where=shown, cure="it was left as it is") from None
    except OSError as error:
        raise StoreFailure(f"could not be written: {error.strerror or error}", where=shown) from None
