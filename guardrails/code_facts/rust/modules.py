"""The modules of the crates of a snapshot, and the files that they lie in (Change Contracts: fact clauses).

A module is told by its crate and its path in it; one file may be several modules, and a module may be several files of which
`cfg` takes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.rust.attributes import attributes
from guardrails.code_facts.rust.crates import Crates, Root, Target
from guardrails.code_facts.rust.survey import Declared, Survey, Use
from guardrails.code_facts.trees import child
from guardrails.paths import join

UNRESOLVED: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL, Kind.API})
MAX_WAYS: Final = 8
"""A file may be so many modules; who includes it more often is not followed."""
MAX_DEPTH: Final = 64
_ROOTS: Final = frozenset({"lib.rs", "main.rs", "mod.rs"})


@dataclass(frozen=True, slots=True)
class Module:
    """A module: the file that it lies in, the inline modules of that around it, and its path in its crate."""

    root: Root
    path: tuple[str, ...]
    file: str
    inner: tuple[str, ...] = ()


@dataclass(slots=True)
class Names:
    """What a module, or a block, declares and brings."""

    items: dict[str, list[Declared]] = field(default_factory=dict)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    globs: list[Use] = field(default_factory=list)


@dataclass(slots=True)
class Modules:
    """All modules, who holds whom, and what could not be told of that."""

    crates: Crates
    roots: dict[str, Module] = field(default_factory=dict)
    """The modules of roots by their files."""
    parents: dict[Module, Module] = field(default_factory=dict)
    children: dict[Module, dict[str, list[Module]]] = field(default_factory=dict)
    at: dict[tuple[str, tuple[str, ...]], list[Module]] = field(default_factory=dict)
    """Modules by file and the inline modules in it."""
    names: dict[tuple[str, tuple[str, ...]], Names] = field(default_factory=dict)
    local: dict[int, Names] = field(default_factory=dict)
    """What functions and closures declare and bring in themselves."""
    files: dict[str, dict[tuple[str, int], None]] = field(default_factory=dict)
    """The files that a file declares as modules, each with the line of that."""
    exported: dict[str, dict[str, list[tuple[Module, Declared]]]] = field(default_factory=dict)
    """Macros that stand at the root of their crate by its file, wherever they are written."""
    defined: dict[str, dict[str, dict[str, None]]] = field(default_factory=dict)
    """The files that define macros, by the file of their crate and by name."""
    blind: dict[Blind, None] = field(default_factory=dict)

    @classmethod
    def of(cls, crates: Crates, surveys: Mapping[str, Survey], ours: frozenset[str]) -> Modules:
        """Find the modules of `surveys`; `ours` are all files of Rust, also those that have no tree."""
        result = cls(crates)
        for file, found in surveys.items():
            result._keep_names(file, found)
        builder = _Builder(result, ours)
        for package in crates.packages.values():
            for root in package.roots:
                builder.build(root)
        builder.build_loose(sorted(surveys))
        result._keep_macros(surveys)
        return result

    def _keep_names(self, file: str, found: Survey) -> None:
        for one in found.declared:
            names = self._of_place(file, one)
            if names is not None:
                names.items.setdefault(one.own, []).append(one)
        for use in found.uses:
            names = self._of_place(file, use)
            if names is not None and use.alias == "*":
                names.globs.append(use)
            elif names is not None:
                names.uses.setdefault(use.alias, []).append(use)

    def _keep_macros(self, surveys: Mapping[str, Survey]) -> None:
        for file, found in surveys.items():
            for one in (one for one in found.declared if one.node.type == "macro_definition"):
                is_exported = _has(one, "macro_export")
                for module in self.at.get((file, ()), ()):
                    self.defined.setdefault(module.root.file, {}).setdefault(one.own, {})[file] = None
                    if is_exported:
                        self.exported.setdefault(module.root.file, {}).setdefault(one.own, []).append((module, one))

    def _of_place(self, file: str, one: Declared | Use) -> Names | None:
        place = one.place
        if place.is_of_module and place.module is not None:
            return self.names.setdefault((file, place.module), Names())
        if place.scopes and not place.is_member:
            return self.local.setdefault(place.scopes[-1], Names())
        return None


@dataclass(frozen=True, slots=True)
class _Owner:
    """A module, the folder of its file, and the folder that the files of its modules lie in."""

    module: Module
    here: str
    below: tuple[str, ...]


@dataclass(slots=True)
class _Builder:
    modules: Modules
    ours: frozenset[str]
    reached: set[str] = field(default_factory=set)

    def build(self, root: Root) -> None:
        """The modules of the crate of `root`, from there downwards."""
        top = Module(root, (), root.file)
        self.modules.roots.setdefault(root.file, top)
        waiting = [self._enter(top, is_owner=root.target is not Target.LOOSE)]
        while waiting:
            owner = waiting.pop()
            waiting.extend(reversed(list(self._below(owner))))

    def build_loose(self, files: list[str]) -> None:
        """Files that no crate reaches: those that no other such file declares are roots, and then whoever is left."""
        loose = [file for file in files if file not in self.reached]
        declared = {path for file in loose for path in self._guessed(file) if path != file}
        for file in (*(file for file in loose if file not in declared), *loose):
            if file not in self.reached:
                package = self.modules.crates.around(file)
                self.build(Root(file, Target.LOOSE, None if package is None else package.folder))

    def _guessed(self, file: str) -> Iterator[str]:
        owner = self._owner(Module(Root(file), (), file), is_owner=False)
        for (path, inner), names in ((key, self.modules.names[key]) for key in self._inner(file)):
            for one in (one for told in names.items.values() for one in told if _is_outside(one)):
                yield from self._candidates(owner, path, inner, one)

    def _inner(self, file: str) -> Iterable[tuple[str, tuple[str, ...]]]:
        waiting: list[tuple[str, tuple[str, ...]]] = [(file, ())] if (file, ()) in self.modules.names else []
        while waiting:
            key = waiting.pop()
            yield key
            for own, told in self.modules.names[key].items.items():
                below = (file, (*key[1], own))
                if below in self.modules.names and any(one.node.type == "mod_item" for one in told):
                    waiting.append(below)

    def _enter(self, module: Module, *, is_owner: bool) -> _Owner:
        self.modules.at.setdefault((module.file, module.inner), []).append(module)
        self.reached.add(module.file)
        return self._owner(module, is_owner=is_owner)

    def _owner(self, module: Module, *, is_owner: bool) -> _Owner:
        folder, _, name = module.file.rpartition("/")
        beside = f"{folder}/{name.removesuffix('.rs')}" if folder else name.removesuffix(".rs")
        is_guess = module.root.target is Target.LOOSE and not module.path
        if is_owner or name == "mod.rs" or (is_guess and name in _ROOTS):
            return _Owner(module, folder, (folder,))
        return _Owner(module, folder, (folder, beside) if is_guess else (beside,))

    def _below(self, owner: _Owner) -> Iterator[_Owner]:
        """The modules that a module holds: those in its own text, and those that lie in other files."""
        module = owner.module
        names = self.modules.names.get((module.file, module.inner))
        for own, told in (names.items if names is not None else {}).items():
            for one in (one for one in told if one.node.type == "mod_item"):
                path = (*module.path, own)
                if not _is_outside(one):
                    below = Module(module.root, path, module.file, (*module.inner, own))
                    if self._add(module, own, below):
                        self.modules.at.setdefault((below.file, below.inner), []).append(below)
                        yield _Owner(below, owner.here, owner.below)
                    continue
                found = self._candidates(owner, module.file, module.inner, one)
                is_open = any(told.path == ("cfg_attr",) and "path=" in told.given for told in attributes(one.attributes))
                if len(found) != 1 or len(path) > MAX_DEPTH or is_open:
                    reason = f"a module is declared whose file {'may be another' if found else 'is not in the snapshot'}"
                    self.modules.blind[Blind(UNRESOLVED, module.file, reason, one.line)] = None
                for file in found[:1] if len(path) <= MAX_DEPTH else ():
                    self.modules.files.setdefault(module.file, {})[file, one.line] = None
                    below = Module(module.root, path, file)
                    if self._add(module, own, below):
                        yield self._enter(below, is_owner=_has(one, "path"))

    def _add(self, module: Module, own: str, below: Module) -> bool:
        """Keep that a module holds another; False where it is known, or its file is too many modules already."""
        children = self.modules.children.setdefault(module, {}).setdefault(own, [])
        if below in children:
            return False
        if len(self.modules.at.get((below.file, below.inner), ())) >= MAX_WAYS:
            reason = f"a file is more than {MAX_WAYS} modules"
            self.modules.blind[Blind(UNRESOLVED, below.file, reason)] = None
            return False
        children.append(below)
        self.modules.parents[below] = module
        return True

    def _candidates(self, owner: _Owner, file: str, inner: tuple[str, ...], one: Declared) -> list[str]:
        """The files of the snapshot that a module without a body may lie in."""
        own = one.own
        given = [told for told in attributes(one.attributes) if told.path == ("path",)]
        if given:
            starts = ["/".join((start, *inner)) for start in owner.below] if inner else [owner.here]
            ways = [join(start, given[0].value or "") for start in starts]
        else:
            starts = ["/".join(part for part in (start, *inner) if part) for start in owner.below]
            ways = [join(start, way) for start in starts for way in (f"{own}.rs", f"{own}/mod.rs")]
        return list(dict.fromkeys(way for way in ways if way is not None and way in self.ours and way != file))


def _is_outside(one: Declared) -> bool:
    return one.node.type == "mod_item" and child(one.node, "body") is None


def _has(one: Declared, word: str) -> bool:
    return any(told.path == (word,) for told in attributes(one.attributes))
