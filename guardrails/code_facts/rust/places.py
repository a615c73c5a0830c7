"""Where a node of Rust stands: in which functions and modules, below which names (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.rust.syntax import bare, type_name
from guardrails.code_facts.trees import child

FUNCTIONS: Final = frozenset({"function_item", "function_signature_item"})
TYPES: Final = frozenset({"struct_item", "enum_item", "union_item", "trait_item", "type_item", "associated_type"})
VALUES: Final = frozenset({"const_item", "static_item"})
ITEMS: Final = FUNCTIONS | TYPES | VALUES | {"mod_item", "macro_definition"}
HOLDERS: Final = frozenset({"source_file", "declaration_list"})
"""What holds items: an invocation of a macro right in it may make some."""
UNNAMED: Final = "_"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: the functions, closures and constants around it, and the names around it."""

    scopes: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    module: tuple[str, ...] | None = ()
    """The inline modules around it; None in one that a function holds, which no path from elsewhere reaches."""
    holds_items: bool = False
    impl: Node | None = None
    trait: Node | None = None
    """The `impl` or trait around it, the inner one of both."""
    is_member: bool = False
    """Whether what is declared here belongs to these."""

    @property
    def is_of_module(self) -> bool:
        """Whether what is declared here is one of the names of its module."""
        return not self.scopes and not self.is_member and self.module is not None

    def within(self, name: str) -> str:
        """The full name of what is called `name` here."""
        return ".".join((*self.names, name))


def inside(node: Node, kind: str, place: Place) -> Place:
    """The place of what stands in `node`."""
    enter = _ENTER.get(kind)
    if enter is not None:
        return enter(node, place)
    holds = kind in HOLDERS or (kind == "expression_statement" and place.holds_items)
    return place if holds is place.holds_items else replace(place, holds_items=holds)


def name_of(node: Node) -> str:
    """What an item calls itself; "" where it has no name."""
    name = child(node, "name")
    own = "" if name is None else bare(name)
    return "" if own == UNNAMED else own


def _in_body(node: Node, place: Place) -> Place:
    """What a block declares is no name of the module, also where the block makes a constant."""
    own = name_of(node)
    names = (*place.names, own) if own else place.names
    return replace(place, scopes=(*place.scopes, node.id), names=names, holds_items=False, is_member=False)


def _in_module(node: Node, place: Place) -> Place:
    own = name_of(node)
    module = (*place.module, own) if place.is_of_module and place.module is not None else None
    return Place((), (*place.names, own), module)


def _in_impl(node: Node, place: Place) -> Place:
    own = type_name(child(node, "type"))
    return replace(place, names=(*place.names, own), impl=node, trait=None, is_member=True)


def _in_trait(node: Node, place: Place) -> Place:
    return replace(place, names=(*place.names, name_of(node)), impl=None, trait=node, is_member=True)


def identifiers(pattern: Node | None) -> Iterator[str]:
    """The names that a pattern binds, constants among them: text alone does not tell these apart."""
    waiting = [] if pattern is None else [pattern]
    while waiting:
        one = waiting.pop()
        kind = one.type
        if kind in {"identifier", "shorthand_field_identifier"}:
            yield bare(one)
        elif kind == "field_pattern":
            waiting.extend(part for part in (child(one, "pattern") or child(one, "name"),) if part is not None)
        elif kind in {"tuple_struct_pattern", "struct_pattern"}:
            type_ = child(one, "type")
            waiting.extend(part for part in one.named_children if part != type_)
        elif kind.endswith("_pattern"):
            waiting.extend(one.named_children)


_ENTER: Final[Mapping[str, Callable[[Node, Place], Place]]] = {
    **dict.fromkeys(FUNCTIONS | VALUES | {"closure_expression"}, _in_body),
    "mod_item": _in_module,
    "impl_item": _in_impl,
    "trait_item": _in_trait,
}
