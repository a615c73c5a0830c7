"""What each merged request brought in (Describe Changes: an item is a change, not a commit).

History is read as lines: from the newest commit back by first parents, then the side lines of each merge on it, the oldest
first. Every commit is on one line, and belongs to the innermost merge of a request around it. A request that brought in other
requests, or commits under several numbers, is a batch: it says of nothing that it belongs together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from guardrails.records.plain_commit import CitationKind
from guardrails.resolving.grouping.members import Member


@dataclass(frozen=True, slots=True)
class Brought:
    """What merges brought in, by place: `changes` for each request that is one change, `sides` for every merge, nested not."""

    changes: Mapping[int, tuple[int, ...]]
    sides: Mapping[int, tuple[int, ...]]

    def everything(self, merge: int) -> Iterator[int]:
        """All that one merge brought in, by its own merges too."""
        waiting = [merge]
        while waiting:
            for place in self.sides.get(waiting.pop(), ()):
                yield place
                waiting.append(place)


def brought_in(members: Sequence[Member]) -> Brought:
    """Read the lines of all members; linear in their number."""
    sides: dict[int, list[int]] = {}
    owned: dict[int, list[int]] = {}
    for place, (merge, request) in sorted(_around(members).items()):
        if merge is not None:
            sides.setdefault(merge, []).append(place)
        if request is not None:
            owned.setdefault(request, []).append(place)
    changes = {request: tuple(places) for request, places in owned.items() if not _is_batch(members, request, places)}
    return Brought(changes, {merge: tuple(places) for merge, places in sides.items()})


def _around(members: Sequence[Member]) -> dict[int, tuple[int | None, int | None]]:
    """For each place the innermost merge, and the innermost merge of a request, whose side it is on."""
    known = {member.commit.oid: member.place for member in members}
    around: dict[int, tuple[int | None, int | None]] = {}
    for head in reversed(range(len(members))):
        waiting: list[tuple[int | None, int | None, int | None]] = [(head, None, None)]
        while waiting:
            place, merge, request = waiting.pop()
            line: list[int] = []
            while place is not None and place not in around:
                around[place] = (merge, request)
                line.append(place)
                place = known.get(next(iter(members[place].commit.parents), ""))
            for at in (one for one in line if members[one].is_merge):
                is_outer = bool(members[at].request) and request is None
                owner = at if is_outer or _is_request(members[at]) else request
                sides = reversed(members[at].commit.parents[1:])
                waiting += [(known[side], at, owner) for side in sides if side in known]
    return around


def _is_batch(members: Sequence[Member], request: int, places: Sequence[int]) -> bool:
    numbers = {
        citation.number
        for place in places
        for citation in members[place].said.citations
        if citation.kind is CitationKind.SUBJECT_NUMBER and not members[request].request.endswith(f"#{citation.number}")
    }
    return len(numbers) > 1 or any(_is_request(members[place]) for place in places)


def _is_request(member: Member) -> bool:
    """Whether a merge has the number of a request; one that only has a title is part of the request around it."""
    return member.is_merge and member.request not in ("", member.commit.oid)
