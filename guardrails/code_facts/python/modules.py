"""Which files the modules of a Python snapshot are, and what an import statement reaches (Change Contracts: fact clauses).

Packages are looked for where Python or its build tools would put them: beside the package that imports, at the root, in `src`,
beside the script, and in whatever folder holds a package. Nothing is installed or run to find out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reached:
    """What one module name leads to: local files, from the outermost package inwards, or something external.

    `is_whole` is false where the name begins in the snapshot and its end is not there; `module` is the file of the whole name,
    "" for a folder without one.
    """

    files: tuple[str, ...] = ()
    module: str = ""
    folder: str | None = None
    is_whole: bool = True
    is_ambiguous: bool = False

    @property
    def is_external(self) -> bool:
        """Whether no module of it is in the snapshot; a folder of that name may be."""
        return not self.files and not self.is_ambiguous


@dataclass(slots=True)
class Modules:
    """The Python files of one snapshot."""

    files: frozenset[str]
    folders: frozenset[str] = field(init=False)
    roots: dict[str, tuple[str, ...]] = field(init=False)
    """By top name, the folders that hold a package of that name and are no package."""
    known: dict[tuple[str, str], Reached] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the folders and the packages at their roots."""
        self.folders = frozenset(above for path in self.files for above in _above(path))
        found: dict[str, set[str]] = {}
        for folder in sorted(self.folders):
            top, name = _split(folder)
            if self._is_package(folder) and not self._is_package(top):
                found.setdefault(name, set()).add(top)
        self.roots = {name: tuple(sorted(tops)) for name, tops in found.items()}

    def reach(self, file: str, dotted: str, level: int = 0) -> Reached:
        """What `dotted` means in `file`; `level` counts the dots before it."""
        if level:
            base: str | None = _folder(file)
            for _ in range(level - 1):
                base = None if not base else _folder(base)
            if base is None:
                return Reached(is_whole=False, is_ambiguous=True)
            return self._descend(base, dotted, outer=False)
        key = (_folder(file), dotted)
        if key not in self.known:
            self.known[key] = self._absolute(file, dotted)
        return self.known[key]

    def member(self, reached: Reached, name: str) -> str | None:
        """The file of the module `name` within what was reached, None where there is no such module."""
        if reached.folder is None:
            return None
        path = f"{reached.folder}/{name}" if reached.folder else name
        return self._file(path)

    def _absolute(self, file: str, dotted: str) -> Reached:
        top = dotted.partition(".")[0]
        near = [self._descend(root, dotted) for root in self._near(file)]
        found = next((one for one in near if one.files), None)
        if found is not None:
            return found
        # A folder without a module of its own gives way to every real module of that name.
        roots = self.roots.get(top, ())
        if len(roots) > 1:
            return Reached(is_ambiguous=True, is_whole=False)
        others = [self._descend(root, dotted) for root in roots]
        return next((one for one in (*others, *near) if one.folder is not None), Reached())

    def _near(self, file: str) -> Iterator[str]:
        """The folders where an absolute import of `file` is looked for first."""
        own = _folder(file)
        home = own
        while home and self._is_package(home):
            home = _folder(home)
        yield from dict.fromkeys((home, "", "src", own) if not self._is_package(own) else (home, "", "src"))

    def _descend(self, base: str, dotted: str, *, outer: bool = True) -> Reached:
        """Follow `dotted` from the folder `base`; external where, from outside, not even its first name is there."""
        files = [] if outer or not self._is_package(base) else [self._package(base)]
        module, here = (files[-1] if files else ""), base
        for index, name in enumerate(dotted.split(".") if dotted else ()):
            path = f"{here}/{name}" if here else name
            found = self._file(path)
            if found is None and path not in self.folders:
                return Reached() if not index and outer else Reached(tuple(files), module, here, is_whole=False)
            if found is not None:
                files.append(found)
            module, here = found or "", path
        return Reached(tuple(files), module, here)

    def _file(self, path: str) -> str | None:
        ways = (f"{path}/__init__.py", f"{path}.py", f"{path}/__init__.pyi", f"{path}.pyi")
        return next((way for way in ways if way in self.files), None)

    def _package(self, folder: str) -> str:
        name = f"{folder}/__init__.py" if folder else "__init__.py"
        return name if name in self.files else f"{name}i"

    def _is_package(self, folder: str) -> bool:
        return self._package(folder) in self.files if folder else False


def specifiers(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, int, str | None]]:
    """Every name of an import statement: the module as written, its dotted name, its level, and what is taken from it."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, alias.name, 0, None) for alias in node.names)
    else:
        written = "." * node.level + (node.module or "")
        yield from ((written, node.module or "", node.level, alias.name) for alias in node.names)


def _above(path: str) -> Iterable[str]:
    while path:
        path = _folder(path)
        if path:
            yield path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _split(path: str) -> tuple[str, str]:
    top, _, name = path.rpartition("/")
    return top, name
