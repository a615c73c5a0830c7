"""The catalogue of references: how an envelope names each changed file and hunk of the evidence (Describe Changes: refs).

A range is never guessed. It holds the post-change lines between the first and the last changed line of a hunk; where a hunk
leaves no line behind, the lines around the gap; of a deleted file the pre-change lines, at the commit that still has them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Final, NamedTuple

from guardrails import paths
from guardrails.evidence.code_spans import code
from guardrails.evidence.model import Bundle, Change, Commit, Content, FileChange, Hunk

_WRITTEN: Final = re.compile(r"(?P<path>[^\n]{1,1000}?)(?::|#L)L?(?P<first>\d{1,9})(?:-L?(?P<last>\d{1,9}))?")
_MARKUP: Final = re.compile(r"[<>`*\[\\&~|]")
REMOVED: Final = "removed"
"""The note on every place in a file that is gone."""
GAP: Final = "lines removed here"
"""The note on the lines around what a hunk took out of a living file."""
_CONTENTS: Final[Mapping[Content, str]] = {
    Content.BINARY: "binary",
    Content.EMPTY: "empty file",
    Content.SYMLINK: "symbolic link",
    Content.SUBMODULE: "submodule",
    Content.LFS_POINTER: "stored in Git LFS",
    Content.MISSING: "content not available",
}
"""Contents whose lines nobody can point at."""
_CHANGES: Final[Mapping[Change, str]] = {
    Change.RENAMED: "renamed from {old}",
    Change.COPIED: "copied from {old}",
    Change.MODE_CHANGED: "mode changed",
    Change.TYPE_CHANGED: "type changed",
    Change.UNMERGED: "unmerged",
}


@dataclass(frozen=True, slots=True)
class Reference:
    """One place: `range` is "12-30" or "12", valid at the commit `sha`, in full; either is None where there is none."""

    path: str
    range: str | None
    sha: str | None
    note: str | None = None

    def place(self) -> str:
        """The place as it is written beside a claim: "src/db/pool.ts:22-30", or the path alone."""
        return self.path if self.range is None else f"{self.path}:{self.range}"

    def meets(self, other: Reference) -> bool:
        """Whether a written place names this one, or lines of it; paths may be written from any of their folders on."""
        if self.path != other.path and not self.path.endswith(f"/{other.path}"):
            return False
        if self.range is None or other.range is None:
            return self.range == other.range
        own, named = _read(self.range), _read(other.range)
        return own.first <= named.last and named.first <= own.last

    def as_mapping(self) -> dict[str, str]:
        """The reference object of an envelope: the path, and of range, sha and note what there is."""
        rest = {"range": self.range, "sha": self.sha, "note": self.note}
        return {"path": self.path} | {name: value for name, value in rest.items() if value is not None}


def place_of(span: str) -> Reference:
    """The text of a code span as a place: a path, and the lines behind it where there are any."""
    match = _WRITTEN.fullmatch(span)
    if match is None:
        return Reference(span, None, None)
    return Reference(match["path"], match["first"] if match["last"] is None else f"{match['first']}-{match['last']}", None)


class Lines(NamedTuple):
    """The first and the last of some lines, counted from one."""

    first: int
    last: int

    def __str__(self) -> str:
        """As a range is written."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class _Place:
    """A changed file, or one hunk of it, and the commits that have its two sides, where they are known."""

    file: FileChange
    hunk: Hunk | None
    before: str | None
    after: str | None

    def reference(self) -> Reference:
        if self.file.change is Change.DELETED:
            return Reference(self.file.path, self._old_range(), self.before, REMOVED)
        known = Reference(self.file.path, None, self.after, _described(self.file))
        if self.hunk is None or self.file.content is not Content.TEXT:
            return known
        lines, gap = changed_lines(self.hunk)
        return known if lines is None else replace(known, range=str(lines), note=GAP if gap else None)

    def _old_range(self) -> str | None:
        hunk = self.hunk if self.file.content is Content.TEXT else None
        return str(Lines(hunk.old_start, hunk.old_start + hunk.old_lines - 1)) if hunk and hunk.old_lines else None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The reference of every changed file and hunk, by the id of the evidence item."""

    _places: Mapping[str, _Place] = field(repr=False)

    @classmethod
    def of(cls, bundle: Bundle) -> Catalogue:
        """Catalogue what the selected commits, the index or the work tree, and the net change of the selection hold."""
        return cls({(place.hunk or place.file).id: place for place in _places(bundle)})

    def reference(self, item_id: str) -> Reference | None:
        """The place of an F or H id; None for any other id."""
        place = self._places.get(item_id)
        return None if place is None else place.reference()

    def notes(self, items: Iterable[str]) -> frozenset[str]:
        """The notes that the places of some ids have."""
        found = (self.reference(item) for item in items)
        return frozenset(one.note for one in found if one is not None and one.note is not None)

    def places(self) -> Iterator[tuple[str, str]]:
        """Each F and H id, and its place as it is written."""
        return ((item, place.reference().place()) for item, place in self._places.items())

    def references(self, ids: Iterable[str]) -> tuple[Reference, ...]:
        """The places of some ids, in the order of the ids, each once.

        Ranges of one path and sha that touch or overlap are one. A path alone is left out beside a range in it, unless its note
        says more. Ids that have no place are passed over.
        """
        found = dict.fromkeys(place for item in ids if (place := self.reference(item)) is not None)
        return _without_idle(tuple(_merged(found))) if len(found) > 1 else tuple(found)


def changed_lines(hunk: Hunk) -> tuple[Lines | None, bool]:
    """The post-change lines of a hunk without the context at both ends; and whether they only stand around a gap.

    None where the hunk leaves no line to stand on. Of a hunk that was not read it is all that its header names.
    """
    last = hunk.new_start + hunk.new_lines - 1
    signs = [line[:1] for line in (hunk.text or "").split("\n") if line[:1] in {" ", "+", "-"}]
    edits = [place for place, sign in enumerate(signs) if sign != " "]
    if not hunk.new_lines:
        return None, bool(edits)
    if not edits or len(signs) - signs.count("-") != hunk.new_lines:
        return Lines(hunk.new_start, last), False
    first, end = hunk.new_start + edits[0], last - (len(signs) - 1 - edits[-1])
    if "+" in signs:
        return Lines(first, end), False
    return Lines(max(first - 1, hunk.new_start), min(end + 1, last)), True


def _places(bundle: Bundle) -> Iterator[_Place]:
    selection = bundle.selection
    for commit in bundle.commits:
        yield from _of_files(commit.files, _first_parent(commit), commit.oid)
    yield from _of_files(bundle.uncommitted, selection.head, None)
    yield from _of_files(bundle.net or (), selection.base, selection.head)


def _first_parent(commit: Commit) -> str | None:
    return commit.parents[0] if commit.parents else None


def _of_files(files: Iterable[FileChange], before: str | None, after: str | None) -> Iterator[_Place]:
    """The places of files whose path a reference may have: with forward slashes, and in characters that are seen."""
    for file in files:
        if paths.normal(file.path) != file.path:
            continue
        yield _Place(file, None, before, after)
        yield from (_Place(file, hunk, before, after) for hunk in file.hunks)


def _described(file: FileChange) -> str | None:
    """What there is to say of a living file as a whole, its kind of content before its kind of change."""
    change = _CHANGES.get(file.change, "").format(old=_named(file.old_path or "")) or None
    return change if file.hunks and file.content is Content.TEXT else _CONTENTS.get(file.content, change)


def _named(path: str) -> str:
    """A path as words; as code where the words would be markup, such as a placeholder in it."""
    return code(path) if _MARKUP.search(path) else path


def _read(range_: str) -> Lines:
    first, _, last = range_.partition("-")
    return Lines(int(first), int(last or first))


def _merged(found: Collection[Reference]) -> Iterator[Reference]:
    """Each reference, or the one that it became a part of, in the order in which the first part was met."""
    order = {one: place for place, one in enumerate(found)}
    kin: dict[tuple[str, str | None, bool], list[Reference]] = {}
    for one in found:
        kin.setdefault((one.path, one.sha, one.note == REMOVED), []).append(one)
    parted = [parts for group in kin.values() for parts in _touching(group)]
    return map(_joined, sorted(parted, key=lambda parts: min(order[part] for part in parts)))


def _touching(group: list[Reference]) -> Iterator[list[Reference]]:
    """The references of one file at one commit, those together whose lines touch or overlap."""
    yield from ([one] for one in group if one.range is None)
    run: list[Reference] = []
    end = 0
    for (first, last), one in sorted(((_read(one.range), one) for one in group if one.range is not None), key=itemgetter(0)):
        if run and first > end + 1:
            yield run
            run, end = [], 0
        run.append(one)
        end = max(end, last)
    if run:
        yield run


def _joined(parts: list[Reference]) -> Reference:
    """One reference to all the lines; a note stays where it holds for every part."""
    lines = [_read(part.range) for part in parts if part.range is not None]
    if len(parts) == 1 or not lines:
        return parts[0]
    whole = Lines(min(lines).first, max(last for _, last in lines))
    return replace(parts[0], range=str(whole), note=parts[0].note if len({part.note for part in parts}) == 1 else None)


def _without_idle(references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    ranged = {(one.path, one.sha, note) for one in references if one.range is not None for note in (one.note, None)}
    return tuple(one for one in references if one.range is not None or (one.path, one.sha, one.note) not in ranged)
