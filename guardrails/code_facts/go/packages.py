"""Files of Go become packages: which stand together, and what they declare (Change Contracts: fact clauses).

A folder holds a package, and two more in its files of tests: those inside of the package, and those that see it from outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.go.bindings import declared_name
from guardrails.code_facts.go.constraints import Condition
from guardrails.code_facts.go.survey import Survey

_MOST: Final = 32
"""So many files are told that declare one name for different builds."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file that was read: its bytes, its tree, what a walk found in it, its package by name, and when it is built."""

    path: str
    data: bytes = field(repr=False)
    root: Node
    found: Survey
    package: str
    condition: Condition

    @property
    def folder(self) -> str:
        """Where it lies; "" for the root."""
        return self.path.rpartition("/")[0]

    @property
    def is_test(self) -> bool:
        """Whether only tests are built with it."""
        return self.path.endswith("_test.go")


def unit(folder: str) -> str:
    """What the package of a folder is called among files: with a slash at the end, which no file has."""
    return f"{folder or '.'}/"


def inner_tests(folder: str) -> str:
    """What the tests inside of the package of a folder are called."""
    return f"{folder or '.'} [test]/"


def outer_tests(folder: str) -> str:
    """What the tests that see the package of a folder from outside are called."""
    return f"{folder or '.'}_test [test]/"


@dataclass(slots=True)
class Packages:
    """The packages of a snapshot. What no build holds, and what names another package than its folder, stands for itself."""

    names: dict[str, str] = field(default_factory=dict)
    """The name of the package of each folder that has one."""
    members: dict[str, list[str]] = field(default_factory=dict)
    """The files of each package, those that could not be read among them."""
    home: dict[str, str] = field(default_factory=dict)
    """The package that each file belongs to; itself where it stands for itself."""
    declared: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """The functions of each package, methods after their types, and the files that declare them."""
    conditions: dict[str, Condition] = field(default_factory=dict)

    @classmethod
    def of(cls, sources: Iterable[Source], unread: Mapping[str, str]) -> Packages:
        """Sort files; `unread` are those that have no tree, each with the name that its package seems to have."""
        result = cls()
        told = list(sources)
        result.names.update(_names(told))
        for one in told:
            home = one.path if one.condition.is_never else result._home(one.path, one.package)
            result._add(one.path, home)
            held = result.declared.setdefault(home, {})
            for name in _functions(one.root):
                held.setdefault(name, []).append(one.path)
            result.conditions[one.path] = one.condition
        for path, name in unread.items():
            result._add(path, result._home(path, name or result.names.get(path.rpartition("/")[0], "")))
        return result

    def seen(self, path: str, folder: str | None = None) -> tuple[str, ...]:
        """The packages whose names a file means when it names none, or the package of `folder` where it imports that."""
        own = path.rpartition("/")[0]
        home = self.home.get(path, path)
        if folder is not None:
            return (unit(folder), inner_tests(folder)) if home == outer_tests(folder) else (unit(folder),)
        return (unit(own), home) if home == inner_tests(own) else (home,)

    def functions(self, seen: Iterable[str], name: str, file: str) -> list[str]:
        """The files that declare a function for `file` in one of the packages `seen`: several only where builds part them."""
        own = self.conditions[file]
        found = [one for package in seen for one in self.declared.get(package, {}).get(name, ())]
        if len(found) > _MOST:
            return []
        told = [one for one in found if own.meets(self.conditions[one])]
        return told if len(told) == 1 or all(self.conditions[one].is_conditional for one in told) else []

    def links(self) -> Iterator[tuple[str, str]]:
        """What depends on what without an import: files on the packages that they see, those on their files."""
        for path, home in self.home.items():
            yield from ((path, one) for one in self.seen(path) if one != path)
            own = path.rpartition("/")[0]
            if home == outer_tests(own) and inner_tests(own) in self.members:
                yield path, inner_tests(own)
        for package, files in self.members.items():
            yield from ((package, file) for file in files)

    def _home(self, path: str, name: str) -> str:
        folder = path.rpartition("/")[0]
        own = self.names.get(folder)
        if path.endswith("_test.go"):
            return outer_tests(folder) if name.endswith("_test") and name != own else inner_tests(folder)
        return unit(folder) if name == own else path

    def _add(self, path: str, home: str) -> None:
        self.home[path] = home
        if home != path:
            self.members.setdefault(home, []).append(path)


def _names(sources: Iterable[Source]) -> dict[str, str]:
    """The name of the package of each folder: that of most of the files that every build holds, or else of the others."""
    met: dict[str, Counter[tuple[bool, str]]] = {}
    for one in sources:
        if not one.is_test and not one.condition.is_never:
            met.setdefault(one.folder, Counter())[not one.condition.is_conditional, one.package] += 1
    return {folder: max(told, key=lambda one: (one[0], told[one], one[1]))[1] for folder, told in met.items()}


def _functions(root: Node) -> Iterator[str]:
    for one in root.children:
        if one.type in {"function_declaration", "method_declaration"} and (name := declared_name(one)) not in {"init", "_"}:
            yield name
