"""Phrases: facts as one point of a page, in few plain words that judge nothing (Describe Changes: detail_md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from agent.model.extractive.facts import Fact, Verb

_LONGEST: Final = 700
_MOST: Final = (6, 3, 1)
"""How many facts of one verb a point names, as far as it stays short."""
_REST: Final = "others change too"


def told(facts: Sequence[Fact]) -> str:
    """The facts as one sentence without its stop; what is too much to name is said to be left."""
    texts = ("; ".join(_phrases(facts, most)) for most in _MOST)
    return next((text for text in texts if len(text) <= _LONGEST), "changes lines")


def _phrases(facts: Sequence[Fact], most: int) -> Iterator[str]:
    rest = False
    for verb in Verb:
        same = [fact for fact in facts if fact.verb is verb]
        rest = rest or len(same) > most
        yield from _SAID[verb](same[:most]) if same else ()
    if rest:
        yield _REST


def _by_scope(facts: Sequence[Fact]) -> Iterator[tuple[str, list[Fact]]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact.scope, []).append(fact)
    yield from found.items()


def _each(one: str, several: str = "") -> Callable[[Sequence[Fact]], Iterator[str]]:
    """A phrase for each fact, or with `several` for all that became the same; those of one scope behind its name."""

    def said(facts: Sequence[Fact]) -> Iterator[str]:
        for scope, some in _by_scope(facts):
            alike: dict[object, list[Fact]] = {}
            for fact in some:
                alike.setdefault((fact.noun, fact.others) if several else fact, []).append(fact)
            texts = ((one if len(same) == 1 else several).format(_nouns(same), *same[0].others) for same in alike.values())
            yield (f"in {scope}, " if scope else "") + "; ".join(texts)

    return said


def _together(verb: str, preposition: str) -> Callable[[Sequence[Fact]], Iterator[str]]:
    """One phrase for all facts of one scope."""

    def said(facts: Sequence[Fact]) -> Iterator[str]:
        for scope, some in _by_scope(facts):
            yield f"{verb} {_nouns(some)}" + (f" {preposition} {scope}" if scope else "")

    return said


def _touched(facts: Sequence[Fact]) -> Iterator[str]:
    yield f"changes {listed([fact.what for fact in facts])}"


def _changed(facts: Sequence[Fact]) -> Iterator[str]:
    """What calls something new, each by itself; the others together."""
    for fact in facts:
        if fact.others:
            yield f"changes {fact.what}, with new calls of {listed(fact.others)}"
    if some := [fact for fact in facts if not fact.others]:
        yield f"changes {_nouns(some)}"


def named(facts: Sequence[Fact]) -> str:
    """What the facts are about, as far as there is room to name it."""
    most = _MOST[0] + 2
    rest = " and others" if len(facts) > most else ""
    return _nouns(facts[:most]) + rest


def _nouns(facts: Sequence[Fact]) -> str:
    """What the facts are about, those with a noun behind it: "`a` and the sections `b` and `c`"."""
    found: dict[str, list[str]] = {}
    for fact in facts:
        found.setdefault(fact.noun, []).append(fact.what)
    parts = (f"the {noun}{'s' * (len(names) > 1)} {listed(names)}" if noun else listed(names) for noun, names in found.items())
    return ", ".join(parts)


def listed(names: Sequence[str]) -> str:
    """Names as a list: "a, b and c"."""
    *most, last = dict.fromkeys(names)
    return f"{', '.join(most)} and {last}" if most else last


_SAID: Final[Mapping[Verb, Callable[[Sequence[Fact]], Iterator[str]]]] = {
    Verb.SETS: _each("{} goes from {} to {}", "{} go from {} to {}"),
    Verb.REPLACES: _each("{} replaces {}"),
    Verb.ADDS: _together("adds", "to"),
    Verb.RENAMES: _each("renames {} to {}"),
    Verb.MOVES: _together("moves", "in"),
    Verb.CHANGES: _changed,
    Verb.REMOVES: _together("removes", "from"),
    Verb.TOUCHES: _touched,
}
