"""What links: the messages of a history, and the decisions that a work tree holds (Intent Changesets 7, 13.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.errors import InputFailure, RepositoryFailure
from agent.sources.git import Repository, work_tree
from agent.sources.messages import Written, spanned
from agent.sources.selecting import Span, span
from agent.sources.stored import read_records
from guardrails.evidence.model import Note
from guardrails.evidence.notes import Notebook
from guardrails.records.decisions import Decision, decisions, repeated, unreadable
from guardrails.records.linking import Said
from guardrails.records.profile import Profile
from guardrails.records.stored import Records

WHOLE = "HEAD"
"""What is read where no range is named: everything up to here."""


@dataclass(frozen=True, slots=True)
class History:
    """The commits of a range, oldest first and to be read once, and then what is to be noted about them."""

    written: Iterator[Written] = field(repr=False)
    notebook: Notebook = field(repr=False)

    @property
    def commits(self) -> Iterator[Said]:
        """The commits with their messages read."""
        return (Said.of(one.oid, one.message) for one in self.written)

    def notes(self) -> tuple[Note, ...]:
        """What was read differently; complete when all commits have been read."""
        return self.notebook.notes()


def history(repository: Repository, operand: str | None = None) -> History:
    """The messages of `A..B`, `A...B`, or everything up to one revision (default HEAD), streamed from one git process.

    Raises:
        RepositoryFailure: a revision is unknown or ambiguous, or a shallow clone hides the range; while reading: git failed.
    """
    spec = operand or WHOLE
    notebook = Notebook()
    meant = _span(repository, spec, notebook)
    if meant.unknown:
        raise RepositoryFailure("the range is not in this shallow clone", where=spec, cure=repository.fetching(WHOLE))
    return History(_noting(repository, meant, notebook), notebook)


def _span(repository: Repository, spec: str, notebook: Notebook) -> Span:
    try:
        return span(repository, spec, notebook)
    except RepositoryFailure:
        if spec == WHOLE and repository.head() is None:
            raise RepositoryFailure("there is no commit yet", where=spec, cure="commit what there is, then try again") from None
        raise


def _noting(repository: Repository, meant: Span, notebook: Notebook) -> Iterator[Written]:
    for written in spanned(repository, meant.head, meant.bases):
        if written.oid in repository.shallow:
            cure = repository.fetching(WHOLE)
            notebook.add(
                "shallow", f"git:{written.oid}", f"history is cut off below this commit: older links are not seen; {cure}"
            )
        yield written


def readable_records(repository: Repository, profile: Profile) -> Records:
    """Every changeset and ledger of the work tree, all of which can be read, and each changeset's id its own.

    Raises:
        RepositoryFailure: there is no work tree.
        InputFailure: a record cannot be read, or two files claim one id (Intent Changesets 6.3).
    """
    records = read_records(work_tree(repository), profile)
    for path, first in unreadable(records):
        place = path if first.line is None else f"{path}:{first.line}"
        raise InputFailure(f"this record cannot be read: {first.code}: {first.message}", where=place, cure="mend or move it")
    for name, first_path, other in repeated(records):
        cure = "keep one of the files, or give the other decision an id of its own"
        raise InputFailure(f"two files have the id {name}, the other one is {first_path}", where=other, cure=cure)
    return records


def known_decisions(repository: Repository, profile: Profile) -> dict[str, Decision]:
    """Every decision that the work tree holds, by its id.

    Raises:
        RepositoryFailure: there is no work tree.
        InputFailure: as `readable_records`.
    """
    return decisions(readable_records(repository, profile))
