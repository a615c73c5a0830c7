"""What is left of commits at the head of the selection: the net change decides (Describe Changes: a change and its revert).

Paths are followed through renames to what they are called at the head. A path that the net change does not have is as it was
at the base, whatever was done to it in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from guardrails.evidence.model import Bundle, Change, Commit, FileChange

Touched: TypeAlias = "Sequence[tuple[Commit, FileChange]]"
"""The paths of one change, with the commits that touched them."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """Paths at the head: `names` has what one of a commit is called there, `net` its net change, if known."""

    names: Mapping[tuple[str, str], str]
    net: Mapping[str, FileChange] | None

    def name(self, commit: Commit, path: str) -> str:
        """What a path of `commit` is called at the head."""
        return self.names.get((commit.oid, path), path)

    def found(self, commit: Commit, file: FileChange) -> tuple[FileChange, ...]:
        """What the net change has of a path, under what it is called at the head, and of the one it was renamed from."""
        net = self.net or {}
        names = (self.name(commit, file.path), file.old_path if file.change is Change.RENAMED else None)
        return tuple({one.id: one for name in names if name is not None and (one := net.get(name)) is not None}.values())

    def is_undone(self, commit: Commit, file: FileChange) -> bool:
        """Whether the net change has nothing of a path; False where there is no net change."""
        return self.net is not None and not self.found(commit, file) and file.path not in self.net

    def telling(self, changes: Sequence[Touched]) -> tuple[tuple[str, ...], ...]:
        """The ids of the files that tell each of several changes.

        Where the net change has a path of one change alone, it tells it, valid at the head; else what the commits did to it,
        but for paths that are as they were at the base.
        """
        found = [[self.found(commit, file) for commit, file in touched] for touched in changes]
        shared = Counter(item for one in found for item in {net.id for nets in one for net in nets})
        return tuple(tuple(self._told(touched, nets, shared)) for touched, nets in zip(changes, found, strict=True))

    def _told(self, touched: Touched, found: Iterable[tuple[FileChange, ...]], shared: Mapping[str, int]) -> Iterable[str]:
        told: dict[str, None] = {}
        for (commit, file), nets in zip(touched, found, strict=True):
            if nets and all(shared[net.id] == 1 for net in nets):
                told |= dict.fromkeys(net.id for net in nets)
            elif not self.is_undone(commit, file):
                told[file.id] = None
        return told


def remaining(bundle: Bundle) -> Remaining:
    """Follow every path of the selected commits to the head."""
    later: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    for commit in reversed(bundle.commits):
        names.update({(commit.oid, file.path): later[file.path] for file in commit.files if file.path in later})
        for file in commit.files:
            if file.change is Change.RENAMED and file.old_path is not None:
                later[file.old_path] = names[commit.oid, file.old_path] = later.get(file.path, file.path)
    net = None if bundle.net is None else _by_path(bundle.net)
    return Remaining(names, net)


def _by_path(files: Iterable[FileChange]) -> dict[str, FileChange]:
    """The net change of each path; both sides of a rename are changed."""
    found: dict[str, FileChange] = {}
    for file in files:
        found[file.path] = file
        if file.change is Change.RENAMED and file.old_path is not None:
            found.setdefault(file.old_path, file)
    return found


def cancel(commits: Sequence[Commit], at_head: Remaining) -> bool:
    """Whether commits take each other back: of no path anything is left, by the net change or by what they did to it."""
    if not all(commit.diff_known for commit in commits):
        return True
    by_path: dict[str, list[FileChange]] = {}
    for commit in commits:
        for file in commit.files:
            if not at_head.is_undone(commit, file):
                by_path.setdefault(at_head.name(commit, file.path), []).append(file)
    return all(_contents_cancel(files) or _lines_cancel(files) for files in by_path.values())


def _contents_cancel(files: Sequence[FileChange]) -> bool:
    """Whether each content that came went again; contents without a name tell nothing."""
    if not all(file.old_object and file.new_object for file in files):
        return False
    came: Counter[tuple[str, str]] = Counter()
    for file in files:
        came[file.new_object, file.new_mode] += 1
        came[file.old_object, file.old_mode] -= 1
    return not any(came.values())


def _lines_cancel(files: Sequence[FileChange]) -> bool:
    """Whether each line that came went again; of lines that were not read their number must do."""
    hunks = [hunk for file in files for hunk in file.hunks]
    if not hunks:
        return False
    came: Counter[str] = Counter()
    for hunk in hunks:
        for line in (hunk.text or "").split("\n"):
            came[line[1:]] += line.startswith("+") - line.startswith("-")
    is_read = all(hunk.text is not None for hunk in hunks)
    return not any(came.values()) and (is_read or sum(file.added - file.deleted for file in files) == 0)
