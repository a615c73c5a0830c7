"""The files of a request as forges list them, with or without their patches, as patches of ours (Describe Changes: refs).

A forge tells a patch without its header, leaves out what is long, and GitHub tells no mode. What is not told is not filled in:
an unknown mode or object is "", and a path whose content nobody told is one without a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final

from agent.errors import InputFailure
from agent.sources import fields
from agent.sources.fields import Item
from agent.sources.told import Reading
from guardrails.evidence.diff import NO_MODE, Entry, Patch
from guardrails.evidence.hunks import RawHunk, TextBudget, read_hunk
from guardrails.evidence.tape import MalformedDiff, Tape

_STATUSES: Final = {
    "added": "A",
    "removed": "D",
    "modified": "M",
    "changed": "M",
    "renamed": "R",
    "copied": "C",
}
"""GitHub's words; a file that is "unchanged" is none of the change."""
_GITLAB: Final = (("new_file", "A"), ("deleted_file", "D"), ("renamed_file", "R"))
_SUBMODULE: Final = re.compile(rb"(?:[-+]Subproject commit [0-9a-f]{40,64}(?:-dirty)?\n)+")
_SUBMODULE_MODE: Final = "160000"
_OPENING: Final = ("--- ", "+++ ")
_BINARY: Final = "Binary files "


@dataclass(frozen=True, slots=True)
class _Text:
    """A patch as told: its hunks, and whether it says that the file is binary."""

    hunks: tuple[RawHunk, ...] = ()
    binary: bool = False


def of_github(files: Iterable[Item], reading: Reading) -> tuple[Patch, ...] | None:
    """The patches of a `files` list of GitHub's REST interface; None where it tells names only.

    Raises:
        InputFailure: something in it is not what it should be.
    """
    told = [file for file in files if fields.text(file, "status", reading.where) != "unchanged"]
    if any(fields.count(file, "changes") for file in told) and not any(file.get("patch") for file in told):
        return None
    return tuple(_of_github(file, reading) for file in told)


def _of_github(file: Item, reading: Reading) -> Patch:
    path = _path(file, "filename", reading.where)
    word = fields.text(file, "status", reading.where)
    if word not in _STATUSES:
        raise InputFailure(f"got status {word[:40]!r}, expected one of {', '.join(_STATUSES)}", where=reading.where)
    status = _STATUSES[word]
    old = _path(file, "previous_filename", reading.where) if status in "RC" else None
    blob = fields.object_name(file, "sha", reading.where) or ""
    modes, objects = _sides(status, "", ""), ("", blob) if status != "D" else (blob, "")
    entry = Entry(status, *modes, *objects, path=path.encode(), old_path=old.encode() if old else None)
    if text := fields.text(file, "patch", reading.where):
        return _patch(entry, _read(text, path, reading))
    if fields.count(file, "changes"):
        _note_missing(path, reading)
        return Patch(entry)
    # Nothing counts as changed and nothing is told: a binary file, an empty one, or a mode. What came or went has content.
    return Patch(entry, binary=status in "AD", missing=status == "M")


def of_gitlab(diffs: Iterable[Item], reading: Reading) -> tuple[Patch, ...]:
    """The patches of a `diffs` or `changes` list of GitLab's REST interface.

    Raises:
        InputFailure: something in it is not what it should be.
    """
    return tuple(_of_gitlab(diff, reading) for diff in diffs)


def _of_gitlab(diff: Item, reading: Reading) -> Patch:
    status = next((letter for key, letter in _GITLAB if diff.get(key) is True), "M")
    old = _path(diff, "old_path", reading.where)
    path = old if status == "D" else _path(diff, "new_path", reading.where)
    told = [_mode(diff, key, reading.where) for key in ("a_mode", "b_mode")]
    renamed = old.encode() if status == "R" else None
    entry = Entry(status, *_sides(status, *told), "", "", path=path.encode(), old_path=renamed)
    if text := fields.text(diff, "diff", reading.where):
        return _patch(entry, _read(text, path, reading))
    if diff.get("too_large") is True or diff.get("collapsed") is True:
        _note_missing(path, reading)
        return Patch(entry)
    says_more = status == "R" or entry.old_mode != entry.new_mode
    return Patch(entry, missing=status in "AD" or not says_more)


def _sides(status: str, old: str, new: str) -> tuple[str, str]:
    return NO_MODE if status == "A" else old, NO_MODE if status == "D" else new


def _mode(diff: Item, key: str, where: str) -> str:
    mode = fields.text(diff, key, where)
    return mode if re.fullmatch(r"[0-7]{6}", mode) else ""


def _path(item: Item, key: str, where: str) -> str:
    path = fields.text(item, key, where)
    if not path or path.startswith("/") or "\0" in path or not {"", ".", ".."}.isdisjoint(path.split("/")):
        raise InputFailure(f"got no path below the repository's root under {key!r}", where=where)
    return path


def _patch(entry: Entry, text: _Text) -> Patch:
    """A patch, of a submodule where it holds nothing but the line that git writes for one."""
    bodies = b"".join(hunk.text or b"" for hunk in text.hunks)
    if _SUBMODULE.fullmatch(bodies):
        old, new = _sides(entry.status, _SUBMODULE_MODE, _SUBMODULE_MODE)
        entry = replace(entry, old_mode=old, new_mode=new)
    return Patch(entry, text.hunks, text.binary)


def _read(text: str, path: str, reading: Reading) -> _Text:
    lines = text.split("\n")
    while lines and lines[0].startswith(_OPENING):
        del lines[0]
    if lines and lines[0].startswith(_BINARY):
        return _Text(binary=True)
    body = "\n".join(lines)
    try:
        return _Text(_hunks(body if body.endswith("\n") else f"{body}\n", path.encode(), reading.texts))
    except MalformedDiff:
        reading.notes.add("forge-patch-unreadable", path, "the patch that the forge told is no patch: no ranges, no text")
        return _Text()


def _hunks(text: str, path: bytes, texts: TextBudget) -> tuple[RawHunk, ...]:
    tape = Tape(BytesIO(text.encode()))
    hunks: list[RawHunk] = []
    while tape.starts_with(b"@@ "):
        header = tape.line()
        hunks.append(read_hunk(tape, header, path, texts))
    if not tape.ended() or not hunks:
        raise MalformedDiff("something stands where a hunk begins")
    return tuple(hunks)


def _note_missing(path: str, reading: Reading) -> None:
    reading.notes.add("forge-patch-missing", path, "the forge told no patch, for its length: no ranges, no text")
