"""The kinds of citable items: how a piece of evidence says what rules look up in it (Intent Changesets 11.3, 11.4).

Of commits, files and hunks there are many: what these say is read in the evidence itself, and kept nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from guardrails.evidence.leaves import leaves
from guardrails.evidence.model import Answer, Bundle, Commit, ContractResult, Document, ExistingRecord, FileChange, Hunk, Person
from guardrails.grounding.commonplace import described
from guardrails.grounding.items import Item, lately
from guardrails.grounding.reason import gives_reason

TRAILER: Final = re.compile(r"(?P<token>[A-Za-z][A-Za-z0-9-]{0,60}):[ \t]+(?P<value>\S.*)")


def items(bundle: Bundle, trackers: frozenset[str]) -> Iterator[Item]:
    """Every item of a bundle, in order; `trackers` are the prefixes that make an issue key."""
    for commit in (*bundle.commits, *bundle.referenced):
        yield OfCommit(commit.id, trackers, commit)
        yield from _files(commit.files, commit.oid, trackers)
    yield from _files(bundle.uncommitted, "", trackers)
    yield from _files(bundle.net or (), bundle.selection.head or "", trackers)
    yield from (_document(document, trackers) for document in bundle.documents)
    yield from (_contract(contract, trackers) for contract in bundle.contracts)
    yield from (_record(record, trackers) for record in bundle.records)
    yield from (_answer(answer, trackers) for answer in bundle.answers)


@dataclass(frozen=True, slots=True, eq=False)
class Stored(Item):
    """An item of which there are few, put together once."""

    said: str = field(default="", repr=False)
    named: tuple[str, ...] = field(default=(), repr=False)
    placed: tuple[str, ...] = field(default=(), repr=False)
    gives_reasons: bool = False

    @property
    def prose(self) -> str:
        """As it was put together."""
        return self.said

    @property
    def names(self) -> tuple[str, ...]:
        """As they were put together."""
        return self.named

    @property
    def paths(self) -> tuple[str, ...]:
        """As they were put together."""
        return self.placed

    @property
    def reasons(self) -> bool:
        """As it was told."""
        return self.gives_reasons


@dataclass(frozen=True, slots=True, eq=False)
class OfCommit(Item):
    """The message of a commit, and the paths that it changed."""

    commit: Commit = field(repr=False)

    @property
    def prose(self) -> str:
        """The message."""
        return self.commit.message

    @property
    @lately
    def paths(self) -> tuple[str, ...]:
        """Of each changed file the path, and the one that it had before."""
        return tuple(dict.fromkeys(path for file in self.commit.files for path in (file.path, file.old_path) if path))

    @property
    def names(self) -> tuple[str, ...]:
        """Its dates, and who wrote it where that is a machine."""
        commit = self.commit
        return (commit.authored, commit.committed, *_machine(commit.author))

    @property
    def oid(self) -> str:
        """Its own."""
        return self.commit.oid

    @property
    @lately
    def reasons(self) -> bool:
        """Whether the message has a body, or a subject that gives a reason."""
        _, _, body = self.commit.message.strip().partition("\n")
        says_more = any(line.strip() and not TRAILER.fullmatch(line.strip()) for line in body.splitlines())
        return says_more or gives_reason(self.commit.subject)


@dataclass(frozen=True, slots=True, eq=False)
class OfFile(Item):
    """A changed file, with what its hunks hold."""

    file: FileChange = field(repr=False)
    commit: str

    @property
    @lately
    def code(self) -> str:
        """All hunks."""
        return "\n".join(map(_lines, self.file.hunks))

    @property
    def paths(self) -> tuple[str, ...]:
        """The path, and the one that it had before."""
        return tuple(path for path in (self.file.path, self.file.old_path) if path)

    @property
    def oid(self) -> str:
        """That of the commit that changed it; "" where none did."""
        return self.commit

    @property
    def described(self) -> str:
        """What may be said of the file without looking into it."""
        return described(self.file)


@dataclass(frozen=True, slots=True, eq=False)
class OfHunk(Item):
    """One hunk of a changed file."""

    hunk: Hunk = field(repr=False)
    file: OfFile = field(repr=False)

    @property
    def code(self) -> str:
        """Its lines."""
        return _lines(self.hunk)

    @property
    def paths(self) -> tuple[str, ...]:
        """Those of the file."""
        return self.file.paths

    @property
    def oid(self) -> str:
        """That of the file."""
        return self.file.oid

    @property
    def described(self) -> str:
        """As the file."""
        return self.file.described

    @property
    def whole(self) -> str:
        """The file."""
        return self.file.id


def _files(files: tuple[FileChange, ...], oid: str, trackers: frozenset[str]) -> Iterator[Item]:
    for file in files:
        own = OfFile(file.id, trackers, file, oid)
        yield own
        yield from (OfHunk(hunk.id, trackers, hunk, own) for hunk in file.hunks)


def _machine(person: Person) -> tuple[str, ...]:
    """The name of a bot; a person's name is no evidence."""
    return (person.name,) if person.name.endswith("[bot]") else ()


def _lines(hunk: Hunk) -> str:
    """A hunk under its section; where its text was not kept the very section, for there are many."""
    return hunk.section if hunk.text is None else f"{hunk.section}\n{hunk.text}"


def _document(document: Document, trackers: frozenset[str]) -> Item:
    names = (document.key, document.url, document.locator, *document.labels, document.author)
    return Stored(document.id, trackers, f"{document.title}\n\n{document.body}", tuple(filter(None, names)), gives_reasons=True)


def _contract(one: ContractResult, trackers: frozenset[str]) -> Item:
    """What was verified tells how an obligation stands, never why a change was made."""
    return Stored(one.id, trackers, f"{one.title}\n\n{one.body}", (one.contract, one.result, one.locator))


def _record(record: ExistingRecord, trackers: frozenset[str]) -> Item:
    text = record.data.decode(errors="replace")
    return Stored(record.id, trackers, text, placed=(record.path,), gives_reasons=True)


def _answer(answer: Answer, trackers: frozenset[str]) -> Item:
    return Stored(answer.id, trackers, "\n".join(leaves(answer.value)), gives_reasons=True)
