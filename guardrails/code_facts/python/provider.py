"""The provider of Python (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from guardrails.code_facts.model import ALL, THROUGH, Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.calls import Calls, call_sites, names
from guardrails.code_facts.python.declarations import api, symbols
from guardrails.code_facts.python.imports import dependencies, imports
from guardrails.code_facts.python.modules import Modules
from guardrails.code_facts.python.survey import Survey, survey
from guardrails.code_facts.python.syntax import GRAMMAR, Fault, parse
from guardrails.code_facts.python.tests import Collecting, collecting, definitions
from guardrails.code_facts.reach import reading


class Python:
    """Reads Python by the grammar of the Python that runs."""

    name = "python"
    version = f"1/{GRAMMAR}"
    suffixes = (".py", ".pyi")
    kinds = ALL

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of all Python files among `files`; a file that has no tree is a gap of every kind."""
        ours = sorted(path for path in files if path.endswith(self.suffixes))
        trees: dict[str, tuple[ast.Module, Survey]] = {}
        blind: list[Blind] = []
        for path in ours:
            tree = parse(files[path])
            if isinstance(tree, Fault):
                blind.append(Blind(ALL, path, tree.reason, tree.line))
            else:
                trees[path] = (tree, survey(tree))
        return reading([*blind, *_told(files, frozenset(ours), trees, wanted)], files)


def _told(
    files: Mapping[str, str],
    ours: frozenset[str],
    trees: Mapping[str, tuple[ast.Module, Survey]],
    wanted: frozenset[Kind],
) -> Iterator[Occurrence | Blind]:
    modules = Modules(ours)
    calls = Calls(modules, {path: names(*parsed) for path, parsed in trees.items()})
    by = collecting(files)
    if isinstance(by, str):
        yield Blind(frozenset({Kind.TEST_DEFINITION}), None, by)
        by = Collecting()
    for path, (tree, found) in trees.items():
        if Kind.SYMBOL in wanted:
            yield from symbols(path, found)
        if not wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}):
            yield from imports(path, found)
        if not wanted.isdisjoint(THROUGH):
            yield from dependencies(path, found, modules)
        if Kind.CALL_SITE in wanted:
            yield from call_sites(path, found)
        if Kind.RESOLVED_CALL in wanted:
            yield from calls.resolved(path, found)
        if Kind.TEST_DEFINITION in wanted:
            yield from definitions(path, tree, found, by)
        if Kind.API in wanted:
            yield from api(path, tree, found)
