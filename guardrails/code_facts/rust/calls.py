"""What Rust calls, by its text and, where names alone tell it, by what is meant (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.rust.modules import Names
from guardrails.code_facts.rust.places import Place
from guardrails.code_facts.rust.resolution import Item, Meaning, Resolver, Space
from guardrails.code_facts.rust.survey import Call, Declared, Survey
from guardrails.code_facts.rust.syntax import bare, segments, visibility
from guardrails.code_facts.trees import child, first, written

_SHORT: Final = 200
_MOST: Final = 32
"""So many links of one chain are told; what stands before them is left out."""
_PASSED: Final = frozenset({"try_expression", "await_expression", "generic_function"})
_NESTED: Final = frozenset({"call_expression", "macro_invocation"})
_CALLABLE: Final = frozenset({"function_item", "function_signature_item", "struct_item"})


def callee(call: Node) -> str:
    """What is called, as people write it: arguments, indices, type arguments, `?` and `.await` are left out of it."""
    if call.type == "macro_invocation":
        return f"{_plain(child(call, 'macro'))}!"
    node = child(call, "function")
    return "" if node is None else _chain(node)


def _chain(node: Node) -> str:
    ends: list[str] = []
    while len(ends) < _MOST:
        kind = node.type
        inner: Node | None = None
        if kind == "field_expression":
            inner, name = child(node, "value"), child(node, "field")
            ends.append("." + ("" if name is None else bare(name)))
        elif kind == "index_expression":
            inner = next(iter(node.named_children), None)
            ends.append("[...]")
        elif kind == "call_expression":
            inner, arguments = child(node, "function"), child(node, "arguments")
            ends.append("()" if arguments is not None and arguments.named_child_count == 0 else "(...)")
        elif kind == "macro_invocation":
            ends.append("!(...)")
            return _plain(child(node, "macro")) + "".join(reversed(ends))
        elif kind in _PASSED:
            inner = next(iter(node.named_children), None)
        if inner is None:
            break
        node = inner
    return _plain(node) + "".join(reversed(ends))


def _plain(node: Node | None) -> str:
    """A path or a literal as it is written, `(...)` for whatever else stands at the start of a chain."""
    if node is None or node.end_byte - node.start_byte > _SHORT:
        return "(...)"
    path = "::".join(segments(node))
    is_word = not node.child_count or node.type in {"string_literal", "scoped_identifier"}
    return path or (" ".join(written(node).split()) if is_word else "(...)")


def call_sites(file: str, found: Survey) -> Iterator[Occurrence]:
    """Every call and every invocation of a macro that is written, by whoever owns it."""
    for call in found.calls:
        name = callee(call.node)
        yield Occurrence(Kind.CALL_SITE, file, name, own_text(call.node, name), call.line, owner(file, call.place), name)


def own_text(call: Node, name: str) -> str:
    """The normal form of a call of `name` without the calls and closures in it: those are facts of their own."""
    told = [name]
    waiting = [one for one in reversed(call.children) if one.type in {"arguments", "token_tree"}]
    function = child(call, "function")
    if function is not None and function.type == "generic_function":
        waiting.extend(one for one in (child(function, "type_arguments"),) if one is not None)
    while waiting:
        node = waiting.pop()
        if node.type in _NESTED:
            told.append(f"<{callee(node)}>")
        elif node.type == "closure_expression":
            told.append("<function>")
        elif node.type in {"line_comment", "block_comment", ","}:
            continue
        elif not node.child_count or node.type == "string_literal":
            told.append(written(node))
        else:
            told.append(node.type)
            waiting.extend(reversed(node.children))
    return "\0".join(told)


@dataclass(slots=True)
class Calls:
    """Resolves calls over the modules of a snapshot."""

    resolver: Resolver
    surveys: dict[str, Survey]
    members: dict[tuple[str, str], dict[str, list[tuple[str, Declared]]]] = field(default_factory=dict)
    """What a type has of its own, no trait between, by the file and name of the type: by name the files and what is there."""
    unplaced: list[tuple[str, int, frozenset[str]]] = field(default_factory=list)
    """Files and lines where a type of which is not certain which one it is has public members, with the names of these."""
    of_traits: set[str] = field(default_factory=set)
    """The names of functions of traits, and of what is written for them: they may be meant by a call of a method."""

    def __post_init__(self) -> None:
        """Gather what is written for types."""
        for file, found in self.surveys.items():
            inside: dict[int, list[Declared]] = {}
            for one in found.declared:
                if one.place.is_member and one.place.impl is not None:
                    inside.setdefault(one.place.impl.id, []).append(one)
                if one.place.is_member and (one.place.trait is not None or _is_of_trait(one.place)):
                    self.of_traits.add(one.own)
            for impl in found.impls:
                if child(impl.node, "trait") is not None:
                    continue
                item = self.type_of(file, found, impl.node, impl.place)
                public = frozenset(one.own for one in inside.get(impl.node.id, ()) if visibility(one.node) == "pub")
                if item is None and public:
                    self.unplaced.append((file, impl.line, public))
                if item is not None:
                    members = self.members.setdefault((item.module.file, item.declared.name), {})
                    for one in inside.get(impl.node.id, ()):
                        members.setdefault(one.own, []).append((file, one))

    def type_of(self, file: str, found: Survey, impl: Node, place: Place) -> Item | None:
        """The type of this snapshot that an `impl` is of, where that is certain."""
        path = segments(child(impl, "type"))
        if not path or path[0] in found.parameters or self._is_local(path[0], place):
            return None
        return _single(self._meant(file, path, Space.TYPE, place))

    def resolved(self, file: str, found: Survey) -> Iterator[Occurrence | Blind]:
        """Calls of functions and tuple structs of this snapshot, and of what its types have by their own name or by `self`."""
        missed = 0
        for call in found.calls:
            if call.node.type == "macro_invocation":
                continue
            target = self._target(file, found, call)
            if target is None:
                missed += 1
            else:
                text = own_text(call.node, callee(call.node))
                yield Occurrence(Kind.RESOLVED_CALL, file, target, text, call.line, owner(file, call.place), target)
        if missed:
            reason = f"{missed} calls lead to methods, values, or code outside that text alone does not tell"
            yield Blind(frozenset({Kind.RESOLVED_CALL}), file, reason, is_blocking=False)

    def _target(self, file: str, found: Survey, call: Call) -> str | None:
        function = child(call.node, "function")
        if function is not None and function.type == "generic_function":
            function = child(function, "function")
        if function is not None and function.type == "field_expression":
            return self._method(file, found, function, call.place)
        path = segments(function)
        if not path or path[0] in found.parameters:
            return None
        if path[0] == "Self":
            return self._of_self(file, found, path[1:], call.place)
        if len(path) == 1 and any(path[0] in found.bound.get(scope, ()) for scope in call.place.scopes):
            return None
        for scope in reversed(call.place.scopes):
            names = self.resolver.modules.local.get(scope)
            if names is not None and (names.globs or path[0] in names.items or path[0] in names.uses):
                return self._in_block(file, names, path, call.place)
        return self._told(_single(self._meant(file, path, Space.VALUE, call.place)))

    def _in_block(self, file: str, names: Names, path: tuple[str, ...], place: Place) -> str | None:
        """A name that a block declares or brings: only where that is one, and nothing else may be meant."""
        items, uses = names.items.get(path[0], []), names.uses.get(path[0], [])
        if names.globs or len(items) + len(uses) != 1:
            return None
        if uses:
            return self._told(_single(self._meant(file, (*uses[0].path, *path[1:]), Space.VALUE, place)))
        return f"{file}#{items[0].name}" if len(path) == 1 and items[0].node.type in _CALLABLE else None

    def _method(self, file: str, found: Survey, function: Node, place: Place) -> str | None:
        """`self.name()`: what the type has by that name, unless a trait may have it as well."""
        value, name = child(function, "value"), child(function, "field")
        if value is None or name is None or value.type != "self" or bare(name) in self.of_traits:
            return None
        return self._of_self(file, found, (bare(name),), place)

    def _of_self(self, file: str, found: Survey, rest: tuple[str, ...], place: Place) -> str | None:
        if place.impl is None or len(rest) != 1:
            return None
        item = self.type_of(file, found, place.impl, _outside(place))
        return None if item is None else self._told(Item(item.module, item.declared, rest))

    def _is_local(self, name: str, place: Place) -> bool:
        """Whether a block around may give `name` a meaning of its own."""
        local = (self.resolver.modules.local.get(scope) for scope in place.scopes)
        return any(names is not None and (names.globs or name in names.items or name in names.uses) for names in local)

    def _meant(self, file: str, path: tuple[str, ...], space: Space, place: Place) -> frozenset[Meaning]:
        if place.module is None:
            return frozenset()
        modules = self.resolver.modules.at.get((file, place.module), ())
        return frozenset(one for module in modules for one in self.resolver.find(module, path, space))

    def _told(self, item: Item | None) -> str | None:
        """Whoever is called: a function, or one of a type."""
        if item is None:
            return None
        name = item.declared.name
        if not item.member:
            return f"{item.module.file}#{name}" if item.declared.node.type in _CALLABLE else None
        if len(item.member) > 1 or item.member[0] in self.resolver.variants(item.declared):
            return None
        members = self.members.get((item.module.file, name), {}).get(item.member[0], ())
        told = {f"{file}#{one.name}" for file, one in members if one.node.type == "function_item"}
        return told.pop() if len(told) == len({one.node.type for _, one in members}) == 1 else None


def owner(file: str, place: Place) -> str:
    """Whoever holds a call: the declaration around it, or the file."""
    return f"{file}#{'.'.join(place.names)}" if place.names else file


def _outside(place: Place) -> Place:
    """The place of an `impl` by that of something in it: as far as names go, that of its module."""
    return Place(module=place.module)


def _single(meant: frozenset[Meaning]) -> Item | None:
    """The one item that is meant, however many modules its file is."""
    items = {(one.module.file, one.declared.name, one.member): one for one in meant if isinstance(one, Item)}
    return next(iter(items.values())) if len(items) == 1 and all(isinstance(one, Item) for one in meant) else None


def _is_of_trait(place: Place) -> bool:
    return place.impl is not None and first(place.impl, "for") is not None
