"""Folders below a root taken step by step, and files put in them whole (Intent Changesets 12)."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from agent.errors import StoreFailure
from guardrails import paths

FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY
NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


def steps(relative_path: str) -> list[str]:
    """The folders that lead to a file below a root, and its name.

    Raises:
        StoreFailure: it is no normal path.
    """
    if paths.normal(relative_path) != relative_path:
        raise StoreFailure("got no path below the root", where=relative_path)
    return relative_path.split("/")


def require_file(folder: int, name: str, shown: str) -> None:
    """Refuse what stands in the place of a file and is none. A link is none: who made it decides where it leads.

    Raises:
        StoreFailure: a link, a folder or a device stands there.
    """
    with suppress(FileNotFoundError):
        mode = os.lstat(name, dir_fd=folder).st_mode
        if not stat.S_ISREG(mode):
            found = "a symbolic link" if stat.S_ISLNK(mode) else "a folder or a device"
            raise StoreFailure(f"got {found}, expected a file", where=shown, cure="move it away")


@contextmanager
def folder_below(root: Path, names: list[str], *, makes: bool = True) -> Iterator[int]:
    """The folder that `names` lead to, open; missing ones are made, and removed again when the work inside fails.

    Each step is taken from the open folder before it and follows no link, so that nothing can be exchanged on the way.
    """
    place = root
    with ExitStack() as opened, ExitStack() as made:
        folder = opened.enter_context(closing(os.open(root, FOLDER)))
        for name in names:
            place /= name
            with suppress(FileExistsError):
                if makes:
                    os.mkdir(name, dir_fd=folder)
                    made.callback(remove_if_empty, root, place)
            folder = opened.enter_context(closing(_open_folder(name, folder, place.relative_to(root).as_posix())))
        yield folder
        made.pop_all()


def _open_folder(name: str, parent: int, shown: str) -> int:
    mode = os.lstat(name, dir_fd=parent).st_mode
    if not stat.S_ISDIR(mode):
        found = "a symbolic link" if stat.S_ISLNK(mode) else "a file"
        cure = "put a folder in its place"
        raise StoreFailure(f"got {found} on the way, expected folders only", where=shown, cure=cure)
    return os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=parent)


def place(folder: int, name: str, data: bytes, move: Callable[[int, str, str], None], *, is_synced: bool = True) -> None:
    """Write `data` under a passing name in `folder`, sync it, and `move` it to `name`; leave nothing else behind."""
    passing = f".evidraft-{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(passing, NEW_FILE, 0o666, dir_fd=folder), "wb") as file:
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


def move_new(folder: int, passing: str, name: str) -> None:
    """Unlike a rename, a link never takes the place of another file."""
    os.link(passing, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)


def move_over(folder: int, passing: str, name: str) -> None:
    """Take the place of `name` and keep its mode."""
    with suppress(FileNotFoundError):
        os.chmod(passing, stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode), dir_fd=folder)
    os.replace(passing, name, src_dir_fd=folder, dst_dir_fd=folder)


def remove_if_empty(root: Path, place: Path) -> None:
    """Remove a folder below `root` that holds nothing; any other stays, and so does what a link on the way leads to."""
    *folders, name = place.relative_to(root).parts
    with suppress(OSError, StoreFailure), folder_below(root, folders, makes=False) as folder:
        os.rmdir(name, dir_fd=folder)


@contextmanager
def closing(folder: int) -> Iterator[int]:
    """An open file or folder, closed in the end."""
    try:
        yield folder
    finally:
        os.close(folder)


@contextmanager
def refusals(shown: str, *expected: type[OSError]) -> Iterator[None]:
    """Tell what the disk refused as a StoreFailure, but for what is `expected`."""
    try:
        yield
    except expected:
        raise
    except FileExistsError:
        raise StoreFailure("a file stands there already", where=shown, cure="it was left as it is") from None
    except OSError as error:
        raise StoreFailure(f"could not be written: {error.strerror or error}", where=shown) from None
