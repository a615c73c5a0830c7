"""Carrying out a consumer's plan below the root, so that it may be stopped anywhere (Intent Changesets 8, 12).

All that is needed lies on the disk under passing names before the first file changes. Then every ledger is replaced and read
again, and only when all hold what they must are the records archived, read again, and taken away. A run that was killed leaves
whole files, and at most passing names that no reader takes for records; the next one removes those, and does the rest.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agent.errors import StoreFailure
from agent.store.places import NEW_FILE, closing, folder_below, refusals, remove_if_empty, require_file, steps
from guardrails.digests import sha256
from guardrails.records.consuming import Plan

_AGAIN: Final = "nothing is lost: run the same command again, and it does the rest"
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def apply(root: Path, plan: Plan) -> None:
    """Let every ledger hold what the plan says, verify them all, then archive or delete the records that were consumed.

    Raises:
        StoreFailure: a file is not what the plan was made for, or the disk refused. Before the first ledger is replaced nothing
            has changed; after it every file is whole, and applying a new plan does the rest.
    """
    ledgers = {one.path: one for one in plan.ledgers if one.is_change}
    archives = {one.archive: one for one in plan.disposals if one.archive is not None}
    afterwards = {one.path: one.after for one in plan.ledgers}
    made = [folder for path in archives for folder in _missing(root, path)]
    try:
        _prepare(root, {path: (one.after, path) for path, one in ledgers.items()})
        _prepare(root, {path: (one.data, one.path) for path, one in archives.items()}, makes=True)
        _require(root, {one.path: one.before for one in plan.ledgers}, "since it was read")
        _require(root, {one.path: one.data for one in plan.disposals}, "since it was read")
        _require(root, {path: one.data for path, one in archives.items()}, "in the archive", may_lack=True)
        with _resumable():
            _in_folders(root, ledgers, _replace)
            _require(root, afterwards, "while it was written")
            _in_folders(root, archives, _keep)
            _require(root, {path: one.data for path, one in archives.items()}, "in the archive")
            _require(root, {one.path: one.data for one in plan.disposals}, "while it was consumed")
            _in_folders(root, (one.path for one in plan.disposals), _remove)
    finally:
        with suppress(StoreFailure):
            _in_folders(root, (*ledgers, *archives), _discard)
        for folder in reversed(dict.fromkeys(made)):
            remove_if_empty(root, folder)


def _prepare(root: Path, files: Mapping[str, tuple[bytes, str]], *, makes: bool = False) -> None:
    """Write the bytes of each file under its passing name, with the mode of the file that they come of or replace."""
    for folders, names in _grouped(files):
        shown = "/".join(folders)
        with refusals(shown), folder_below(root, folders, makes=makes) as folder:
            for name in names:
                data, origin = files["/".join((*folders, name))]
                with refusals(origin):
                    _put(folder, _passing(name), data, _mode(root, origin))


def _put(folder: int, name: str, data: bytes, mode: int) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
    with closing(os.open(name, NEW_FILE, 0o600, dir_fd=folder)) as file:
        os.fchmod(file, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)


def _mode(root: Path, path: str) -> int:
    *folders, name = steps(path)
    with folder_below(root, folders, makes=False) as folder:
        require_file(folder, name, path)
        return stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode)


def _require(root: Path, files: Mapping[str, bytes], when: str, *, may_lack: bool = False) -> None:
    """Refuse any file that is not a regular one with exactly these bytes."""
    for folders, names in _grouped(files):
        with refusals("/".join(folders)), folder_below(root, folders, makes=False) as folder:
            for name in names:
                path = "/".join((*folders, name))
                require_file(folder, name, path)
                try:
                    found = _read(folder, name)
                except FileNotFoundError:
                    found = None
                if found != files[path] and not (may_lack and found is None):
                    what = "it is gone" if found is None else "got other bytes than expected"
                    raise StoreFailure(f"{what}: somebody changed it {when}", where=path, cure="look at it, then try again")


def _read(folder: int, name: str) -> bytes:
    with os.fdopen(os.open(name, _READ, dir_fd=folder), "rb") as file:
        return file.read()


def _replace(folder: int, name: str) -> None:
    os.replace(_passing(name), name, src_dir_fd=folder, dst_dir_fd=folder)


def _keep(folder: int, name: str) -> None:
    """Put a record into the archive, where nothing is ever overwritten; what stands there has its bytes already."""
    with suppress(FileExistsError):
        os.link(_passing(name), name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    os.unlink(_passing(name), dir_fd=folder)


def _remove(folder: int, name: str) -> None:
    os.unlink(name, dir_fd=folder)


def _discard(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(_passing(name), dir_fd=folder)


def _in_folders(root: Path, paths: Iterable[str], act: Callable[[int, str], None]) -> None:
    """Do the same to each file, and let the disk keep it before anything else is done."""
    for folders, names in _grouped(paths):
        with refusals("/".join(folders)), folder_below(root, folders, makes=False) as folder:
            for name in names:
                with refusals("/".join((*folders, name))):
                    act(folder, name)
            with suppress(OSError):  # some file systems cannot sync a folder
                os.fsync(folder)


def _grouped(paths: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The files of each folder: the steps to it, and their names."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for path in paths:
        *folders, name = steps(path)
        groups.setdefault(tuple(folders), []).append(name)
    yield from ((list(folders), names) for folders, names in groups.items())


def _passing(name: str) -> str:
    """The name under which the bytes of a file wait; always the same, so that the next run finds what a killed one left."""
    return f".evidraft-{sha256(name.encode())[-24:]}"


def _missing(root: Path, path: str) -> Iterator[Path]:
    """The folders on the way to a file that are not there yet, outermost first."""
    *folders, _ = steps(path)
    places = (root.joinpath(*folders[: depth + 1]) for depth in range(len(folders)))
    return (place for place in places if not os.path.lexists(place))


@contextmanager
def _resumable() -> Iterator[None]:
    """Tell whoever sees a failure in the middle that the next run completes it."""
    try:
        yield
    except StoreFailure as failure:
        raise StoreFailure(failure.what, where=failure.where, cure=_AGAIN) from None
