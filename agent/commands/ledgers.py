"""The work of `evidraft changelog` on one ledger: to judge, begin, publish and amend it (Intent Changesets 7.1, 8 and 9)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agent import store
from agent.commands import printing, standing
from agent.commands.checking import load_profile, read_operand
from agent.commands.gate import documents, gated, lines
from agent.commands.standing import Standing
from agent.errors import UsageFailure
from agent.sources import inputs
from agent.sources.git import Repository, work_tree
from agent.sources.profiles import DEFAULT_PROFILE
from guardrails.findings import Finding, blocking
from guardrails.records import amending, changelog, changelog_rules, publishing
from guardrails.records.changelog import Amendment, Changelog
from guardrails.records.changelog_rules import is_date
from guardrails.records.gating import GateFinding
from guardrails.records.profile import Profile


def check_ledger(data: bytes, profile: Profile | None) -> tuple[Finding, ...]:
    """All findings on one ledger: its form, its own rules and, with a profile, the project's policy."""
    ledger = changelog.read(data)
    return changelog_rules.validate(ledger, profile) if isinstance(ledger, Changelog) else ledger


def check_file(file: str, profile: Path | None, *, as_json: bool) -> int:
    """Check one ledger file and print the result; returns the exit code.

    A profile that cannot be used is told only where the ledger is right by itself.

    Raises:
        Failure: the file or the profile cannot be read or used.
    """
    name, data = read_operand(file)
    found = check_ledger(data, None)
    if profile is not None and not blocking(found):
        found = check_ledger(data, load_profile(profile))
    printing.emit_findings(found, name=name, as_json=as_json, valid=f"{name}: valid Intent Changelog record")
    return 1 if blocking(found) else 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where records live: the repository, and its profile if one was named."""

    repo: Path
    profile: Path | None

    def of(self, repository: Repository | None) -> Place:
        """The same, in the work tree that a ledger stands in, and with that one's own profile where none was named.

        Nobody leaves the gate out by forgetting an option.
        """
        if repository is None or repository.top is None:
            return self
        own = repository.top / DEFAULT_PROFILE
        return Place(repository.top, own if self.profile is None and own.is_file() else self.profile)

    def opened(self) -> tuple[Path, Profile]:
        """The root of the work tree, and the active profile.

        Raises:
            Failure: one of them cannot be read or used.
        """
        repository = Repository.open(self.repo)
        return work_tree(repository), load_profile(self.profile, repository)


def begin(place: Place, unit: str, stream: str, release: str, *, as_json: bool) -> int:
    """Create the empty ledger of a release where the profile says that its stream has it; returns the exit code.

    Raises:
        UsageFailure: the profile has no such unit or stream, or the release has no name.
        Failure: the profile cannot be used, or a file stands there already.
    """
    top, active = place.opened()
    _require(unit, tuple(active.release_units), "--release-unit")
    _require(stream, active.streams_of(unit), "--stream")
    if not release.strip():
        raise UsageFailure("got a blank name", where="--release", cure="name the release, as in --release 1.4.0")
    path = active.release_units[unit].streams[stream].changelog
    store.write_new(top, path, publishing.begin(active, unit, stream, release))
    if as_json:
        printing.emit_json({"file": path, "release-unit": unit, "stream": stream, "release": release})
    else:
        printing.emit(printing.line(f"created {path}") + "\n")
    return 0


def publish(file: str, date: str | None, place: Place, *, as_json: bool) -> int:
    """Give an unreleased ledger its date, today where none is named, and leave every other byte; returns the exit code.

    With a profile, named or that of the repository around the ledger, the gate over all pending records comes first, then the
    project's policy.

    Raises:
        Failure: the date is none; the file, the profile or a record cannot be read; or the file cannot be written.
    """
    day = _day(date)
    around = standing.repository(file, place.repo)
    place = place.of(around)
    with _alone(around or (Repository.open(place.repo) if place.profile is not None else None)):
        return _publish(Standing.read(file, around), day, place, as_json=as_json)


def _publish(stands: Standing, day: str, place: Place, *, as_json: bool) -> int:
    name = stands.name
    ledger = changelog.read(stands.data)
    if isinstance(ledger, tuple):
        return _refused(name, ledger, as_json=as_json)
    written = publishing.publish(ledger, day)
    if isinstance(written, tuple):
        return _refused(name, written, as_json=as_json)
    found = _against(ledger, stands.file, place) if place.profile is not None else ()
    if found:
        return _tell(name, found, as_json=as_json)
    done = f"published {ledger.release} on {day}"
    return _keep(stands, written, done, {"release": ledger.release, "date": day} if as_json else None)


def amend(file: str, amendment: Amendment, *, as_json: bool) -> int:
    """Add an amendment to a released ledger and leave every other byte; returns the exit code.

    Raises:
        Failure: the file cannot be read or written.
    """
    around = standing.repository(file, Path())
    with _alone(around):
        stands = Standing.read(file, around)
        ledger = changelog.read(stands.data)
        written = amending.amend(ledger, amendment) if isinstance(ledger, Changelog) else ledger
        if isinstance(written, tuple):
            return _refused(stands.name, written, as_json=as_json)
        done = f"added the amendment {amendment.id}"
        return _keep(stands, written, done, {"amendment": amendment.id} if as_json else None)


def amendment(identifier: str, date: str | None, summary: str, references: Iterable[str]) -> Amendment:
    """An amendment out of the words of a command line; a reference is `KIND=REFERENCE`.

    Raises:
        UsageFailure: the date is none, or a reference names no kind.
    """
    provenance: dict[str, tuple[str, ...]] = {}
    for word in references:
        kind, mark, reference = word.partition("=")
        if not (kind.strip() and mark and reference.strip()):
            raise UsageFailure("got no KIND=REFERENCE", where="--reference", cure="write it as issues=DEVELOP-219")
        provenance[kind] = (*provenance.get(kind, ()), reference)
    return Amendment(identifier, _day(date), summary, provenance)


def _against(ledger: Changelog, file: str, place: Place) -> tuple[GateFinding, ...]:
    top, active = place.opened()
    if file == inputs.STANDARD_INPUT:
        raise UsageFailure("a ledger from standard input has no place in a repository", cure="name the file, or no --profile")
    path = os.path.relpath(os.path.realpath(file), os.path.realpath(top)).replace(os.sep, "/")
    _, closed = gated(top, active)
    policy = (GateFinding.of(path, one) for one in publishing.against_profile(ledger, path, active))
    return tuple({(one.path, one.finding): one for one in (*closed, *policy)}.values())


def _require(word: str, declared: tuple[str, ...], option: str) -> None:
    if word not in declared:
        raise UsageFailure("the profile does not declare this", where=f"{option} {word}", cure=f"one of: {', '.join(declared)}")


def _day(date: str | None) -> str:
    if date is None:
        return datetime.now().astimezone().date().isoformat()
    if not is_date(date):
        raise UsageFailure("got no calendar date", where=f"--date {date}", cure="write it as 2026-12-01")
    return date


def _refused(name: str, found: tuple[Finding, ...], *, as_json: bool) -> int:
    return _tell(name, tuple(GateFinding.of(name, one) for one in found), as_json=as_json)


def _tell(name: str, found: tuple[GateFinding, ...], *, as_json: bool) -> int:
    if as_json:
        printing.emit_result({"file": name, "findings": documents(found)})
    else:
        printing.emit(lines(found))
    return 1


def _keep(stands: Standing, written: bytes, done: str, document: dict[str, object] | None) -> int:
    """Put a ledger back where it came from, and say what was done to it; on standard output the ledger stands alone.

    Raises:
        StoreFailure: it is not what was read any more, or cannot be written.
    """
    stands.replace(written)
    if stands.is_piped:
        printing.note(printing.line(done))
    elif document is not None:
        printing.emit_json({"file": stands.file, **document, "findings": []})
    else:
        printing.emit(printing.line(f"{stands.file}: {done}") + "\n")
    return 0


def _alone(repository: Repository | None) -> AbstractContextManager[None]:
    """A time in which no other process consumes into, publishes or amends the ledgers of a repository."""
    from agent.commands.consuming import alone

    return nullcontext() if repository is None else alone(repository)
