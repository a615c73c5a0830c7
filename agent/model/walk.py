"""The walk through what changed: by function or section, by file where there are many, by folder where there are very many
(Describe Changes: detail_md).

The code that users meet is told most finely. Nothing is dropped in silence: a point that stands for more than it names says so.
"""

from __future__ import annotations

import re
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
_KEPT_FOR: Final = (
    (Heading.DEPENDENCIES, re.compile(r"lock[^/]*$|\.sum$|\.resolved$")),
    (Heading.TESTS, re.compile(r"(?:^|/)(?:__snapshots__|cassettes|vcr_cassettes|tests?)/|\.snap$")),
)
"""What generated files are kept for, by their paths."""
_WORDS: Final = {Change.ADDED: "new", Change.DELETED: "deleted"}
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
    evidence = tuple(dict.fromkeys(item for point in kept for item in point.evidence[:1]))
    text = _files(folder, {point.change for point in kept}, is_all=len(kept) == len(inside))
    size = sum(point.size for point in inside)
    return Point(
        inside[0].heading, folder, f"{text}; new are {named(names)}" if names else text, evidence, size, inside[0].change, names
    )


def _files(folder: str, changes: set[Change], *, is_all: bool) -> str:
    """What to call some files of a folder, by what happened to them."""
    words = " and ".join(dict.fromkeys(_WORDS.get(change, "changed") for change in Change if change in changes))
    where = f" of {code(folder)}" if folder else ""
    return f"{words} files{where}" if is_all else f"{words} files{where}, the largest of them"


def _generated(files: Sequence[FileChange]) -> Iterator[Point]:
    """What nobody writes by hand: one point for what locks dependencies, one for what tests compare with, one for the rest."""
    by_heading: dict[Heading, list[FileChange]] = {}
    for file in files:
        kept_for = next((heading for heading, pattern in _KEPT_FOR if pattern.search(file.path)), Heading.CHANGED)
        by_heading.setdefault(kept_for, []).append(file)
    for heading, some in by_heading.items():
        largest = sorted(some, key=lambda file: -(file.added + file.deleted))[:_SHOWN]
        word = "locked versions" if heading is Heading.DEPENDENCIES else "generated files"
        going = " and some are deleted" if any(file.change is Change.DELETED for file in largest) else ""
        rest = ", as do others" if len(some) > _SHOWN else ""
        yield Point(heading, "", f"{word} change too{going}{rest}", tuple(file.id for file in largest), 0)


def _under_headings(found: Sequence[Point]) -> Iterator[Point]:
    """Points in the order of a page; where nothing but tests or documents changed, that is what changed."""
    is_plain = not any(point.heading is Heading.CHANGED for point in found)
    places = {heading: place for place, heading in enumerate(Heading)}
    for point in sorted(found, key=lambda point: places[point.heading]):
        yield replace(point, heading=Heading.CHANGED) if is_plain else point


def _sentence(point: Point) -> Sentence:
    return Sentence(f"{point.text}.", point.evidence, point.heading)
