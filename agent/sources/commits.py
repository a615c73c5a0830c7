"""Commits with their changes, as one git process tells them; one by one where objects are missing (Intent Changesets 11.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from agent.sources.git import Repository
from guardrails.evidence.commits import FORMAT, RawCommit, read_commit
from guardrails.evidence.decoding import readable
from guardrails.evidence.diff import Entry, Patch, read_entries, read_patches
from guardrails.evidence.hunks import TextBudget
from guardrails.evidence.notes import Notebook
from guardrails.evidence.tape import MalformedDiff, Tape


class Read(NamedTuple):
    """A commit as git told it, and its patches; `diff_known` is False where git could not tell what it changed."""

    commit: RawCommit
    patches: tuple[Patch, ...]
    diff_known: bool = True


RENAME_LIMIT: Final = 1000
_DIFF: Final = (
    *("--raw", "-z", "--full-index", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative"),
    *("--find-renames=50%", "--find-copies=50%", f"-l{RENAME_LIMIT}", "-O/dev/null", "--diff-algorithm=myers"),
    *("--inter-hunk-context=0", "--no-function-context", "--indent-heuristic", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--ws-error-highlight=none", "--no-color-moved"),
)
"""Everything that a configuration could change about a diff, said outright."""
AS_PATCH: Final = (*_DIFF, "--patch", "--unified=3")
_LOG: Final = ("log", "-z", "--no-walk=unsorted", "--stdin", f"--format={FORMAT}", "--encoding=UTF-8", "--no-mailmap")
_PATCH: Final = (*_LOG, *AS_PATCH, "--ignore-submodules=none", "--cc")
_RAW: Final = (*_LOG, *_DIFF, "--ignore-submodules=none", "--no-renames", "-c")
_HEAD: Final = (*_LOG, "--no-patch")
_NET: Final = ("diff", *AS_PATCH, "--ignore-submodules=none")


def read_commits(repository: Repository, oids: Sequence[str], texts: TextBudget, notes: Notebook) -> Iterator[Read]:
    """Each commit of `oids`, in that order, with its patches; of a merge only what it changed against all its parents.

    A commit at the boundary of a shallow repository is told without changes, with a note. Missing objects are noted, and the
    reading goes on.
    """
    for cut_off, group in groupby(oids, repository.shallow.__contains__):
        if cut_off:
            yield from _cut_off(repository, tuple(group), notes)
        else:
            yield from _all(repository, tuple(group), texts, notes)


def read_net(repository: Repository, base: str, head: str, texts: TextBudget, notes: Notebook) -> tuple[Patch, ...] | None:
    """What changes from `base` to `head` as one diff; None, with a note, where git cannot tell it."""
    with repository.objects.running(*_NET, base, head, "--", lines=()) as running:
        try:
            tape = Tape(running.out)
            patches = tuple(read_patches(tape, read_entries(tape), texts))
        except MalformedDiff:
            patches = None
        if patches is not None and running.succeeded():
            return patches
    notes.add("net-unknown", f"git:{head}", "the change from base to head cannot be told as one: an object is missing")
    return None


def _cut_off(repository: Repository, oids: tuple[str, ...], notes: Notebook) -> Iterator[Read]:
    cure = repository.fetching("HEAD")
    for oid in oids:
        notes.add("shallow", f"git:{oid}", f"history is cut off below this commit, so what it changed cannot be told; {cure}")
        if head := _head(repository, oid, notes):
            yield head


def _all(repository: Repository, oids: tuple[str, ...], texts: TextBudget, notes: Notebook) -> Iterator[Read]:
    done = 0
    while done < len(oids):
        for read in _streamed(repository, oids[done:], texts):
            _note_renames(read, notes)
            yield read
            done += 1
        if done < len(oids):
            yield from _one_by_one(repository, oids[done], texts, notes)
            done += 1


def _streamed(repository: Repository, oids: tuple[str, ...], texts: TextBudget) -> Iterator[Read]:
    """Commits as long as git goes on. One counts as read when the next has begun: git may break off between two patches."""
    held: Read | None = None
    with repository.objects.running(*_PATCH, lines=[oid.encode() for oid in oids]) as running:
        try:
            for read in _told(Tape(running.out), texts):
                if held:
                    yield held
                held = read
        except MalformedDiff:
            return
        if held and running.succeeded():
            yield held


def _told(tape: Tape, texts: TextBudget) -> Iterator[Read]:
    while commit := read_commit(tape):
        patches = tuple(read_patches(tape, read_entries(tape), texts))
        yield Read(commit, tuple(patch for patch in patches if patch.announced or patch.entry.parents == 1))


def _one_by_one(repository: Repository, oid: str, texts: TextBudget, notes: Notebook) -> Iterator[Read]:
    """One commit whose objects are not all there: what can be read of it, the rest noted."""
    where = f"git:{oid}"
    raw = _first(repository, _RAW, oid)
    if raw is None:
        if head := _head(repository, oid, notes):
            notes.add("missing-object", where, "what the commit changed cannot be read: a tree is missing or broken")
            yield head
        return
    entries = tuple(patch.entry for patch in raw.patches)
    present = _present(repository, raw.commit, entries)
    patches = _patches_of(repository, oid, present, texts)
    if patches is None:
        present, patches = frozenset(), {}
    told: list[Patch] = []
    for entry in entries:
        if entry.path in patches:
            told.append(patches[entry.path])
        elif entry.path not in present:
            at = f"{where}:{readable(entry.path)}"
            notes.add("missing-object", at, "the content cannot be read from this repository: no ranges, no text")
            told.append(Patch(entry, announced=False, missing=True))
    yield Read(raw.commit, tuple(told))


def _head(repository: Repository, oid: str, notes: Notebook) -> Read | None:
    """One commit without its changes, if git can tell it; noted when not."""
    head = _first(repository, _HEAD, oid)
    if head is None:
        notes.add("missing-object", f"git:{oid}", "the commit cannot be read: it is missing or broken")
    return head._replace(diff_known=False) if head else None


def _first(repository: Repository, command: tuple[str, ...], oid: str) -> Read | None:
    """One commit with its raw entries only, if git can tell it."""
    with repository.objects.running(*command, lines=[oid.encode()]) as running:
        tape = Tape(running.out)
        try:
            commit = read_commit(tape)
            entries = read_entries(tape)
        except MalformedDiff:
            return None
        return Read(commit, tuple(map(Patch, entries))) if commit and running.succeeded() else None


def _present(repository: Repository, commit: RawCommit, entries: tuple[Entry, ...]) -> frozenset[bytes]:
    """The paths whose blobs are there on both sides. A path with a newline cannot be named to git here: it counts as absent."""
    named = {entry.path: {entry.old_object, entry.new_object} for entry in entries if b"\n" not in entry.path}
    trees = [f"{oid}^{{tree}}".encode() for oid in (commit.oid, *commit.parents)]
    told = repository.objects.ask(
        *("rev-list", "--no-walk", "--objects", "--missing=print", "--stdin"), given=b"\n".join((*trees, b"--", *sorted(named)))
    )
    missing = {line[1:].decode() for line in told.out.splitlines() if line.startswith(b"?")}
    return frozenset(path for path, objects in named.items() if missing.isdisjoint(objects))


def _patches_of(repository: Repository, oid: str, paths: frozenset[bytes], texts: TextBudget) -> dict[bytes, Patch] | None:
    """The patches of some paths of a commit; None when git fails."""
    if not paths:
        return {}
    with repository.objects.running(*_PATCH, "--no-renames", lines=[oid.encode(), b"--", *sorted(paths)]) as running:
        try:
            told = tuple(_told(Tape(running.out), texts))
        except MalformedDiff:
            return None
        return {patch.entry.path: patch for read in told for patch in read.patches} if running.succeeded() else None


def _note_renames(read: Read, notes: Notebook) -> None:
    added = sum(patch.entry.status == "A" for patch in read.patches)
    deleted = sum(patch.entry.status == "D" for patch in read.patches)
    if added * deleted > RENAME_LIMIT**2:
        where = f"git:{read.commit.oid}"
        notes.add("rename-limit", where, "too many files came and went: renames may show as deleted and added")
