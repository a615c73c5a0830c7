"""Clusters of commits, joined by the strongest signs first: no weaker one overrules a stronger one (Describe Changes)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from guardrails.resolving.grouping.members import Member


class Sign(StrEnum):
    """Why commits are one change."""

    TRAILER = "trailer"
    PULL_REQUEST = "pull-request"
    FIXUP = "fixup"
    REVERT = "revert"
    ISSUE = "issue"
    DEPENDENCY_UPDATE = "dependency-update"
    PATHS = "paths"
    SINGLE = "single"
    SPLIT = "split"


_RESPECTED: Final = {
    Sign.TRAILER: 0,
    Sign.REVERT: 0,
    Sign.PULL_REQUEST: 1,
    Sign.DEPENDENCY_UPDATE: 1,
    Sign.FIXUP: 2,
    Sign.ISSUE: 2,
    Sign.PATHS: 3,
}
"""How many of what tells changes apart each sign yields to: decisions, then requests, then issues."""


class Clusters:
    """Sets of places that only ever grow together; each remembers its first sign, and what its members say of themselves."""

    def __init__(self, members: Sequence[Member]) -> None:
        """Each by itself."""
        self._above = list(range(len(members)))
        self._signs: dict[int, Sign] = {}
        self._said = (
            [set(member.changesets) for member in members],
            [{member.request} - {""} for member in members],
            [set(member.fixes | member.refers) for member in members],
        )

    def root(self, place: int) -> int:
        """The place that stands for all of its cluster."""
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place

    def sign(self, place: int) -> Sign:
        """The sign that its cluster was first joined by."""
        return self._signs.get(self.root(place), Sign.SINGLE)

    def agree(self, one: int, other: int, sign: Sign) -> bool:
        """Whether nothing stronger than `sign` says that two clusters are different changes."""
        first, second = self.root(one), self.root(other)
        said = self._said[: _RESPECTED[sign]]
        return all(not each[first] or not each[second] or bool(each[first] & each[second]) for each in said)

    def join(self, one: int, other: int, sign: Sign) -> None:
        """Make one of two clusters."""
        first, second = sorted((self.root(one), self.root(other)))
        if first == second:
            return
        earlier = self._signs.get(first) or self._signs.get(second) or sign
        self._above[second] = first
        self._signs[first] = earlier
        for each in self._said:
            each[first] |= each[second]

    def join_all(self, places: Iterable[int], sign: Sign) -> None:
        """Join what agrees. Where the places link several decisions, one that links none could belong to any: it stays out."""
        chosen, linked = list(places), self._said[0]
        decisions = {frozenset(linked[self.root(place)]) for place in chosen} - {frozenset[str]()}
        if len(decisions) > 1:
            chosen = [place for place in chosen if linked[self.root(place)]]
        for before, place in pairwise(chosen):
            if self.agree(before, place, sign):
                self.join(before, place, sign)

    def all(self) -> tuple[tuple[int, ...], ...]:
        """The places of each cluster, in order, by the first of them."""
        found: dict[int, list[int]] = {}
        for place in range(len(self._above)):
            found.setdefault(self.root(place), []).append(place)
        return tuple(sorted(map(tuple, found.values())))
