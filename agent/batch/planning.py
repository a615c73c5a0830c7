"""What a run will draft, before anything is drafted: repositories, ranges and tags made into releases (evidraft).

Planning reads and changes nothing but mirrors; the same wish over the same repositories is the same plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from agent.batch import mirrors, naming, profiles, ranged
from agent.batch.mirrors import Mirror
from agent.batch.release import Finished, Release, Status
from agent.batch.tagged import Place, Tagged, cut_off
from agent.batch.wish import Entry, Wish
from agent.errors import Failure, RepositoryFailure, UsageFailure
from agent.render.outcomes import question_document
from agent.sources import remotes
from agent.sources.git import Repository
from guardrails.evidence.model import AnswerValue

_AT_ONCE: Final = 4
"""Repositories that are looked at at the same time: most of that is waiting for others."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will draft, in the order of the wish and then of versions.

    `failures` are entries of which no release could be made: they are reported like releases that failed, and end nothing.
    `notes` say what was left aside, and why, one line each: tags that tell no version, names that move, mirrors that are old.
    """

    releases: tuple[Release, ...]
    failures: tuple[Finished, ...] = ()
    notes: tuple[str, ...] = ()


Told: TypeAlias = Release | Finished | str
"""One thing that an entry came to: a release, why there is none, or a note."""


def plan(wish: Wish) -> Plan:
    """Look at every repository of `wish`, and say what is to be drafted. An entry that fails is told; the others go on.

    Raises:
        UsageFailure: nothing is wanted.
    """
    if not any(entry.ranges or entry.tags for entry in wish.entries):
        raise UsageFailure("nothing to draft was named", cure="give a range BASE..HEAD, --tags GLOB, or --manifest FILE")
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        told = [one for every in pool.map(lambda entry: tuple(_entry(entry, wish)), wish.entries) for one in every]
    releases = tuple(naming.unique(one for one in told if isinstance(one, Release)))
    failures = tuple({one.name: one for one in told if isinstance(one, Finished)}.values())
    return Plan(releases, failures, tuple(dict.fromkeys(one for one in told if isinstance(one, str))))


def _entry(entry: Entry, wish: Wish) -> Iterator[Told]:
    """Everything that one entry comes to."""
    place = Path(entry.repository)
    try:
        where = mirrors.address(entry.repository)
        if where is None:
            yield from _Planning.of(entry, wish, place).all()
            return
        place = mirrors.place(where)
        with mirrors.held(where, offline=wish.offline) as mirror:
            planning = _Planning.of(entry, wish, mirror.folder)
            yield from filter(None, (mirror.note,))
            yield from planning.all(mirror)
    except Failure as failure:
        name = naming.folder(entry.name or naming.called(entry.repository))
        yield _failed(name, failure, place)


@dataclass(frozen=True, slots=True)
class _Planning:
    """One entry and its repository, which is called `called` where it came from, "" where nothing tells."""

    entry: Entry
    wish: Wish
    repository: Repository
    called: str

    @classmethod
    def of(cls, entry: Entry, wish: Wish, folder: Path) -> _Planning:
        """The repository that an entry names, or its mirror, at `folder`.

        Raises:
            RepositoryFailure: it is none.
        """
        repository = Repository.open(folder)
        origin = remotes.origin(repository)
        return cls(entry, wish, repository, origin.path if origin is not None else "")

    def all(self, mirror: Mirror | None = None) -> Iterator[Told]:
        """Each range and each version of each glob, for each release unit; a failure of one is told, and the others go on.

        What a `mirror` lacks of them is brought.

        Raises:
            Failure: nothing can be read, or a release unit is not declared.
        """
        every = Tagged.of(self.repository, self.wish.bases) if self.entry.tags else None
        for unit in self.entry.units or ("",):
            told = [*self._of_ranges(unit), *(self._of_tags(unit, every) if every is not None else ())]
            readable = [one for one in told if isinstance(one, Release) and not one.questions]
            lacking = dict(_lacking(mirror, self.repository, readable)) if mirror is not None else {}
            complete = [one for one in readable if one.name not in lacking]
            if unit and complete:
                profiles.require_unit(self.repository, unit, complete[-1])
            yield from (lacking.get(one.name, one) if isinstance(one, Release) else one for one in told)

    def _of_ranges(self, unit: str) -> Iterator[Told]:
        for operand in self.entry.ranges:
            name = self._named(unit, naming.of_range(operand))
            try:
                yield self._release(ranged.release(self.repository, operand), unit, name)
            except Failure as failure:
                yield self._failed(name, failure)

    def _of_tags(self, unit: str, every: Tagged) -> Iterator[Told]:
        for pattern in self.entry.tags:
            yield from (f"{self.entry.name}: {note}".removeprefix(": ") for note in every.aside(pattern))
            try:
                places = every.fitting(pattern)
            except RepositoryFailure as failure:
                name = self._named(unit, naming.of_range(pattern))
                yield self._cut_off(unit, name, pattern) if self.repository.is_shallow else self._failed(name, failure)
            else:
                for place in places:
                    yield from self._of_place(unit, every, place)

    def _of_place(self, unit: str, every: Tagged, place: Place) -> Iterator[Told]:
        name = self._named(unit, place.point.name)
        try:
            release = self._release(every.release(place, self._answers(name)), unit, name)
        except Failure as failure:
            yield self._failed(name, failure)
            return
        yield release
        if not release.commits and not release.questions:
            yield f"{release.name}: holds nothing that {release.previous} does not hold"

    def _failed(self, name: str, failure: Failure) -> Finished:
        return _failed(name, failure, *filter(None, (self.repository.top, self.repository.git_dir)))

    def _named(self, unit: str, what: str) -> str:
        return naming.folder(self.entry.name, unit, what)

    def _answers(self, name: str) -> dict[str, AnswerValue]:
        return {**dict(self.entry.answers), **self.wish.answers.get(name, {})}

    def _release(self, release: Release, unit: str, name: str) -> Release:
        """A release with all that the entry says of it."""
        return replace(
            release,
            name=name,
            place=str((self.repository.top or self.repository.git_dir).resolve()),
            repository=self.called,
            unit=unit,
            options=self.entry.options,
            answers=tuple(sorted(self._answers(name).items())),
        )

    def _cut_off(self, unit: str, name: str, pattern: str) -> Release:
        """No tag is here, and the repository is shallow: that is no reason to take it for one without tags."""
        question = question_document(cut_off(self.repository, pattern))
        bare = Release(name=name, place="", base="", head="", spec=pattern, title=pattern, questions=(question,))
        return self._release(bare, unit, name)


def _lacking(mirror: Mirror, repository: Repository, releases: Sequence[Release]) -> Iterator[tuple[str, Finished]]:
    """Those of which the mirror lacks something that cannot be brought: all are brought at once, and one by one only then."""
    try:
        mirror.complete(repository, releases)
    except Failure:
        for release in releases:
            try:
                mirror.complete(repository, [release])
            except Failure as failure:
                yield release.name, _failed(release.name, failure, Path(release.place))


def _failed(name: str, failure: Failure, *places: Path) -> Finished:
    """One line, in which a repository has its name instead of its place: outputs tell nothing of a machine."""
    line = " ".join(str(failure).split())
    for place in sorted({str(one) for path in places for one in (path.absolute(), path.resolve())}, key=len, reverse=True):
        line = line.replace(place, name)
    return Finished(name, Status.FAILED, failure=line)
