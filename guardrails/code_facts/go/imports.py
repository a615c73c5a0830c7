"""What Go imports, and on which packages a file depends by that (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.code_facts.go.modules import Modules
from guardrails.code_facts.go.packages import Packages, Source, unit
from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import dependency

_UNRESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL})


def imports(source: Source) -> Iterator[Occurrence]:
    """Packages by the paths that are written, whatever they are called in the file."""
    for one in source.found.imports:
        yield Occurrence(Kind.IMPORT, source.path, one.path, one.name, one.line, source.path, one.path)


def dependencies(source: Source, modules: Modules, packages: Packages) -> Iterator[Occurrence | Blind]:
    """Packages of the snapshot by their folders, with a slash at the end, and others by their paths."""
    for one in source.found.imports:
        if one.path == "C":
            yield dependency(source.path, "external:C", type_only=False, line=one.line)
            yield Blind(frozenset({Kind.DEPENDENCY}), source.path, "what the C of this file includes is not read", one.line)
            continue
        reached = modules.resolve(source.folder, one.path)
        if reached.folder is not None and unit(reached.folder) in packages.members:
            yield dependency(source.path, unit(reached.folder), type_only=False, line=one.line)
        elif reached.folder is not None:
            yield Blind(_UNRESOLVED, source.path, "an import leads to a folder that holds no package", one.line)
        elif reached.external:
            yield dependency(source.path, reached.external, type_only=False, line=one.line)
        if reached.why:
            yield Blind(_UNRESOLVED, source.path, reached.why, one.line)
