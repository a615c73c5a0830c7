"""Who descends from whom among some commits, out of one walk over their history (evidraft: release notes in batch)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from agent.errors import RepositoryFailure
from agent.sources.git import REFETCHING, Repository


@dataclass(frozen=True, slots=True)
class Lineage:
    """The history of some commits, of which each has a bit in `bits`.

    Any commit of the history leads to some of them, and their bits together say to which: `counts` holds how many commits lead
    to the same, `cut` to what those lead where a shallow history ends. `histories` are the bits of those that each of them has
    in its history, its own among them.
    """

    bits: Mapping[str, int]
    histories: Mapping[str, int]
    counts: Mapping[int, int]
    cut: frozenset[int]

    @classmethod
    def of(cls, repository: Repository, commits: Iterable[str]) -> Lineage:
        """Walk the history of `commits`, full object names, once: children come before their parents.

        Raises:
            RepositoryFailure: a commit of the history is missing.
        """
        wanted = tuple(dict.fromkeys(commits))
        if not wanted:
            return cls({}, {}, {}, frozenset())
        command = ("rev-list", "--topo-order", "--parents", "--stdin")
        with repository.git.running(*command, lines=(oid.encode() for oid in wanted)) as running:
            told = cls.walked(wanted, (line.decode().split() for line in running.out), repository.shallow)
            if not running.succeeded():
                raise RepositoryFailure("a commit of the history is missing", where="tags", cure=REFETCHING)
        return told

    @classmethod
    def walked(cls, commits: Sequence[str], history: Iterable[Sequence[str]], ends: Collection[str] = ()) -> Lineage:
        """The history of `commits`, told as each commit with its parents behind it, children before parents.

        `ends` are the commits at which a shallow history ends.
        """
        bits = {oid: 1 << place for place, oid in enumerate(commits)}
        leads: dict[str, int] = {}
        counts: Counter[int] = Counter()
        cut: set[int] = set()
        waiting = dict(bits)
        for oid, *parents in history:
            led = waiting.pop(oid)
            counts[led] += 1
            for parent in parents:
                waiting[parent] = waiting.get(parent, 0) | led
            if oid in bits:
                leads[oid] = led
            if oid in ends:
                cut.add(led)
        return cls(bits, _turned(bits, leads), counts, frozenset(cut))

    def bits_of(self, commits: Iterable[str]) -> int:
        """The bits of some of the commits together."""
        return reduce(or_, (self.bits[oid] for oid in commits), 0)

    def descends(self, commit: str, other: str) -> bool:
        """Whether `other` is in the history of `commit`, or is it."""
        return bool(self.histories[commit] & self.bits[other])

    def between(self, base: str, head: str) -> int:
        """How many commits `head` has that `base` has not; all of them where `base` is ""."""
        here, there = self.bits[head], self._bit(base)
        return sum(count for led, count in self.counts.items() if led & here and not led & there)

    def is_cut(self, base: str, head: str) -> bool:
        """Whether history ends too early to tell what `head` has that `base` has not."""
        here, there = self.bits[head], self._bit(base)
        return any(led & here and not led & there for led in self.cut)

    def is_same(self, head: str, one: str, other: str) -> bool:
        """Whether it makes no difference to what `head` has which of two bases is taken."""
        here, first, second = self.bits[head], self._bit(one), self._bit(other)
        return all(bool(led & first) == bool(led & second) for led in self.counts if led & here)

    def _bit(self, oid: str) -> int:
        return self.bits[oid] if oid else 0


def _turned(bits: Mapping[str, int], leads: Mapping[str, int]) -> dict[str, int]:
    """From what leads where to what has what in its history."""
    turned = dict.fromkeys(bits.values(), 0)
    for oid, led in leads.items():
        rest, own = led, bits[oid]
        while rest:
            lowest = rest & -rest
            turned[lowest] |= own
            rest ^= lowest
    return {oid: turned[bit] for oid, bit in bits.items()}
