"""The provider of Python (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from guardrails.code_facts.model import Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence, facts
from guardrails.code_facts.python.calls import Calls, call_sites, names
from guardrails.code_facts.python.declarations import api, symbols
from guardrails.code_facts.python.imports import dependencies, imports
from guardrails.code_facts.python.modules import Modules
from guardrails.code_facts.python.survey import Survey, survey
from guardrails.code_facts.python.syntax import GRAMMAR, Fault, parse
from guardrails.code_facts.python.tests import Collecting, collecting, definitions

_ALL = frozenset(Kind)


class Python:
    """Reads Python by the grammar of the Python that runs."""

    name = "python"
    version = f"1/{GRAMMAR}"
    suffixes = (".py", ".pyi")
    kinds = _ALL

    def read(self, files: Mapping[str, str]) -> Reading:
        """The facts of all Python files among `files`; a file that has no tree is a gap of every kind."""
        ours = sorted(path for path in files if path.endswith(self.suffixes))
        trees: dict[str, tuple[ast.Module, Survey]] = {}
        blind: list[Blind] = []
        for path in ours:
            tree = parse(files[path])
            if isinstance(tree, Fault):
                blind.append(Blind(_ALL, path, tree.reason, tree.line))
            else:
                trees[path] = (tree, survey(tree))
        told: list[Occurrence] = []
        for one in _told(files, frozenset(ours), trees):
            if isinstance(one, Blind):
                blind.append(one)
            else:
                told.append(one)
        return Reading(facts(told), tuple(blind), links(told, files))


def links(told: Iterable[Occurrence], files: Mapping[str, str]) -> dict[str, frozenset[tuple[str, bool]]]:
    """The local dependencies among `told`, by the file that has them."""
    found: dict[str, set[tuple[str, bool]]] = {}
    for one in told:
        if one.kind is Kind.DEPENDENCY and one.target is not None and one.target in files:
            found.setdefault(one.file, set()).add((one.target, bool(one.type_only)))
    return {file: frozenset(ends) for file, ends in found.items()}


def _told(
    files: Mapping[str, str], ours: frozenset[str], trees: Mapping[str, tuple[ast.Module, Survey]]
) -> Iterator[Occurrence | Blind]:
    modules = Modules(ours)
    calls = Calls(modules, {path: names(*parsed) for path, parsed in trees.items()})
    by = collecting(files)
    if isinstance(by, str):
        yield Blind(frozenset({Kind.TEST_DEFINITION}), None, by)
        by = Collecting()
    for path, (tree, found) in trees.items():
        yield from symbols(path, found)
        yield from imports(path, found)
        yield from dependencies(path, found, modules)
        yield from call_sites(path, found)
        yield from calls.resolved(path, found)
        yield from definitions(path, tree, found, by)
        yield from api(path, tree, found)
