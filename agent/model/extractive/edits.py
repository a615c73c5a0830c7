"""Edits: what the lines of one hunk declare, give up and change, and inside of what (Describe Changes: detail_md).

The lines are read twice at once, as they were and as they are. A line that declares nothing belongs to the innermost
declaration above it that stands less deep; what stands inside of something that came or went is not told by itself, nor are
the comments and decorators before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from agent.model.extractive.declarations import Declaration, Kind, Language, depth
from guardrails.evidence.model import Hunk

_CLOSING = frozenset("{})]/*-<>`|")
"""How lines begin that stand as deep as what they belong to."""
_FENCES = ("```", "~~~")
_LEADING = ("@", "#", "//", "/*", "*", "--", '"""')
"""How comments and decorators begin, which belong to the declaration below them."""
_STEP = 4
"""How much deeper than its block a member stands at most."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name that is declared, the name of what it is declared in ("" for nothing that is seen), and the line that does it."""

    name: str
    scope: str
    kind: Kind
    line: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Renamed:
    """A declaration that is the same but for its name."""

    old: Named
    new: Named


@dataclass(frozen=True, slots=True)
class Lines:
    """Changed lines that declare nothing new, without the blank ones: what went and what came at one place in `scope`.

    `declared` is the declaration that the lines are, where it is the same on both sides.
    """

    scope: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    declared: Named | None = None


@dataclass(frozen=True, slots=True)
class Edits:
    """What a hunk changes: names that came, went and became others, and other lines. `kept` are the lines around them."""

    come: tuple[Named, ...] = ()
    gone: tuple[Named, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    lines: tuple[Lines, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    """One changed line: what it declares, what it stands in, and whether that came or went as a whole."""

    line: str
    declared: Named | None
    scope: str
    is_inside: bool


_Run: TypeAlias = tuple[list[str], list[str], list[str]]
"""What one place lost and got, and the lines that follow it unchanged."""


class _View:
    """One side of a hunk: which declarations are open at the line that is being read; `_inside` is the depth of the outermost
    of them that came or went as a whole.
    """

    def __init__(self, how: Language, section: str, *, fenced: bool) -> None:
        self._how = how
        self._fenced = fenced
        self._open: list[Declaration] = []
        self._inside: int | None = None
        if section and not how.is_prose:
            self.enter(section, changed=False)

    def enter(self, line: str, *, changed: bool) -> _Read:
        self._fenced ^= self._how.is_prose and line.lstrip().startswith(_FENCES)
        at = depth(line)
        if self._inside is not None and at > self._inside >= 0:
            return _Read(line, None, "", is_inside=True)
        declared = None if self._fenced else self._how.declared(line)
        if declared is not None or _ends(line):
            self._leave(at if declared is None else declared.depth)
        scope = self._open[-1].name if self._open else ""
        is_inside = self._inside is not None
        if declared is None or (declared.kind is Kind.MEMBER and not self._is_member(declared)):
            return _Read(line, None, scope, is_inside)
        self._enter(declared, changed=changed and declared.kind is not Kind.PLACE)
        named = None if declared.kind is Kind.PLACE else Named(declared.name, scope, declared.kind, line)
        return _Read(line, named, scope, is_inside)

    def _enter(self, declared: Declaration, *, changed: bool) -> None:
        self._open.append(declared)
        if changed and self._inside is None:
            self._inside = declared.depth

    def _leave(self, at: int) -> None:
        while self._open and self._open[-1].depth >= at:
            self._open.pop()
        if self._inside is not None and at <= self._inside:
            self._inside = None

    def _is_member(self, declared: Declaration) -> bool:
        if not self._open:
            return False
        around = self._open[-1]
        return around.kind in {Kind.BLOCK, Kind.PLACE} and declared.depth - around.depth <= _STEP


def read(hunk: Hunk, how: Language) -> Edits:
    """The edits of one hunk; none where its text is not known."""
    runs = tuple(_runs(hunk.text or ""))
    old, new = (_View(how, hunk.section, fenced=_is_fenced(runs, side)) for side in (0, 1))
    parts: list[Edits] = []
    for removed, added, kept in runs:
        was = [old.enter(line, changed=True) for line in removed]
        now = [new.enter(line, changed=True) for line in added]
        parts.append(_edits(was, now, kept))
        for line in kept:
            old.enter(line, changed=False)
            new.enter(line, changed=False)
    return _joined(parts)


def _joined(parts: list[Edits]) -> Edits:
    """The edits of a whole hunk.

    What went at one place of it and came at another in other words has changed; what came elsewhere under the name that it had
    was not renamed.
    """
    come = {one: one for part in parts for one in part.come}
    gone = {one: one for part in parts for one in part.gone}
    renamed = [one for part in parts for one in part.renamed if one.old not in come and one.new not in gone]
    for one in (one for part in parts for one in part.renamed if one not in renamed):
        come.setdefault(one.new, one.new)
        gone.setdefault(one.old, one.old)
    changed = [one for one in gone if one in come and come[one].line != gone[one].line]
    return Edits(
        tuple(one for one in come if one not in changed),
        tuple(one for one in gone if one not in changed),
        tuple(renamed),
        (
            *(line for part in parts for line in part.lines),
            *(Lines(one.name, (gone[one].line,), (come[one].line,), one) for one in changed),
        ),
        tuple(line for part in parts for line in part.kept),
    )


def _ends(line: str) -> bool:
    """Whether a line, standing where it stands, ends what is deeper: not a blank one, a comment, or a closing bracket."""
    text = line.lstrip()
    return bool(text) and text[0] not in _CLOSING and (text[0] != "#" or text.startswith("#["))


def _is_fenced(runs: tuple[_Run, ...], side: int) -> bool:
    """Whether one side of a hunk must begin inside of a fenced block: a fence that names a language opens one."""
    lines = (line for run in runs for part in (run[side], run[2]) for line in part)
    fences = [text for line in lines if (text := line.strip()).startswith(_FENCES)]
    return any(fence.strip("`~") for fence in fences[1::2])


def _runs(text: str) -> Iterator[_Run]:
    """The lines of a hunk, place by place."""
    run: _Run = ([], [], [])
    for line in text.split("\n"):
        sign, rest = line[:1], line[1:].rstrip("\r")
        if sign in {"+", "-"} and run[2]:
            yield run
            run = ([], [], [])
        if sign in {"-", "+", " "}:
            run["-+ ".index(sign)].append(rest)
    yield run


def _edits(was: list[_Read], now: list[_Read], kept: list[str]) -> Edits:
    """The edits of one place. A name that is declared on both sides is a declaration that changed."""
    before = {one.declared: one for one in was if one.declared is not None and not one.is_inside}
    after = {one.declared: one for one in now if one.declared is not None and not one.is_inside}
    renamed = dict(_renamed(before, after))
    return Edits(
        come=tuple(named for named in after if named not in before and named not in renamed.values()),
        gone=tuple(named for named in before if named not in after and named not in renamed),
        renamed=tuple(Renamed(old, new) for old, new in renamed.items()),
        lines=(*_redeclared(before, after), *_others(_loose(was), _loose(now))),
        kept=tuple(kept),
    )


def _renamed(before: dict[Named, _Read], after: dict[Named, _Read]) -> Iterator[tuple[Named, Named]]:
    """The one name that went and the one that came for it in a line that is the same but for the name."""
    went = [named for named in before if named not in after]
    came = [named for named in after if named not in before]
    if len(went) == len(came) == 1 and _frame(went[0]) == _frame(came[0]):
        yield went[0], came[0]


def _frame(named: Named) -> tuple[str, str]:
    """Where a name is declared, and the line without it."""
    return named.scope, re.sub(rf"(?<!\w){re.escape(named.name)}(?!\w)", "\0", named.line, count=1)


def _redeclared(before: dict[Named, _Read], after: dict[Named, _Read]) -> Iterator[Lines]:
    for named, read_ in before.items():
        if named in after and read_.line != after[named].line:
            yield Lines(named.name, (read_.line,), (after[named].line,), named)


def _others(removed: list[_Read], added: list[_Read]) -> Iterator[Lines]:
    for scope in dict.fromkeys(one.scope for one in (*added, *removed)):
        sides = [tuple(one.line for one in side if one.scope == scope) for side in (removed, added)]
        yield Lines(scope, sides[0], sides[1])


def _loose(side: list[_Read]) -> list[_Read]:
    """The lines that neither declare nor lead up to a declaration, in order."""
    loose: list[_Read] = []
    below: _Read | None = None
    for one in reversed(side):
        if one.declared is not None:
            below = one
        elif below is None or not _leads(one, below):
            below = None
            if not one.is_inside and any(map(str.isalnum, one.line)):
                loose.append(one)
    return loose[::-1]


def _leads(one: _Read, below: _Read) -> bool:
    """Whether a line is a comment or decorator, or a part of one, of the declaration below it."""
    text = one.line.strip()
    deeper = depth(one.line) > depth(below.line)
    return not text or (one.scope == below.scope and (deeper or text.startswith(_LEADING) or text[0] in _CLOSING))
