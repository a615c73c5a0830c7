"""What a run will draft, before anything is drafted: repositories, ranges and tags made into releases (evidraft).

Planning reads and changes nothing but mirrors; the same wish over the same repositories is the same plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from agent.batch import mirrors, naming, policies, profiles, ranged, showing
from agent.batch.mirrors import Mirror
from agent.batch.release import PLANNED, Finished, Release, Status
from agent.batch.showing import Shown, Told
from agent.batch.tagged import Place, Tagged, cut_off
from agent.batch.wish import Entry, Wish
from agent.errors import Failure, GuardNotReady, RepositoryFailure, UsageFailure
from agent.render.outcomes import question_document
from agent.sources import remotes
from agent.sources.git import Repository
from guardrails.evidence.model import AnswerValue
from guardrails.redaction.policy import Policy, united

_AT_ONCE: Final = 4
"""Repositories that are looked at at the same time: most of that is waiting for others."""
_OTHERWISE: Final = "name it otherwise in the profile"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will draft, in the order of the wish and then of versions.

    `failures` are entries of which no release could be made: they are reported like releases that failed, and end nothing.
    `notes` say what was left aside, and why, one line each: tags that tell no version, names that move, mirrors that are old.
    `policy` takes out what must not be said of any of the repositories: what a person wrote may hold it, too.
    """

    releases: tuple[Release, ...]
    failures: tuple[Finished, ...] = ()
    notes: tuple[str, ...] = ()
    policy: Policy = field(default=Policy(), repr=False)


Ranges: TypeAlias = Mapping[str, Release | Failure]
"""What each range came to, or why none can be read, by how a person wrote it."""


def plan(wish: Wish) -> Plan:
    """Look at every repository of `wish`, and say what is to be drafted. An entry that fails is told; the others go on.

    Raises:
        UsageFailure: nothing is wanted.
    """
    if not any(entry.ranges or entry.tags for entry in wish.entries):
        raise UsageFailure("nothing to draft was named", cure="give a range BASE..HEAD, --tags GLOB, or --manifest FILE")
    shown = Shown.of(Policy(), (entry.name for entry in wish.entries))
    entries = [replace(entry, name=shown(entry.name)) for entry in wish.entries]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        told = [one for every in pool.map(lambda entry: tuple(_entry(entry, wish)), entries) for one in every]
    named = naming.unique(one for one in told if isinstance(one, Release))
    # Who shared a name until now is answered by the one that it has of its own, in what is not about its range.
    releases = tuple(one.answered(_of_draft(wish.answers.get(one.name, {}))) for one in named)
    failures = tuple({one.name: one for one in told if isinstance(one, Finished)}.values())
    notes = tuple(dict.fromkeys(one for one in told if isinstance(one, str)))
    return Plan(releases, failures, notes, united(one for one in told if isinstance(one, Policy)))


def _of_draft(answers: Mapping[str, AnswerValue]) -> dict[str, AnswerValue]:
    return {field: value for field, value in answers.items() if field not in PLANNED}


def _entry(entry: Entry, wish: Wish) -> Iterator[Told | Policy]:
    """Everything that one entry comes to, and what must not be said of it."""
    place = Path(entry.repository)
    try:
        where = mirrors.address(entry.repository)
        if where is None:
            yield from _Planning.of(entry, wish, place).all()
            return
        place = mirrors.place(where)
        with mirrors.held(where, offline=wish.offline) as mirror:
            yield from filter(None, (showing.line(mirror.note),))
            yield from _Planning.of(entry, wish, mirror.folder, mirror).all()
    except GuardNotReady:
        raise
    except Failure as failure:
        shown = Shown(policies.of_person(entry.options))
        name = naming.folder(*shown.without([entry.name or naming.called(entry.repository)]))
        yield from (shown.policy, *shown.all([_failed(name, failure, place)]))


@dataclass(frozen=True, slots=True)
class _Planning:
    """One entry with all that was read of its repository, which is called `called` where it came from, "" where nothing tells.

    `every` are its tags where some are wanted, `mirror` is what brings what is lacking of it, `shown` is how names are told.
    """

    entry: Entry
    wish: Wish
    repository: Repository
    called: str
    ranges: Ranges
    every: Tagged | None
    mirror: Mirror | None
    shown: Shown

    @classmethod
    def of(cls, entry: Entry, wish: Wish, folder: Path, mirror: Mirror | None = None) -> _Planning:
        """Read the repository that an entry names, or its mirror, at `folder`.

        Raises:
            Failure: it is none, or nothing can be read.
        """
        repository = Repository.open(folder)
        origin = remotes.origin(repository)
        every = Tagged.of(repository, wish.bases) if entry.tags else None
        ranges = {operand: _read(repository, operand) for operand in entry.ranges}
        shown = _shown(entry, ranges, every, _policy(entry, repository, ranges, every, mirror))
        if every is not None:
            every = replace(every, masks=shown.names)
        return cls(entry, wish, repository, origin.path if origin is not None else "", ranges, every, mirror, shown)

    def all(self) -> Iterator[Told | Policy]:
        """Each range and each version of each glob, for each release unit; a failure of one is told, and the others go on.

        What a mirror lacks of them is brought.

        Raises:
            Failure: a release unit is not declared.
        """
        yield self.shown.policy
        for unit in self.entry.units or ("",):
            yield from self.shown.all([*self._of_unit(unit)])

    def _of_unit(self, unit: str) -> Iterator[Told]:
        if self.shown(unit) != unit:
            failure = UsageFailure("must not be said, and every draft names it", where=f"--unit {unit}", cure=_OTHERWISE)
            yield self._failed(self._named(unit, ""), failure)
            return
        told = [*self._of_ranges(unit), *(self._of_tags(unit, self.every) if self.every is not None else ())]
        readable = [one for one in told if isinstance(one, Release) and not one.questions]
        lacking = dict(_lacking(self.mirror, self.repository, readable)) if self.mirror is not None else {}
        complete = [one for one in readable if one.name not in lacking]
        if unit and complete:
            profiles.require_unit(self.repository, unit, complete[-1])
        yield from (lacking.get(one.name, one) if isinstance(one, Release) else one for one in told)

    def _of_ranges(self, unit: str) -> Iterator[Told]:
        for operand, read in self.ranges.items():
            name = self._named(unit, naming.of_range(self.shown(operand)))
            if isinstance(read, Failure):
                yield self._failed(name, read)
            else:
                is_told = self.shown(operand) == operand or bool(read.questions)
                by_objects = "" if is_told else ranged.by_objects(self.repository, operand)
                yield self._release(replace(read, operand=by_objects), unit, name)

    def _of_tags(self, unit: str, every: Tagged) -> Iterator[Told]:
        for pattern in self.entry.tags:
            yield from (f"{self.shown(self.entry.name)}: {note}".removeprefix(": ") for note in every.aside(pattern))
            try:
                places = every.fitting(pattern)
            except RepositoryFailure as failure:
                name = self._named(unit, naming.of_range(self.shown(pattern)))
                yield self._cut_off(unit, name, pattern) if self.repository.is_shallow else self._failed(name, failure)
            else:
                for place in places:
                    yield from self._of_place(unit, every, place)

    def _of_place(self, unit: str, every: Tagged, place: Place) -> Iterator[Told]:
        name = self._named(unit, every.shown(place.point.name))
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
        return naming.folder(self.shown(self.entry.name), self.shown(unit), what)

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


def _read(repository: Repository, operand: str) -> Release | Failure:
    try:
        return ranged.release(repository, operand)
    except Failure as failure:
        return failure


def _policy(entry: Entry, repository: Repository, ranges: Ranges, every: Tagged | None, mirror: Mirror | None) -> Policy:
    """What is taken out of names: by the policies of all commits that a release may be told since."""
    bases = [one.base for one in ranges.values() if isinstance(one, Release) and one.base]
    if every is not None:
        bases += every.bases_of(entry.tags)
    return policies.in_force(
        repository, bases, entry.options, partial(mirror.bring, repository) if mirror is not None else None
    )


def _shown(entry: Entry, ranges: Ranges, every: Tagged | None, policy: Policy) -> Shown:
    """How names are told. All tags are among them, whatever is wanted: their numbers are the same in every run."""
    tags = every.names() if every is not None else ()
    return Shown.of(policy, (*tags, *ranges, *entry.tags, *entry.units, entry.name))


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
