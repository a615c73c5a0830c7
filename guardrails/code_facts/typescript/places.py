"""Where a node of TypeScript stands: in which functions, below which names (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.trees import child, written
from guardrails.code_facts.typescript.syntax import called, literal

FUNCTIONS: Final = frozenset({"function_declaration", "generator_function_declaration", "function_signature"})
VALUES: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
CLASSES: Final = frozenset({"class_declaration", "abstract_class_declaration", "class"})
METHODS: Final = frozenset({"method_definition", "abstract_method_signature", "method_signature"})
FIELDS: Final = frozenset({"public_field_definition", "field_definition"})
TYPES: Final = frozenset({"interface_declaration", "type_alias_declaration", "enum_declaration"})
SPACES: Final = frozenset({"internal_module", "module"})
CALLS: Final = frozenset({"call_expression", "new_expression"})
NAMING: Final = VALUES | CLASSES | {"object"}
_SCOPES: Final = FUNCTIONS | VALUES | METHODS | {"class_static_block"}
_TRANSPARENT: Final = frozenset({"program", "ambient_declaration", "lexical_declaration", "variable_declaration"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: the functions around it, the names of the declarations around it, and what these make of it."""

    scopes: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    is_top: bool = True
    """Whether what is declared here belongs to the module or to a namespace of it."""
    is_exported: bool = False
    in_class: bool = False
    is_skipped: bool = False
    """Whether it stands in a suite of tests that never runs."""

    def within(self, name: str) -> str:
        """The full name of what is called `name` here."""
        return ".".join((*self.names, name))


def inside(node: Node, kind: str, place: Place, is_skipping: frozenset[str]) -> Place:
    """The place of what stands in `node`."""
    if kind == "call_expression":
        return _inside_call(node, place, is_skipping)
    enter = _ENTER.get(kind)
    if enter is not None:
        return enter(node, place)
    return replace(place, is_exported=False) if place.is_exported and kind not in _TRANSPARENT else place


def _inside_call(node: Node, place: Place, is_skipping: frozenset[str]) -> Place:
    callee = called(node)
    if callee is None or callee.end_byte - callee.start_byte > 64 or written(callee) not in is_skipping:
        return replace(place, is_exported=False) if place.is_exported else place
    return replace(place, is_exported=False, is_skipped=True)


def _in_export(node: Node, place: Place) -> Place:
    value = child(node, "value")
    names = (*place.names, "default") if value is not None and value.type in NAMING else place.names
    return replace(place, is_exported=True, names=names)


def _in_variable(node: Node, place: Place) -> Place:
    value, name = child(node, "value"), child(node, "name")
    is_naming = value is not None and value.type in NAMING and name is not None and name.type == "identifier"
    return replace(place, is_exported=False, names=(*place.names, name_of(node, place)) if is_naming else place.names)


def _in_function(node: Node, place: Place) -> Place:
    own = name_of(node, place)
    names = (*place.names, own) if own and node.type not in VALUES else place.names
    return Place((*place.scopes, node.id), names, is_top=False, is_skipped=place.is_skipped)


def _in_class(node: Node, place: Place) -> Place:
    own = name_of(node, place)
    names = (*place.names, own) if own and node.type != "class" else place.names
    return replace(place, names=names, is_top=False, in_class=True, is_exported=False)


def _in_space(node: Node, place: Place) -> Place:
    return replace(place, names=(*place.names, name_of(node, place)), is_exported=False)


def _in_field(node: Node, place: Place) -> Place:
    value = child(node, "value")
    is_naming = value is not None and value.type in NAMING
    return replace(place, names=(*place.names, name_of(node, place)) if is_naming else place.names, in_class=False)


def name_of(node: Node, place: Place) -> str:
    """What a declaration calls itself; an unnamed one that is exported is the default."""
    name = child(node, "name") or child(node, "property")
    if name is not None:
        return literal(name) or "".join(written(name).split())
    return "default" if place.is_exported else ""


_ENTER: Final[Mapping[str, Callable[[Node, Place], Place]]] = {
    "export_statement": _in_export,
    "variable_declarator": _in_variable,
    **dict.fromkeys(_SCOPES, _in_function),
    **dict.fromkeys(CLASSES | TYPES, _in_class),
    **dict.fromkeys(SPACES, _in_space),
    **dict.fromkeys(FIELDS, _in_field),
}
