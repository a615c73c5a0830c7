"""The provider of TypeScript and JavaScript (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import ALL, THROUGH, Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import reading
from guardrails.code_facts.trees import Fault
from guardrails.code_facts.typescript.calls import Calls, call_sites
from guardrails.code_facts.typescript.configuration import Configurations
from guardrails.code_facts.typescript.declarations import api, symbols
from guardrails.code_facts.typescript.imports import dependencies, imports
from guardrails.code_facts.typescript.names import Names, names
from guardrails.code_facts.typescript.resolution import Resolver
from guardrails.code_facts.typescript.survey import Survey, survey
from guardrails.code_facts.typescript.syntax import SUFFIXES, grammars, parse
from guardrails.code_facts.typescript.tests import SKIPPING, Globals, definitions

_RESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL, Kind.API})


class TypeScript:
    """Reads TypeScript and JavaScript, JSX in both."""

    name = "typescript"
    suffixes = SUFFIXES
    kinds = ALL

    @property
    def version(self) -> str:
        """That of the rules, and what tells the grammars."""
        return f"1/{grammars()}"

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of all files of these languages among `files`; a file that has no tree is a gap of every kind."""
        trees: dict[str, tuple[Node, Survey]] = {}
        blind: list[Blind] = []
        for path in sorted(path for path in files if path.endswith(self.suffixes)):
            parsed = _tree(path, files[path])
            if isinstance(parsed, Fault):
                blind.append(Blind(ALL, path, parsed.reason, parsed.line))
            else:
                trees[path] = parsed
        return reading([*blind, *_told(files, trees, wanted)], files)


def _tree(path: str, text: str) -> tuple[Node, Survey] | Fault:
    root = parse(path, text)
    if isinstance(root, Fault):
        return root
    found = survey(root, SKIPPING)
    return found if isinstance(found, Fault) else (root, found)


def _told(
    files: Mapping[str, str], trees: Mapping[str, tuple[Node, Survey]], wanted: frozenset[Kind]
) -> Iterator[Occurrence | Blind]:
    if not trees:
        return
    configurations = Configurations(files)
    yield from (Blind(_RESOLVED, None, fault, folder=folder) for folder, fault in configurations.faults.items())
    resolver = Resolver(files, configurations)
    meant: dict[str, Names] = {path: names(*parsed) for path, parsed in trees.items()}
    calls = Calls(resolver, meant)
    words = Globals.of(files)
    for path, (_, found) in trees.items():
        if Kind.SYMBOL in wanted:
            yield from symbols(path, found)
        if not wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}):
            yield from imports(path, found)
        if not wanted.isdisjoint(THROUGH):
            yield from dependencies(path, found, resolver)
        if Kind.CALL_SITE in wanted:
            yield from call_sites(path, found)
        if Kind.RESOLVED_CALL in wanted:
            yield from calls.resolved(path, found)
        if Kind.TEST_DEFINITION in wanted:
            yield from definitions(path, found, meant[path], words)
        if Kind.API in wanted:
            yield from api(path, found, meant[path])
