r"""The evidence bundle: immutable items with an id, a locator and a digest of the exact bytes.

Ids: `C1` commit, `F1` file change, `H1` hunk, `P1` pull request, `I1` issue, `D1` decision or other document,
`V1` result of a change contract, `S1` existing record, `A1` a person's answer. Sources number them in the order of
collecting, oldest commit first.
Bytes that are no text in the declared encoding are shown as `\xNN`; paths always use forward slashes.
Intent Changesets 11 (1, 2 and the evidence revision).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeAlias, final


class SelectionKind(StrEnum):
    """What a person selected."""

    RANGE = "range"
    COMMIT = "commit"
    STAGED = "staged"
    WORK_TREE = "work-tree"


@dataclass(frozen=True, slots=True)
class Selection:
    """The exact selected changes: `spec` as the person wrote it; `base` and `head` are full object names.

    `base` is None for a root commit's whole content; `head` is None for staged and work-tree changes on an
    unborn branch, otherwise the commit that they stand on.
    """

    kind: SelectionKind
    spec: str
    base: str | None
    head: str | None


class OperationType(StrEnum):
    """What an envelope describes (Describe Changes)."""

    COMMIT = "commit"
    PULL_REQUEST = "pull_request"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Operation:
    """The one operation that is described: `id` is an object name, the number of a request, or a range as it was written.

    `repository` is "owner/name", "" when nothing names it. `branch` is where a request comes from or a push went to: what is
    withheld may be named there and nowhere else. `unit` is the one release unit that is described ("U" or "U@stream"), "" for
    all that was selected.
    """

    type: OperationType
    id: str = field(repr=False)
    repository: str = field(repr=False)
    branch: str = field(repr=False, default="")
    unit: str = ""


class Change(StrEnum):
    """What happened to a path."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"
    TYPE_CHANGED = "type-changed"
    MODE_CHANGED = "mode-changed"
    UNMERGED = "unmerged"


class Content(StrEnum):
    """What a path holds after the change (before it, when deleted)."""

    TEXT = "text"
    BINARY = "binary"
    EMPTY = "empty"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    LFS_POINTER = "lfs-pointer"
    MISSING = "missing"
    """The object is not in this repository (partial clone, corruption)."""


@dataclass(frozen=True, slots=True)
class Person:
    """A name and an address as git has them; the redactor drops or aliases both by default."""

    name: str = field(repr=False)
    email: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Hunk:
    r"""One hunk of a text change; starts are 1-based, lengths in lines, as in `@@ -old +new @@`.

    `text` holds the hunk's lines with their signs (` `, `+`, `-`, `\`), or None when it was not read (see notes).
    """

    id: str
    locator: str
    digest: str
    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    section: str = field(repr=False)
    text: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path that a commit (or the index, or the work tree) changed. Modes are octal texts, object names full."""

    id: str
    locator: str
    digest: str
    change: Change
    content: Content
    path: str = field(repr=False)
    old_path: str | None = field(repr=False)
    old_mode: str
    new_mode: str
    old_object: str
    new_object: str
    added: int
    deleted: int
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: the message as text, dates as ISO 8601 with offset, files against its first parent.

    For a merge, `files` holds only what the merge itself changed against all its parents. Where `diff_known` is False nobody
    could tell what the commit changed (cut off, missing, told by a forge without its files), and `files` is empty.
    """

    id: str
    locator: str
    digest: str
    oid: str
    parents: tuple[str, ...]
    message: str = field(repr=False)
    author: Person
    committer: Person
    authored: str
    committed: str
    files: tuple[FileChange, ...]
    diff_known: bool = True

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.split("\n", 1)[0]


class DocumentKind(StrEnum):
    """What an extra piece of evidence is; the value is its id letter."""

    PULL_REQUEST = "P"
    ISSUE = "I"
    DECISION = "D"
    REVIEW = "R"
    """A thread of review comments, or the discussion under a request."""

    @property
    def word(self) -> str:
        """As people call it."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Document:
    """A pull request, an issue, or a decision (ADR, incident, advisory, any other text) from a file or a forge.

    `key` is how people cite it ("#12", "DEVELOP-219", "ADR-0042"), `url` its address; both "" when unknown. `closes` are the
    keys of the issues that a forge itself ties to a request ("#7", "acme/other#7").
    """

    id: str
    locator: str
    digest: str
    kind: DocumentKind
    key: str = field(repr=False)
    url: str = field(repr=False)
    title: str = field(repr=False)
    body: str = field(repr=False)
    labels: tuple[str, ...] = field(repr=False, default=())
    author: str = field(repr=False, default="")
    closes: tuple[str, ...] = field(repr=False, default=())


@dataclass(frozen=True, slots=True)
class ContractResult:
    """What verifying a change contract said of exactly what is selected: the verdict, or one result that is not PASS.

    `status` are the statuses that it has, ("PASS",) or some of INCOMPLETE, DRIFT and UNKNOWN; `contract` and `result` are the
    digests of the contract that decided and of the whole verification; `has_run` says that tests ran and passed. `title` and
    `body` hold what others wrote: ids of clauses, paths, texts of claims.
    """

    id: str
    locator: str
    digest: str
    contract: str
    result: str
    status: tuple[str, ...]
    is_verdict: bool
    has_run: bool
    title: str = field(repr=False)
    body: str = field(repr=False)

    @property
    def is_kept(self) -> bool:
        """Whether it says that everything is kept."""
        return self.status == ("PASS",)


@dataclass(frozen=True, slots=True)
class ExistingRecord:
    """A changeset file that exists in the pending or archive directory, or on either side of a change to one.

    `where` is "pending" or "archive"; `data` the exact bytes, cut where they are more than any record may have. An entry of a
    ledger is one too, written as the changeset that it would have come of (`where` is "ledger", `path` that of the ledger).
    """

    id: str
    locator: str
    digest: str
    where: str
    path: str = field(repr=False)
    data: bytes = field(repr=False)


AnswerValue: TypeAlias = "str | int | float | bool | list[AnswerValue] | dict[str, AnswerValue] | None"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said for the field at `path`. `accepted` marks a suggestion that a person took over."""

    id: str
    locator: str
    digest: str
    path: str
    value: AnswerValue = field(repr=False)
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was left out, could not be read, or was read differently, and why. `code` is kebab-case."""

    code: str
    where: str = field(repr=False)
    message: str


@dataclass(frozen=True, slots=True)
class ProfileSource:
    """Where the active profile was read and the digest of its exact bytes (Intent Changesets 11.2)."""

    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """All evidence of one run. `repository` is the profile's URI, "" without a profile.

    `commits` are the selected ones, oldest first; `referenced` are commits outside the selection that a selected one
    names (a reverted one). `uncommitted` holds the files of a staged or work-tree selection. `net` is what the selection
    changes from its base to its head as one diff, None where nobody asked for it or could tell it.
    """

    selection: Selection
    repository: str
    profile: ProfileSource | None
    commits: tuple[Commit, ...] = ()
    uncommitted: tuple[FileChange, ...] = ()
    net: tuple[FileChange, ...] | None = None
    referenced: tuple[Commit, ...] = ()
    documents: tuple[Document, ...] = ()
    contracts: tuple[ContractResult, ...] = ()
    records: tuple[ExistingRecord, ...] = ()
    answers: tuple[Answer, ...] = ()
    notes: tuple[Note, ...] = ()
    operation: Operation | None = None

    def files(self) -> Iterator[FileChange]:
        """Every file change of the selection's parts, in order; `net` tells the same changes as one."""
        for commit in self.commits:
            yield from commit.files
        yield from self.uncommitted


@final
class Evidence:
    """A sealed raw bundle: it shows counts only, and `guardrails.redaction.redact` alone may open it."""

    __slots__ = ("_bundle",)

    def __init__(self, bundle: Bundle) -> None:
        """Seal what a source collected."""
        self._bundle: Final = bundle

    def __repr__(self) -> str:
        """Counts, never content."""
        bundle = self._bundle
        return (
            f"Evidence(commits={len(bundle.commits)}, uncommitted={len(bundle.uncommitted)}, "
            f"documents={len(bundle.documents)}, records={len(bundle.records)}, answers={len(bundle.answers)})"
        )

    def __reduce__(self) -> str:
        """Refuse pickling: raw evidence never reaches a disk or another process."""
        raise TypeError("raw evidence cannot be serialised")

    @property
    def selection(self) -> Selection:
        """What was selected; object names and the person's own words only."""
        return self._bundle.selection

    @property
    def operation(self) -> Operation | None:
        """What is described; the person's own words, an object name or a number only."""
        return self._bundle.operation

    def answered(self, answers: tuple[Answer, ...]) -> Evidence:
        """The same evidence, still sealed, with these answers of a person in place of the earlier ones."""
        return Evidence(replace(self._bundle, answers=answers))

    def open(self) -> Bundle:
        """The raw bundle: for the redactor alone (tests/test_architecture.py holds this)."""
        return self._bundle
