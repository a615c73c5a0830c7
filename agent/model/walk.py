"""The walk through what changed: by function or section, by file where there are many, by folder where there are very many
(Describe Changes: detail_md).

The code that users meet is told most finely. Nothing is dropped in silence: a point that stands for more than it names says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from agent.model.phrases import named
from agent.model.points import Point, points, whole
from guardrails.drafts.page import Heading, code
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.model import Change, FileChange
from guardrails.evidence.roles import Role, role

MOST: Final = 26
"""How many points a page has at most."""
_SHARE: Final = 5
"""How many of them what is not the main thing has, where there is too much to say."""
_PLACES: Final = 6
"""How many points one file has that is not of the main thing."""
_SHOWN: Final = 6
"""How many files a point names that stands for more."""
_ORDER: Final = (Role.SOURCE, Role.DEPENDENCIES, Role.AUTOMATION, Role.DOCUMENTATION, Role.TESTS)


def walk(files: Sequence[FileChange], sources: frozenset[str]) -> tuple[Sentence, ...]:
    """The points of some changed files as sentences that cite files and hunks of `sources`, in the order of a page."""
    by_role = {kept_for: [file for file in files if role(file.path) is kept_for] for kept_for in Role}
    generated = tuple(_generated([file for file in by_role[Role.GENERATED] if file.id in sources]))
    main, *others = [kept_for for kept_for in _ORDER if by_role[kept_for]] or [Role.SOURCE]
    room = MOST - len(generated)
    found = [_fitting(by_role[kept_for], sources, room, is_main=kept_for is main) for kept_for in (main, *others)]
    if sum(map(len, found)) > room:
        beside = [_fitting(by_role[kept_for], sources, _SHARE, is_main=False) for kept_for in others]
        left = room - sum(map(len, beside))
        found = [_fitting(by_role[main], sources, left, is_main=True), *beside]
    return tuple(_sentence(point) for point in _under_headings([*(point for some in found for point in some), *generated]))


def _fitting(files: Sequence[FileChange], sources: frozenset[str], room: int, *, is_main: bool) -> tuple[Point, ...]:
    """As many points as there is room for, told as finely as that allows."""
    if len(files) <= room:
        found = tuple(point for file in files for point in _finest(file, sources, is_main=is_main))
        if len(found) <= room:
            return found
    found = tuple(point for file in files for point in whole(file, sources))
    if len(found) <= room:
        return found
    each = tuple(point for file in files for point in _named(file, sources))
    for depth in range(max((point.path.count("/") for point in each), default=0), -1, -1):
        found = tuple(_folders(each, depth))
        if len(found) <= room:
            return found
    by_size = sorted(found, key=lambda point: -point.size)
    return (*by_size[: room - 1], _folder("", by_size[room - 1 :]))


def _finest(file: FileChange, sources: frozenset[str], *, is_main: bool) -> tuple[Point, ...]:
    found = points(file, sources)
    return found if is_main or len(found) <= _PLACES else whole(file, sources)


def _named(file: FileChange, sources: frozenset[str]) -> Iterator[Point]:
    """A file as one point that names no place in it."""
    cited = file.id if file.id in sources else next((hunk.id for hunk in file.hunks if hunk.id in sources), None)
    told = whole(file, sources) if cited is not None else ()
    if cited is not None and told:
        is_new = file.change is Change.ADDED
        yield replace(told[-1], evidence=(cited,), size=file.added + file.deleted, names=told[-1].names if is_new else ())


def _folders(each: Iterable[Point], depth: int) -> Iterator[Point]:
    """The files under one folder of this depth as one point, each heading by itself."""
    by_folder: dict[tuple[Heading, str], list[Point]] = {}
    for point in each:
        folder = "/".join(point.path.split("/")[:-1][:depth])
        by_folder.setdefault((point.heading, folder), []).append(point)
    for (_, folder), inside in by_folder.items():
        yield inside[0] if len(inside) == 1 else _folder(folder, inside)


def _folder(folder: str, inside: Sequence[Point]) -> Point:
    """The files of a folder as one point, by the largest of them and what the new ones among these declare."""
    largest = {id(point) for point in sorted(inside, key=lambda point: -point.size)[:_SHOWN]}
    kept = [point for point in inside if id(point) in largest]
    names = tuple(name for point in kept for name in point.names)
    where = f" of {code(folder)}" if folder else ""
    text = f"files{where} that change most" if len(inside) > len(kept) else f"changed files{where}"
    evidence = tuple(dict.fromkeys(item for point in kept for item in point.evidence[:1]))
    size = sum(point.size for point in inside)
    return Point(inside[0].heading, folder, f"{text}; new are {named(names)}" if names else text, evidence, size, names)


def _generated(files: Sequence[FileChange]) -> Iterator[Point]:
    """What nobody writes by hand, one point for what locks dependencies and one for the rest."""
    locks = [file for file in files if "lock" in file.path or file.path.endswith(".sum")]
    others = [file for file in files if file not in locks]
    for heading, some, text in (
        (Heading.DEPENDENCIES, locks, "locked versions change too"),
        (Heading.CHANGED, others, "generated or vendored, changed too"),
    ):
        if some:
            largest = sorted(some, key=lambda file: -(file.added + file.deleted))[:_SHOWN]
            rest = ", as in others" if len(some) > _SHOWN else ""
            yield Point(heading, "", text + rest, tuple(file.id for file in largest), 0)


def _under_headings(found: Sequence[Point]) -> Iterator[Point]:
    """Points in the order of a page; where nothing but tests or documents changed, that is what changed."""
    is_plain = not any(point.heading is Heading.CHANGED for point in found)
    places = {heading: place for place, heading in enumerate(Heading)}
    for point in sorted(found, key=lambda point: places[point.heading]):
        yield replace(point, heading=Heading.CHANGED) if is_plain else point


def _sentence(point: Point) -> Sentence:
    return Sentence(f"{point.text}.", point.evidence, point.heading)
