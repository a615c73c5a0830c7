"""What a file reaches through the files that it depends on (Change Contracts: fact clauses).

Closures are made on demand: those of all files together grow with the square of a repository.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from guardrails.code_facts.model import Blind, Fact, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence, facts

Links = Mapping[str, frozenset[tuple[str, bool]]]
Pair = tuple[str, bool]
"""A file, and whether the way there leads over something of types only."""


def reached(links: Links, file: str) -> frozenset[Pair]:
    """What `file` reaches over one link or more; a way is of types only where one of its links is."""
    seen: set[Pair] = set()
    waiting: list[Pair] = [(file, False)]
    while waiting:
        here, of_types = waiting.pop()
        for target, only_types in links.get(here, ()):
            pair = (target, of_types or only_types)
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return frozenset(seen)


def way(links: Links, origin: str, target: str, type_only: bool) -> tuple[str, ...]:
    """The files of a shortest way between two, both ends included; none where there is no such way."""
    before: dict[Pair, Pair | None] = {(origin, False): None}
    waiting = deque(before)
    while waiting:
        here = waiting.popleft()
        for target_of, only_types in sorted(links.get(here[0], ())):
            pair = (target_of, here[1] or only_types)
            if pair == (target, type_only):
                steps = [target]
                back: Pair | None = here
                while back is not None:
                    steps.append(back[0])
                    back = before[back]
                return tuple(reversed(steps))
            if pair not in before:
                before[pair] = here
                waiting.append(pair)
    return ()


def reversed_links(links: Links) -> Links:
    """The same links, told from the other end."""
    turned: dict[str, set[tuple[str, bool]]] = {}
    for file, targets in links.items():
        for target, only_types in targets:
            turned.setdefault(target, set()).add((file, only_types))
    return {file: frozenset(found) for file, found in turned.items()}


def dependencies(links: Links, origin: str | None, target: str | None, limit: int) -> tuple[Fact, ...] | None:
    """The facts of local dependencies, direct or not, from `origin` or to `target` or both; None where they exceed `limit`."""
    pairs: list[tuple[str, str, bool]] = []
    for pair in _pairs(links, origin, target):
        if _is_package(pair[0]) or (pair[0] == pair[1] and any(_is_package(end) for end, _ in links.get(pair[0], ()))):
            # Packages depend on nothing themselves; that its package holds a file does not make that its own dependency.
            continue
        pairs.append(pair)
        if len(pairs) > limit:
            return None
    return facts(dependency(*pair) for pair in sorted(pairs))


def dependency(origin: str, target: str, type_only: bool, line: int = 0) -> Occurrence:
    """That one file depends on another, or on something external. How it is written is no part of it."""
    return Occurrence(Kind.DEPENDENCY, origin, target, "", line, origin, target, type_only)


def reading(told: Iterable[Occurrence | Blind], files: Mapping[str, str], packages: Iterable[tuple[str, str]] = ()) -> Reading:
    """What a provider tells of a snapshot; a dependency on one of its `files` or packages is a link.

    `packages` are links that no statement makes: of files to the packages that they are of, and of those to their files.
    """
    blind: list[Blind] = []
    met: list[Occurrence] = []
    held = list(packages)
    ends = {*files, *(origin for origin, _ in held)}
    found: dict[str, set[tuple[str, bool]]] = {}
    for one in told:
        if isinstance(one, Blind):
            blind.append(one)
            continue
        met.append(one)
        if one.kind is Kind.DEPENDENCY and one.target in ends and one.target is not None:
            found.setdefault(one.file, set()).add((one.target, bool(one.type_only)))
    for origin, target in held:
        found.setdefault(origin, set()).add((target, False))
    return Reading(facts(met), tuple(blind), {file: frozenset(ends) for file, ends in found.items()})


def _is_package(name: str) -> bool:
    return name.endswith("/")


def _pairs(links: Links, origin: str | None, target: str | None) -> Iterator[tuple[str, str, bool]]:
    if origin is not None or target is None:
        origins: Iterable[str] = links if origin is None else (origin,)
        for one in origins:
            yield from ((one, end, only) for end, only in reached(links, one) if target in (None, end))
    else:
        yield from ((start, target, only) for start, only in reached(reversed_links(links), target))
