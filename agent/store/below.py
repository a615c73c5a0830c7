"""Files below a root: made, replaced, read, renamed and removed by their path from it (Intent Changesets 5, 12)."""

from __future__ import annotations

import os
from pathlib import Path

from agent.store.places import folder_below, move_new, move_over, place, refusals, remove_if_empty, require_file, steps


def write_new(root: Path, relative_path: str, data: bytes) -> Path:
    """Create the file `relative_path` (forward slashes) below `root` with exactly `data`, and the folders that it needs.

    Raises:
        StoreFailure: the file exists, the path leaves the root or leads through a link, or the disk refused; nothing is left.
    """
    *folders, name = steps(relative_path)
    with refusals(relative_path), folder_below(root, folders) as folder:
        place(folder, name, data, move_new)
    return root / relative_path


def write_below(root: Path, relative_path: str, data: bytes, *, is_synced: bool = False) -> None:
    """Let the file `relative_path` (forward slashes) below `root` hold exactly `data`; a regular file there is replaced whole.

    Unless `is_synced`, the disk need not keep it at once: whoever can make it again needs no more.

    Raises:
        StoreFailure: the path leaves the root or leads through a link, no regular file stands there, or the disk refused.
    """
    *folders, name = steps(relative_path)
    with refusals(relative_path), folder_below(root, folders) as folder:
        require_file(folder, name, relative_path)
        place(folder, name, data, move_over, is_synced=is_synced)


def read_below(root: Path, relative_path: str) -> bytes | None:
    """The bytes of a regular file below `root`; None where nothing stands at that path.

    Raises:
        StoreFailure: as `write_below`.
    """
    *folders, name = steps(relative_path)
    try:
        with refusals(relative_path, FileNotFoundError), folder_below(root, folders, makes=False) as folder:
            require_file(folder, name, relative_path)
            with os.fdopen(os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as file:
                return file.read()
    except FileNotFoundError:
        return None


def rename_below(root: Path, relative_path: str, name: str) -> None:
    """Give a file below `root` another name in its folder, which no file there has.

    Raises:
        StoreFailure: as `write_below`, or a file has that name.
    """
    *folders, old = steps(relative_path)
    with refusals(relative_path), folder_below(root, folders, makes=False) as folder:
        require_file(folder, old, relative_path)
        move_new(folder, old, name)
        os.unlink(old, dir_fd=folder)


def remove_below(root: Path, relative_path: str) -> None:
    """Remove a regular file below `root`, and the folders on the way to it that are empty then.

    Raises:
        StoreFailure: as `write_below`.
    """
    *folders, name = steps(relative_path)
    with refusals(relative_path):
        with folder_below(root, folders, makes=False) as folder:
            require_file(folder, name, relative_path)
            os.unlink(name, dir_fd=folder)
        for depth in range(len(folders), 0, -1):
            remove_if_empty(root, root.joinpath(*folders[:depth]))
