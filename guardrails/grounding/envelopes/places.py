"""Where a reference may point: the lines that the change shows, of which path, at which commit (Describe Changes: refs)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, TypeVar

from guardrails.evidence.model import Bundle, Change, Content, FileChange, Hunk
from guardrails.evidence.references import Lines, changed_lines

_One = TypeVar("_One")
_Key = TypeVar("_Key")
_SHORTEST: Final = 7
"""How many digits of a commit's name tell it."""


@dataclass(frozen=True, slots=True)
class Side:
    """A changed file as one commit has it; `oid` is None where no commit does (the index, the work tree, an unknown parent).

    `gone` says that the path is not there any more: `oid` is the last commit that has it, and `end` the one that took it away.
    """

    path: str = field(repr=False)
    oid: str | None
    end: str | None
    gone: bool
    file: FileChange = field(repr=False)

    def at(self, sha: str) -> bool:
        """Whether `sha` names the commit that has this side."""
        return self.oid is not None and self.oid.startswith(sha)

    def holds(self, lines: Lines) -> bool:
        """Whether the first and the last of `lines` are lines that the diff shows."""
        return self._shows(lines.first) and self._shows(lines.last)

    def in_one(self, lines: Lines) -> bool:
        """Whether one hunk shows all of `lines`."""
        return any(run.first <= lines.first and lines.last <= run.last for run in self._shown())

    def changes(self, lines: Lines) -> bool:
        """Whether something changed among `lines`, or a gap lies beside one of them."""
        return any(run.first <= lines.last and lines.first <= run.last for run in self._changed())

    def hunks(self, lines: Lines) -> Iterator[Hunk]:
        """The hunks that show any of `lines`."""
        runs = zip(self._hunks(), self._shown(), strict=True)
        return (hunk for hunk, run in runs if run.first <= lines.last and lines.first <= run.last)

    def _hunks(self) -> tuple[Hunk, ...]:
        known = self.file.hunks if self.file.content is Content.TEXT else ()
        return tuple(hunk for hunk in known if (hunk.old_lines if self.gone else hunk.new_lines))

    def _shows(self, line: int) -> bool:
        return any(run.first <= line <= run.last for run in self._shown())

    def _shown(self) -> Iterator[Lines]:
        for hunk in self._hunks():
            start, count = (hunk.old_start, hunk.old_lines) if self.gone else (hunk.new_start, hunk.new_lines)
            yield Lines(start, start + count - 1)

    def _changed(self) -> Iterator[Lines]:
        if self.gone:
            yield from self._shown()
            return
        for hunk in self._hunks():
            yield from _changes(hunk)


def _changes(hunk: Hunk) -> Iterator[Lines]:
    """Each run of new lines in a hunk, and the lines around each gap; all its lines where it was not read."""
    whole, _ = changed_lines(hunk)
    signs = [line[:1] for line in (hunk.text or "").split("\n") if line[:1] in {" ", "+", "-"}]
    if whole is None or len(signs) - signs.count("-") != hunk.new_lines:
        yield from () if whole is None else (whole,)
        return
    line = hunk.new_start
    for is_context, group in groupby(signs, key=lambda sign: sign == " "):
        count = sum(sign != "-" for sign in group)
        if not is_context:
            yield Lines(line, line + count - 1) if count else Lines(line - 1, line)
        line += count


@dataclass(frozen=True, slots=True)
class Places:
    """Every changed path of a selection, with the sides that it has at the commits of the selection."""

    commits: frozenset[str]
    """The commits whose names a reference may give: the selected ones and what they stand on."""
    _sides: Mapping[str, tuple[Side, ...]] = field(repr=False)
    _at: Mapping[tuple[str, str | None], tuple[Side, ...]] = field(repr=False)
    """By path and by the whole name of the commit: one file may be changed by most commits of a long range."""
    _ends: Mapping[str, tuple[str, ...]] = field(repr=False)
    """The paths by their last component."""

    @classmethod
    def of(cls, bundle: Bundle) -> Places:
        """All that the commits, the index or work tree, and the net change of `bundle` touch."""
        sides = _by(_sides(bundle), lambda side: side.path)
        at = _by((side for some in sides.values() for side in some), lambda side: (side.path, side.oid))
        ends = _by(sides, _last)
        selection = bundle.selection
        names = {name for commit in bundle.commits for name in (commit.oid, *commit.parents)}
        names |= {name for name in (selection.base, selection.head) if name is not None}
        return cls(frozenset(names), sides, at, ends)

    @property
    def paths(self) -> frozenset[str]:
        """Every path that is changed, also those that are gone."""
        return frozenset(self._sides)

    def sides(self, path: str) -> tuple[Side, ...]:
        """The sides of exactly this path."""
        return self._sides.get(path, ())

    def sides_at(self, path: str, sha: str) -> tuple[Side, ...]:
        """The sides of this path that the commit has that `sha` names."""
        return self._at.get((path, sha)) or tuple(side for side in self.sides(path) if side.at(sha))

    def named(self, path: str) -> str | None:
        """The one changed path that `path` is, or is the end of: `pool.ts` for `src/db/pool.ts`; None for none or several."""
        if path in self._sides:
            return path
        ends = [known for known in self._ends.get(_last(path), ()) if known.endswith(f"/{path}")]
        return ends[0] if len(ends) == 1 else None

    def knows(self, sha: str) -> bool:
        """Whether `sha` names a commit of the selection or one that it stands on."""
        return sha in self.commits or (len(sha) >= _SHORTEST and any(oid.startswith(sha) for oid in self.commits))


def _by(some: Iterable[_One], key: Callable[[_One], _Key]) -> dict[_Key, tuple[_One, ...]]:
    found: dict[_Key, list[_One]] = {}
    for one in some:
        found.setdefault(key(one), []).append(one)
    return {name: tuple(group) for name, group in found.items()}


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _sides(bundle: Bundle) -> Iterator[Side]:
    selection = bundle.selection
    for commit in bundle.commits:
        before = commit.parents[0] if commit.parents else None
        yield from (side for file in commit.files for side in _of_file(file, before, commit.oid))
    yield from (side for file in bundle.uncommitted for side in _of_file(file, selection.head, None))
    yield from (side for file in bundle.net or () for side in _of_file(file, selection.base, selection.head))


def _of_file(file: FileChange, before: str | None, after: str | None) -> Iterator[Side]:
    if file.change is Change.DELETED:
        yield Side(file.path, before, after, gone=True, file=file)
        return
    yield Side(file.path, after, None, gone=False, file=file)
    if file.change is Change.RENAMED and file.old_path is not None:
        yield Side(file.old_path, before, after, gone=True, file=file)
