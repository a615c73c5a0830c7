"""Which folder of a snapshot an import of Go means: go.mod, go.work, and nothing guessed (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from guardrails.code_facts.go.directives import OF_MODULES, OF_WORKSPACES, NotDirectives, directives
from guardrails.paths import join

_VERSION: Final = re.compile(r"1\.(\d{1,4})")
_NEW_FORM: Final = 18
"""From this language version on, lines of the old form say nothing about builds."""
_STANDARD: Final = frozenset(
    """
    C archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go
    hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv
    strings structs sync syscall testing text time unicode unique unsafe weak
    """.split()  # noqa: SIM905 - words
)
"""How paths of the standard library begin. Where a module is known, every path without a dot in front is one of it."""
_DEEPEST: Final = 64
_Told = TypeVar("_Told")
_OUTSIDE: Final = "a replacement leads to a folder that the snapshot does not hold"


@dataclass(frozen=True, slots=True)
class Module:
    """What one go.mod says: its path, whether its files may have constraints of the old form, and what it replaces by folders.

    Of `replaced` a folder is None where it lies outside; the keys are paths of modules.
    """

    path: str
    has_old: bool = True
    replaced: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Workspace:
    """What one go.work says: the folders of its modules, and what it replaces by folders."""

    uses: frozenset[str]
    replaced: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The folder that is imported, or `external:` and the path; `why` says what the snapshot leaves open, "" where nothing."""

    folder: str | None = None
    external: str = ""
    why: str = ""


@dataclass(slots=True)
class Modules:
    """The modules and workspaces of a snapshot, by folder; in place of those that cannot be read, why."""

    files: Mapping[str, str]
    modules: dict[str, Module | str] = field(default_factory=dict)
    workspaces: dict[str, Workspace | str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    """Those that hold packages."""
    known: dict[tuple[str, str], Resolved] = field(default_factory=dict)
    places: dict[str, dict[str, str | None]] = field(default_factory=dict)
    """For each module the paths of modules that it takes from folders."""
    paths: frozenset[str] = frozenset()
    """Of all modules that can be read."""
    around: dict[str, str | None] = field(default_factory=dict)
    """The folder of the module that each folder belongs to."""

    def __post_init__(self) -> None:
        """Read all of them."""
        for path, text in self.files.items():
            folder, _, name = path.rpartition("/")
            if name == "go.mod":
                self.modules[folder] = _read(_module, folder, text, path)
            elif name == "go.work":
                self.workspaces[folder] = _read(_workspace, folder, text, path)
            elif name.endswith(".go") and not name.endswith("_test.go") and not name.startswith(("_", ".")):
                self.folders.add(folder)
        self.paths = frozenset(one.path for one in self.modules.values() if isinstance(one, Module))

    def governing(self, folder: str) -> str | None:
        """The folder of the module that `folder` belongs to: the nearest one above that has a go.mod."""
        passed: list[str] = []
        here = folder
        while here not in self.around and here not in self.modules and here:
            passed.append(here)
            here = here.rpartition("/")[0]
        found = self.around.get(here, here if here in self.modules else None)
        self.around.update((one, found) for one in (*passed, here))
        return found

    def has_old(self, folder: str) -> bool:
        """Whether constraints of the old form count in `folder`."""
        home = self.governing(folder)
        module = None if home is None else self.modules[home]
        return not isinstance(module, Module) or module.has_old

    def resolve(self, folder: str, path: str) -> Resolved:
        """What an import of `path` means in the files of `folder`."""
        home = self.governing(folder)
        if home is None:
            return _without_module(folder, path)
        key = (home, path)
        if key not in self.known:
            self.known[key] = self._resolve(home, path)
        return self.known[key]

    def _resolve(self, home: str, path: str) -> Resolved:
        module = self.modules[home]
        if isinstance(module, str):
            return Resolved(why=module)
        if path.startswith(".") or path.count("/") > _DEEPEST:
            return Resolved(why="an import is relative, which modules do not allow, or deeper than anybody writes")
        if home not in self.places:
            self.places[home] = dict(self._places(home, module))
        places = self.places[home]
        for one in (one for one in _above(path) if one in places):
            base = places[one]
            if base is None:
                return Resolved(external=f"external:{path}", why=_OUTSIDE)
            folder = join(base, path[len(one) + 1 :])
            if folder is not None and folder in self.folders and self._belongs(folder, base):
                return Resolved(folder)
        return self._elsewhere(path, places)

    def _elsewhere(self, path: str, places: Mapping[str, str | None]) -> Resolved:
        """What no folder of the modules in `places` holds."""
        if any(one in self.paths and one not in places for one in _above(path)):
            why = "an import is of a module of this repository, and nothing says that it is taken from here"
            return Resolved(external=f"external:{path}", why=why)
        if any(one in places for one in _above(path)):
            return Resolved(why="an import leads to a package that the snapshot does not hold")
        return Resolved(external=f"external:{path}")

    def _belongs(self, folder: str, base: str) -> bool:
        """Whether a folder belongs to the module in `base`; a replacement need not have a go.mod of its own."""
        home = self.governing(folder)
        return home == base or base not in self.modules

    def _places(self, home: str, module: Module) -> Iterator[tuple[str, str | None]]:
        """The paths of modules that are taken from folders, and those; what is told later decides."""
        workspace = self._workspace(home)
        if isinstance(workspace, Workspace):
            for folder in sorted(workspace.uses):
                other = self.modules.get(folder)
                if isinstance(other, Module):
                    yield from other.replaced.items()
                    yield other.path, folder
        yield from module.replaced.items()
        if isinstance(workspace, Workspace):
            yield from workspace.replaced.items()
        yield module.path, home

    def _workspace(self, home: str) -> Workspace | str | None:
        """The workspace that a module takes part in."""
        here = home
        while here not in self.workspaces and here:
            here = here.rpartition("/")[0]
        found = self.workspaces.get(here)
        return found if not isinstance(found, Workspace) or home in found.uses else None


def _above(path: str) -> Iterator[str]:
    """A path and those above it, the longest first."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _without_module(folder: str, path: str) -> Resolved:
    if path.startswith("."):
        return Resolved(join(folder, path)) if join(folder, path) is not None else Resolved(why="an import leads out")
    why = "" if path.partition("/")[0] in _STANDARD else "no go.mod tells whether an import is of this repository"
    return Resolved(external=f"external:{path}", why=why)


def _module(folder: str, text: str) -> Module:
    path, version = "", 0
    required: dict[str, str] = {}
    replaced: list[tuple[tuple[str, ...], str | None]] = []
    for one in directives(text, OF_MODULES):
        if one.verb == "module" and len(one.words) == 1:
            path = one.words[0].rstrip("/")
        elif one.verb == "go" and len(one.words) == 1:
            found = _VERSION.match(one.words[0])
            version = int(found[1]) if found else version
        elif one.verb == "require" and len(one.words) == 2:
            required[one.words[0]] = one.words[1]
        elif one.verb == "replace":
            before, after = one.replacement()
            replaced += [(before, join(folder, after[0]) if _is_relative(after[0]) else None)] if _is_local(after[0]) else []
    if not path:
        raise NotDirectives("it names no module")
    # What is replaced in one version alone is replaced where that is the version that is required.
    certain = {name[0]: where for name, where in replaced if len(name) == 1 or required.get(name[0]) == name[1]}
    return Module(path, version < _NEW_FORM, certain)


def _workspace(folder: str, text: str) -> Workspace:
    uses: set[str] = set()
    replaced: dict[str, str | None] = {}
    for one in directives(text, OF_WORKSPACES):
        if one.verb == "use" and len(one.words) == 1:
            where = join(folder, one.words[0]) if not one.words[0].startswith("/") else None
            uses |= set() if where is None else {where}
        elif one.verb == "replace":
            before, after = one.replacement()
            if _is_local(after[0]):
                replaced[before[0]] = join(folder, after[0]) if _is_relative(after[0]) else None
    return Workspace(frozenset(uses), replaced)


def _is_local(target: str) -> bool:
    return target in {".", ".."} or target.startswith(("./", "../", "/"))


def _is_relative(target: str) -> bool:
    return not target.startswith("/")


def _read(reader: Callable[[str, str], _Told], folder: str, text: str, path: str) -> _Told | str:
    try:
        return reader(folder, text)
    except NotDirectives as fault:
        return f"{path} cannot be read: {fault}"
