"""`requirements*.txt`: requirements, addresses and what is installed for editing (Change Contracts: schema 0.3, dependencies).

Lines are parted, joined and freed of comments in the way of pip, for what pip installs must not be hidden by how it is written.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Final

from guardrails.contracts.package_manifests.listed import Listed, Unreadable, folded
from guardrails.contracts.package_manifests.pyproject import required

_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_COMMENT_LINE: Final = re.compile(r"\s*#")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_OPTIONS: Final = re.compile(r"\s-.*")
_EGG: Final = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\[.*\])?")
_LONGEST: Final = 10_000
"""No line of options that people write is longer, and parting one into words takes time with the square of its length."""
_ARCHIVES: Final = (".whl", ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz", ".tar.xz", ".txz", ".tlz", ".tar.lz")


def read(text: str) -> Listed:
    """What a requirements file names. Other options are passed over, also those that name another file.

    Raises:
        Unreadable: a line is neither an option nor an address nor a requirement.
    """
    return Listed.of(pair for number, line in _lines(text) for pair in _named(line, number))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that say something, each with the number that it begins at. A comment ends a line that would go on."""
    kept: list[str] = []
    start = 1
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        is_comment = _COMMENT_LINE.match(line) is not None
        goes_on = line.endswith("\\") and not is_comment
        kept.append(line.strip("\\") if goes_on else f" {line}" if is_comment else line)
        if not goes_on or number == len(lines):
            if said := _COMMENT.sub("", "".join(kept)).strip():
                yield start, said
            kept, start = [], number + 1


def _named(line: str, number: int) -> Iterator[tuple[str, str]]:
    try:
        if line.startswith("-"):
            yield from map(_edited, _editables(line))
        elif _ADDRESS.match(line):
            address = line.split(maxsplit=1)[0].rstrip(";")
            yield _egg(address) or address, ""
        else:
            yield _required(line)
    except ValueError as fault:
        raise Unreadable(f"line {number}: {fault}") from None


def _editables(line: str) -> Iterator[str]:
    """What the options of a line install for editing, in every way that pip lets it be written."""
    if len(line) > _LONGEST:
        raise Unreadable(f"got options of more than {_LONGEST} characters")
    words = iter(shlex.split(line))
    for word in words:
        option, equals, value = word.partition("=")
        if len(option) > 3 and "--editable".startswith(option):
            place = value if equals else next(words, "")
        elif word.startswith("-e"):
            place = word[2:].removeprefix("=") or next(words, "")
        else:
            continue
        if not place:
            raise Unreadable("got an option without a value")
        yield place


def _edited(place: str) -> tuple[str, str]:
    if " @ " in place:
        return required(place)
    return _egg(place) or (place if _ADDRESS.match(place) else f"-e {place}"), ""


def _egg(address: str) -> str | None:
    """The name that an address says it has, folded."""
    parts = address.partition("#")[2].split("&")
    eggs = (_EGG.fullmatch(part.removeprefix("egg=")) for part in parts if part.startswith("egg="))
    return next((folded(egg[1]) for egg in eggs if egg), None)


def _required(line: str) -> tuple[str, str]:
    wanted = _OPTIONS.sub("", line).strip()
    if "@" not in wanted and wanted.partition(";")[0].rstrip().endswith(_ARCHIVES):
        raise Unreadable("got a file, which has no name")
    return required(wanted)
