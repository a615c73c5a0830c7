"""What macros may make: of those of the snapshot only what they write or are given (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.rust import macros
from guardrails.code_facts.rust.modules import Modules
from guardrails.code_facts.rust.places import Place
from guardrails.code_facts.rust.resolution import is_local
from guardrails.code_facts.rust.survey import Definition, Invocation, Survey
from guardrails.code_facts.trees import first

MAX_WORDS: Final = 1_000
"""A macro that may write more words than that may write any."""
MAX_PLACES: Final = 500
"""In so many places of a file macros are told apart."""
_MADE: Final = frozenset({Kind.SYMBOL, Kind.API, Kind.TEST_DEFINITION})
_IMPORTED: Final = frozenset({Kind.IMPORT, Kind.DEPENDENCY, Kind.RESOLVED_CALL})
_IMPORTING: Final = frozenset({"use", "mod", "extern"})
_HERE: Final = frozenset({"crate", "self", "super", "$crate"})


@dataclass(slots=True)
class Expansion:
    """The macros of a snapshot by the files of the roots of their crates."""

    modules: Modules
    definitions: dict[str, dict[str, list[Definition]]] = field(default_factory=dict)
    _known: dict[tuple[str, str], frozenset[str] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, modules: Modules, surveys: Mapping[str, Survey]) -> Expansion:
        """Gather what is defined."""
        result = cls(modules)
        for file, found in surveys.items():
            for root in result._roots(file):
                for name, told in found.definitions.items():
                    result.definitions.setdefault(root, {}).setdefault(name, []).extend(told)
        return result

    def opened(self, file: str, found: Survey) -> dict[tuple[str, tuple[str, ...]], tuple[frozenset[str] | None, ...]]:
        """By module of a file the names that macros may make in it; None where they may make any."""
        told: dict[tuple[str, tuple[str, ...]], dict[frozenset[str] | None, None]] = {}
        for words, same in self._gathered(file, found):
            for one in same:
                if one.makes_items and one.place.is_of_module and one.place.module is not None:
                    told.setdefault((file, one.place.module), {})[words] = None
        return {place: tuple(words) for place, words in told.items()}

    def gaps(self, file: str, found: Survey) -> Iterator[Blind]:
        """What macros may make in a file and nobody reads; names may only end with the words that are written or given."""
        if found.generated:
            reason = "what attributes and derived traits write is not told"
            yield Blind(frozenset({Kind.SYMBOL, Kind.API}), file, reason, found.generated, is_blocking=False)
        for words, same in self._gathered(file, found):
            head = same[0]
            name = "::".join(head.name)[:60]
            if words is None:
                yield from _of_elsewhere(file, head, f"what the macro {name}! makes is not read")
                continue
            kinds = _MADE if head.makes_items else frozenset({Kind.SYMBOL})
            yield Blind(kinds, file, f"what the macro {name}! makes is told by its words alone", head.line, words=words)
            if not words.isdisjoint(_IMPORTING):
                yield Blind(_IMPORTED, file, f"the macro {name}! may import something", head.line)

    def _gathered(self, file: str, found: Survey) -> Iterator[tuple[frozenset[str] | None, list[Invocation]]]:
        """The invocations of a file by what is invoked and where, each with the words of all of them."""
        gathered: dict[tuple[tuple[str, ...], Place], list[Invocation]] = {}
        for one in found.invocations:
            gathered.setdefault((one.name, one.place), []).append(one)
        foreign = {use.alias for use in found.uses if not is_local(use.path) and use.path != (use.alias,)}
        for index, ((name, _), same) in enumerate(gathered.items()):
            is_ours = bool(name) and (len(name) == 1 or name[0] in _HERE) and name[-1] not in foreign
            invoked = {name_of for one in same for name_of in one.invoked}
            own = self._words(file, (name[-1], *invoked)) if is_ours and index < MAX_PLACES else None
            given = frozenset(word for one in same for word in one.words)
            # What a block may declare by a macro of elsewhere is at least written in what is given to that.
            yield (None if own is None and same[0].makes_items else given | (own or frozenset())), same

    def _words(self, file: str, names: tuple[str, ...]) -> frozenset[str] | None:
        """The words of macros of the same crate, and of all that they invoke; None if one is of elsewhere."""
        told: set[str] = set()
        for root in self._roots(file):
            for one in names:
                words = self._closure(root, one)
                if words is None or len(told) > MAX_WORDS:
                    return None
                told |= words
        return frozenset(told)

    def _closure(self, root: str, name: str) -> frozenset[str] | None:
        key = (root, name)
        if key not in self._known:
            self._known[key] = self._reach(self.definitions.get(root, {}), name)
        return self._known[key]

    def _reach(self, known: Mapping[str, list[Definition]], name: str) -> frozenset[str] | None:
        seen, waiting, told = {name}, [name], set[str]()
        while waiting:
            one = waiting.pop()
            if one not in known:
                if one in macros.EXPRESSIONS | macros.PLAIN | macros.ITEMS:
                    continue
                return None
            for definition in known[one]:
                told |= definition.words
                if len(told) > MAX_WORDS:
                    return None
                waiting.extend(definition.invoked - seen)
                seen |= definition.invoked
        return frozenset(told)

    def _roots(self, file: str) -> list[str]:
        return list(dict.fromkeys(module.root.file for module in self.modules.at.get((file, ()), ())))


def _of_elsewhere(file: str, one: Invocation, reason: str) -> Iterator[Blind]:
    """A macro that nobody reads makes items below the names around it, which in types and traits import nothing."""
    place = one.place
    below = (f"{'.'.join(place.names)}.",) if place.names else ()
    yield Blind(frozenset({Kind.SYMBOL}), file, reason, one.line, below=below)
    if not place.is_member:
        yield Blind(_IMPORTED | {Kind.API, Kind.TEST_DEFINITION}, file, reason, one.line)
    elif place.impl is None or first(place.impl, "for") is None:
        yield Blind(frozenset({Kind.API}), file, reason, one.line)
