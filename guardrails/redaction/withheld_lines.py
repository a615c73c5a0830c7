"""Lines of withheld changes are masked wherever else they stand: as context, as removed lines, beside an `@@`, in a merge.

In the files that a withheld change touched, renames and copies followed both ways, that holds for every line of more than a
few letters; in other files, which may hold the same line by chance, for telling ones only. Where the lines of a withheld hunk
were not read, the hunks of its file lose their text. What a commit outside of the evidence added cannot be known here
(Intent Changesets 6.9, 11.7).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from guardrails.digests import sha256
from guardrails.evidence.model import Bundle, FileChange, Hunk

MASK: Final = "[withheld]"
_FEW: Final = 4
_TELLING: Final = 12
"""How many letters and digits a line has that is masked in the files of a withheld change, and in any file."""


class WithheldLines:
    """What withheld changes added and removed, line by line."""

    def __init__(self) -> None:
        """Know no line yet."""
        self._lines: dict[str, int] = {}
        self._paths: set[str] = set()
        self._unread: set[str] = set()

    def learn(self, file: FileChange, hunks: Iterable[Hunk]) -> None:
        """Take in the withheld `hunks` of `file`."""
        self._paths |= _paths(file)
        for hunk in hunks:
            if hunk.text is None:
                self._unread |= _paths(file)
            for line in (hunk.text or "").split("\n"):
                weight = sum(map(str.isalnum, line))
                if line.startswith(("+", "-")) and weight >= _FEW:
                    self._lines[line[1:].strip()] = weight

    def masked(self, bundle: Bundle) -> Bundle:
        """`bundle` with these lines masked in every hunk; a hunk that lost something has the digest of what is left."""
        if not self._lines and not self._unread:
            return bundle
        kin = _kinship(bundle)
        near, unread = _reached(self._paths, kin), _reached(self._unread, kin)
        few = _Mask(line for line in self._lines)
        telling = _Mask(line for line, weight in self._lines.items() if weight >= _TELLING)

        def hunk(one: Hunk, file: FileChange) -> Hunk:
            if not unread.isdisjoint(_paths(file)):
                return replace(one, section="", text=None, digest=sha256(b""))
            return (telling if near.isdisjoint(_paths(file)) else few).over(one)

        return _each_hunk(bundle, hunk)


class _Mask:
    """Some lines, ready to be looked up whole and by how they begin."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._sorted = sorted(lines)
        self._known = frozenset(self._sorted)

    def over(self, hunk: Hunk) -> Hunk:
        section = MASK if self._begins(hunk.section.strip()) else hunk.section
        text = None if hunk.text is None else "\n".join(map(self._line, hunk.text.split("\n")))
        if (section, text) == (hunk.section, hunk.text):
            return hunk
        return replace(hunk, section=section, text=text, digest=sha256(f"{section}\n{text}".encode()))

    def _line(self, line: str) -> str:
        core = line[1:].strip()
        return f"{line[:1]}{MASK}" if core in self._known else line

    def _begins(self, section: str) -> bool:
        """Whether a line is, or begins with, what git shows of it beside the `@@`."""
        place = bisect_left(self._sorted, section)
        return bool(section) and place < len(self._sorted) and self._sorted[place].startswith(section)


def _paths(file: FileChange) -> set[str]:
    return {file.path, file.old_path or file.path}


def _kinship(bundle: Bundle) -> dict[str, set[str]]:
    """For each path those that it was renamed or copied from or to."""
    kin: defaultdict[str, set[str]] = defaultdict(set)
    for file in (*bundle.files(), *(file for commit in bundle.referenced for file in commit.files)):
        for path in _paths(file):
            kin[path] |= _paths(file)
    return kin


def _reached(paths: Iterable[str], kin: dict[str, set[str]]) -> set[str]:
    reached, ahead = set(paths), list(paths)
    while ahead:
        fresh = kin.get(ahead.pop(), set()) - reached
        reached |= fresh
        ahead += fresh
    return reached


def _each_hunk(bundle: Bundle, change: Callable[[Hunk, FileChange], Hunk]) -> Bundle:
    def files(some: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        return tuple(replace(file, hunks=tuple(change(hunk, file) for hunk in file.hunks)) for file in some)

    return replace(
        bundle,
        commits=tuple(replace(commit, files=files(commit.files)) for commit in bundle.commits),
        referenced=tuple(replace(commit, files=files(commit.files)) for commit in bundle.referenced),
        uncommitted=files(bundle.uncommitted),
    )
