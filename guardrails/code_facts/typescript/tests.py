"""Which tests TypeScript defines, by the words of Vitest, Jest and their kin (Change Contracts: fact clauses).

A test that never runs is none. What looks like a test and cannot be told for certain is a gap of its name, or of the file where
the name is computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.trees import child, line, written
from guardrails.code_facts.typescript.calls import owner
from guardrails.code_facts.typescript.configuration import package
from guardrails.code_facts.typescript.names import Names
from guardrails.code_facts.typescript.places import VALUES, Place
from guardrails.code_facts.typescript.survey import Survey
from guardrails.code_facts.typescript.syntax import called, literal

RUNNERS: Final = frozenset({"vitest", "@jest/globals", "node:test", "bun:test", "@playwright/test", "mocha"})
SKIPPING: Final = frozenset(
    {f"{suite}.{word}" for suite in ("describe", "suite", "context") for word in ("skip", "todo")}
    | {"xdescribe", "xcontext", "test.describe.skip"}
)
_TESTS: Final = frozenset({Kind.TEST_DEFINITION})
_WORDS: Final = frozenset({"test", "it"})
_GLOBAL: Final = frozenset({"test", "it", "fit", "specify"})
_NEVER: Final = frozenset({"skip", "todo"})
_PLAIN: Final = frozenset({"only", "concurrent", "sequential", "fails", "failing", "serial", "slow"})
_TABLES: Final = frozenset({"each", "for"})
_CONDITIONS: Final = frozenset({"skipIf", "runIf"})
_BRINGING: Final = (
    "jest",
    "mocha",
    "jasmine",
    "jasmine-core",
    "ts-jest",
    "@types/jest",
    "@types/mocha",
    "@types/jasmine",
    "jest-cli",
)
_OWN_WORDS: Final = re.compile(r"\bglobals\s*:\s*true\b")
_EXPANDED: Final = re.compile(r"%[sdifjoOpc#$]|\$[\w.#]")
_IN_TESTS: Final = re.compile(r"(?:^|/)__tests__/|[._-](?:test|spec)\.[cm]?[jt]sx?$")


@dataclass(frozen=True, slots=True)
class Globals:
    """The folders whose packages bring words for tests that need no import."""

    folders: frozenset[str]

    @classmethod
    def of(cls, files: Mapping[str, str]) -> Globals:
        """Read manifests, and whether a configuration of Vitest asks for its words to be global."""
        found: set[str] = set()
        for path, text in files.items():
            folder, _, name = path.rpartition("/")
            if name == "package.json":
                held = package(text)
                names = {key for part in ("dependencies", "devDependencies") for key in _keys(held.get(part))}
                if not names.isdisjoint(_BRINGING):
                    found.add(folder)
            elif name.startswith(("vitest.", "vite.")) and _OWN_WORDS.search(text):
                found.add(folder)
        return cls(frozenset(found))

    def reach(self, file: str) -> bool:
        """Whether words of tests are there in `file` without an import."""
        folder = file
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self.folders:
                return True
        return False


@dataclass(frozen=True, slots=True)
class _Called:
    """The words of a test call: what it starts from, its modifiers, and whether a table expands it."""

    head: str
    words: tuple[str, ...]
    is_table: bool


def definitions(file: str, found: Survey, names: Names, *, has_words: bool) -> Iterator[Occurrence | Blind]:
    """Tests by their literal names; suites are no part of a name. `has_words` tells whether those of tests need no import."""
    extended = _extended(found, names)
    for call, place in found.calls:
        called = _called(call)
        if called is None or _is_inner(found.parents.get(call.id), call):
            continue
        standing = _standing(called, found, names, extended, place)
        if standing is None:
            yield from _perhaps(file, call, called)
        elif not place.is_skipped and not _NEVER.intersection(called.words):
            is_certain = standing or has_words
            yield from _test(file, found, call, called, place, is_certain=is_certain)


def _test(
    file: str, found: Survey, call: Node, called: _Called, place: Place, *, is_certain: bool
) -> Iterator[Occurrence | Blind]:
    given = _arguments(call)
    if not given:
        return
    name = literal(given[0])
    if name is None:
        if given[0].type not in VALUES and len(given) > 1:
            yield Blind(_TESTS, file, "the name of a test is computed", line(call))
        return
    body = next((one for one in given[1:3] if one.type in VALUES), None)
    options = given[1] if len(given) > 1 and given[1].type == "object" else None
    if len(given) == 1 or (options is not None and _is_switched_off(options)):
        return
    if called.is_table and _EXPANDED.search(name):
        yield Blind(_TESTS, file, "names of tests are made from a table", line(call))
    if body is None:
        yield Blind(_TESTS, file, "what the test does stands elsewhere", line(call), is_blocking=False, name=name)
    elif not is_certain:
        reason = "the word for a test is not imported, and no manifest tells where it comes from"
        yield Blind(_TESTS, file, reason, line(call), is_blocking=False, name=name)
    else:
        yield Occurrence(Kind.TEST_DEFINITION, file, name, f"{owner(file, place)}\0{found.form(call)}", line(call))


def _perhaps(file: str, call: Node, called: _Called) -> Iterator[Blind]:
    """Whoever else takes a text and a function in a file of tests may define a test of that name."""
    given = _arguments(call)
    if called.head in {"describe", "suite", "context"} or not _IN_TESTS.search(file) or len(given) < 2:
        return
    name = literal(given[0])
    if name is not None and any(one.type in VALUES for one in given[1:]):
        yield Blind(_TESTS, file, "a call may define a test of that name", line(call), is_blocking=False, name=name)


def _standing(called: _Called, found: Survey, names: Names, extended: frozenset[str], place: Place) -> bool | None:
    """Whether a call certainly is of a test, False if only its word says so, None if it is none."""
    if not set(called.words) <= _PLAIN | _TABLES | _CONDITIONS | _NEVER:
        return None
    head, _, word = called.head.partition(".")
    if any(head in found.bound.get(scope, ()) for scope in place.scopes[1:]):
        return None
    taken = names.taken.get(head)
    if taken is not None:
        own = word or ("test" if taken[1] == "default" and taken[0] == "node:test" else taken[1])
        is_space = (taken[1] == "*") == bool(word)
        return True if taken[0] in RUNNERS and own in _WORDS and is_space else None
    if head in extended and not word:
        return True
    is_free = not word and head in _GLOBAL and head not in found.bound.get(place.scopes[0], ())
    return False if is_free else None


def _extended(found: Survey, names: Names) -> frozenset[str]:
    """Names that stand for `test.extend(...)` of a known runner."""
    known: set[str] = set()
    for one in found.declared:
        value = one.value
        if value is None or value.type != "call_expression" or not one.place.is_top:
            continue
        path = written(callee).split(".") if (callee := called(value)) is not None else []
        taken = names.taken.get(path[0]) if path else None
        is_runner = path[0] in known or (taken is not None and taken[0] in RUNNERS and taken[1] in _WORDS) if path else False
        if is_runner and path[1:] == ["extend"]:
            known.add(one.name)
    return frozenset(known)


def _called(call: Node) -> _Called | None:
    """The words of a call: `it.only`, `it.each(table)`; None where it is anything else."""
    node = called(call)
    words: list[str] = []
    is_table = False
    while node is not None and len(words) < 8:
        if node.type == "identifier":
            words.append(written(node))
            words.reverse()
            head = words[0]
            rest = words[1:]
            if len(rest) > 0 and rest[0] in _WORDS:
                head, rest = f"{head}.{rest[0]}", rest[1:]
            return _Called(head, tuple(rest), is_table)
        if node.type == "member_expression":
            name = child(node, "property")
            words.append("" if name is None else written(name))
            node = child(node, "object")
        elif node.type == "call_expression":
            inner = child(node, "function")
            word = child(inner, "property") if inner is not None and inner.type == "member_expression" else None
            if word is None or written(word) not in _TABLES | _CONDITIONS:
                return None
            is_table = is_table or written(word) in _TABLES
            node = inner
        else:
            return None
    return None


def _is_inner(parent: Node | None, call: Node) -> bool:
    """Whether the call is itself what another call calls: `it.each(table)` in `it.each(table)(...)`."""
    return parent is not None and parent.type == "call_expression" and child(parent, "function") == call


def _arguments(call: Node) -> list[Node]:
    given = child(call, "arguments")
    return [] if given is None or given.type != "arguments" else [one for one in given.named_children if one.type != "comment"]


def _is_switched_off(options: Node) -> bool:
    for one in options.named_children:
        key, value = child(one, "key"), child(one, "value")
        if key is not None and written(key) in _NEVER and (value is None or written(value) != "false"):
            return True
    return False


def _keys(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, dict) else ()
