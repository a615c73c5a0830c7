"""The release before a release: by version and by history, and candidates where the two disagree (evidraft, cases 49 and 50).

A final release follows the final release before it, a prerelease the version of any kind before it, of its own family. That
version is the base where it lies in the history of the release and no higher one lies between. A version outside of it, as
those of maintenance lines are, is only asked about where it makes a difference: where the release has other commits since then
than since the highest version inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from agent.batch.lineage import Lineage
from agent.batch.tags import Point, Tag
from agent.batch.wish import Bases

_OUTSIDE: Final = "the version before, outside of its history"
_INSIDE: Final = "the highest version before it in its history"
_HIGHER: Final = "a higher version in its history"
_NOTHING: Final = "everything up to it"


@dataclass(frozen=True, slots=True)
class Base:
    """What a release is told since: a tag, or None where everything up to it is told; `what` says which that may be."""

    tag: Tag | None = None
    what: str = _NOTHING

    @property
    def commit(self) -> str:
        """The commit, "" where there is none."""
        return self.tag.oid if self.tag is not None else ""


Found: TypeAlias = Base | tuple[Base, ...]
"""The base, or the candidates of which none is taken unasked."""


@dataclass(frozen=True, slots=True)
class Family:
    """The versions of one thing, in order, and their history; `bits` are those of the commits of each version."""

    points: tuple[Point, ...]
    lineage: Lineage
    bits: tuple[int, ...]

    @classmethod
    def of(cls, points: tuple[Point, ...], lineage: Lineage) -> Family:
        """The versions of a family and the history that they are in."""
        return cls(points, lineage, tuple(lineage.bits_of(point.commits) for point in points))

    def base(self, place: int, commit: str, bases: Bases = Bases.ASK) -> Found:
        """What the version at `place`, made of `commit`, follows."""
        own, history = self.lineage.bits[commit], self.lineage.histories[commit]
        kin = self._kin(place)
        before = [number for number in reversed(kin) if number < place]
        latest = _first(number for number in before if not self._follows(number, own))
        inside = _first(number for number in before if self.bits[number] & history)
        by_history = tuple(self._named(inside, _INSIDE, history)) or (Base(),)
        by_version = tuple(self._named(latest, _OUTSIDE)) if latest != inside else by_history
        higher = (number for number in kin if number > place and self.bits[number] & history & ~own)
        between = self._named(higher, _HIGHER, history & ~own)
        nearest = self._nearest([one for one in between if not self._had(by_history, one)], commit)
        wanted = {Bases.ASK: (*by_version, *by_history, *nearest), Bases.VERSION: by_version}
        return self._one_of(wanted.get(bases, nearest or by_history), commit)

    def _kin(self, place: int) -> list[int]:
        """The versions that the one at `place` may follow: a final release no prerelease."""
        is_final = self.points[place].version.is_final
        return [number for number, one in enumerate(self.points) if number != place and (one.version.is_final or not is_final)]

    def _one_of(self, wanted: Sequence[Base], commit: str) -> Found:
        """The one that is meant where it makes no difference, one inside of the history rather than one outside."""
        candidates = tuple({one.commit: one for one in reversed(wanted)}.values())[::-1]
        first, *others = candidates
        if any(not self.lineage.is_same(commit, first.commit, other.commit) for other in others):
            return candidates
        return next((one for one in candidates if one.what != _OUTSIDE), first)

    def _follows(self, number: int, own: int) -> bool:
        """Whether a version was made of what has the bit `own`: then it is no base, whatever its number says."""
        commits = self.points[number].commits
        return all(self.lineage.histories[oid] & own and self.lineage.bits[oid] != own for oid in commits)

    def _named(self, numbers: Iterable[int], what: str, within: int = -1) -> Iterator[Base]:
        """Versions as bases, once for each of their commits that is `within`."""
        for point in (self.points[number] for number in numbers):
            own = (oid for oid in point.commits if self.lineage.bits[oid] & within)
            yield from (Base(point.at(oid).tags[0], what) for oid in own)

    def _had(self, bases: Sequence[Base], other: Base) -> bool:
        return any(one.commit and self.lineage.descends(one.commit, other.commit) for one in bases)

    def _nearest(self, bases: Sequence[Base], commit: str) -> tuple[Base, ...]:
        return tuple(sorted(bases, key=lambda one: self.lineage.between(one.commit, commit))[:1])


def _first(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(islice(numbers, 1))
