"""What Go calls, by its text and, where names and written types tell it, by what is meant (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.go.declarations import is_exported
from guardrails.code_facts.go.modules import Modules
from guardrails.code_facts.go.packages import Packages, Source
from guardrails.code_facts.go.survey import Call, dotted_path, is_like_call, may_be_type
from guardrails.code_facts.go.syntax import TYPES, WHOLE
from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.trees import child, line, written

_SHORT: Final = 200
_MOST: Final = 32
"""So many links of one chain are told; what stands before them is left out."""
_LEFT_OUT: Final = frozenset({"comment", ";", ","})


def called(node: Node) -> Node | None:
    """What a call calls."""
    return child(node, "function") or child(node, "type")


def callee(call: Call) -> str:
    """What is called, as people write it: arguments, indices and types that are given are left out of it."""
    node, ends = called(call.node), list[str]()
    while node is not None and len(ends) < _MOST:
        kind = node.type
        inner: Node | None = None
        if kind in {"selector_expression", "qualified_type"}:
            name = child(node, "field") or child(node, "name")
            ends.append("." + ("" if name is None else written(name)))
            inner = child(node, "operand") or child(node, "package")
        elif kind == "call_expression" or (kind == "type_conversion_expression" and is_like_call(node)):
            arguments = child(node, "arguments")
            ends.append("()" if arguments is not None and arguments.named_child_count == 0 else "(...)")
            inner = called(node)
        elif kind in {"generic_type", "type_instantiation_expression"}:
            ends += ["[...]"] if call.head is not None else []
            inner = child(node, "type")
        elif kind == "index_expression":
            ends += [] if call.head is None and may_be_type(child(node, "index")) else ["[...]"]
            inner = child(node, "operand")
        elif kind == "parenthesized_expression":
            inner = next((one for one in node.named_children if one.type != "comment"), None)
        if inner is None:
            break
        node = inner
    is_plain = node is not None and not node.child_count and node.end_byte - node.start_byte <= _SHORT
    return (written(node) if node is not None and is_plain else "(...)") + "".join(reversed(ends))


def call_sites(source: Source) -> Iterator[Occurrence]:
    """Every call by whoever owns it; what only may be a conversion counts, one to a predeclared type does not."""
    inner = {call.node.id: callee(call) for call in source.found.calls}
    for call in source.found.calls:
        name = inner[call.node.id]
        if call.head is not None or name not in TYPES:
            yield Occurrence(
                Kind.CALL_SITE, source.path, name, own_text(call.node, inner), line(call.node), owner(source, call), name
            )


def own_text(node: Node, inner: Mapping[int, str]) -> str:
    """The normal form of a call without the calls and functions in it: those are facts of their own."""
    told = [inner[node.id]]
    arguments = child(node, "arguments") or child(node, "operand")
    given = child(node, "type_arguments") or child(called(node) or node, "type_arguments")
    waiting = [one for one in (arguments, given) if one is not None]
    while waiting:
        one = waiting.pop()
        if one.id in inner:
            told.append(f"<{inner[one.id]}>")
        elif one.type == "func_literal":
            told.append("<function>")
        elif one.type in _LEFT_OUT:
            continue
        elif not one.child_count or one.type in WHOLE:
            told.append(written(one).replace("\r", ""))
        else:
            told.append(one.type)
            waiting.extend(reversed(one.children))
    return "\0".join(told)


def owner(source: Source, call: Call) -> str:
    """Whoever holds a call: the declaration around it, or the file."""
    return f"{source.path}#{call.owner}" if call.owner else source.path


@dataclass(slots=True)
class Calls:
    """Resolves calls over the packages of a snapshot."""

    modules: Modules
    packages: Packages
    known: dict[str, dict[str, str]] = field(default_factory=dict)
    unnamed: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def resolved(self, source: Source) -> Iterator[Occurrence | Blind]:
        """Calls of functions of packages here, and of methods where the type is written with the variable.

        What several files declare for different builds is told of each.
        """
        missed = 0
        inner = {call.node.id: callee(call) for call in source.found.calls}
        for call in source.found.calls:
            told = list(self._targets(source, call))
            missed += not told
            for target in told:
                text = own_text(call.node, inner)
                yield Occurrence(Kind.RESOLVED_CALL, source.path, target, text, line(call.node), owner(source, call), target)
        if missed:
            reason = f"{missed} calls lead to methods, values, or code outside that text alone does not tell"
            yield Blind(frozenset({Kind.RESOLVED_CALL}), source.path, reason, is_blocking=False)

    def _targets(self, source: Source, call: Call) -> Iterator[str]:
        path = dotted_path(called(call.node))
        if call.head is None and len(path) == 1:
            yield from self._own(source, path[0])
        elif call.head is None and len(path) == 2:
            yield from self._of_package(source, path[0], path[1])
        elif call.head is not None and call.head.name and len(path) == 2:
            name = f"{call.head.name}.{path[1]}"
            if call.head.package:
                yield from self._of_package(source, call.head.package, name)
            else:
                yield from self._own(source, name)

    def _own(self, source: Source, name: str) -> Iterator[str]:
        """What a name without a package means: one of the file's own, or one that an import brings under no name."""
        found = self.packages.functions(self.packages.seen(source.path), name, source.path)
        yield from (f"{file}#{name}" for file in found)
        for folder in self._unnamed(source) if not found else ():
            yield from self._offered(source, folder, name)

    def _of_package(self, source: Source, package: str, name: str) -> Iterator[str]:
        yield from self._offered(source, self._imported(source).get(package), name)

    def _offered(self, source: Source, folder: str | None, name: str) -> Iterator[str]:
        if folder is not None and is_exported(name):
            seen = self.packages.seen(source.path, folder)
            yield from (f"{file}#{name}" for file in self.packages.functions(seen, name, source.path))

    def _unnamed(self, source: Source) -> tuple[str, ...]:
        """The folders of packages here that a file takes all names of; none where they are many, which nobody writes."""
        if source.path not in self.unnamed:
            paths = dict.fromkeys(one.path for one in source.found.imports if one.name == ".")
            folders = (self.modules.resolve(source.folder, one).folder for one in paths)
            found = tuple(one for one in folders if one is not None)
            self.unnamed[source.path] = found if len(found) <= _MOST else ()
        return self.unnamed[source.path]

    def _imported(self, source: Source) -> Mapping[str, str]:
        """The folders of packages here by the names that a file knows them by."""
        if source.path not in self.known:
            found: dict[str, str] = {}
            for one in source.found.imports:
                folder = self.modules.resolve(source.folder, one.path).folder
                if folder is not None and (name := one.name or self.packages.names.get(folder, "")) not in {"", ".", "_"}:
                    found[name] = folder
            self.known[source.path] = found
        return self.known[source.path]
