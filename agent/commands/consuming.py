"""Consuming on a work tree: read, plan, carry out, one process at a time (Intent Changesets 8, 9, 13.4).

Consuming writes into unreleased ledgers and says nothing about a release.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent import store
from agent.commands import printing
from agent.commands.checking import load_profile
from agent.commands.links import SHORT, tell_of_range
from agent.errors import InputFailure
from agent.render import outcomes
from agent.sources import inputs
from agent.sources.git import Repository, work_tree
from agent.sources.linked import history
from agent.sources.spent import spent
from agent.sources.stored import read_records
from agent.store.applying import apply
from guardrails.records import changeset
from guardrails.records.changeset import Changeset
from guardrails.records.consuming import Plan, Refusal, plan, released
from guardrails.records.consuming.plans import Act, Consumed
from guardrails.records.decisions import decisions
from guardrails.records.linking import LinkFinding, Said, by_id, links_of, validate_links
from guardrails.records.profile import Profile
from guardrails.records.stored import Records, Stored

_LOCK: Final = "evidraft-consuming.lock"
_ACTS: Final = {
    Act.ADDED: "entry added to",
    Act.COMMITS_ADDED: "commits added to its entry in",
    Act.PRESENT: "its entry stands in",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for: where, by which profile, with the commits of which range, whether only to plan, and how to say it."""

    repo: Path
    profile: Path | None
    span: str | None
    dry_run: bool
    as_json: bool


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What is to be consumed, what was passed over, and what stands against it before anything is planned."""

    pending: tuple[Stored[Changeset], ...]
    passed: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """The repository that is worked on, its root and its profile."""

    repository: Repository
    top: Path
    profile: Profile


def consume(file: str, wish: Wish) -> int:
    """Consume the pending record at `file` and print what was done; returns the exit code.

    Raises:
        Failure: a file, the profile or the history cannot be read, or a file cannot be written.
    """

    def choose(work: _Work, records: Records, _: Sequence[Said]) -> _Chosen:
        path = _below(work.top, file)
        found = tuple(one for one in records.pending if one.path == path)
        return _Chosen(found or (_other(work, path),))

    return _run(wish, choose)


def generate(wish: Wish) -> int:
    """Consume every pending record, all or none, and print what was done; returns the exit code.

    Every link of the range has to hold. Where the profile keeps consumed records, those that were released are passed over.

    Raises:
        Failure: as `consume`.
    """

    def choose(work: _Work, records: Records, commits: Sequence[Said]) -> _Chosen:
        done = released(records) if work.profile.changesets.after_consumption == "keep" else frozenset[str]()
        found = validate_links(commits, decisions(records), work.profile)
        pending = tuple(stored for stored in records.pending if stored.path not in done)
        return _Chosen(pending, tuple(sorted(done)), tuple(map(_refusal, found)))

    return _run(wish, choose)


def _run(wish: Wish, choose: Callable[[_Work, Records, Sequence[Said]], _Chosen]) -> int:
    repository = Repository.open(wish.repo)
    work = _Work(repository, work_tree(repository), load_profile(wish.profile, repository))
    if wish.dry_run:
        return _consume(work, wish, choose)
    with alone(repository):
        return _consume(work, wish, choose)


def alone(repository: Repository) -> AbstractContextManager[None]:
    """A time in which no other process of this program consumes or publishes here; another one's end is waited for.

    Raises:
        StoreFailure: (on entering) there can be no lock.
    """
    return store.turn(repository.git_dir / _LOCK, lambda: printing.note("waiting for another process that is consuming here"))


def _consume(work: _Work, wish: Wish, choose: Callable[[_Work, Records, Sequence[Said]], _Chosen]) -> int:
    told = history(work.repository, wish.span)
    commits = tuple(told.commits)
    for note in told.notes():
        printing.note(printing.note_line(note))
    records = read_records(work.top, work.profile)
    chosen = choose(work, records, commits)
    links, against = _links(work, records, chosen.pending, commits)
    planned = plan(work.profile, chosen.pending, records, links, spent(work.repository, work.profile, chosen.pending))
    refusals = (*chosen.refusals, *against, *(() if isinstance(planned, Plan) else planned))
    if refusals or not isinstance(planned, Plan):
        _refuse(tuple(dict.fromkeys(refusals)), as_json=wish.as_json)
        if not wish.as_json:
            tell_of_range(wish.span, any(one.commit and not one.path for one in refusals))
        return 1
    if not wish.dry_run:
        apply(work.top, planned)
    if wish.as_json:
        printing.emit_result(_document(planned, chosen.passed, "PLANNED" if wish.dry_run else "CONSUMED"))
    else:
        printing.emit("".join(f"{printing.line(text)}\n" for text in _lines(planned, chosen.passed, wish)))
    return 0


def _links(
    work: _Work, records: Records, pending: Sequence[Stored[Changeset]], commits: Sequence[Said]
) -> tuple[dict[str, tuple[str, ...]], list[Refusal]]:
    """The commits that link each record and hold, and those that contradict it."""
    linking, known = by_id(commits), decisions(records)
    links: dict[str, tuple[str, ...]] = {}
    refusals: list[Refusal] = []
    for stored in pending:
        record = stored.record
        if isinstance(record, Changeset) and record.id in linking:
            links[record.id], found = links_of(linking[record.id], record, work.profile, stored.path, known)
            refusals += map(_refusal, found)
    return links, refusals


def _refusal(one: LinkFinding) -> Refusal:
    return Refusal(one.path, one.finding, one.oid)


def _below(top: Path, file: str) -> str:
    """The path of a file below the root of the work tree; the folder that it is in is the one that links lead to.

    Raises:
        InputFailure: it lies elsewhere.
    """
    place = Path(os.path.realpath(Path(file).parent), Path(file).name)
    root = top.resolve()
    if not place.is_relative_to(root):
        raise InputFailure("this lies outside the work tree", where=file, cure="name a record of the pending directory")
    return place.relative_to(root).as_posix()


def _other(work: _Work, path: str) -> Stored[Changeset]:
    """A file that is no pending record, for the plan to refuse.

    Raises:
        InputFailure: there is none.
    """
    data = inputs.read_below(work.top, path)
    if data is None:
        archive = f"{work.profile.changesets.archive_directory}/{Path(path).name}"
        cure = f"it was consumed: see {archive}" if (work.top / archive).is_file() else "name a pending record"
        raise InputFailure("there is no such file", where=path, cure=cure)
    return Stored(path, data, changeset.read(data))


def _refuse(refusals: Sequence[Refusal], *, as_json: bool) -> None:
    if as_json:
        found = [{"file": one.path or None, "commit": one.commit or None, **outcomes.finding(one.finding)} for one in refusals]
        printing.emit_result({"status": "REFUSED", "findings": found})
        return
    lines = [printing.finding_line(one.finding, f"{one.commit[:SHORT]} {one.path}".strip()) for one in refusals]
    if lines[printing.MOST :]:
        lines[printing.MOST :] = [f"and {len(lines) - printing.MOST} more findings; --format json has them all"]
    printing.emit("\n".join((*lines, "nothing was written")) + "\n")


def _lines(planned: Plan, passed: Sequence[str], wish: Wish) -> Iterator[str]:
    """What was done, for a person; of what is not public only the number."""
    done = "would consume" if wish.dry_run else "consumed"
    for one, after in _public(planned):
        acts = (f"{_ACTS[target.act]} {target.ledger}" for target in one.targets)
        yield f"{done} {one.path}: {'; '.join((*acts, after))}"
    if hidden := len(planned.consumed) - len(list(_public(planned))):
        yield f"{done} {hidden} that {'is' if hidden == 1 else 'are'} not public"
    if not planned.consumed:
        yield "nothing to consume"
    if passed:
        yield f"passed over {len(passed)} that {'was' if len(passed) == 1 else 'were'} released"


def _document(planned: Plan, passed: Sequence[str], status: str) -> dict[str, object]:
    archives = {one.path: one.archive for one in planned.disposals}
    public = [one for one, _ in _public(planned)]
    consumed = [
        {
            "file": one.path,
            "id": one.id,
            "archive": archives.get(one.path),
            "targets": [
                {"release-unit": told.release_unit, "stream": told.stream, "ledger": told.ledger, "entry": told.act.value}
                for told in one.targets
            ],
        }
        for one in public
    ]
    return {
        "status": status,
        "consumed": consumed,
        "not-public": len(planned.consumed) - len(public),
        "ledgers": [one.path for one in planned.ledgers if one.is_change],
        "released": len(passed),
    }


def _public(planned: Plan) -> Iterator[tuple[Consumed, str]]:
    """Each record that may be shown, and what became of its pending file."""
    disposals = {one.path: one.archive for one in planned.disposals}
    for one in planned.consumed:
        if one.is_public:
            archive = disposals.get(one.path)
            yield one, f"archived as {archive}" if archive else "deleted" if one.path in disposals else "kept"
