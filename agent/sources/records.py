"""Changeset records that exist: pending, archived, on either side of the change; and every identifier that is taken.

Intent Changesets 5 (records live where the profile says), 6.3 (identifiers are never reused), 12 (disclosure needs them all).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from agent.errors import InputFailure
from agent.sources.git import Repository
from agent.sources.history import Collected
from agent.sources.record_files import is_record, on_disk
from guardrails import digests, paths, strict_yaml
from guardrails.evidence.model import ExistingRecord
from guardrails.records.profile import Profile

TOTAL_LIMIT: Final = 64 * 1024 * 1024
"""How many bytes of records are held, at most."""
READABLE: Final = strict_yaml.Bounds().bytes + 1
"""Longer than this no record can be read: the rest of it is let go, and what is left stays unreadable."""
_ID: Final = re.compile(rb"^id:[ \t]*[\"']?([a-z0-9-]{1,200})", re.MULTILINE)


def existing_records(repository: Repository, profiles: Iterable[Profile], collected: Collected) -> tuple[ExistingRecord, ...]:
    """Every record of the pending and archive directories at base, at head and on disk, and both sides of changed ones.

    The directories are those of all `profiles`: a change that moves them must not hide what lies in the old ones. Same path
    and bytes count once. Ids are S1, S2, … in order of path.

    Raises:
        InputFailure: a record on disk cannot be read, or they are more than `TOTAL_LIMIT` bytes.
    """
    found: dict[tuple[str, str], tuple[str, str, bytes]] = {}
    total = 0
    for where, directory in dict.fromkeys(place for profile in profiles for place in _directories(profile)):
        for path, locator, data in everywhere(repository, collected, directory):
            key = path, digests.sha256(data)
            if key not in found:
                found[key] = where, locator, data[:READABLE]
                total += len(data[:READABLE])
            if total > TOTAL_LIMIT:
                raise InputFailure(f"the records are larger than {TOTAL_LIMIT} bytes", where=directory, cure="remove some")
    return tuple(
        ExistingRecord(f"S{number}", locator, digest, where, path, data)
        for number, ((path, digest), (where, locator, data)) in enumerate(sorted(found.items()), 1)
    )


def ids_in_use(repository: Repository, profile: Profile) -> dict[str, str]:
    """Every changeset id that cannot be given again, with where it stands: files, ledgers, and the whole git history.

    Raises:
        InputFailure: a record on disk cannot be read, so uniqueness cannot be told.
    """
    taken: dict[str, str] = {}
    for _, directory in _directories(profile):
        for identifier, place in ids_below(repository, directory).items():
            taken.setdefault(identifier, place)
    for path, data in on_disk(repository.top, profile.ledger_directory):
        for identifier in _consumed(path, data):
            taken.setdefault(identifier, path)
    return taken


def ids_below(repository: Repository, directory: str) -> dict[str, str]:
    """Every id that a record below a directory has or ever had in the git history, with where it stands.

    Raises:
        InputFailure: a record on disk cannot be read.
    """
    taken: dict[str, str] = {}
    for path, oid in repository.files_ever(directory):
        if is_record(path):
            for identifier in _once(path, repository.read_object(oid)):
                taken.setdefault(identifier, f"{path} in the git history")
    for path, data in on_disk(repository.top, directory):
        taken[_identifier(path, data)] = path
    return taken


def _directories(profile: Profile) -> Iterator[tuple[str, str]]:
    yield "pending", profile.changesets.directory
    if profile.changesets.archive_directory:
        yield "archive", profile.changesets.archive_directory


def everywhere(repository: Repository, collected: Collected, directory: str) -> Iterator[tuple[str, str, bytes]]:
    """Path, locator and bytes of every record below a directory: at the head, at the base, on both sides of changes, on disk.

    Raises:
        InputFailure: one on disk cannot be read.
    """
    for revision in dict.fromkeys(filter(None, (collected.selection.head, collected.selection.base))):
        if not repository.has(revision):
            continue  # what a forge tells of it has no records
        for path in repository.list(revision, directory):
            data = repository.read(revision, path) if is_record(path) else None
            if data is not None:
                yield path, f"git:{revision}:{path}", data
    for change in collected.files():
        for path, oid in ((change.path, change.new_object), (change.old_path or change.path, change.old_object)):
            data = repository.read_object(oid) if paths.is_below(path, directory) and is_record(path) else None
            if data is not None:
                yield path, f"git:{oid}", data
    for path, data in on_disk(repository.top, directory):
        yield path, f"file:{path}", data


def _once(path: str, data: bytes | None) -> Iterator[str]:
    """The ids that a file of the history took: its name's, and the one that it says, even where it is no strict YAML."""
    yield PurePosixPath(path).stem
    said = _ID.search(data or b"")
    if said is not None:
        yield said[1].decode("ascii")


def _identifier(path: str, data: bytes) -> str:
    identifier = _mapping(path, data).get("id")
    return identifier if isinstance(identifier, str) else PurePosixPath(path).stem


def _consumed(path: str, data: bytes) -> Iterator[str]:
    """The changeset ids that a ledger's entries name under `provenance.changesets`."""
    entries = _mapping(path, data).get("entries")
    for entry in entries if isinstance(entries, list) else ():
        provenance = entry.get("provenance") if isinstance(entry, dict) else None
        named = provenance.get("changesets") if isinstance(provenance, dict) else None
        yield from (identifier for identifier in (named if isinstance(named, list) else ()) if isinstance(identifier, str))


def _mapping(path: str, data: bytes) -> Mapping[Any, Any]:
    """The mapping in a record's bytes; an empty one for any other value.

    Raises:
        InputFailure: it is no strict YAML.
    """
    try:
        value = strict_yaml.read(data).value
    except strict_yaml.YamlFault as fault:
        raise InputFailure(
            f"not a strict YAML record: {fault}", where=path, cure="mend or move it; ids cannot be told apart"
        ) from None
    return value if isinstance(value, dict) else {}
