"""What TypeScript calls, by its text and, where names alone tell it, by what is meant (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.trees import child, line, written
from guardrails.code_facts.typescript.names import Names
from guardrails.code_facts.typescript.places import CALLS, METHODS, VALUES, Place
from guardrails.code_facts.typescript.resolution import Resolver
from guardrails.code_facts.typescript.survey import Survey
from guardrails.code_facts.typescript.syntax import called

_LINKS: Final = 32
"""So many imports are followed from one name to where it is declared."""
_SHORT: Final = 200
_MOST: Final = 32
"""So many links of one chain are told; what stands before them is left out."""
_WRAPPED: Final = frozenset({"non_null_expression", "as_expression", "satisfies_expression"})


def callee(call: Node) -> str:
    """What is called, as people write it: arguments, indices and type arguments are left out of it."""
    node = called(call)
    return ("new " if call.type == "new_expression" else "") + ("" if node is None else _chain(node))


def _chain(node: Node) -> str:
    ends: list[str] = []
    while len(ends) < _MOST:
        kind = node.type
        inner = child(node, "object") if kind in {"member_expression", "subscript_expression"} else None
        if kind == "member_expression" and inner is not None:
            name = child(node, "property")
            ends.append(("?." if child(node, "optional_chain") else ".") + ("" if name is None else written(name)))
        elif kind == "subscript_expression" and inner is not None:
            ends.append("[...]")
        elif kind == "call_expression" and (inner := called(node)) is not None:
            arguments = child(node, "arguments")
            ends.append("()" if arguments is not None and arguments.named_child_count == 0 else "(...)")
        elif kind in _WRAPPED and node.named_children:
            inner = node.named_children[0]
        else:
            break
        node = inner
    is_plain = not node.child_count or node.type in {"string", "meta_property", "import"}
    head = written(node) if is_plain and node.end_byte - node.start_byte <= _SHORT else "(...)"
    return head + "".join(reversed(ends))


def call_sites(file: str, found: Survey) -> Iterator[Occurrence]:
    """Every call, `new` among them, by whoever owns it."""
    for call, place in found.calls:
        name = callee(call)
        yield Occurrence(Kind.CALL_SITE, file, name, own_text(call, name), line(call), owner(file, place), name)


def own_text(call: Node, name: str) -> str:
    """The normal form of a call of `name` without the calls and functions in it: those are facts of their own."""
    told = [name]
    waiting = [one for one in reversed(call.children) if one.type in {"arguments", "type_arguments", "template_string"}]
    while waiting:
        node = waiting.pop()
        if node.type in CALLS:
            told.append(f"<{callee(node)}>")
        elif node.type in VALUES or node.type in METHODS or node.type == "class":
            told.append("<function>")
        elif node.type in {"comment", ";", ","}:
            continue
        elif not node.child_count or node.type == "string":
            told.append(written(node))
        else:
            told.append(node.type)
            waiting.extend(reversed(node.children))
    return "\0".join(told)


@dataclass(frozen=True, slots=True)
class Calls:
    """Resolves calls over the modules of a snapshot."""

    resolver: Resolver
    names: Mapping[str, Names]

    def resolved(self, file: str, found: Survey) -> Iterator[Occurrence | Blind]:
        """Calls of functions and classes at the top of a local module, wherever their names come from."""
        missed = 0
        for call, place in found.calls:
            path = dotted_path(called(call))
            is_local = path and any(path[0] in found.bound.get(scope, ()) for scope in place.scopes[1:])
            target = self._named(file, path, _LINKS) if path and not is_local else None
            if target is None:
                missed += 1
            else:
                yield Occurrence(
                    Kind.RESOLVED_CALL, file, target, own_text(call, callee(call)), line(call), owner(file, place), target
                )
        if missed:
            reason = f"{missed} calls lead to methods, values, or code outside that text alone does not tell"
            yield Blind(frozenset({Kind.RESOLVED_CALL}), file, reason, is_blocking=False)

    def _named(self, file: str, path: list[str], links: int) -> str | None:
        """Where `path` leads by the names of the module `file`."""
        known = self.names.get(file)
        if known is None or not links:
            return None
        if path[0] in known.declared:
            return f"{file}#{path[0]}" if len(path) == 1 else None
        taken = known.taken.get(path[0])
        if taken is None:
            return None
        specifier, name = taken
        if name == "*":
            return self._exported(file, specifier, path[1:], links - 1) if len(path) > 1 else None
        return self._exported(file, specifier, [name, *path[1:]], links - 1)

    def _exported(self, file: str, specifier: str, path: list[str], links: int) -> str | None:
        """Where `path` leads by what the module that `specifier` means exports."""
        module = self.resolver.resolve(file, specifier).target
        known = self.names.get(module)
        if known is None or not links:
            return None
        own = known.exported.get(path[0])
        if own is not None:
            return self._named(module, [own, *path[1:]], links)
        passed = known.passed.get(path[0])
        if passed is not None:
            source, name = passed
            if name == "*":
                return self._exported(module, source, path[1:], links - 1) if len(path) > 1 else None
            return self._exported(module, source, [name, *path[1:]], links - 1)
        if path[0] == "default":
            return None
        starred = {self._exported(module, source, path, links // 2) for source in known.stars} - {None}
        return starred.pop() if len(starred) == 1 else None


def dotted_path(node: Node | None) -> list[str]:
    """The names of `a.b.c`, none for anything else."""
    path: list[str] = []
    while node is not None and node.type == "member_expression":
        name = child(node, "property")
        path.append("" if name is None else written(name))
        node = child(node, "object")
    return [*path, written(node)][::-1] if node is not None and node.type == "identifier" else []


def owner(file: str, place: Place) -> str:
    """Whoever holds a call: the declaration around it, or the file."""
    return f"{file}#{'.'.join(place.names)}" if place.names else file
