"""Which names parameters and statements of Go bind, and with what types (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.go.scopes import OPAQUE, Binding, Scopes
from guardrails.code_facts.go.syntax import children
from guardrails.code_facts.trees import child, first, written


def receiver_type(receiver: Node | None) -> Node | None:
    """The type that a receiver has, without pointer and parentheses."""
    held = receiver.named_children if receiver is not None else ()
    node = next((child(one, "type") for one in held if one.type == "parameter_declaration"), None)
    while node is not None and node.type in {"pointer_type", "parenthesized_type"}:
        node = next((one for one in node.named_children if one.type != "comment"), None)
    return node


def declared_name(node: Node) -> str:
    """What a function is called in full, a method after its type."""
    name, typed = child(node, "name"), receiver_type(child(node, "receiver"))
    own = "" if name is None else written(name)
    if typed is None:
        return own
    base = child(typed, "type") if typed.type == "generic_type" else typed
    return f"{'' if base is None else written(base)}.{own}"


def parameters(scopes: Scopes, node: Node) -> Iterator[tuple[str, Binding]]:
    """Parameters of all kinds, with their types as they are seen from outside; parameters of types hide those."""
    generic = child(node, "type_parameters")
    own = {written(name) for one in (generic.named_children if generic is not None else ()) for name in children(one, "name")}
    receiver = child(node, "receiver")
    if receiver is not None:
        own |= set(_type_names(receiver))
    yield from ((name, OPAQUE) for name in sorted(own))
    for part in (receiver, child(node, "parameters"), child(node, "result")):
        for one in part.named_children if part is not None and part.type == "parameter_list" else ():
            typed = scopes.typed(child(one, "type"), node.id) if one.type == "parameter_declaration" else OPAQUE
            binding = Binding(node.id) if typed.name in own and not typed.package else typed
            yield from ((written(name), binding) for name in children(one, "name"))


def _type_names(receiver: Node) -> Iterator[str]:
    """The names that a method gives to the parameters of its type."""
    typed = receiver_type(receiver)
    given = child(typed, "type_arguments") if typed is not None and typed.type == "generic_type" else None
    for one in given.named_children if given is not None else ():
        inner = first(one, "type_identifier") if one.type == "type_elem" else None
        if inner is not None:
            yield written(inner)


def _bind_short(scopes: Scopes, node: Node) -> None:
    """`:=` binds what its scope does not bind yet, and gives the rest another value of the same type."""
    left, right = child(node, "left"), child(node, "right")
    names = [one for one in left.named_children if one.type != "comment"] if left is not None else []
    values = [one for one in right.named_children if one.type != "comment"] if right is not None else []
    is_paired = node.type == "short_var_declaration" and len(names) == len(values)
    for index, one in enumerate(names):
        if one.type == "identifier" and not scopes.is_here(name := written(one)):
            scopes.bind(name, scopes.valued(values[index]) if is_paired else OPAQUE)


def _bind_if_new(scopes: Scopes, node: Node) -> None:
    if any(one.type == ":=" for one in node.children):
        _bind_short(scopes, node)


def _bind_spec(scopes: Scopes, node: Node) -> None:
    typed = scopes.typed(child(node, "type")) if scopes.frames else OPAQUE
    for one in children(node, "name"):
        scopes.bind(written(one), typed)


BINDING: Final[Mapping[str, Callable[[Scopes, Node], None]]] = {
    "short_var_declaration": _bind_short,
    "range_clause": _bind_if_new,
    "receive_statement": _bind_if_new,
    "var_spec": _bind_spec,
    "const_spec": _bind_spec,
}
"""What binds names where it ends."""
