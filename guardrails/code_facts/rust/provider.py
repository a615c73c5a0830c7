"""The provider of Rust (Change Contracts: fact clauses).

What is told is what is written; no macro is expanded, and what `cfg` leaves out counts as there.

- symbol: an item, in whatever block, by the names around it: `module.Type.function`. Of `impl Trait for Type` the functions
  are those of `Type` as well. Fields and variants are a part of what their type says.
- import: each name of a `use`, and `extern crate`, by its whole path, without what it is called here.
- dependency: the file of a module that is declared (`mod x;`), the innermost module that a path names, wherever that stands,
  a crate of this repository by the root of its library, `external:` and the name of another crate, and what is included.
  That a file declares a module is its own dependency; who depends on the file does not depend on all that it holds.
- call-site: a call by its path or chain, an invocation of a macro as `name!`. What is given to macros of the standard library
  is read as the expressions that it is; in what is given to others calls are a gap of their names.
- resolved-call: a call of a function or a tuple struct by a path, of `Type::function` and `self.function()` where the type has
  that itself, in no trait.
- test-definition: a function with an attribute `test` of whoever, by its own name, in a crate that `cargo test` runs.
- api: what is `pub` on a way of `pub` modules and imports from the root of a library, by the names of that way; types with
  their public fields, functions without bodies, traits with their members, exported macros with what they match. That a type
  has a trait is not told, unless it is derived.

A macro that may make items is a gap of all names that end with a word in it or in what is given to it; one of elsewhere is a
gap of all names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.model import ALL, THROUGH, Blind, Kind, Reading
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import Links, reading
from guardrails.code_facts.rust import macros
from guardrails.code_facts.rust.api import Api
from guardrails.code_facts.rust.calls import Calls, call_sites
from guardrails.code_facts.rust.crates import Crates
from guardrails.code_facts.rust.declarations import symbols
from guardrails.code_facts.rust.expansion import Expansion
from guardrails.code_facts.rust.imports import dependencies, held, imports
from guardrails.code_facts.rust.modules import UNRESOLVED, Modules
from guardrails.code_facts.rust.resolution import Resolver
from guardrails.code_facts.rust.survey import Survey
from guardrails.code_facts.rust.syntax import grammar, parse
from guardrails.code_facts.rust.tests import definitions
from guardrails.code_facts.rust.walk import survey


class Rust:
    """Reads Rust, whatever its edition."""

    name = "rust"
    suffixes = (".rs",)
    kinds = ALL

    @property
    def version(self) -> str:
        """That of the rules, and what tells the grammar."""
        return f"1/{grammar()}"

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of all files of Rust among `files`; a file that has no tree is a gap of every kind."""
        ours = {path: files[path] for path in sorted(files) if path.endswith(self.suffixes)}
        surveys, faults = surveyed(ours)
        blind = [Blind(ALL, path, fault.reason, fault.line) for path, fault in faults.items()]
        crates = Crates.of(files)
        modules = Modules.of(crates, surveys, frozenset(ours))
        named = [*blind, *(_told(modules, surveys, wanted) if surveys else ())]
        told = reading([*named, *(held(modules) if not wanted.isdisjoint(THROUGH) else ())], files)
        return replace(told, links=_led(named, told.links))


def surveyed(ours: Mapping[str, str]) -> tuple[dict[str, Survey], dict[str, Fault]]:
    """What stands in files of Rust, and why in some of them nobody can tell."""
    shadowed = frozenset(name for text in ours.values() for name in macros.DEFINED.findall(text))
    surveys: dict[str, Survey] = {}
    faults: dict[str, Fault] = {}
    for path, text in ours.items():
        root = parse(text)
        found = root if isinstance(root, Fault) else survey(root, shadowed)
        if isinstance(found, Fault):
            faults[path] = found
        else:
            surveys[path] = found
    return surveys, faults


def _led(named: list[Occurrence | Blind], links: Links) -> Links:
    """The links over which something leads on: not those to a file that is only declared as a module."""
    pairs = {(one.file, one.target) for one in named if isinstance(one, Occurrence) and one.kind is Kind.DEPENDENCY}
    return {file: frozenset(end for end in ends if (file, end[0]) in pairs) for file, ends in links.items()}


def _told(modules: Modules, surveys: dict[str, Survey], wanted: frozenset[Kind]) -> Iterator[Occurrence | Blind]:
    for folder, fault in modules.crates.faults.items():
        yield Blind(UNRESOLVED, None, fault, folder=folder)
    yield from modules.blind
    expansion = Expansion.of(modules, surveys)
    opened = {place: words for path, found in surveys.items() for place, words in expansion.opened(path, found).items()}
    resolver = Resolver(modules, opened)
    for path, found in surveys.items():
        yield from expansion.gaps(path, found)
        yield from (Blind(gap.kinds, path, gap.reason, gap.line) for gap in found.gaps)
        yield from _written(path, found, wanted)
        if not wanted.isdisjoint(THROUGH):
            yield from dependencies(path, found, resolver)
        if Kind.TEST_DEFINITION in wanted:
            yield from definitions(path, found, modules)
    if not wanted.isdisjoint({Kind.RESOLVED_CALL, Kind.API}):
        calls = Calls(resolver, surveys)
        for path, found in surveys.items():
            yield from calls.resolved(path, found)
        yield from Api(surveys, resolver, calls).tell()


def _written(path: str, found: Survey, wanted: frozenset[Kind]) -> Iterator[Occurrence | Blind]:
    """What the text of one file tells by itself."""
    if Kind.SYMBOL in wanted:
        yield from symbols(path, found)
    if not wanted.isdisjoint({Kind.IMPORT, Kind.DEPENDENCY}):
        yield from imports(path, found)
    if Kind.CALL_SITE in wanted:
        yield from call_sites(path, found)
    if found.calling:
        # That a macro is invoked is a call itself: only whoever asks for a name may miss one.
        words, reason = frozenset(found.called), "what stands in a macro may be a call"
        yield Blind(frozenset({Kind.CALL_SITE}), path, reason, found.calling, is_blocking=False, words=words)
