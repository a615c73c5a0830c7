"""Release ledgers as evidence: the entries that the selected commits advance, and all that are not public (7.1, 8, 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from agent.errors import InputFailure
from agent.sources.git import Repository
from agent.sources.history import Collected
from agent.sources.records import READABLE, TOTAL_LIMIT, everywhere
from guardrails import digests
from guardrails.evidence.model import ExistingRecord
from guardrails.records import changelog
from guardrails.records.changelog import Changelog, Entry
from guardrails.records.entries import LEDGER, as_changesets, decided
from guardrails.records.plain_commit import read_any
from guardrails.records.profile import Profile

_FIRST: Final = 1


def ledger_entries(
    repository: Repository, profiles: Iterable[Profile], collected: Collected, first: int = _FIRST
) -> tuple[ExistingRecord, ...]:
    """Entries of every ledger at base, at head and on disk, and of both sides of changed ones, numbered from `first`.

    Of the public ones only those that tell a decision which a selected commit links; the others are evidence of what must not
    be told. A ledger that cannot be read is one record by itself, so that disclosure withholds what it may hold. Each entry
    stands for itself: its digest is that of the changeset that is made of it.

    Raises:
        InputFailure: a ledger on disk cannot be read, or they are more than `TOTAL_LIMIT` bytes.
    """
    linked = {name for commit in collected.commits for name in read_any(commit.message).message.values("Changeset")}
    found: dict[tuple[str, str], tuple[str, bytes]] = {}
    seen: set[tuple[str, str]] = set()
    total = 0
    for directory in dict.fromkeys(profile.ledger_directory for profile in profiles):
        for path, locator, data in everywhere(repository, collected, directory):
            if (version := (path, digests.sha256(data))) in seen:
                continue
            seen.add(version)
            total += len(data)
            if total > TOTAL_LIMIT:
                raise InputFailure(f"the ledgers are larger than {TOTAL_LIMIT} bytes", where=directory, cure="split them")
            for place, record in _records(data, linked):
                found.setdefault((path, digests.sha256(record)), (f"{locator}{place}", record))
    return tuple(
        ExistingRecord(f"S{number}", locator, digest, LEDGER, path, data)
        for number, ((path, digest), (locator, data)) in enumerate(found.items(), first)
    )


def _records(data: bytes, linked: set[str]) -> Iterator[tuple[str, bytes]]:
    """What of one ledger is evidence: where in it each entry stands, and the changeset that is made of it."""
    ledger = changelog.read(data)
    if not isinstance(ledger, Changelog):
        yield "", data[:READABLE]
        return
    for entry in ledger.entries:
        if not entry.disclosure.is_public or _tells(entry, linked):
            yield from ((f"#{entry.id}", record) for record in as_changesets(entry, ledger))


def _tells(entry: Entry, linked: set[str]) -> bool:
    return not linked.isdisjoint(decided(entry))
