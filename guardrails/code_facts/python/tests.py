"""Which tests Python defines, by the rules of pytest and unittest (Change Contracts: fact clauses).

A test that is always skipped is none. How pytest is told to collect is read from its configuration, as a value and never run.
"""

from __future__ import annotations

import ast
import configparser
import fnmatch
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.survey import Function, Survey

_CASES: Final = frozenset({"TestCase", "IsolatedAsyncioTestCase"})
_TESTS: Final = frozenset({Kind.TEST_DEFINITION})
_MOST: Final = 1_000_000
_PATTERNS: Final = 100


@dataclass(frozen=True, slots=True)
class Collecting:
    """How pytest collects: patterns of files, of classes and of functions."""

    files: tuple[str, ...] = ("test_*.py", "*_test.py")
    classes: tuple[str, ...] = ("Test",)
    functions: tuple[str, ...] = ("test",)


def collecting(files: Mapping[str, str]) -> Collecting | str:
    """What the first configuration of pytest at the root says, in the order that pytest looks; or why it cannot be read."""
    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
        if name in files:
            if len(files[name]) > _MOST:
                return f"{name} is longer than {_MOST} characters, and so nobody reads how pytest collects"
            try:
                options = _options(name, files[name])
            except (tomllib.TOMLDecodeError, configparser.Error, ValueError, RecursionError):
                return f"{name} cannot be read, and so not how pytest collects"
            if options is not None:
                told = [_words(options.get(f"python_{one}")) for one in ("files", "classes", "functions")]
                if max(map(len, told)) > _PATTERNS:
                    return f"{name} names more than {_PATTERNS} patterns of what pytest collects"
                plain = Collecting()
                return Collecting(told[0] or plain.files, told[1] or plain.classes, told[2] or plain.functions)
    return Collecting()


def definitions(file: str, tree: ast.Module, found: Survey, by: Collecting) -> Iterator[Occurrence | Blind]:
    """Test functions at the top, and test methods of the classes that are collected, by their own names."""
    is_collected = any(_fits_file(pattern, file) for pattern in by.files)
    if _is_skipped(_marks(tree)):
        return
    classes = _Classes.of(found, by)
    for node, place in found.declared:
        if isinstance(node, ast.ClassDef) or _is_skipped(node.decorator_list):
            continue
        if place.is_top:
            is_test = is_collected and _fits_name(by.functions, node.name)
        else:
            is_test = classes.hold(node, place.scopes[1:], is_collected=is_collected)
        if is_test:
            yield Occurrence(Kind.TEST_DEFINITION, file, node.name, found.form(node), node.lineno)
    if is_collected:
        yield from (
            Blind(_TESTS, file, "tests may be made by what is assigned here", statement.lineno, name=name)
            for statement, name, place in found.assigned
            if place.is_top and _fits_name(by.functions, name) and _may_be_called(statement)
        )


@dataclass(frozen=True, slots=True)
class _Class:
    """What a class says of the tests in it."""

    is_skipped: bool
    is_case: bool
    is_plain: bool


@dataclass(frozen=True, slots=True)
class _Classes:
    """The classes of one file, each looked at once."""

    told: Mapping[ast.ClassDef, _Class]
    by: Collecting

    @classmethod
    def of(cls, found: Survey, by: Collecting) -> _Classes:
        nodes = [node for node, _ in found.declared if isinstance(node, ast.ClassDef)]
        tops = {node.name: node for node, place in found.declared if isinstance(node, ast.ClassDef) and place.is_top}
        cases = _cases(tops, nodes)
        return cls(
            {
                node: _Class(
                    _is_skipped(node.decorator_list) or _is_skipped(_marks(node)),
                    node in cases,
                    _fits_name(by.classes, node.name) and not _has_constructor(node),
                )
                for node in nodes
            },
            by,
        )

    def hold(self, node: Function, around: tuple[ast.AST, ...], *, is_collected: bool) -> bool:
        """Whether a method is a test, by unittest's rules or by pytest's."""
        if not all(isinstance(one, ast.ClassDef) for one in around):
            return False
        nest = [self.told[one] for one in around if isinstance(one, ast.ClassDef)]
        if any(one.is_skipped for one in nest):
            return False
        if nest[-1].is_case:
            return len(nest) == 1 and node.name.startswith("test")
        return is_collected and all(one.is_plain for one in nest) and _fits_name(self.by.functions, node.name)


def _cases(tops: Mapping[str, ast.ClassDef], nodes: Sequence[ast.ClassDef]) -> set[ast.ClassDef]:
    """The cases of unittest among `nodes`: by their own bases, or by a class of the same file."""
    below: dict[ast.ClassDef, list[ast.ClassDef]] = {}
    waiting: list[ast.ClassDef] = []
    for node in nodes:
        names = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
        if any(name in _CASES or name.endswith("TestCase") for name in names):
            waiting.append(node)
        for name in dict.fromkeys(names):
            if name in tops:
                below.setdefault(tops[name], []).append(node)
    found = set(waiting)
    while waiting:
        fresh = [one for one in below.get(waiting.pop(), ()) if one not in found]
        found.update(fresh)
        waiting += fresh
    return found


def _may_be_called(statement: ast.stmt) -> bool:
    return isinstance(getattr(statement, "value", None), ast.Call | ast.Name | ast.Attribute | ast.Lambda)


def _has_constructor(node: ast.ClassDef) -> bool:
    return any(isinstance(one, ast.FunctionDef) and one.name in {"__init__", "__new__"} for one in node.body)


def _marks(node: ast.Module | ast.ClassDef) -> list[ast.expr]:
    """What `pytestmark` marks all tests of a module or class with."""
    for one in node.body:
        if isinstance(one, ast.Assign) and any(getattr(target, "id", "") == "pytestmark" for target in one.targets):
            return list(getattr(one.value, "elts", [one.value]))
    return []


def _is_skipped(decorators: list[ast.expr]) -> bool:
    """Whether a decorator skips unconditionally: `pytest.mark.skip`, `unittest.skip`."""
    called = [one.func if isinstance(one, ast.Call) else one for one in decorators]
    return any((one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")) == "skip" for one in called)


def _options(name: str, text: str) -> Mapping[str, object] | None:
    """The options of pytest in one file; None where it has none."""
    if name.endswith(".toml"):
        value: object = tomllib.loads(text)
        if name == "pyproject.toml":
            value = _table(_table(value, "tool"), "pytest")
            value = _table(value, "ini_options") or value
        else:
            value = _table(value, "pytest")
        return value if isinstance(value, dict) and value else None
    reader = configparser.RawConfigParser(strict=True, interpolation=None)
    reader.read_string(text)
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    if not reader.has_section(section):
        return {} if name in {"pytest.ini", ".pytest.ini"} else None
    return dict(reader.items(section))


def _table(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _fits_file(pattern: str, file: str) -> bool:
    """As pytest matches: a pattern without a slash is held against the name of the file."""
    if "/" in pattern:
        return fnmatch.fnmatchcase(f"/{file}", f"*/{pattern}")
    return fnmatch.fnmatchcase(file.rpartition("/")[2], pattern)


def _fits_name(patterns: tuple[str, ...], name: str) -> bool:
    """As pytest matches: a prefix, or a glob where it holds a mark of one."""
    return any(
        name.startswith(one) or (any(mark in one for mark in "*?[") and fnmatch.fnmatchcase(name, one)) for one in patterns
    )
