"""What a drafter was shown, by id, looked up once: a run asks about many changes of the same evidence (evidraft design 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from guardrails.evidence.model import Bundle, Commit, Document, FileChange


@dataclass(frozen=True, slots=True)
class Shown:
    """The items of one bundle by id. `owners` has the changed file of each hunk's id too; `by_oid` the selected commits.

    `merges` are those of them, by object name, that only join lines of history.
    """

    bundle: Bundle
    commits: Mapping[str, Commit] = field(repr=False)
    undone: Mapping[str, Commit] = field(repr=False)
    documents: Mapping[str, Document] = field(repr=False)
    owners: Mapping[str, FileChange] = field(repr=False)
    by_oid: Mapping[str, Commit] = field(repr=False)
    merges: Mapping[str, Commit] = field(repr=False)

    @classmethod
    def of(cls, bundle: Bundle) -> Shown:
        """Look everything up once."""
        return cls(
            bundle,
            {commit.id: commit for commit in bundle.commits},
            {commit.id: commit for commit in bundle.referenced},
            {document.id: document for document in bundle.documents},
            {item: file for file in _files(bundle) for item in (file.id, *(hunk.id for hunk in file.hunks))},
            {commit.oid: commit for commit in bundle.commits},
            {commit.oid: commit for commit in bundle.commits if len(commit.parents) > 1 and not commit.files},
        )

    def files(self, sources: Iterable[str]) -> tuple[FileChange, ...]:
        """The changed files that `sources` name, or of which they name a hunk, in the order of the evidence."""
        found = {file.id: file for item in sources if (file := self.owners.get(item)) is not None}
        return tuple(found[item] for item in sorted(found, key=number))


def number(item: str) -> int:
    """The number of an id: items are numbered in the order of collecting."""
    return int(item[1:])


def _files(bundle: Bundle) -> Iterator[FileChange]:
    yield from bundle.files()
    yield from bundle.net or ()
