"""The provider of TypeScript and JavaScript (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.model import ALL, THROUGH, Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import reading
from guardrails.code_facts.typescript.calls import Called, Calls, call_sites, calls
from guardrails.code_facts.typescript.configuration import Configurations
from guardrails.code_facts.typescript.declarations import api, symbols
from guardrails.code_facts.typescript.imports import Imported, dependencies, imported, imports, referenced
from guardrails.code_facts.typescript.names import Names, names
from guardrails.code_facts.typescript.resolution import Resolver
from guardrails.code_facts.typescript.survey import survey
from guardrails.code_facts.typescript.syntax import SUFFIXES, grammars, parse
from guardrails.code_facts.typescript.tests import SKIPPING, Globals, definitions

_RESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL, Kind.API})
Told: TypeAlias = tuple[Occurrence | Blind, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What one file says, as far as `kinds` ask for it: facts that need no other file, and what is asked of the others."""

    kinds: frozenset[Kind]
    symbols: Told
    imports: Told
    tests: Told
    api: Told
    imported: tuple[Imported, ...]
    calls: tuple[Called, ...]
    names: Names


class TypeScript:
    """Reads TypeScript and JavaScript, JSX in both."""

    name = "typescript"
    suffixes = SUFFIXES
    kinds = ALL

    def __init__(self, known: dict[tuple[str, str, bool], Page | Fault] | None = None) -> None:
        """`known` are files that were read before, to be told again; with None nothing is kept."""
        self._known = known

    @property
    def version(self) -> str:
        """That of the rules, and what tells the grammars."""
        return f"1/{grammars()}"

    def remembering(self) -> TypeScript:
        """One that reads a file once, in however many snapshots it stands."""
        return TypeScript({})

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of all files of these languages among `files`; a file that has no tree is a gap of every kind."""
        pages: dict[str, Page] = {}
        blind: list[Blind] = []
        words = Globals.of(files)
        for path in sorted(path for path in files if path.endswith(self.suffixes)):
            page = self._page(path, files[path], wanted, words.reach(path))
            if isinstance(page, Fault):
                blind.append(Blind(ALL, path, page.reason, page.line))
            else:
                pages[path] = page
        return reading([*blind, *_told(files, pages, wanted)], files)

    def _page(self, path: str, text: str, wanted: frozenset[Kind], has_words: bool) -> Page | Fault:
        if self._known is None:
            return _read(path, text, wanted, has_words=has_words)
        page = self._known.get((path, text, has_words))
        if page is None or (isinstance(page, Page) and not wanted <= page.kinds):
            page = self._known[path, text, has_words] = _read(path, text, wanted, has_words=has_words)
        return page


def _read(path: str, text: str, wanted: frozenset[Kind], *, has_words: bool) -> Page | Fault:
    root = parse(path, text)
    if isinstance(root, Fault):
        return root
    found = survey(root, SKIPPING)
    if isinstance(found, Fault):
        return found
    own = names(root, found)
    is_called = not wanted.isdisjoint({Kind.CALL_SITE, Kind.RESOLVED_CALL})
    return Page(
        wanted,
        symbols=tuple(symbols(path, found)) if Kind.SYMBOL in wanted else (),
        imports=() if wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}) else tuple(imports(path, found)),
        tests=tuple(definitions(path, found, own, has_words=has_words)) if Kind.TEST_DEFINITION in wanted else (),
        api=tuple(api(path, found, own)) if Kind.API in wanted else (),
        imported=() if wanted.isdisjoint(THROUGH) else (*imported(found), *referenced(found)),
        calls=tuple(calls(path, found)) if is_called else (),
        names=own,
    )


def _told(files: Mapping[str, str], pages: Mapping[str, Page], wanted: frozenset[Kind]) -> Iterator[Occurrence | Blind]:
    if not pages:
        return
    configurations = Configurations(files)
    yield from (Blind(_RESOLVED, None, fault, folder=folder) for folder, fault in configurations.faults.items())
    resolver = Resolver(files, configurations)
    meant = Calls(resolver, {path: page.names for path, page in pages.items()})
    for path, page in pages.items():
        if Kind.SYMBOL in wanted:
            yield from page.symbols
        if not wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}):
            yield from page.imports
        if not wanted.isdisjoint(THROUGH):
            yield from dependencies(path, page.imported, resolver)
        if Kind.CALL_SITE in wanted:
            yield from call_sites(path, page.calls)
        if Kind.RESOLVED_CALL in wanted:
            yield from meant.resolved(path, page.calls)
        if Kind.TEST_DEFINITION in wanted:
            yield from page.tests
        if Kind.API in wanted:
            yield from page.api
