"""What TypeScript imports, and on which files it depends by that (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import dependency
from guardrails.code_facts.trees import child, first, line, written
from guardrails.code_facts.typescript.resolution import Resolved, Resolver
from guardrails.code_facts.typescript.survey import Survey, is_type_only
from guardrails.code_facts.typescript.syntax import called, literal

_UNTOLD: Final = frozenset({Kind.IMPORT, Kind.DEPENDENCY})
_UNRESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL})
_RUNNERS: Final = frozenset({"eval", "Function", "import.meta.glob", "require.context"})
_REFERENCE: Final = re.compile(r"""^///\s*<reference\s+path\s*=\s*["']([^"'\n]+)["']""")


@dataclass(frozen=True, slots=True)
class Imported:
    """One place that names another module: as it is written, and whether for its types alone."""

    specifier: str
    type_only: bool
    line: int


def imported(found: Survey) -> Iterator[Imported]:
    """Every module that the text names as a literal, by whatever statement or call."""
    for node, _ in (*found.imports, *found.exports):
        clause = first(node, "import_require_clause") or node
        specifier = literal(child(clause, "source"))
        if specifier is not None:
            yield Imported(specifier, is_type_only(node), line(node))
    for call, _ in found.calls:
        loaded = _loaded(call)
        if isinstance(loaded, str):
            yield Imported(loaded, type_only=False, line=line(call))
    for call in found.of_types.values():
        loaded = _loaded(call)
        if isinstance(loaded, str):
            yield Imported(loaded, type_only=True, line=line(call))


def imports(file: str, found: Survey) -> Iterator[Occurrence | Blind]:
    """Modules by the names that are written, and the places where the name is computed."""
    for one in imported(found):
        yield Occurrence(Kind.IMPORT, file, one.specifier, "", one.line, file, one.specifier)
    for call, _ in found.calls:
        if _loaded(call) is True:
            yield Blind(_UNTOLD, file, "what is imported or run here is computed", line(call))


def referenced(found: Survey) -> Iterator[Imported]:
    """Every file that a comment refers to, as TypeScript reads them."""
    for comment in found.comments:
        reference = _REFERENCE.match(written(comment))
        if reference is not None:
            yield Imported(f"./{reference[1].removeprefix('./')}", type_only=True, line=line(comment))


def dependencies(file: str, told: Iterable[Imported], resolver: Resolver) -> Iterator[Occurrence | Blind]:
    """Local files, and external modules by their specifiers, that the file's imports and references lead to."""
    for one in told:
        reached: Resolved = resolver.resolve(file, one.specifier)
        if reached.target:
            yield dependency(file, reached.target, one.type_only, one.line)
        if reached.why:
            yield Blind(_UNRESOLVED, file, reached.why, one.line)


def _loaded(call: Node) -> str | bool:
    """The module that a call loads; True where it loads or runs something computed, False where it does neither."""
    callee = called(call)
    if callee is None or callee.end_byte - callee.start_byte > 32:
        return False
    name = written(callee)
    if name in {"import", "require"}:
        arguments = child(call, "arguments")
        given = [one for one in arguments.children if one.is_named and one.type != "comment"] if arguments else []
        specifier = literal(given[0]) if given else None
        return True if specifier is None else specifier
    return name in _RUNNERS
