"""What TypeScript calls, by its text and, where names alone tell it, by what is meant (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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
_STEPS: Final = 1_000_000
"""So many modules are looked at in one snapshot, each as often as it is; what calls are left lead nowhere that is known."""
_SHORT: Final = 200
_MOST: Final = 32
"""So many links of one chain are told; what stands before them is left out."""
_WRAPPED: Final = frozenset({"non_null_expression", "as_expression", "satisfies_expression"})


@dataclass(frozen=True, slots=True)
class Called:
    """One call by its text, with the names that lead to it where these are the module's own."""

    name: str
    text: str
    line: int
    owner: str
    path: tuple[str, ...]


def calls(file: str, found: Survey) -> Iterator[Called]:
    """Every call, `new` among them, by whoever owns it."""
    chains = _Chains()
    for call, place in found.calls:
        name = chains.callee(call)
        path = dotted_path(called(call))
        is_local = path and any(path[0] in found.bound.get(scope, ()) for scope in place.scopes[1:])
        yield Called(name, _own_text(call, name, chains), line(call), owner(file, place), () if is_local else tuple(path))


def call_sites(file: str, told: Iterable[Called]) -> Iterator[Occurrence]:
    """Every call as a fact."""
    for one in told:
        yield Occurrence(Kind.CALL_SITE, file, one.name, one.text, one.line, one.owner, one.name)


class _Chains:
    """What is called by the calls of one tree, as people write it; each link is read once, in however many chains it is."""

    def __init__(self) -> None:
        self._links: dict[int, tuple[str, Node | None]] = {}

    def callee(self, call: Node) -> str:
        """What is called: arguments, indices and type arguments are left out of it."""
        node = called(call)
        told: list[str] = []
        while node is not None and len(told) < _MOST:
            link = self._links.get(node.id)
            if link is None:
                link = self._links[node.id] = _link(node)
            if link[1] is None:
                break
            told.append(link[0])
            node = link[1]
        head = "" if node is None else _head(node)
        return ("new " if call.type == "new_expression" else "") + head + "".join(reversed(told))


def _link(node: Node) -> tuple[str, Node | None]:
    """The last link of a chain, and what stands before it; None where a node is none."""
    kind = node.type
    if kind == "member_expression":
        name = child(node, "property")
        return ("?." if child(node, "optional_chain") else ".") + ("" if name is None else written(name)), child(node, "object")
    if kind == "subscript_expression":
        return "[...]", child(node, "object")
    if kind == "call_expression":
        arguments = child(node, "arguments")
        return "()" if arguments is not None and arguments.named_child_count == 0 else "(...)", called(node)
    return "", node.named_child(0) if kind in _WRAPPED else None


def _head(node: Node) -> str:
    is_plain = not node.child_count or node.type in {"string", "meta_property", "import"}
    return written(node) if is_plain and node.end_byte - node.start_byte <= _SHORT else "(...)"


def _own_text(call: Node, name: str, chains: _Chains) -> str:
    """The normal form of a call of `name` without the calls and functions in it: those are facts of their own."""
    told = [name]
    waiting = [one for one in reversed(call.children) if one.type in {"arguments", "type_arguments", "template_string"}]
    while waiting:
        node = waiting.pop()
        if node.type in CALLS:
            told.append(f"<{chains.callee(node)}>")
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


@dataclass(slots=True)
class Calls:
    """Resolves calls over the modules of a snapshot."""

    resolver: Resolver
    names: Mapping[str, Names]
    _left: int = _STEPS
    _known: dict[tuple[str, tuple[str, ...]], str | None] = field(default_factory=dict)

    def resolved(self, file: str, told: Iterable[Called]) -> Iterator[Occurrence | Blind]:
        """Calls of functions and classes at the top of a local module, wherever their names come from."""
        missed = 0
        for one in told:
            key = (file, one.path)
            if one.path and key not in self._known:
                self._known[key] = self._named(file, list(one.path), _LINKS)
            target = self._known.get(key)
            if target is None:
                missed += 1
            else:
                yield Occurrence(Kind.RESOLVED_CALL, file, target, one.text, one.line, one.owner, target)
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
        return None if taken is None else self._taken(file, taken, path, links)

    def _taken(self, file: str, taken: tuple[str, str], path: list[str], links: int) -> str | None:
        """Where `path` leads that begins with what `file` takes from another module: one name of it, or `*` for all."""
        specifier, name = taken
        inner = path[1:] if name == "*" else [name, *path[1:]]
        return self._exported(self.resolver.resolve(file, specifier).target, inner, links - 1) if inner else None

    def _exported(self, module: str, path: list[str], links: int) -> str | None:
        """Where `path` leads by what `module` exports: by itself, or by the nearest that it passes all names of."""
        found: set[str | None] = set()
        seen = {module}
        waiting = [module] if links else []
        while waiting and self._left:
            self._left -= 1
            here = waiting.pop()
            known = self.names.get(here)
            if known is None:
                continue
            own, passed = known.exported.get(path[0]), known.passed.get(path[0])
            if own is not None:
                found.add(self._named(here, [own, *path[1:]], links))
            elif passed is not None:
                found.add(self._taken(here, passed, path, links))
            elif path[0] != "default":
                reached = {self.resolver.resolve(here, source).target for source in known.stars} - seen
                seen |= reached
                waiting += sorted(reached)
        found.discard(None)
        return found.pop() if len(found) == 1 and not waiting else None


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
