"""What was taken back: a change and its revert cancel, or are told as what remains (Describe Changes: a revert).

Reverts are read from the newest back, so that a revert of a revert restores. A pair cancels where nothing of it is left; where
something is, both are one change that names the revert. What is reverted outside the selection is named, never described.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from guardrails.evidence.model import Commit
from guardrails.resolving.grouping.members import Member
from guardrails.resolving.grouping.merging import Brought
from guardrails.resolving.grouping.remaining import Remaining, cancel

_QUOTED: Final = re.compile(r'Revert:? "(.+)"(?: ?\([#!]\d{1,10}\))?', re.IGNORECASE)
_TYPED: Final = re.compile(r"revert(?:\([^()\n]{1,100}\))?!?:\s+(\S.*)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\s?\([#!]\d{1,10}\)$")
_FORGED: Final = re.compile(r"Reverts (?:[\w./-]{1,200})?[#!](\d{1,10})\b")


@dataclass(frozen=True, slots=True)
class Reverted:
    """`gone` tells of each cancelled place why; `kept` pairs what was taken back in part with its revert."""

    gone: Mapping[int, str]
    kept: tuple[tuple[int, int], ...]
    outside: Mapping[int, tuple[str, ...]]
    """By the place of a revert: evidence ids of what it takes back outside the selection, or object names."""


def is_revert(member: Member) -> bool:
    """Whether a commit says that it takes another one back."""
    subject = member.commit.subject.strip()
    return bool(member.said.reverts or _QUOTED.match(subject) or _TYPED.match(subject))


def reverted(members: Sequence[Member], brought: Brought, at_head: Remaining, referenced: Sequence[Commit]) -> Reverted:
    """Pair each revert of the selection with what it takes back."""
    names = _Names(members)
    gone: dict[int, str] = {}
    kept: list[tuple[int, int]] = []
    outside: dict[int, tuple[str, ...]] = {}
    for revert in reversed(members):
        if revert.place in gone or not is_revert(revert):
            continue
        found, unknown = names.reverted(revert)
        if unknown:
            outside[revert.place] = tuple(_known(name, referenced) for name in unknown)
        targets = [target for target in found if target.place not in gone]
        own = {place for target in targets for place in (target.place, *brought.everything(target.place))}
        pair = [members[place].commit for place in sorted(own - gone.keys() | {revert.place})]
        if not targets or unknown or not _is_same_decision(revert, targets) or not cancel(pair, at_head):
            kept += [(target.place, revert.place) for target in targets]
            continue
        gone[revert.place] = f"reverts {', '.join(target.short for target in targets)} of the same range"
        gone |= dict.fromkeys(own - gone.keys(), f"reverted by {revert.short} of the same range")
    pairs = ((target, revert) for target, revert in kept if target not in gone and revert not in gone)
    return Reverted(gone, tuple(pairs), outside)


def _is_same_decision(revert: Member, targets: Sequence[Member]) -> bool:
    """A revert that links a decision of its own is a change of its own."""
    return all(revert.changesets <= target.changesets for target in targets)


class _Names:
    """Earlier members by the beginnings of their object names, by subject, and by request."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._by_name: dict[str, list[Member]] = {}
        self._by_subject: dict[str, list[Member]] = {}
        self._by_number: dict[str, list[Member]] = {}
        for member in members:
            self._by_name.setdefault(member.commit.oid[:7], []).append(member)
            subject = member.commit.subject.strip()
            for text in {subject, _NUMBER.sub("", subject)}:
                self._by_subject.setdefault(text, []).append(member)
            for citation in member.said.citations:
                self._by_number.setdefault(citation.number, []).append(member)

    def reverted(self, revert: Member) -> tuple[list[Member], list[str]]:
        """What a revert takes back of these, and the object names that none of them has."""
        found: dict[int, Member] = {}
        unknown: list[str] = []
        for name in map(str.lower, revert.said.reverts):
            named = [one for one in self._by_name.get(name[:7], ()) if one.commit.oid.startswith(name) and one is not revert]
            earlier = [one for one in named if one.place < revert.place]
            found |= {one.place: one for one in earlier}
            unknown += [] if named else [name]
        if not found and not unknown:
            found |= {one.place: one for one in self._told(revert)}
        return [found[place] for place in sorted(found)], unknown

    def _told(self, revert: Member) -> Iterator[Member]:
        """What a revert without object names means: the last commit of that subject, or of the number that the forge wrote."""
        subject = revert.commit.subject.strip()
        quoted = _QUOTED.match(subject) or _TYPED.fullmatch(_NUMBER.sub("", subject))
        numbers = (match[1] for line in revert.commit.message.split("\n") if (match := _FORGED.match(line.strip())))
        candidates = [self._by_subject.get(quoted[1], ()) if quoted else (), *(self._by_number.get(one, ()) for one in numbers)]
        for members in candidates:
            earlier = bisect_left(members, revert.place, key=lambda one: one.place)
            if earlier:
                yield members[earlier - 1]
                return


def _known(name: str, referenced: Sequence[Commit]) -> str:
    return next((commit.id for commit in referenced if commit.oid.startswith(name)), name)
