"""What Python imports, and on which files it depends by that (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.modules import Modules, Reached, specifiers
from guardrails.code_facts.python.survey import Place, Survey
from guardrails.code_facts.reach import dependency

_LOADERS: Final = frozenset({"import_module", "__import__"})
_RUNNERS: Final = frozenset({"exec", "eval"})
_UNTOLD: Final = frozenset({Kind.IMPORT, Kind.DEPENDENCY})
_UNRESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL})


def imports(file: str, found: Survey) -> Iterator[Occurrence | Blind]:
    """Modules by the names that are written; of `from a import b` both `a` and `a.b`, for `b` may be a module."""
    for node, _ in found.imports:
        for written, _, _, member in specifiers(node):
            yield _import(file, written, node.lineno)
            if member is not None:
                joint = "" if written.endswith(".") else "."
                yield _import(file, f"{written}{joint}{member}", node.lineno)
    for call, _ in found.calls:
        loaded = _loaded(call)
        if isinstance(loaded, str):
            yield _import(file, loaded, call.lineno)
        elif loaded:
            yield Blind(_UNTOLD, file, "what is imported or run here is computed", call.lineno)


def dependencies(file: str, found: Survey, modules: Modules) -> Iterator[Occurrence | Blind]:
    """Local files and external modules that the file's imports lead to; packages on the way count, those around it do not."""
    for node, place in found.imports:
        for _, dotted, level, member in specifiers(node):
            yield from _statement(file, modules, (dotted, level, member), place, node.lineno)
    for call, place in found.calls:
        loaded = _loaded(call)
        if isinstance(loaded, str) and loaded.startswith("."):
            yield Blind(_UNRESOLVED, file, "a relative module is loaded by a call", call.lineno)
        elif isinstance(loaded, str):
            yield from _statement(file, modules, (loaded, 0, None), place, call.lineno)


def targets(file: str, modules: Modules, dotted: str, level: int, member: str | None) -> tuple[list[str], Reached]:
    """The local files that one imported name leads to, and what its module is."""
    reached = modules.reach(file, dotted, level)
    around = _packages_around(file)
    found = [one for one in reached.files if one not in around]
    below = modules.member(reached, member) if member is not None and reached.is_whole else None
    if below is not None:
        found.append(below)
    elif reached.is_whole and reached.module and member is not None:
        found.append(reached.module)
    return [one for one in dict.fromkeys(found) if one != file], reached


def _statement(
    file: str, modules: Modules, named: tuple[str, int, str | None], place: Place, line: int
) -> Iterator[Occurrence | Blind]:
    dotted, level, member = named
    local, reached = targets(file, modules, dotted, level, member)
    if not local and reached.is_external and not level:
        yield dependency(file, f"external:{dotted}", place.checkers_only, line)
        return
    yield from (dependency(file, one, place.checkers_only, line) for one in local)
    if reached.is_ambiguous:
        yield Blind(_UNRESOLVED, file, "more than one package, or none, may be meant by an import", line)
    elif not reached.is_whole or (not local and not reached.module and member is not None):
        yield Blind(_UNRESOLVED, file, "an import leads to a module that the snapshot does not hold", line)


def _loaded(call: ast.Call) -> str | bool:
    """The module that a call loads; True where it loads or runs something computed, False where it does neither."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _LOADERS:
        first = call.args[0] if call.args else None
        return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else True
    return name in _RUNNERS and isinstance(call.func, ast.Name)


def _import(file: str, name: str, line: int) -> Occurrence:
    return Occurrence(Kind.IMPORT, file, name, "", line, file, name)


def _packages_around(file: str) -> frozenset[str]:
    folders = []
    folder = file.rpartition("/")[0]
    while folder:
        folders.append(folder)
        folder = folder.rpartition("/")[0]
    return frozenset(f"{one}/__init__.{end}" for one in folders for end in ("py", "pyi"))
