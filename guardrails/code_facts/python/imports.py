"""What Python imports, and on which files it depends by that (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.modules import Modules, Reached, specifiers
from guardrails.code_facts.python.survey import Survey
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


@dataclass(frozen=True, slots=True)
class Imported:
    """One name that a file imports, for whoever knows the other files."""

    dotted: str
    level: int
    member: str | None
    checkers_only: bool
    line: int


def imported(file: str, found: Survey) -> Iterator[Imported | Blind]:
    """Every name that is imported, by statements and by calls."""
    for node, place in found.imports:
        for _, dotted, level, member in specifiers(node):
            yield Imported(dotted, level, member, place.checkers_only, node.lineno)
    for call, place in found.calls:
        loaded = _loaded(call)
        if isinstance(loaded, str) and loaded.startswith("."):
            yield Blind(_UNRESOLVED, file, "a relative module is loaded by a call", call.lineno)
        elif isinstance(loaded, str):
            yield Imported(loaded, 0, None, place.checkers_only, call.lineno)


def dependencies(file: str, told: Iterable[Imported | Blind], modules: Modules) -> Iterator[Occurrence | Blind]:
    """Local files and external modules that the file's imports lead to; packages on the way count, those around it do not."""
    for one in told:
        if isinstance(one, Blind):
            yield one
        else:
            yield from _reached(file, one, modules)


def targets(file: str, modules: Modules, dotted: str, level: int, member: str | None) -> tuple[list[str], Reached]:
    """The local files that one imported name leads to, and what its module is."""
    reached = modules.reach(file, dotted, level)
    found = [one for one in reached.files if not _is_package_around(one, file)]
    below = modules.member(reached, member) if member is not None and reached.is_whole else None
    if below is not None:
        found.append(below)
    elif reached.is_whole and reached.module and member is not None:
        found.append(reached.module)
    return [one for one in dict.fromkeys(found) if one != file], reached


def _reached(file: str, one: Imported, modules: Modules) -> Iterator[Occurrence | Blind]:
    local, reached = targets(file, modules, one.dotted, one.level, one.member)
    if not local and reached.is_external and not one.level:
        yield dependency(file, f"external:{one.dotted}", one.checkers_only, one.line)
        return
    yield from (dependency(file, name, one.checkers_only, one.line) for name in local)
    if reached.is_ambiguous:
        yield Blind(_UNRESOLVED, file, "more than one package, or none, may be meant by an import", one.line)
    elif not reached.is_whole or (not local and not reached.module and one.member is not None):
        yield Blind(_UNRESOLVED, file, "an import leads to a module that the snapshot does not hold", one.line)


def _loaded(call: ast.Call) -> str | bool:
    """The module that a call loads; True where it loads or runs something computed, False where it does neither."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _LOADERS:
        first = call.args[0] if call.args else None
        return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else True
    return name in _RUNNERS and isinstance(call.func, ast.Name)


def _import(file: str, name: str, line: int) -> Occurrence:
    return Occurrence(Kind.IMPORT, file, name, "", line, file, name)


def _is_package_around(one: str, file: str) -> bool:
    folder, _, name = one.rpartition("/")
    return name in {"__init__.py", "__init__.pyi"} and folder != "" and file.startswith(f"{folder}/")
