"""The provider of Python (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.model import ALL, THROUGH, Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.calls import Called, Calls, Names, call_sites, calls, names
from guardrails.code_facts.python.declarations import api, symbols
from guardrails.code_facts.python.imports import Imported, dependencies, imported, imports
from guardrails.code_facts.python.modules import Modules
from guardrails.code_facts.python.survey import survey
from guardrails.code_facts.python.syntax import GRAMMAR, parse
from guardrails.code_facts.python.tests import Collecting, collecting, definitions
from guardrails.code_facts.reach import reading

Told: TypeAlias = tuple[Occurrence | Blind, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What one file says, as far as `kinds` ask for it: facts that need no other file, and what is asked of the others."""

    kinds: frozenset[Kind]
    symbols: Told
    imports: Told
    tests: Told
    api: Told
    imported: tuple[Imported | Blind, ...]
    calls: tuple[Called, ...]
    names: Names


class Python:
    """Reads Python by the grammar of the Python that runs."""

    name = "python"
    version = f"1/{GRAMMAR}"
    suffixes = (".py", ".pyi")
    kinds = ALL

    def __init__(self, known: dict[tuple[str, str, Collecting], Page | Fault] | None = None) -> None:
        """`known` are files that were read before, to be told again; with None nothing is kept."""
        self._known = known

    def remembering(self) -> Python:
        """One that reads a file once, in however many snapshots it stands."""
        return Python({})

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of all Python files among `files`; a file that has no tree is a gap of every kind."""
        ours = sorted(path for path in files if path.endswith(self.suffixes))
        pages: dict[str, Page] = {}
        blind: list[Blind] = []
        by = collecting(files)
        if isinstance(by, str) and ours:
            blind.append(Blind(frozenset({Kind.TEST_DEFINITION}), None, by))
        for path in ours:
            page = self._page(path, files[path], wanted, Collecting() if isinstance(by, str) else by)
            if isinstance(page, Fault):
                blind.append(Blind(ALL, path, page.reason, page.line))
            else:
                pages[path] = page
        return reading([*blind, *_told(frozenset(ours), pages, wanted)], files)

    def _page(self, path: str, text: str, wanted: frozenset[Kind], by: Collecting) -> Page | Fault:
        if self._known is None:
            return _read(path, text, wanted, by)
        page = self._known.get((path, text, by))
        if page is None or (isinstance(page, Page) and not wanted <= page.kinds):
            page = self._known[path, text, by] = _read(path, text, wanted, by)
        return page


def _read(path: str, text: str, wanted: frozenset[Kind], by: Collecting) -> Page | Fault:
    tree = parse(text)
    if isinstance(tree, Fault):
        return tree
    found = survey(tree)
    is_called = not wanted.isdisjoint({Kind.CALL_SITE, Kind.RESOLVED_CALL})
    return Page(
        wanted,
        symbols=tuple(symbols(path, found)) if Kind.SYMBOL in wanted else (),
        imports=() if wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}) else tuple(imports(path, found)),
        tests=tuple(definitions(path, tree, found, by)) if Kind.TEST_DEFINITION in wanted else (),
        api=tuple(api(path, tree, found)) if Kind.API in wanted else (),
        imported=() if wanted.isdisjoint(THROUGH) else tuple(imported(path, found)),
        calls=tuple(calls(path, found)) if is_called else (),
        names=names(tree, found) if Kind.RESOLVED_CALL in wanted else Names(),
    )


def _told(ours: frozenset[str], pages: Mapping[str, Page], wanted: frozenset[Kind]) -> Iterator[Occurrence | Blind]:
    modules = Modules(ours)
    meant = Calls(modules, {path: page.names for path, page in pages.items()})
    for path, page in pages.items():
        if Kind.SYMBOL in wanted:
            yield from page.symbols
        if not wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}):
            yield from page.imports
        if not wanted.isdisjoint(THROUGH):
            yield from dependencies(path, page.imported, modules)
        if Kind.CALL_SITE in wanted:
            yield from call_sites(path, page.calls)
        if Kind.RESOLVED_CALL in wanted:
            yield from meant.resolved(path, page.calls)
        if Kind.TEST_DEFINITION in wanted:
            yield from page.tests
        if Kind.API in wanted:
            yield from page.api
