"""What a forge tells of one operation, as evidence with ids (Describe Changes: degraded output; Intent Changesets 11.1).

The text of a request, an issue and a review is data like any other. What an earlier run of ours wrote into it is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
from typing import Final, NamedTuple

from agent.render import own_section
from agent.sources.history import HUNK_LIMIT, TEXT_BUDGET
from agent.sources.shapes import Facts
from guardrails.digests import digest_of
from guardrails.evidence.building import Builder, note_budget
from guardrails.evidence.commits import RawCommit
from guardrails.evidence.diff import Patch
from guardrails.evidence.hunks import TextBudget
from guardrails.evidence.model import Commit, Document, DocumentKind, FileChange, Note, Operation
from guardrails.evidence.notes import Notebook

FROM_ONE: Final[Mapping[str, int]] = MappingProxyType({})
MAX_THREADS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Told:
    """One operation as a forge tells it; `base` and `head` are full object names, None where they are not told.

    `documents` are the request, then the issues that are tied to it, then its reviews, a thread each. `commits` have no files.
    `files` is the change as one diff, valid at `head`, None where the forge told no file's data. `target` is the branch that a
    request is made to, "" for none.
    """

    operation: Operation
    base: str | None
    head: str | None
    since_fork: bool
    """Whether the change begins where `head` left `base`, and `base` itself may have moved on (git's three dots)."""
    target: str = field(repr=False, default="")
    documents: tuple[Document, ...] = ()
    commits: tuple[Commit, ...] = ()
    files: tuple[FileChange, ...] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def operand(self) -> str | None:
        """The same range in git's words; None where an end of it is not told."""
        return f"{self.base}{'...' if self.since_fork else '..'}{self.head}" if self.base and self.head else None

    @property
    def before(self) -> str | None:
        """The commit that `files` are compared with; None where it is not told."""
        return None if self.since_fork else self.base


class Thread(NamedTuple):
    """What was said in one place under a request, oldest first; `place` is the path that it is about, "" for the whole."""

    url: str
    place: str
    bodies: tuple[str, ...]
    author: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One payload while it is read: how it is called, what is left out, and how much text may still be kept."""

    where: str
    notes: Notebook = field(default_factory=Notebook)
    texts: TextBudget = field(default_factory=lambda: TextBudget(HUNK_LIMIT, TEXT_BUDGET))

    def note_names(self, files: int) -> None:
        """Note that so many files are told by their names only."""
        if files:
            self.notes.add("forge-names-only", "", f"files told by their names only, which is no diff: {files}")

    def note_fewer(self, what: str, told: int, total: int) -> None:
        """Note that the forge counts more of something than it tells."""
        if told < total:
            self.notes.add("forge-cut-off", "", f"the forge counts {total} {what} and tells {told}")


@dataclass(frozen=True, slots=True)
class Telling:
    """What a payload says, before it is numbered. `merge_base` is where the files of `patches` are compared with, if known."""

    operation: Operation
    base: str | None = None
    head: str | None = None
    since_fork: bool = False
    target: str = ""
    request: Facts | None = None
    issues: tuple[Facts, ...] = ()
    threads: tuple[Thread, ...] = ()
    commits: tuple[RawCommit, ...] = ()
    patches: tuple[Patch, ...] | None = None


def numbered(telling: Telling, reading: Reading, start: Mapping[str, int] = FROM_ONE) -> Told:
    """The evidence that a payload holds; `start` tells the first free number of each id letter, one where it does not."""
    builder = Builder(reading.notes, start)
    commits = tuple(builder.commit(raw, (), diff_known=False) for raw in telling.commits)
    files = _files(telling, builder, reading.notes)
    documents = tuple(_documents(telling, reading, start))
    note_budget(reading.texts, reading.notes)
    return Told(
        telling.operation,
        telling.base,
        telling.head,
        telling.since_fork,
        telling.target,
        documents,
        commits,
        files,
        reading.notes.notes(),
    )


def _files(telling: Telling, builder: Builder, notes: Notebook) -> tuple[FileChange, ...] | None:
    if telling.patches is None:
        return None
    if telling.head is None:
        notes.add("forge-names-only", "", "the patches are left out: nothing tells the commit at which their lines are right")
        return None
    return builder.files(telling.patches, after=telling.head, before=None if telling.since_fork else telling.base)


def _documents(telling: Telling, reading: Reading, start: Mapping[str, int]) -> Iterator[Document]:
    numbers = {kind.value: count(start.get(kind.value, 1)) for kind in DocumentKind}
    for facts in (*filter(None, (telling.request,)), *telling.issues, *_reviews(telling.threads, reading.notes)):
        letter = facts.kind.value
        name = f"{letter}{next(numbers[letter])}"
        yield Document(name, facts.url or f"file:{reading.where}#{name}", digest_of([letter, *facts[1:]]), *facts)


def _reviews(threads: tuple[Thread, ...], notes: Notebook) -> Iterator[Facts]:
    """Each thread in which somebody said something, the bodies one below the other."""
    told = 0
    for thread in threads:
        bodies = [said.strip() for body in thread.bodies if (said := own_section.without(body)).strip()]
        if not bodies:
            continue
        told += 1
        if told <= MAX_THREADS:
            yield Facts(DocumentKind.REVIEW, "", thread.url, thread.place, "\n\n".join(bodies), author=thread.author)
    if told > MAX_THREADS:
        notes.add("forge-cut-off", "", f"the forge tells {told} threads; the first {MAX_THREADS} were read")
