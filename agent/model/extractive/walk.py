"""The walk through what changed: by function or section, by file where there are many, by folder where there are very many
(Describe Changes: detail_md).

The code that users meet is told most finely. Nothing is dropped in silence: a point that stands for more than it names says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from agent.model.extractive.phrases import named
from agent.model.extractive.points import Point, Reading, cited, heading
from guardrails.drafts.page import Heading
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.code_spans import code
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
_WORDS: Final = {Change.ADDED: "new", Change.DELETED: "deleted", Change.RENAMED: "renamed", Change.COPIED: "copied"}
_ORDER: Final = (Role.SOURCE, Role.DEPENDENCIES, Role.AUTOMATION, Role.DOCUMENTATION, Role.TESTS)


def walk(files: Sequence[FileChange], sources: frozenset[str]) -> tuple[Sentence, ...]:
    """The points of some changed files as sentences that cite files and hunks of `sources`, in the order of a page."""
    by_role: dict[Role, list[FileChange]] = {}
    for file in files:
        by_role.setdefault(role(file.path), []).append(file)
    generated = tuple(_generated([file for file in by_role.get(Role.GENERATED, []) if file.id in sources]))
    found = _fitting([by_role[kept_for] for kept_for in _ORDER if kept_for in by_role], sources, MOST - len(generated))
    return tuple(_sentence(point) for point in _under_headings([*found, *generated]))


def _fitting(groups: Sequence[Sequence[FileChange]], sources: frozenset[str], room: int) -> tuple[Point, ...]:
    """As many points as there is room for; the first group has what the others leave."""
    stretches = [_Stretch(files, sources, is_main=place == 0) for place, files in enumerate(groups)]
    found = [stretch.points(room) for stretch in stretches]
    if sum(map(len, found)) > room:
        beside = [stretch.points(_SHARE) for stretch in stretches[1:]]
        found = [stretches[0].points(room - sum(map(len, beside))), *beside]
    return tuple(point for some in found for point in some)


class _Stretch:
    """Files of one role, read at most once, and what is said of them in as many points as there is room for."""

    def __init__(self, files: Sequence[FileChange], sources: frozenset[str], *, is_main: bool) -> None:
        self._sources = sources
        self._files = [file for file in files if cited(file, (hunk.id for hunk in file.hunks), sources)]
        self._is_main = is_main
        self._read: dict[str, Reading] = {}

    def points(self, room: int) -> tuple[Point, ...]:
        """By places, by files, or by folders, as finely as `room` allows."""
        if len(self._files) <= room:
            for as_one in (False, True):
                found = tuple(point for file in self._files for point in self._of_file(file, as_one=as_one))
                if len(found) <= room:
                    return found
        return self._by_folder(room)

    def _reading(self, file: FileChange) -> Reading:
        if file.id not in self._read:
            self._read[file.id] = Reading.of(file)
        return self._read[file.id]

    def _of_file(self, file: FileChange, *, as_one: bool) -> tuple[Point, ...]:
        found = self._reading(file).points(self._sources, as_one=as_one)
        return found if self._is_main or len(found) <= _PLACES else self._reading(file).points(self._sources, as_one=True)

    def _by_folder(self, room: int) -> tuple[Point, ...]:
        """One point a folder, for the deepest folders of which there are not too many; the smallest of all are one."""
        for depth in range(max((file.path.count("/") for file in self._files), default=0), -1, -1):
            folders: dict[tuple[Heading, str], list[FileChange]] = {}
            for file in self._files:
                folder = "/".join(file.path.split("/")[:-1][:depth])
                folders.setdefault((heading(file), folder), []).append(file)
            if len(folders) <= room:
                break
        each = [(folder, files) for (_, folder), files in folders.items()]
        if len(each) > room:
            each.sort(key=lambda pair: -sum(map(_size, pair[1])))
            each = [*each[: room - 1], ("", [file for _, files in each[room - 1 :] for file in files])]
        return tuple(point for folder, files in each for point in self._folder(folder, files))

    def _folder(self, folder: str, files: Sequence[FileChange]) -> Iterator[Point]:
        """The files of a folder as one point, by the largest of them and what the new ones among these declare."""
        if len(files) == 1:
            yield from self._of_file(files[0], as_one=True)
            return
        shown = _largest(files)
        names = [name for file in shown if file.change is Change.ADDED for name in self._reading(file).names]
        text = _called(folder, {file.change for file in shown}, is_all=len(shown) == len(files))
        evidence = (cited(file, (hunk.id for hunk in file.hunks), self._sources)[0] for file in shown)
        own = tuple(file.id if file.id in self._sources else item for file, item in zip(shown, evidence, strict=True))
        yield Point(heading(files[0]), f"{text}; new are {named(names)}" if names else text, own)


def _largest(files: Sequence[FileChange]) -> list[FileChange]:
    """The files of which most changed, in the order in which they stand."""
    kept = {file.id for file in sorted(files, key=lambda file: -_size(file))[:_SHOWN]}
    return [file for file in files if file.id in kept]


def _size(file: FileChange) -> int:
    return file.added + file.deleted


def _called(folder: str, changes: set[Change], *, is_all: bool) -> str:
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
    for kept_for, some in by_heading.items():
        shown = _largest(some)
        word = "locked versions" if kept_for is Heading.DEPENDENCIES else "generated files"
        going = " and some are deleted" if any(file.change is Change.DELETED for file in shown) else ""
        rest = ", as do others" if len(some) > len(shown) else ""
        yield Point(kept_for, f"{word} change too{going}{rest}", tuple(file.id for file in shown))


def _under_headings(found: Sequence[Point]) -> Iterator[Point]:
    """Points in the order of a page; where nothing but tests or documents changed, that is what changed."""
    is_plain = not any(point.heading is Heading.CHANGED for point in found)
    places = {heading: place for place, heading in enumerate(Heading)}
    for point in sorted(found, key=lambda point: places[point.heading]):
        yield replace(point, heading=Heading.CHANGED) if is_plain else point


def _sentence(point: Point) -> Sentence:
    return Sentence(f"{point.text}.", point.evidence, point.heading)
