"""The facts of one side, and what is not known of it: unread is never absent (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.languages import language
from guardrails.code_facts.model import ALL, THROUGH, Blind, Fact, Kind, Provider, Reading, Remembering
from guardrails.code_facts.reach import dependencies, reached, way
from guardrails.contracts.clauses import Selector
from guardrails.contracts.inventory import Category, Entry, Snapshot, is_excluded

_WORD: Final = re.compile(r"\w+")
MAX_DEPENDENCIES: Final = 50_000
"""So many dependencies are told for one selector; what asks for more is not decided."""


@dataclass(frozen=True, slots=True)
class Side:
    """One snapshot with what providers read of it."""

    snapshot: Snapshot
    readings: tuple[tuple[Provider, Reading], ...] = ()
    _facts: Mapping[Kind, tuple[Fact, ...]] = field(default_factory=dict, repr=False)

    def matching(self, selector: Selector) -> tuple[Fact, ...]:
        """The facts that are meant, in order of id; of dependencies also those that lead over other files."""
        found = {fact.id: fact for fact in self._facts.get(selector.kind, ()) if selector.selects(fact)}
        for fact in self._indirect(selector) or ():
            if selector.selects(fact):
                found.setdefault(fact.id, fact)
        return tuple(found[name] for name in sorted(found))

    def way(self, fact: Fact) -> tuple[str, ...]:
        """The files that a local dependency leads over, both ends included; none for other facts."""
        if fact.kind is not Kind.DEPENDENCY or fact.target is None:
            return ()
        ways = (way(reading.links, fact.file, fact.target, bool(fact.type_only)) for _, reading in self.readings)
        return next((one for one in ways if one), ())

    def gaps(self, selector: Selector) -> tuple[str, ...]:
        """Why a fact that is not there may exist nevertheless, in order; none where its absence is certain."""
        file = _file(selector)
        told = self._of_all(selector) if file is None else self._of_file(selector, file)
        blind = (_told(one) for one in self._blind(selector, file))
        many = (
            ()
            if self._indirect(selector) is not None
            else (f"there are more than {MAX_DEPENDENCIES} dependencies of that kind",)
        )
        return tuple(sorted({*told, *blind, *many}))

    def faults(self, selector: Selector) -> tuple[str, ...]:
        """Why even a fact that is there cannot be relied on: configuration that failed for all files that it governs."""
        return tuple(one.reason for one in self._met(selector, _file(selector)) if one.file is None)

    def _indirect(self, selector: Selector) -> tuple[Fact, ...] | None:
        if selector.kind is not Kind.DEPENDENCY:
            return ()
        origin = selector.file or selector.origin
        target = selector.target or selector.name
        found: list[Fact] = []
        for _, reading in self.readings:
            some = dependencies(reading.links, origin, target, MAX_DEPENDENCIES)
            if some is None:
                return None
            found += some
        return tuple(found)

    def _of_file(self, selector: Selector, file: str) -> Iterator[str]:
        """What stands against knowing one file, whether it is there or not."""
        reader = next((provider for provider, _ in self.readings if file.endswith(provider.suffixes)), None)
        entry = self.snapshot.entries.get(file)
        if reader is None or selector.kind not in reader.kinds:
            yield f"{file}: nobody reads {selector.kind.value} facts of {language(file) or 'such files'}"
        elif is_excluded(file):
            yield f"{file}: what is made or fetched is not read"
        elif entry is not None and (entry.category is Category.OPAQUE or file not in self.snapshot.texts):
            yield f"{file}: {_unread(entry)}"
        above = (file[:end] for end, letter in enumerate(file) if letter == "/")
        opaque = (path for path in above if path in self.snapshot.entries)
        yield from (f"{path}: what lies behind a link or in another repository is not read" for path in opaque)
        for _, reading in self.readings:
            others = (path for path in _around(selector, file, reading) if path != file)
            yield from (told for told in map(self._unread_on_the_way, others) if told)

    def _unread_on_the_way(self, path: str) -> str:
        """What an import leads to in a language that nobody reads may import anything."""
        spoken = language(path)
        if spoken is None or any(path.endswith(provider.suffixes) for provider, _ in self.readings):
            return ""
        return f"{path}: nobody reads what {spoken} imports"

    def _of_all(self, selector: Selector) -> Iterator[str]:
        """Every file that may hold such a fact and was not read."""
        for path, entry in self.snapshot.entries.items():
            if is_excluded(path):
                continue
            if entry.category is Category.OPAQUE:
                if _may_hold_source(path, entry, self.snapshot):
                    yield f"{path}: {_unread(entry)}"
                continue
            reader = next((provider for provider, _ in self.readings if path.endswith(provider.suffixes)), None)
            spoken = language(path)
            if (reader is None and spoken is not None) or (reader is not None and selector.kind not in reader.kinds):
                yield f"{path}: nobody reads {selector.kind.value} facts of {spoken or 'such files'}"
            elif reader is not None and path not in self.snapshot.texts:
                yield f"{path}: {_unread(entry)}"

    def _blind(self, selector: Selector, file: str | None) -> Iterator[Blind]:
        yield from (one for one in self._met(selector, file) if _hides(one, selector))

    def _met(self, selector: Selector, file: str | None) -> Iterator[Blind]:
        """The gaps of that kind where such a fact may be: in the file, or in what it leads over."""
        for provider, reading in self.readings:
            if file is not None and not file.endswith(provider.suffixes):
                continue
            around = None if file is None else _around(selector, file, reading)
            for one in reading.blind:
                if selector.kind in one.kinds and (around is None or _is_about(one, around)):
                    yield one


def for_several(providers: Sequence[Provider]) -> tuple[Provider, ...]:
    """The same providers, for snapshots whose common files are read once. Whoever asks for more kinds goes first."""
    return tuple(one.remembering() if isinstance(one, Remembering) else one for one in providers)


def read(snapshot: Snapshot, providers: Sequence[Provider], wanted: frozenset[Kind] = ALL) -> Side:
    """Read the facts of a snapshot that are of the `wanted` kinds. Links, and what is made or fetched, hold none."""
    texts = {
        path: text
        for path, text in snapshot.texts.items()
        if snapshot.entries[path].category is not Category.OPAQUE and not is_excluded(path)
    }
    readings = tuple((provider, provider.read(texts, wanted)) for provider in providers)
    by_kind: dict[Kind, list[Fact]] = {}
    for _, reading in readings:
        for fact in reading.facts:
            by_kind.setdefault(fact.kind, []).append(fact)
    return Side(snapshot, readings, {kind: tuple(found) for kind, found in by_kind.items()})


def _file(selector: Selector) -> str | None:
    """The one file whose facts can be meant: a relation stands in the file that it leads from."""
    if selector.file is None and selector.origin is not None:
        return selector.origin.partition("#")[0]
    return selector.file


def _around(selector: Selector, file: str, reading: Reading) -> frozenset[str]:
    """The files whose gaps leave a fact of `file` open."""
    if selector.kind not in THROUGH:
        return frozenset({file})
    ways = reached(reading.links, file)
    return frozenset({file, *(end for end, of_types in ways if not (of_types and selector.type_only is False))})


def _is_about(blind: Blind, files: frozenset[str]) -> bool:
    if blind.file is not None:
        return blind.file in files
    return not blind.folder or any(file.startswith(f"{blind.folder}/") for file in files)


def _hides(blind: Blind, selector: Selector) -> bool:
    # A relation is called as what it leads to.
    called = selector.target if selector.name is None else selector.name
    if called is None or (blind.name is None and not blind.below and blind.words is None):
        return blind.is_blocking
    if blind.words is not None:
        return blind.words.issuperset(_WORD.findall(called)[-1:])
    return blind.name == called or called.startswith(blind.below)


def _told(blind: Blind) -> str:
    place = "" if blind.file is None else f"{blind.file}:{blind.line}: " if blind.line else f"{blind.file}: "
    return f"{place}{blind.reason}"


def _unread(entry: Entry) -> str:
    if entry.category is Category.OPAQUE:
        return "what lies behind a link or in another repository is not read"
    return "the file is not text in UTF-8"


def _may_hold_source(path: str, entry: Entry, snapshot: Snapshot) -> bool:
    """Whether source may lie behind a link: not behind one to what is read anyway, nor one whose name is of something else."""
    if entry.mode != "120000":
        return True
    inner = _inside(path, snapshot.links.get(path, ""))
    target = snapshot.entries.get(inner)
    if target is not None:
        return target.category is Category.OPAQUE
    if inner and snapshot.holds(f"{inner}/"):
        return False
    name = path.rpartition("/")[2]
    return language(path) is not None or "." not in name.lstrip(".")


def _inside(path: str, target: str) -> str:
    """Where a link leads, as a path of the snapshot; "" where that is outside or not known."""
    if target.startswith("/"):
        return ""
    steps = path.split("/")[:-1]
    for step in target.split("/"):
        if step == ".." and not steps:
            return ""
        if step == "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)
