"""Whether a draft record still holds: what its own words mean in the repository today (Intent Changesets 11)."""

from __future__ import annotations

from pathlib import Path

from agent.errors import InputFailure
from agent.sources import inputs
from agent.sources.git import Repository
from agent.sources.selecting import select
from guardrails.digests import sha256
from guardrails.evidence.notes import Notebook
from guardrails.findings import Finding
from guardrails.records import draft_record
from guardrails.records.draft_record import DraftRecord, Present

_COMMITTED = frozenset(("range", "commit"))


def compare(record: DraftRecord, repository: Repository, profile: Path | None) -> tuple[Finding, ...]:
    """Everything that has moved since; `profile` is the file to compare with, when a person names one.

    Raises:
        RepositoryFailure: a revision that the record names is unknown or ambiguous by now.
        InputFailure: the named profile cannot be read, or the draft was made of nothing that git has.
    """
    selection = _selection(record, repository)
    return draft_record.staleness(record, Present(selection, _profile_digest(record, repository, selection[1], profile)))


def _selection(record: DraftRecord, repository: Repository) -> tuple[str | None, str | None]:
    if record.selection.kind == "range" and ".." not in record.selection.spec:
        raise InputFailure(
            "the draft was made of what a forge told of a request, and git cannot tell whether that still holds",
            where=f"selection: {record.selection.spec}",
            cure="describe it again, and compare the two",
        )
    if record.selection.kind in _COMMITTED:
        now = select(repository, record.selection.spec, Notebook()).selection
        return now.base, now.head
    head = repository.head()
    return head, head


def _profile_digest(record: DraftRecord, repository: Repository, head: str | None, named: Path | None) -> str | None:
    """The digest of the profile as it is now: the named file; else at the head, in the work tree, or on the disk."""
    path = record.profile.path
    if named is not None:
        return sha256(inputs.read(str(named)))
    if path is None:
        return None
    if record.selection.kind in _COMMITTED and head is not None:
        data = repository.read(head, path) if not Path(path).is_absolute() else None
        if data is not None:
            return sha256(data)
    places = [repository.top / path] if repository.top is not None else []
    found = next((place for place in (*places, Path(path)) if place.is_file()), None)
    return sha256(inputs.read(str(found))) if found is not None else ""
