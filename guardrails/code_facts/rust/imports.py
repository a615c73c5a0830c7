"""What Rust imports, and on which files it depends by that, or by its paths and modules (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.reach import dependency
from guardrails.code_facts.rust.modules import Module, Modules
from guardrails.code_facts.rust.places import Place
from guardrails.code_facts.rust.resolution import UNKNOWN, External, Item, Resolver, Space, is_local
from guardrails.code_facts.rust.survey import Survey
from guardrails.code_facts.rust.syntax import segments
from guardrails.code_facts.trees import child
from guardrails.paths import join

_UNRESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL})
_OPEN: Final = "?"


def imports(file: str, found: Survey) -> Iterator[Occurrence]:
    """Whatever `use` and `extern crate` bring, each name by its whole path; what it is called here is no part of that."""
    for use in found.uses:
        name = "::".join((*use.path, *(("*",) if use.alias == "*" else ())))
        yield Occurrence(Kind.IMPORT, file, name, "", use.line, file, name)


def held(modules: Modules) -> Iterator[Occurrence]:
    """The files that files declare as modules."""
    for file, targets in modules.files.items():
        yield from (dependency(file, target, type_only=False, line=line) for target, line in targets)


def dependencies(file: str, found: Survey, resolver: Resolver) -> Iterator[Occurrence | Blind]:
    """Local files, and external crates by name, that imports, paths, macros and included texts lead to."""
    for path, line in found.included:
        yield from _included(file, path, line)
    for use in found.uses:
        yield from _led(file, use.path, use.place, use.line, resolver, is_use=True)
    for names, place, line in found.paths:
        if is_local(names) or not any(names[0] in _bound(resolver, scope) for scope in place.scopes):
            yield from _led(file, names, place, line, resolver, is_use=False)
    yield from _invoked(file, found, resolver)


def _invoked(file: str, found: Survey, resolver: Resolver) -> Iterator[Occurrence]:
    """Macros of the same crate reach into the modules after them without being imported."""
    roots = {module.root.file for module in resolver.modules.at.get((file, ()), ())}
    imported = {use.alias for use in found.uses}
    for call in found.calls:
        name = segments(child(call.node, "macro"))
        if len(name) == 1 and name[0] not in imported and name[0] not in found.definitions:
            homes = {home for root in roots for home in resolver.modules.defined.get(root, {}).get(name[0], ())}
            if len(homes) == 1:
                yield dependency(file, homes.pop(), type_only=False, line=call.line)


def _bound(resolver: Resolver, scope: int) -> frozenset[str]:
    names = resolver.modules.local.get(scope)
    return frozenset() if names is None else frozenset((*names.items, *names.uses))


def _included(file: str, path: str | None, line: int) -> Iterator[Occurrence | Blind]:
    target = None if path is None else join(file.rpartition("/")[0], path)
    if path is None or target is None or path.startswith("/"):
        yield Blind(_UNRESOLVED, file, "a text is included whose place is computed or outside of the snapshot", line)
    else:
        yield dependency(file, target, type_only=False, line=line)


def _led(
    file: str, path: tuple[str, ...], place: Place, line: int, resolver: Resolver, *, is_use: bool
) -> Iterator[Occurrence | Blind]:
    """What one path leads to from wherever its file is a module."""
    if place.module is None:
        yield Blind(_UNRESOLVED, file, "a module is declared in a function", line)
        return
    ends: set[str] = set()
    for module in resolver.modules.at.get((file, place.module), ()):
        ends |= set(_ends(module, path, resolver, is_use=is_use))
    for end in sorted(ends - {file, _OPEN}):
        yield dependency(file, end, type_only=False, line=line)
    if _OPEN in ends:
        yield Blind(_UNRESOLVED, file, "a path leads to nothing that the snapshot decides", line)


def _ends(module: Module, path: tuple[str, ...], resolver: Resolver, *, is_use: bool) -> Iterator[str]:
    """The files of the innermost modules that a path names, or the crate that it begins with.

    What such a module only passes on is its own dependency.
    """
    started = resolver.base(module, path)
    if started is not None:
        here, rest = started
        yield from (_OPEN,) if here is None else _below(here, rest, resolver)
        return
    is_rooted = not path[0]
    names = path[1:] if is_rooted else path
    found = resolver.find(module, ("", names[0]) if is_rooted else names[:1], Space.TYPE, is_use=is_use)
    for one in found:
        if isinstance(one, Module):
            yield from _below(one, names[1:], resolver)
        elif one == UNKNOWN:
            yield from (_OPEN,) if is_use else ()
        elif isinstance(one, External) and one.path[:1] == names[:1]:
            yield f"external:{names[0]}"
    if not found and is_use:
        yield f"external:{names[0]}"


def _below(module: Module, rest: tuple[str, ...], resolver: Resolver) -> Iterator[str]:
    """The files of the modules that `rest` goes down through; open where the next name is nothing that is told."""
    here = [module]
    while rest:
        below = [one for module in here for one in resolver.modules.children.get(module, {}).get(rest[0], ())]
        if not below:
            break
        here, rest = below, rest[1:]
    for one in here:
        found = [told for space in Space for told in resolver.lookup(one, rest[0], space)] if rest else []
        elsewhere = {
            told.module.file for told in found if isinstance(told, Item) and told.declared.node.type == "macro_definition"
        }
        yield from elsewhere if elsewhere and len(elsewhere) == len(found) else (one.file,)
        if rest and not found:
            yield _OPEN
