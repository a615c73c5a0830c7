"""Points: what is said of one changed file, place by place, each with its evidence (Describe Changes: detail_md, refs).

One point a function or section; what no lines can show (a rename, a mode, a binary file) is a point without a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agent.model.extractive.declarations import Language, language
from agent.model.extractive.edits import read
from agent.model.extractive.facts import LINES, Fact, Verb, facts, is_quotable, merged
from agent.model.extractive.phrases import named, told
from guardrails.drafts.page import Heading
from guardrails.evidence.code_spans import code
from guardrails.evidence.model import Change, Content, FileChange, Hunk
from guardrails.evidence.roles import Role, role

_MOST_PLACES: Final = 8
"""How many places a point names at most; beyond that the file stands for them."""
_CONTENTS: Final[Mapping[Content, str]] = {
    Content.BINARY: "binary file",
    Content.EMPTY: "empty file",
    Content.SYMLINK: "symbolic link",
    Content.SUBMODULE: "submodule",
    Content.LFS_POINTER: "file kept as a pointer",
    Content.MISSING: "file that is missing here",
}
_CHANGES: Final[Mapping[Change, str]] = {
    Change.ADDED: "new {content}",
    Change.DELETED: "deleted {content}",
    Change.RENAMED: "renamed from {old}",
    Change.COPIED: "copied from {old}",
    Change.TYPE_CHANGED: "another type of file, now a {content}",
    Change.MODE_CHANGED: "changed mode",
    Change.UNMERGED: "unmerged {content}",
}
_HEADINGS: Final[Mapping[Role, Heading]] = {
    Role.TESTS: Heading.TESTS,
    Role.DOCUMENTATION: Heading.DOCUMENTATION,
    Role.DEPENDENCIES: Heading.DEPENDENCIES,
}
_OF_TESTS: Final = frozenset(("`test`", "`tests`"))
"""How the tests that stand in a file of source are called together."""
_DEPENDING: Final = re.compile(r"(?i)depend|require|plugin")
_VERSION: Final = re.compile(r"`[\"']?[\^~<>=!v]*\d+(?:\.\d+)+[^`]*`")
_LISTS: Final = re.compile(r"(?:requirements|go\.mod|gemfile|pipfile)", re.IGNORECASE)
"""Manifests that name dependencies and little else."""


@dataclass(frozen=True, slots=True)
class Point:
    """Something to say of a file, and the ids that carry it."""

    heading: Heading
    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What some hunks of a file bear out together."""

    facts: tuple[Fact, ...]
    hunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A changed file with what its hunks bear out, place by place; those of which the same is said are one place."""

    file: FileChange
    places: tuple[Place, ...]

    @classmethod
    def of(cls, file: FileChange) -> Reading:
        """Read the hunks of a file."""
        by_text: dict[str, list[Place]] = {}
        for place in _places(file):
            by_text.setdefault(told(place.facts), []).append(place)
        return cls(file, tuple(map(_one, by_text.values())))

    @property
    def names(self) -> tuple[Fact, ...]:
        """What came with the file, by name."""
        return tuple(fact for place in self.places for fact in place.facts if fact.verb is Verb.ADDS and fact.is_name)

    def points(self, sources: frozenset[str], *, as_one: bool = False) -> tuple[Point, ...]:
        """The points of the file, place by place or as one; none where `sources` has neither the file nor a hunk of it."""
        places = (_one(self.places),) if as_one and self.places else self.places
        return tuple(_points(self.file, places, sources))


def cited(file: FileChange, hunks: Iterable[str], sources: frozenset[str]) -> tuple[str, ...]:
    """The ids that stand for some hunks of a file: the file itself where there are none, and where there are very many."""
    shown = tuple(filter(sources.__contains__, hunks)) if file.content is Content.TEXT else ()
    if file.id in sources and not 0 < len(shown) <= _MOST_PLACES:
        return (file.id,)
    return shown[:_MOST_PLACES]


def heading(file: FileChange, found: tuple[Fact, ...] = ()) -> Heading:
    """The heading that lines of a file stand under: of a manifest they may be about dependencies, of source about tests."""
    kept_for = Role.TESTS if found and all(fact.scope in _OF_TESTS for fact in found) else role(file.path)
    if kept_for is Role.DEPENDENCIES and not _LISTS.search(file.path) and not _depends(found):
        return Heading.CHANGED
    return _HEADINGS.get(kept_for, Heading.CHANGED)


def _points(file: FileChange, places: tuple[Place, ...], sources: frozenset[str]) -> Iterator[Point]:
    if file.change in {Change.ADDED, Change.DELETED} or file.content is not Content.TEXT or not file.hunks:
        yield from _point(file, _file(file, places), _one(places), sources)
        return
    if file.change in {Change.RENAMED, Change.COPIED} and file.id in sources:
        yield from _point(file, _file(file, ()), Place((), ()), sources)
    for place in places:
        yield from _point(file, told(place.facts), place, sources)


def _point(file: FileChange, text: str, place: Place, sources: frozenset[str]) -> Iterator[Point]:
    if evidence := cited(file, place.hunks, sources):
        yield Point(heading(file, place.facts), text, evidence)


def _file(file: FileChange, places: tuple[Place, ...]) -> str:
    """What is said of a file as a whole, and of a text that came or went what it holds."""
    old = code(file.old_path or "")
    text = _CHANGES.get(file.change, "changed {content}").format(content=_CONTENTS.get(file.content, "file"), old=old)
    if file.change is Change.COPIED and not file.hunks:
        return f"{text} as it was"
    verb = Verb.REMOVES if file.change is Change.DELETED else Verb.ADDS
    held = [fact for fact in _one(places).facts if fact.verb is verb] if file.content is Content.TEXT else []
    shown = [fact for fact in held if fact.is_name] or held[:1]
    return f"{text} with {named(shown)}" if shown else text


def _one(places: Iterable[Place]) -> Place:
    each = tuple(places)
    found = merged(fact for place in each for fact in place.facts)
    return Place(found, tuple(item for place in each for item in place.hunks))


def _places(file: FileChange) -> tuple[Place, ...]:
    """The hunks of a file, those of one function or section together; what came here and went there has moved."""
    how = language(file.path)
    told_ = {hunk.id: _facts(hunk, how) for hunk in file.hunks}
    moved = {fact for fact in merged(fact for each in told_.values() for fact in each) if fact.verb is Verb.MOVES}
    by_scope: dict[str, list[str]] = {}
    for item, found in told_.items():
        by_scope.setdefault(_scope(found) or item, []).append(item)
    return tuple(
        Place(tuple(_moving(merged(fact for item in items for fact in told_[item]), moved)), tuple(items))
        for items in by_scope.values()
    )


def _moving(found: tuple[Fact, ...], moved: set[Fact]) -> Iterator[Fact]:
    """The facts of one place; a name that comes or goes here and does the opposite elsewhere in the file moves."""
    sides = {(fact.what, fact.scope): fact for fact in moved}
    for fact in found:
        both = fact.verb in {Verb.ADDS, Verb.REMOVES}
        yield sides.get((fact.what, fact.scope), fact) if both else fact


def _facts(hunk: Hunk, how: Language) -> tuple[Fact, ...]:
    """What a hunk bears out; of one that was not read, what git says it stands in."""
    around = how.declared(hunk.section) if hunk.text is None and not how.is_prose else None
    if around is not None and is_quotable(around.name):
        return (Fact(Verb.CHANGES, code(around.name), code(around.name)),)
    return facts(read(hunk, how), how) or (Fact(Verb.TOUCHES, LINES),)


def _scope(found: tuple[Fact, ...]) -> str:
    """The one thing that all facts of a hunk are about; "" where it is about several, or about what has no name."""
    if all(fact.verb is Verb.TOUCHES for fact in found):
        return found[0].what if found[0].what.isalpha() else ""
    scopes = {fact.scope for fact in found}
    return scopes.pop() if len(scopes) == 1 else ""


def _depends(found: tuple[Fact, ...]) -> bool:
    """Whether the changed lines of a manifest are about what it depends on."""
    if any(_DEPENDING.search(word) for fact in found for word in (fact.scope, fact.what)):
        return True
    return bool(found) and all(
        fact.verb is Verb.SETS and fact.what != "`version`" and all(map(_VERSION.fullmatch, fact.others)) for fact in found
    )
