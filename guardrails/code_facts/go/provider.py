"""The provider of Go (Change Contracts: fact clauses).

symbol            functions; methods as `Type.Name`, whatever their receiver; types, with fields and methods of interfaces below
                  them; constants; variables. Not what stands in functions, nor `_`.
import            the path as it is written; alias, dot and blank are part of its fingerprint.
dependency        a package of the snapshot by its folder with a slash, `store/`, and through it each of its files; others as
                  `external:path`. A file depends on the others of its own package, for they are built together.
call-site         what is written as a call: what may be a conversion counts, one to a predeclared type does not.
resolved-call     functions of packages here; methods where a parameter, receiver, variable or literal names the type. Where
                  several files declare one name for different builds, each is told.
test-definition   what `go test` runs: tests, benchmarks, fuzz tests, examples with an output; subtests by literal names.
api               exported names of packages that others can import: not of `main`, tests, `internal`, `vendor`, `testdata`.

A constraint of builds is part of what is declared under it. A file that no build holds (`//go:build ignore`, a name that begins
with `_` or `.`) declares and calls as others do, and stands for itself. Generated files are read like all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.go.calls import Calls, call_sites
from guardrails.code_facts.go.constraints import condition
from guardrails.code_facts.go.declarations import api, symbols
from guardrails.code_facts.go.imports import dependencies, imports
from guardrails.code_facts.go.modules import Module, Modules
from guardrails.code_facts.go.packages import Packages, Source
from guardrails.code_facts.go.survey import survey
from guardrails.code_facts.go.syntax import grammar, package, package_of_fault, parse
from guardrails.code_facts.go.tests import definitions
from guardrails.code_facts.model import ALL, THROUGH, Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import reading


class Go:
    """Reads Go."""

    name = "go"
    suffixes = (".go",)
    kinds = ALL

    @property
    def version(self) -> str:
        """That of the rules, and what tells the grammar."""
        return f"1/{grammar()}"

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of all Go files among `files`; a file that has no tree is a gap of every kind."""
        ours = sorted(path for path in files if path.endswith(self.suffixes))
        if not ours:
            return Reading()
        modules = Modules(files)
        sources: list[Source] = []
        blind: list[Blind] = []
        for path in ours:
            root = parse(files[path])
            if isinstance(root, Fault):
                blind.append(Blind(ALL, path, root.reason, root.line))
            else:
                when = condition(path, root, has_old=modules.has_old(path.rpartition("/")[0]))
                sources.append(Source(path, root.text or b"", root, survey(root), package(root), when))
        packages = Packages.of(sources, {str(one.file): package_of_fault(files[str(one.file)]) for one in blind})
        links = packages.links() if not wanted.isdisjoint(THROUGH) else ()
        return reading([*blind, *_told(sources, modules, packages, wanted)], files, links)


def _told(sources: list[Source], modules: Modules, packages: Packages, wanted: frozenset[Kind]) -> Iterator[Occurrence | Blind]:
    yield from (
        Blind(THROUGH, None, one, folder=folder) for folder, one in modules.modules.items() if not isinstance(one, Module)
    )
    calls = Calls(modules, packages)
    for source in sources:
        if Kind.SYMBOL in wanted:
            yield from symbols(source)
        if Kind.IMPORT in wanted:
            yield from imports(source)
        if not wanted.isdisjoint(THROUGH):
            yield from dependencies(source, modules, packages)
        if Kind.CALL_SITE in wanted:
            yield from call_sites(source)
        if Kind.RESOLVED_CALL in wanted:
            yield from calls.resolved(source)
        if Kind.TEST_DEFINITION in wanted:
            yield from definitions(source)
        if Kind.API in wanted:
            yield from api(source)
