"""Evidence out of a message and what `git diff` prints, small enough to be read beside what is expected of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from guardrails.digests import sha256
from guardrails.evidence.model import Change, Commit, Content, FileChange, Hunk
from tests.guardrails.resolving.building import commit, file

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
_CHANGES = (
    ("new file mode", Change.ADDED),
    ("deleted file mode", Change.DELETED),
    ("rename from", Change.RENAMED),
    ("copy from", Change.COPIED),
    ("old mode", Change.MODE_CHANGED),
)


def committed(message: str, diff: str, number: int = 1) -> Commit:
    """The n-th commit, with the files of a diff that is its own."""
    return replace(commit(number, message), files=changed(diff, start=number * 1000))


def changed(diff: str, start: int = 0) -> tuple[FileChange, ...]:
    """The file changes of a diff, numbered from `start` on."""
    parts = re.split(r"^diff --git ", diff, flags=re.MULTILINE)[1:]
    hunks = _numbers("H", start)
    return tuple(_file(f"F{start + place}", part, hunks) for place, part in enumerate(parts, start=1))


def _file(item: str, part: str, numbers: Iterator[str]) -> FileChange:
    head, *rest = re.split(r"^(?=@@ )", part, flags=re.MULTILINE)
    old, new = (match.strip('"') for match in re.findall(r"(?:^| )\"?[ab]/(.*?)\"?(?= \"?b/|$)", head.split("\n", 1)[0]))
    change = next((change for mark, change in _CHANGES if f"\n{mark}" in head), Change.MODIFIED)
    hunks = tuple(_hunk(next(numbers), text) for text in rest)
    text = "".join(rest)
    return replace(
        file(1, new, change),
        id=item,
        old_path=old if old != new else None,
        content=_content(head, hunks),
        added=len(re.findall(r"^\+", text, re.MULTILINE)),
        deleted=len(re.findall(r"^-", text, re.MULTILINE)),
        hunks=hunks,
    )


def _content(head: str, hunks: tuple[Hunk, ...]) -> Content:
    if "\nBinary files " in head:
        return Content.BINARY
    is_empty = not hunks and ("\nnew file mode" in head or "\ndeleted file mode" in head)
    return Content.EMPTY if is_empty else Content.TEXT


def _hunk(item: str, text: str) -> Hunk:
    header, _, lines = text.partition("\n")
    match = _HUNK.match(header)
    assert match is not None, header
    sides = (int(match[1]), int(match[2] or 1), int(match[3]), int(match[4] or 1))
    return Hunk(item, "git:x", sha256(text.encode()), *sides, section=match[5], text=lines)


def _numbers(letter: str, start: int) -> Iterator[str]:
    number = start
    while True:
        number += 1
        yield f"{letter}{number}"


def ids(commits: Iterable[Commit]) -> tuple[str, ...]:
    """Every id that a text about these commits may rest on."""
    return tuple(
        item
        for one in commits
        for item in (one.id, *(part for file_ in one.files for part in (file_.id, *(hunk.id for hunk in file_.hunks))))
    )
