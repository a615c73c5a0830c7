"""Files and standard input that a person names: bounded bytes, strict JSON and YAML (Intent Changesets 11.1, 12)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from agent import below
from agent.errors import InputFailure
from guardrails import strict_json, strict_yaml

STANDARD_INPUT: Final = "-"
MAX_BYTES: Final = 8 * 1024 * 1024
_USUAL: Final = 32 * 1024
"""How much is read at first: making room for the bound takes longer than reading a record."""


def read(path: str, most: int = MAX_BYTES) -> bytes:
    """The bytes of a file, a pipe, or standard input (`-`), at most `most`.

    Raises:
        InputFailure: it cannot be read, is a folder, or is too large.
    """
    try:
        if path == STANDARD_INPUT:
            return _bounded(sys.stdin.buffer, "standard input", most)
        with Path(path).open("rb") as file:
            return _bounded(file, path, most)
    except OSError as error:
        raise InputFailure(f"could not be read: {error.strerror or error}", where=path) from None


def read_below(root: Path, path: str) -> bytes | None:
    """The bytes of the file `path` in the work tree at `root`; None when there is none.

    Raises:
        InputFailure: as `read`, or it is reached through a symbolic link out of the root.
    """
    with opened_below(root, path) as file:
        return None if file is None else _bounded(file, path)


@contextmanager
def opened_below(root: Path, path: str) -> Iterator[BinaryIO | None]:
    """The same file, open, for what is read piece by piece.

    Raises:
        InputFailure: as `read_below`.
    """
    with refusals(path), below.opened(root, path) as file:
        yield file


def files_below(root: Path, directory: str, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file below a directory of the work tree whose name `is_wanted`, in order of path.

    Raises:
        InputFailure: one cannot be read or is too large, or a link stands where a folder should, or leads out of the root.
    """
    with refusals(directory):
        for path, file in below.files(root, directory, is_wanted):
            yield path, _bounded(file, path)


@contextmanager
def refusals(where: str) -> Iterator[None]:
    """Tell what is not opened below a root as a failure; `where` is told unless something nearer is known.

    Raises:
        InputFailure: it was refused, by us or by the system.
    """
    try:
        yield
    except below.Refused as refused:
        cure = "take away the link or device that stands there, or the `..` that leads there"
        raise InputFailure(refused.what, where=refused.where, cure=cure) from None
    except OSError as error:
        raise InputFailure(f"could not be read: {error.strerror or error}", where=where) from None


def parse_json(data: bytes, where: str) -> Any:
    """The value of strict JSON, as `guardrails.strict_json` reads it.

    Raises:
        InputFailure: with what is wrong and, where known, the line.
    """
    try:
        return strict_json.read(data)
    except strict_json.JsonFault as fault:
        raise InputFailure(fault.what, where=f"{where}, {fault.place}" if fault.place else where) from None


def parse_yaml(data: bytes, where: str, *, first_line: int = 1) -> Any:
    """The value of a strict YAML document; `first_line` is where `data` begins in the file.

    Raises:
        InputFailure: with what is wrong and the line.
    """
    try:
        return strict_yaml.read(data).value
    except strict_yaml.YamlFault as fault:
        line = fault.finding.line
        place = where if line is None else f"{where}, line {line + first_line - 1}"
        raise InputFailure(f"this YAML is refused: {fault.finding.message}", where=place) from None


def _bounded(file: BinaryIO, where: str, most: int = MAX_BYTES) -> bytes:
    data = file.read(_USUAL)
    if len(data) == _USUAL:
        data += file.read(most + 1 - _USUAL)
    if len(data) > most:
        raise InputFailure(f"this is larger than {most} bytes", where=where, cure="hand over the part that matters")
    return data
