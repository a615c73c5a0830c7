"""The items of a bundle: everything that has an id, walked in one order and changed alike (Intent Changesets 11.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol, TypeAlias, TypeVar

from guardrails.evidence.model import Answer, Bundle, Commit, ContractResult, Document, ExistingRecord, FileChange, Hunk

Item: TypeAlias = Commit | FileChange | Hunk | Document | ContractResult | ExistingRecord | Answer
ItemT = TypeVar("ItemT", Commit, FileChange, Hunk, Document, ContractResult, ExistingRecord, Answer)


class Change(Protocol):
    """Gives an item of the same kind to put in an item's place."""

    def __call__(self, item: ItemT, /) -> ItemT:
        """The new item."""
        ...


def items(bundle: Bundle) -> Iterator[Item]:
    """Every item: commits with their files and hunks, uncommitted files, the net change, documents, contract results, records,
    answers.
    """
    for commit in (*bundle.commits, *bundle.referenced):
        yield commit
        yield from _of_files(commit.files)
    yield from _of_files(bundle.uncommitted)
    yield from _of_files(bundle.net or ())
    yield from bundle.documents
    yield from bundle.contracts
    yield from bundle.records
    yield from bundle.answers


def with_items(bundle: Bundle, change: Change) -> Bundle:
    """`bundle` with each item changed, those inside others too."""

    def file(one: FileChange) -> FileChange:
        return replace(change(one), hunks=tuple(map(change, one.hunks)))

    def commit(one: Commit) -> Commit:
        return replace(change(one), files=tuple(map(file, one.files)))

    return replace(
        bundle,
        commits=tuple(map(commit, bundle.commits)),
        referenced=tuple(map(commit, bundle.referenced)),
        uncommitted=tuple(map(file, bundle.uncommitted)),
        net=None if bundle.net is None else tuple(map(file, bundle.net)),
        documents=tuple(map(change, bundle.documents)),
        contracts=tuple(map(change, bundle.contracts)),
        records=tuple(map(change, bundle.records)),
        answers=tuple(map(change, bundle.answers)),
    )


def _of_files(files: tuple[FileChange, ...]) -> Iterator[Item]:
    for file in files:
        yield file
        yield from file.hunks
