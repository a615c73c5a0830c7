"""From what git printed to evidence: ids, locators, digests, kinds of change and content, text (Intent Changesets 11.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from guardrails import paths
from guardrails.digests import sha256
from guardrails.evidence.commits import RawCommit
from guardrails.evidence.decoding import declared, readable
from guardrails.evidence.diff import NO_MODE, Entry, Patch
from guardrails.evidence.hunks import RawHunk, TextBudget
from guardrails.evidence.model import Change, Commit, Content, FileChange, Hunk, Person
from guardrails.evidence.notes import Notebook

_CHANGES: Final = {
    "A": Change.ADDED,
    "C": Change.COPIED,
    "D": Change.DELETED,
    "M": Change.MODIFIED,
    "R": Change.RENAMED,
    "T": Change.TYPE_CHANGED,
    "U": Change.UNMERGED,
}
_CONTENTS: Final = {"120000": Content.SYMLINK, "160000": Content.SUBMODULE}
_EMPTY_BLOBS: Final = frozenset(
    (
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    )
)
_FROM_ONE: Final[Mapping[str, int]] = MappingProxyType({})


class Builder:
    """Makes evidence in the order of reading and numbers it: C1, F1, H1, …; what it had to read differently goes to `notes`."""

    def __init__(self, notes: Notebook, start: Mapping[str, int] = _FROM_ONE) -> None:
        """Begin at number one, or at the first free number of each id letter that `start` tells."""
        self._notes = notes
        self._commits, self._files, self._hunks = (start.get(letter, 1) - 1 for letter in "CFH")
        self._texts: dict[str, str] = {}
        self._people: dict[Person, Person] = {}

    def commit(self, raw: RawCommit, patches: Iterable[Patch], diff_known: bool = True) -> Commit:
        """The next commit with its changes; `diff_known` is False where nobody could tell them."""
        self._commits += 1
        where = f"git:{raw.oid}"
        message, clean = declared(raw.message, raw.encoding)
        if not clean:
            self._notes.add(
                "undecodable-message", where, f"the message is not {raw.encoding or 'UTF-8'}; other bytes show as \\xNN"
            )
        if not (raw.authored and raw.committed):
            self._notes.add("unreadable-date", where, "the commit has no readable date")
        people = [self._person(*person, raw.encoding) for person in (raw.author, raw.committer)]
        head = "\0".join((raw.oid, *raw.parents, raw.authored, raw.committed, raw.encoding))
        return Commit(
            id=f"C{self._commits}",
            locator=where,
            digest=sha256(b"\0".join((head.encode(), *raw.author, *raw.committer, raw.message))),
            oid=self._same(raw.oid),
            parents=tuple(map(self._same, raw.parents)),
            message=message.rstrip("\n"),
            author=people[0],
            committer=people[1],
            authored=raw.authored,
            committed=raw.committed,
            files=self.files(patches, after=raw.oid, before=raw.parents[0] if raw.parents else None),
            diff_known=diff_known,
        )

    def _same(self, text: str) -> str:
        """One text for all that are equal: paths, modes and the names of objects come again and again in a history."""
        return self._texts.setdefault(text, text)

    def _person(self, name: bytes, address: bytes, encoding: str) -> Person:
        person = Person(declared(name, encoding)[0], declared(address, encoding)[0])
        return self._people.setdefault(person, person)

    def files(self, patches: Iterable[Patch], *, after: str, before: str | None) -> tuple[FileChange, ...]:
        """File changes; `after` and `before` name the two sides in locators (`before` is None where there was nothing)."""
        return tuple(self._file(patch, after, before or after) for patch in patches)

    def _file(self, patch: Patch, after: str, before: str) -> FileChange:
        self._files += 1
        entry = patch.entry
        path = self._same(readable(entry.path))
        old_path = None if entry.old_path is None else self._same(readable(entry.old_path))
        sides = (f"git:{before}:{old_path or path}", f"git:{after}:{path}")
        where = sides[entry.new_mode != NO_MODE]
        self._note_path(entry, where)
        hunks = tuple(self._hunk(hunk, *sides) for hunk in patch.hunks)
        return FileChange(
            id=f"F{self._files}",
            locator=where,
            digest=_digest(patch),
            change=_change(patch),
            content=_content(patch),
            path=path,
            old_path=old_path,
            old_mode=self._same(entry.old_mode),
            new_mode=self._same(entry.new_mode),
            old_object=self._same(entry.old_object),
            new_object=self._same(entry.new_object),
            added=sum(hunk.added for hunk in patch.hunks),
            deleted=sum(hunk.deleted for hunk in patch.hunks),
            hunks=hunks,
        )

    def _note_path(self, entry: Entry, where: str) -> None:
        for path in filter(None, (entry.path, entry.old_path)):
            if not path.isascii() and not declared(path, "utf-8")[1]:
                self._notes.add("undecodable-path", where, "the path is not UTF-8; other bytes show as \\xNN")
            elif paths.normal(text := readable(path)) != text:
                self._notes.add("path-not-citable", where, "the path has characters that no reference may have")

    def _hunk(self, raw: RawHunk, old: str, new: str) -> Hunk:
        self._hunks += 1
        side, start, lines = (new, raw.new_start, raw.new_lines) if raw.new_lines else (old, raw.old_start, raw.old_lines)
        return Hunk(
            id=f"H{self._hunks}",
            locator=f"{side}:{start}" if lines == 1 else f"{side}:{start}-{start + lines - 1}",
            digest=raw.digest,
            old_start=raw.old_start,
            old_lines=raw.old_lines,
            new_start=raw.new_start,
            new_lines=raw.new_lines,
            section=self._same(readable(raw.section)),
            text=None if raw.text is None else readable(raw.text),
        )


def note_budget(texts: TextBudget, notes: Notebook) -> None:
    """Say which texts were let go and why: one note a path, and one in all for the budget."""
    for path, count in texts.generated.items():
        notes.add(
            "generated", readable(path), f"generated, locked or vendored: ranges only, the text of {count} hunks was left out"
        )
    for path, count in texts.beyond_limit.items():
        notes.add("hunk-limit", readable(path), f"{count} hunks are larger than {texts.hunk_limit} bytes: ranges only")
    if texts.beyond_budget:
        hunks, files = sum(texts.beyond_budget.values()), len(texts.beyond_budget)
        notes.add(
            "text-budget", "", f"the text of {hunks} hunks in {files} files was left out: the budget was spent; ranges only"
        )


def _digest(patch: Patch) -> str:
    entry = patch.entry
    head = (entry.status, entry.old_mode, entry.new_mode, entry.old_object, entry.new_object)
    words = (*head, *(hunk.digest for hunk in patch.hunks))
    return sha256(b"\0".join((" ".join(words).encode(), entry.old_path or b"", entry.path)))


def _change(patch: Patch) -> Change:
    entry = patch.entry
    if entry.new_mode == NO_MODE and entry.status != "U":
        return Change.DELETED
    same = entry.old_object == entry.new_object and not patch.hunks and not patch.binary
    if entry.status == "M" and entry.old_mode != entry.new_mode and same:
        return Change.MODE_CHANGED
    letters = set(entry.status)
    return _CHANGES.get(letters.pop(), Change.MODIFIED) if len(letters) == 1 else Change.MODIFIED


def _content(patch: Patch) -> Content:
    entry = patch.entry
    deleted = entry.new_mode == NO_MODE
    mode, oid = (entry.old_mode, entry.old_object) if deleted else (entry.new_mode, entry.new_object)
    if mode in _CONTENTS:
        return _CONTENTS[mode]
    known = (
        (patch.missing, Content.MISSING),
        (oid in _EMPTY_BLOBS, Content.EMPTY),
        (patch.binary, Content.BINARY),
        (patch.lfs_pointer, Content.LFS_POINTER),
    )
    return next((content for holds, content in known if holds), Content.TEXT)
