"""What a path of Rust means: a module, an item, or something external (Change Contracts: fact clauses).

Nothing is guessed: where the text leaves open what is meant, `UNKNOWN` is among the meanings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from guardrails.code_facts.rust.crates import Target
from guardrails.code_facts.rust.modules import Module, Modules, Names
from guardrails.code_facts.rust.survey import Declared
from guardrails.code_facts.rust.syntax import visibility
from guardrails.code_facts.trees import child, written

STANDARD: Final = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_STEPS: Final = 500
_MOST: Final = 1_000_000
"""So many names are looked up for one path, and for all of a snapshot."""
_GLOBS: Final = 32
"""What more globs than that bring to one module is not known."""
_LINKS: Final = 32
"""So many imports are followed from one name to where it is declared."""


class Space(Enum):
    """In which names a word is looked up: one word may mean a type and a value."""

    TYPE = "type"
    VALUE = "value"
    MACRO = "macro"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a module, with what follows it in a path: a function of a type, a variant."""

    module: Module
    declared: Declared
    member: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class External:
    """What lies outside of the snapshot, by its whole path."""

    path: tuple[str, ...]


UNKNOWN: Final = External(())
Meaning = Module | Item | External
_NOTHING: Final[frozenset[Meaning]] = frozenset()
_OPEN: Final[frozenset[Meaning]] = frozenset({UNKNOWN})


@dataclass(slots=True)
class Resolver:
    """Resolves paths over the modules of a snapshot."""

    modules: Modules
    opened: Mapping[tuple[str, tuple[str, ...]], tuple[frozenset[str] | None, ...]] = field(default_factory=dict)
    """The names that macros may make in a module; None where they may make any."""
    left: int = _MOST
    """So many names may still be looked up."""
    _variants: dict[int, frozenset[str]] = field(default_factory=dict)
    _known: dict[tuple[Module, tuple[str, ...], Space, bool], frozenset[Meaning]] = field(default_factory=dict)

    def find(self, module: Module, path: tuple[str, ...], space: Space, *, is_use: bool = False) -> frozenset[Meaning]:
        """What `path` may mean in `module`; nothing where no name of this snapshot fits."""
        key = (module, path, space, is_use)
        if key not in self._known:
            search = _Search(self, min(_STEPS, self.left))
            self._known[key] = search.find(module, path, space, is_use=is_use)
            self.left -= min(_STEPS, self.left) - max(search.steps, 0)
        return self._known[key]

    def lookup(self, module: Module, name: str, space: Space) -> frozenset[Meaning]:
        """What `name` may mean in `module`."""
        return self.find(module, ("self", name), space)

    def base(self, module: Module, path: tuple[str, ...]) -> tuple[Module | None, tuple[str, ...]] | None:
        """Where a path that begins with `crate`, `self` or `super` begins; no module where that is above the crate."""
        if not path or path == ("",):
            return None, ()
        if path[0] == "crate":
            return self.modules.roots[module.root.file], path[1:]
        if path[0] not in {"self", "super"}:
            return None
        here: Module | None = module
        rest = path[1:] if path[0] == "self" else path
        while rest and rest[0] == "super" and here is not None:
            here, rest = self.modules.parents.get(here), rest[1:]
        return here, rest

    def crate(self, module: Module, name: str) -> Module | External | None:
        """The crate that `name` means, if a manifest or the language names one: the root of its library."""
        if name in STANDARD:
            return External((name,))
        package = None if module.root.package is None else self.modules.crates.packages.get(module.root.package)
        if package is None:
            return None
        if name in package.crates:
            folder = package.crates[name]
            if folder is None:
                return External((name,))
            library = self.modules.crates.library(folder)
            return UNKNOWN if library is None else self.modules.roots.get(library, UNKNOWN)
        if name == package.library and module.root.target is not Target.LIBRARY:
            library = self.modules.crates.library(package.folder)
            return None if library is None else self.modules.roots.get(library, UNKNOWN)
        return None

    def variants(self, one: Declared) -> frozenset[str]:
        """The variants of an enumeration; none of anything else."""
        if one.node.id not in self._variants:
            self._variants[one.node.id] = variants(one)
        return self._variants[one.node.id]

    def is_old(self, module: Module) -> bool:
        """Whether the edition is that of 2015, in which a `use` begins at the root of its crate."""
        package = None if module.root.package is None else self.modules.crates.packages.get(module.root.package)
        return package is not None and package.edition == "2015"


@dataclass(slots=True)
class _Search:
    """One search under way: what it is about, how deep it is, and what is left of its steps."""

    resolver: Resolver
    steps: int = _STEPS
    links: int = _LINKS
    under_way: set[tuple[Module, str, Space]] = field(default_factory=set)

    def find(self, module: Module, path: tuple[str, ...], space: Space, *, is_use: bool) -> frozenset[Meaning]:
        started = self.resolver.base(module, path)
        if started is not None:
            here, rest = started
            return _OPEN if here is None else self._follow(frozenset({here}), rest, space)
        is_old = self.resolver.is_old(module)
        if not path[0]:
            path, is_use = path[1:], True
            if not is_old or not path:
                return self._outside(module, path, space)
        if is_old and is_use:
            module = self.resolver.modules.roots[module.root.file]
        found = self._lookup(module, path[0], space if len(path) == 1 else Space.TYPE)
        if not found or (found == _OPEN and self.resolver.crate(module, path[0]) is not None):
            # That a macro or a glob of elsewhere brings what a crate is called would be an error.
            return self._outside(module, path, space)
        return self._follow(found, path[1:], space)

    def _outside(self, module: Module, path: tuple[str, ...], space: Space) -> frozenset[Meaning]:
        crate = self.resolver.crate(module, path[0]) if path else UNKNOWN
        return _NOTHING if crate is None else self._follow(frozenset({crate}), path[1:], space)

    def _follow(self, found: frozenset[Meaning], rest: tuple[str, ...], space: Space) -> frozenset[Meaning]:
        """What `rest` means below what is found."""
        while rest and found:
            told: set[Meaning] = set()
            for one in found:
                if isinstance(one, Module):
                    told |= self._lookup(one, rest[0], space if len(rest) == 1 else Space.TYPE)
                elif isinstance(one, Item):
                    told.add(Item(one.module, one.declared, (*one.member, rest[0])))
                else:
                    told.add(one if one == UNKNOWN else External((*one.path, rest[0])))
            found, rest = frozenset(told), rest[1:]
        return found

    def _lookup(self, module: Module, name: str, space: Space) -> frozenset[Meaning]:
        """What `name` is in `module`: declared or imported by name, else perhaps made by a macro, else brought by globs."""
        key = (module, name, space)
        self.steps -= 1
        if key in self.under_way:
            return _NOTHING
        if self.steps < 0 or not self.links:
            return _OPEN
        self.under_way.add(key)
        self.links -= 1
        try:
            place = (module.file, module.inner)
            names = self.resolver.modules.names.get(place, _EMPTY)
            declared = frozenset(self._declared(module, names, name, space))
            found = frozenset(self._used(module, names, name, space))
            if declared or found:
                # A name may be imported from the module that is called so: what is declared is certain then.
                return declared | (found - _OPEN if declared else found)
            if any(words is None or name in words for words in self.resolver.opened.get(place, ())):
                return _OPEN
            return self._globbed(module, names, name, space)
        finally:
            self.links += 1
            self.under_way.discard(key)

    def _declared(self, module: Module, names: Names, name: str, space: Space) -> Iterator[Meaning]:
        children = self.resolver.modules.children.get(module, {}).get(name, []) if space is Space.TYPE else []
        yield from children
        for one in names.items.get(name, ()):
            if one.node.type == "mod_item":
                if space is Space.TYPE and not children:
                    yield UNKNOWN
            elif space in spaces(one):
                yield Item(module, one)
        if space is Space.MACRO and not module.path:
            exported = self.resolver.modules.exported.get(module.root.file, {})
            yield from (Item(home, one) for home, one in exported.get(name, ()))

    def _used(self, module: Module, names: Names, name: str, space: Space) -> Iterator[Meaning]:
        for use in names.uses.get(name, ()):
            found = self.find(module, use.path, space, is_use=True)
            if not found and not any(self.find(module, use.path, other, is_use=True) for other in Space if other is not space):
                found = _OPEN if is_local(use.path) else frozenset({External(use.path)})
            yield from found

    def _globbed(self, module: Module, names: Names, name: str, space: Space) -> frozenset[Meaning]:
        """One that two globs bring would be an error: what is found in one is meant, whatever the others may hold."""
        found: set[Meaning] = set()
        is_open = len(names.globs) > _GLOBS
        for use in names.globs[:_GLOBS]:
            for one in self.find(module, use.path, Space.TYPE, is_use=True) or {UNKNOWN}:
                if isinstance(one, Module):
                    found |= {told for told in self._lookup(one, name, space) if self._is_seen(one, name, module)}
                else:
                    is_open = is_open or not isinstance(one, Item) or name in self.resolver.variants(one.declared)
        found -= {UNKNOWN} if len(found) > 1 else set()
        return frozenset(found or ({UNKNOWN} if is_open else ()))

    def _is_seen(self, module: Module, name: str, seen_from: Module) -> bool:
        """Whether a glob brings a name: private ones only to where they stand, and further in."""
        if module.root == seen_from.root and seen_from.path[: len(module.path)] == module.path:
            return True
        names = self.resolver.modules.names.get((module.file, module.inner), _EMPTY)
        items, uses = names.items.get(name, ()), names.uses.get(name, ())
        seen = (*(visibility(one.node) for one in items), *(use.visibility for use in uses))
        return any(seen) or not seen


_EMPTY: Final = Names()


def spaces(one: Declared) -> frozenset[Space]:
    """In which names an item is found by its own."""
    kind = one.node.type
    if kind == "struct_item":
        body = child(one.node, "body")
        is_value = body is None or body.type == "ordered_field_declaration_list"
        return frozenset({Space.TYPE, Space.VALUE}) if is_value else frozenset({Space.TYPE})
    if kind in {"function_item", "function_signature_item", "const_item", "static_item"}:
        return frozenset({Space.VALUE})
    return frozenset({Space.MACRO if kind == "macro_definition" else Space.TYPE})


def variants(one: Declared) -> frozenset[str]:
    """The variants of an enumeration; none of anything else."""
    body = child(one.node, "body") if one.node.type == "enum_item" else None
    parts = () if body is None else body.named_children
    return frozenset(written(name) for part in parts if (name := child(part, "name")) is not None)


def is_local(path: tuple[str, ...]) -> bool:
    """Whether a path begins in its own crate, whatever that holds."""
    return path[:1] in {("crate",), ("self",), ("super",)}
