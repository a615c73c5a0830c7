"""Disclosure: changesets that are not public, and all that is tied to them, stay inside (Intent Changesets 6.9, 11.7, 12).

A record that is not public withholds itself; the commits that link or name it, with their files, and the merges that brought
them in; what names its provenance keys, or a document or commit that is withheld; all of a request that is described and is
withheld, or of a selection or branch that is called after it; changes to its own file in any commit, and to the ledger that
has it as an entry; documents that a withheld commit touched; and the lines of withheld changes, wherever else they stand.
What is left keeps no gap in its numbers. Time changes nothing: only the `disclosure.state` of every version in the evidence
does. A record that cannot be read is withheld, and closed over in the same way unless it plainly says `state: public`. In a
staged or work-tree selection no trailer can tell what belongs to a record, so a change to such a record withholds the whole
selection. Where anything is withheld the net change of the selection is dropped. The selection's own base and head stay as
they are: they say what was asked for, and the person who asked knows them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from guardrails.evidence.leaves import leaves
from guardrails.evidence.model import (
    Bundle,
    Commit,
    ContractResult,
    Document,
    DocumentKind,
    ExistingRecord,
    FileChange,
    Hunk,
    OperationType,
)
from guardrails.records import changeset
from guardrails.records.entries import LEDGER
from guardrails.redaction.merges import brought_in
from guardrails.redaction.naming import Names
from guardrails.redaction.renumbering import renumbered
from guardrails.redaction.withheld_lines import WithheldLines

UNREADABLE: Final = "unreadable"
_PROSE_STATE: Final = re.compile(
    r"^[+\- ]?[ \t]*[\"']?state[\"']?[ \t]*:[ \t]*[\"']?(embargoed|redacted)\b", re.IGNORECASE | re.MULTILINE
)
_RECORD_MARK: Final = re.compile(r"intent-change(?:set|log)", re.IGNORECASE)
_OWN_KINDS: Final = frozenset({"changesets", "commits"})
"""Kinds of provenance that name records and commits rather than keys which people cite in prose."""
_PROSE_PUBLIC: Final = re.compile(r"^[ \t{,]*[\"']?state[\"']?[ \t]*:[ \t]*[\"']?public\b", re.MULTILINE)
_PROSE_CLOSED: Final = re.compile(r"embargo|redacted", re.IGNORECASE)
_PROSE_ID: Final = re.compile(r"^[+\- ]?[ \t]*(?:-[ \t]+)?[\"']?id[\"']?[ \t]*:[ \t]*[\"']?([A-Za-z0-9][\w.\-]*)", re.MULTILINE)
_PROSE_KEYS: Final = re.compile(r"\b[A-Z][A-Z0-9]{1,19}-[0-9]{1,9}\b|https?://[^\s\"'<>,\]]{4,300}")


@dataclass(frozen=True, slots=True)
class Withheld:
    """A counted, content-free mark of something that disclosure took out: kind of item and why, never its text."""

    kind: str
    """`record`, `commit`, `hunk`, `file`, `document`, `answer`."""
    state: str
    """`embargoed`, `redacted` or `unreadable`."""
    placeholder: str | None = None


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What may pass, marks of what may not, and the names that must not appear anywhere."""

    bundle: Bundle
    withheld: tuple[Withheld, ...]
    names: Names


def disclose(bundle: Bundle, open_to: frozenset[str] = frozenset()) -> Disclosed:
    """Withhold from `bundle` all that its records do not make public. Monotone: it only takes away.

    `open_to` are the disclosure policies whose records the client may see, standing inside their boundary. A record that names
    no policy is open to nobody.
    """
    names, tied = Names(), dict[str, str]()
    closed = {id(record): mark for record in bundle.records if (mark := _classify(record, names, tied, open_to)) is not None}
    paths = {record.path: closed[id(record)].state for record in bundle.records if id(record) in closed}
    opened = {record.path for record in bundle.records} - paths.keys() if open_to else frozenset[str]()
    ledgers = frozenset(record.path for record in bundle.records if record.where == LEDGER)
    for path, state in _undeclared(bundle, names, opened | ledgers):
        paths.setdefault(path, state)
    if not closed and not paths:
        return Disclosed(bundle, (), names)
    names.learn("embargoed", keys=(path for path in paths.keys() - ledgers if "/" in path))
    commits = _close_over(bundle, names, tied)
    return _Withholding(bundle, names, paths, closed, commits).run()


def _classify(record: ExistingRecord, names: Names, tied: dict[str, str], open_to: frozenset[str]) -> Withheld | None:
    """The mark of a record that is not public, whose names are learnt; None for a public or opened one.

    `tied` are the commits that such records name as theirs, with the state.
    """
    read = changeset.read(record.data)
    if isinstance(read, changeset.Changeset):
        if read.disclosure.is_public or read.disclosure.policy in open_to:
            return None
        redacted = read.disclosure.state == "redacted"
        state = "redacted" if redacted else "embargoed"
        provenance = {kind: references for kind, references in read.provenance.items() if kind not in _OWN_KINDS}
        names.learn(state, ids=(read.id, *read.provenance.get("changesets", ())), keys=chain.from_iterable(provenance.values()))
        tied |= dict.fromkeys((name.lower() for name in read.provenance.get("commits", ())), state)
        return Withheld("record", state, read.disclosure.placeholder if redacted else None)
    text = record.data.decode(errors="replace")
    if not _PROSE_PUBLIC.search(text) or _PROSE_CLOSED.search(text):
        names.learn(UNREADABLE, ids=_ids(record.path, text), keys=_PROSE_KEYS.findall(text))
    return Withheld("record", UNREADABLE)


def _undeclared(bundle: Bundle, names: Names, judged: Collection[str]) -> Iterator[tuple[str, str]]:
    """Paths whose change shows a record that is not public, though no source declared it a record; `judged` ones are known."""
    for file in _all_files(bundle):
        for hunk in file.hunks if file.path not in judged else ():
            if hunk.text and _RECORD_MARK.search(hunk.text) and (match := _PROSE_STATE.search(hunk.text)):
                names.learn(match[1].lower(), ids=_ids(file.path, hunk.text))
                yield file.path, match[1].lower()


def _ids(path: str, text: str) -> list[str]:
    """Identifiers that a record which could not be read may have: what it says, and its file's name."""
    return [*_PROSE_ID.findall(text), path.rsplit("/", 1)[-1].rsplit(".", 1)[0]]


def _all_files(bundle: Bundle) -> Iterator[FileChange]:
    yield from bundle.files()
    yield from bundle.net or ()
    for commit in bundle.referenced:
        yield from commit.files


def _close_over(bundle: Bundle, names: Names, tied: Mapping[str, str]) -> dict[str, str]:
    """Learn the names of documents and commits that are tied to what is withheld, until there are no more.

    Returns the state of each withheld commit by its object name.
    """
    endpoints = {bundle.selection.base, bundle.selection.head}
    brought = brought_in(bundle.commits)
    known = {commit.oid for commit in (*bundle.commits, *bundle.referenced)}
    gone = {oid: state for oid, state in tied.items() if oid in known}
    size = -1
    while size != len(names) + len(gone):
        size = len(names) + len(gone)
        for document in bundle.documents:
            if state := names.state_in(*_texts(document)):
                names.learn(state, keys=(key for key in (document.key, document.url) if key))
        gone |= dict.fromkeys((commit.oid for commit in bundle.commits), state) if (state := _whole(bundle, names)) else {}
        for commit in (*bundle.commits, *bundle.referenced):
            side = (gone[oid] for oid in brought.get(commit.oid, ()) if oid in gone)
            if state := gone.get(commit.oid) or names.state_linked(commit.message) or next(side, None):
                gone[commit.oid] = state
                if commit.oid not in endpoints:
                    names.learn(state, objects=(commit.oid,))
    return gone


def _texts(document: Document) -> tuple[str, ...]:
    return (document.key, document.url, document.title, document.body, *document.labels, *document.closes)


def _whole(bundle: Bundle, names: Names) -> str | None:
    """The state of what withholds the selection as a whole: its own words, its branch, or the request that it is."""
    operation = bundle.operation
    is_request = operation is not None and operation.type is OperationType.PULL_REQUEST
    request = next((one for one in bundle.documents if is_request and one.kind is DocumentKind.PULL_REQUEST), None)
    branch = operation.branch if operation is not None else ""
    return names.state_in(bundle.selection.spec, branch, *(_texts(request) if request is not None else ()))


class _Withholding:
    """One run over a bundle: keeps what may pass, marks the rest."""

    def __init__(
        self, bundle: Bundle, names: Names, paths: dict[str, str], closed: dict[int, Withheld], commits: dict[str, str]
    ) -> None:
        self._bundle = bundle
        self._names = names
        self._paths = paths
        self._closed = closed
        self._withheld = commits
        self._whole = _whole(bundle, names)
        self._ledgers = frozenset(record.path for record in bundle.records if record.where == LEDGER)
        self._marks: list[Withheld] = []
        self._gone: dict[str, str] = {}
        self._lines = WithheldLines()

    def run(self) -> Disclosed:
        bundle = self._bundle
        kept = replace(
            bundle,
            net=None,  # one diff over all would hold the lines of what is withheld
            records=tuple(record for record in bundle.records if self._keeps_record(record)),
            commits=self._commits(bundle.commits),
            referenced=self._commits(bundle.referenced),
            uncommitted=self._uncommitted(bundle.uncommitted),
            documents=tuple(document for document in bundle.documents if self._keeps_document(document)),
            contracts=self._contracts(bundle.contracts),
            answers=tuple(answer for answer in bundle.answers if self._passes("answer", answer.path, *leaves(answer.value))),
        )
        left = {path for file in _all_files(kept) for path in (file.path, file.old_path) if path}
        for path, state in self._gone.items():
            if path not in left | self._ledgers and ("/" in path or "." in path):
                self._names.learn(state, keys=(path,))
        notes = tuple(note for note in bundle.notes if not self._names.state_in(note.where, note.message))
        kept = self._lines.masked(replace(kept, notes=notes))
        return Disclosed(renumbered(kept), tuple(self._marks), self._names)

    def _passes(self, kind: str, *texts: str) -> bool:
        state = self._names.state_in(*texts)
        if state:
            self._marks.append(Withheld(kind, state))
        return state is None

    def _keeps_record(self, record: ExistingRecord) -> bool:
        if mark := self._closed.get(id(record)):
            self._marks.append(mark)
            return False
        return self._passes("record", record.path, record.data.decode(errors="replace"))

    def _keeps_document(self, document: Document) -> bool:
        """Also one that lies in the repository passes only if no withheld change touched it; none where all is withheld."""
        if state := self._whole or self._gone.get(document.locator.removeprefix("file:")):
            self._marks.append(Withheld("document", state))
            return False
        return self._passes("document", *_texts(document))

    def _contracts(self, contracts: tuple[ContractResult, ...]) -> tuple[ContractResult, ...]:
        """Those that name nothing withheld; none where all is withheld."""
        if self._whole and contracts:
            self._marks.append(Withheld("contract", self._whole))
            return ()
        return tuple(one for one in contracts if self._passes("contract", one.locator, one.title, one.body))

    def _commits(self, commits: tuple[Commit, ...]) -> tuple[Commit, ...]:
        kept = []
        for commit in commits:
            if state := self._withheld.get(commit.oid):
                self._marks.append(Withheld("commit", state))
                self._lose(commit.files, state)
                continue
            parents = tuple(parent for parent in commit.parents if parent not in self._names.objects)
            kept.append(replace(commit, parents=parents, files=self._files(commit.files)))
        return tuple(kept)

    def _uncommitted(self, files: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        touched = next((state for file in files if (state := self._own_state(file))), None)
        if touched is None:
            return self._files(files)
        self._marks += [Withheld("file", touched)] * len(files)
        self._lose(files, touched)
        return ()

    def _files(self, files: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        kept = []
        for file in files:
            state = self._own_state(file) or self._names.state_in(file.path, file.old_path or "")
            if state:
                self._marks.append(Withheld("file", state))
                self._lose((file,), state)
            else:
                kept.append(self._file(file))
        return tuple(kept)

    def _file(self, file: FileChange) -> FileChange:
        hunks = tuple(hunk for hunk in file.hunks if self._passes("hunk", hunk.section, hunk.text or ""))
        if len(hunks) == len(file.hunks):
            return file
        passed = {hunk.id for hunk in hunks}
        lost = [hunk for hunk in file.hunks if hunk.id not in passed]
        self._lines.learn(file, lost)
        return replace(file, hunks=hunks, added=file.added - _signed(lost, "+"), deleted=file.deleted - _signed(lost, "-"))

    def _own_state(self, file: FileChange) -> str | None:
        return self._paths.get(file.path) or self._paths.get(file.old_path or "")

    def _lose(self, files: Iterable[FileChange], state: str) -> None:
        for file in files:
            for path in (file.path, file.old_path):
                if path:
                    self._gone.setdefault(path, state)
            if self._own_state(file) is None:  # what records look like is known to everyone
                self._lines.learn(file, file.hunks)


def _signed(hunks: Iterable[Hunk], sign: str) -> int:
    return sum(line.startswith(sign) for hunk in hunks for line in (hunk.text or "").split("\n"))
