"""What Go declares: symbols, and the signatures that a package offers to others (Change Contracts: fact clauses)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.go.bindings import declared_name, receiver_type
from guardrails.code_facts.go.packages import Source
from guardrails.code_facts.go.survey import Survey
from guardrails.code_facts.go.syntax import TYPES, children
from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.trees import child, first, line, written

_API: Final = frozenset({Kind.API})
_LITERALS: Final = {
    "interpreted_string_literal": "string",
    "raw_string_literal": "string",
    "int_literal": "int",
    "float_literal": "float64",
    "rune_literal": "rune",
    "imaginary_literal": "complex128",
    "true": "bool",
    "false": "bool",
}
"""The types of values that are literals."""
_UNOFFERED: Final = frozenset({"internal", "vendor", "testdata"})
"""Folders whose packages are not there for others."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One name of a package: what declares it, the statement that holds that, and its own value.

    Of constants `typed` and `value` are those that are repeated from above, and `position` counts the lines of their group.
    """

    name: str
    node: Node
    statement: Node
    typed: Node | None = None
    value: Node | None = None
    index: int = 0
    position: int = 0


def declared(root: Node) -> Iterator[Declared]:
    """The names that a file gives to its package; what is called `_` has none."""
    for one in root.children:
        if one.type in {"function_declaration", "method_declaration"}:
            yield Declared(declared_name(one), one, one)
        elif one.type == "type_declaration":
            yield from (
                Declared(_name(spec), spec, one) for spec in one.named_children if spec.type in {"type_spec", "type_alias"}
            )
        elif one.type == "var_declaration":
            specs = (first(one, "var_spec_list") or one).named_children
            yield from (told for spec in specs if spec.type == "var_spec" for told in _several(spec, spec, one, 0))
        elif one.type == "const_declaration":
            yield from _constants(one)


def _constants(group: Node) -> Iterator[Declared]:
    """A constant without type and value has those of the one before it."""
    said = None
    for position, spec in enumerate(one for one in group.named_children if one.type == "const_spec"):
        if said is None or child(spec, "value") is not None:
            said = spec
        yield from _several(spec, said, group, position)


def _several(spec: Node, said: Node, statement: Node, position: int) -> Iterator[Declared]:
    names, list_of = children(spec, "name"), child(said, "value")
    values = [one for one in list_of.named_children if one.type != "comment"] if list_of is not None else []
    for index, name in enumerate(names):
        is_paired = len(values) == len(names)
        value = values[index] if is_paired else values[0] if values else None
        yield Declared(written(name), spec, statement, child(said, "type"), value, 0 if is_paired else index, position)


def symbols(source: Source) -> Iterator[Occurrence]:
    """Functions, methods after their types, types with their fields and methods of interfaces, constants, variables.

    Bodies count, and so do comments that the compiler reads.
    """
    found = source.found
    for one in declared(source.root):
        if one.name.rpartition(".")[2] == "_":
            continue
        yield declaration(Kind.SYMBOL, source, one.name, _told(one, found), one.node)
        if one.node.type == "type_spec":
            yield from (
                declaration(Kind.SYMBOL, source, f"{one.name}.{name}", told, node)
                for name, told, node in _members(child(one.node, "type"), found)
                if name != "_"
            )


def _told(one: Declared, found: Survey) -> str:
    above = [found.directives.get(place, "") for place in dict.fromkeys((one.statement.id, one.node.id))]
    if one.node.type not in {"const_spec", "var_spec"}:
        return "\n".join((*above, found.form(one.node)))
    place = str(one.position) if one.node.type == "const_spec" and found.counts(one.value) else ""
    return "\n".join((*above, one.node.type, found.digest(one.typed), found.digest(one.value), str(one.index), place))


def _members(typed: Node | None, found: Survey) -> Iterator[tuple[str, str, Node]]:
    """The fields of a struct, what is embedded by the name of its type, and the methods of an interface."""
    if typed is not None and typed.type == "struct_type":
        fields = first(typed, "field_declaration_list")
        for one in fields.named_children if fields is not None else ():
            if one.type == "field_declaration":
                names = [written(name) for name in children(one, "name")] or [_embedded(child(one, "type"))]
                said = "\n".join((found.digest(child(one, "type")), found.form(child(one, "tag")), _star(one)))
                yield from ((name, said, one) for name in names if name)
    elif typed is not None and typed.type == "interface_type":
        yield from ((_name(one), found.form(one), one) for one in typed.named_children if one.type == "method_elem")


def _embedded(typed: Node | None) -> str:
    if typed is not None and typed.type == "generic_type":
        typed = child(typed, "type")
    if typed is not None and typed.type == "qualified_type":
        typed = child(typed, "name")
    return "" if typed is None else written(typed)


def is_exported(name: str) -> bool:
    """Whether every part of a name begins with an upper letter."""
    return all(part and unicodedata.category(part[0]) == "Lu" for part in name.split("."))


def is_offered(source: Source) -> bool:
    """Whether a file is of a package that others import: no program, no tests, nothing internal, vendored or of test data."""
    folders = source.folder.split("/") if source.folder else []
    return not (
        source.is_test
        or source.condition.is_never
        or source.package == "main"
        or any(one in _UNOFFERED or one.startswith(("_", ".")) for one in folders)
    )


def api(source: Source) -> Iterator[Occurrence | Blind]:
    """What a package offers, each with what others may rely on: signatures, types without what they hide, constants.

    What a type may offer by what it embeds or stands for is a gap of names below it; a variable whose type is not written out
    is told, with a gap of its name.
    """
    if not is_offered(source):
        return
    for one in declared(source.root):
        if not is_exported(one.name):
            continue
        told, is_whole = _offer(one, source.found)
        yield declaration(Kind.API, source, one.name, told, one.node)
        if not is_whole:
            reason = "it is exported and its type is not written out"
            yield Blind(_API, source.path, reason, line(one.node), is_blocking=False, name=one.name)
        if one.node.type in {"type_spec", "type_alias"} and _may_offer_more(one.node):
            reason = "a type may offer what it embeds or stands for"
            yield Blind(_API, source.path, reason, line(one.node), is_blocking=False, below=(f"{one.name}.",))


def _offer(one: Declared, found: Survey) -> tuple[str, bool]:
    node = one.node
    if node.type in {"function_declaration", "method_declaration"}:
        return _signature(node, found), True
    if node.type == "const_spec":
        return _told(one, found), True
    if node.type == "var_spec":
        typed = found.digest(one.typed) if one.typed is not None else _type_of(one.value, found)
        called = child(one.value, "function") if one.value is not None and one.typed is None else None
        return "\n".join(("var", found.digest(called) if typed is None else typed, str(one.index))), typed is not None
    return "\n".join((node.type, found.form(child(node, "type_parameters")), _outline(child(node, "type"), found))), True


def _type_of(value: Node | None, found: Survey) -> str | None:
    """The type of a value that writes it out; None for others."""
    if value is None:
        return None
    if value.type in _LITERALS:
        return _LITERALS[value.type]
    if value.type == "func_literal":
        return _signature(value, found)
    star = ""
    if value.type == "unary_expression" and (operator := child(value, "operator")) is not None and written(operator) == "&":
        star, value = "*", child(value, "operand")
    is_typed = value is not None and value.type in {"composite_literal", "type_conversion_expression"}
    return star + found.digest(child(value, "type")) if value is not None and is_typed else None


def _signature(node: Node, found: Survey) -> str:
    """The types of receiver, parameters and results, in order; names of parameters bind nobody."""
    receiver, result = child(node, "receiver"), child(node, "result")
    told = ["func"]
    if receiver is not None:
        told += [
            "*" if any(first(one, "pointer_type") for one in receiver.named_children) else "",
            found.form(receiver_type(receiver)),
        ]
    told += [found.form(child(node, "type_parameters")), *_types(child(node, "parameters"), found), "->"]
    told += _types(result, found) if result is not None and result.type == "parameter_list" else [found.form(result)]
    return "\n".join(told)


def _types(parameters: Node | None, found: Survey) -> Iterator[str]:
    for one in parameters.named_children if parameters is not None else ():
        if one.type != "comment":
            several = "..." if one.type == "variadic_parameter_declaration" else ""
            yield from [several + found.digest(child(one, "type"))] * max(1, len(children(one, "name")))


def _outline(typed: Node | None, found: Survey) -> str:
    """A type as others see it: of a struct its exported fields with their tags, and that it has others."""
    fields = first(typed, "field_declaration_list") if typed is not None and typed.type == "struct_type" else None
    if fields is None:
        return found.form(typed)
    told = ["struct"]
    for one in fields.named_children:
        if one.type != "field_declaration":
            continue
        names = [written(name) for name in children(one, "name")]
        offered = [name for name in names or [""] if not name or is_exported(name)]
        said = f"{_star(one)}{found.digest(child(one, 'type'))} {found.form(child(one, 'tag'))}"
        told += [f"{name} {said}" for name in offered]
    return "\n".join(told)


def _star(embedded: Node) -> str:
    """Whether a struct embeds a pointer."""
    return "*" if first(embedded, "*") is not None else ""


def _may_offer_more(node: Node) -> bool:
    typed = child(node, "type")
    if typed is None or node.type == "type_alias":
        return True
    fields = first(typed, "field_declaration_list") if typed.type == "struct_type" else None
    if fields is not None:
        return any(one.type == "field_declaration" and not children(one, "name") for one in fields.named_children)
    is_plain = typed.type == "type_identifier" and written(typed) in TYPES - {"error"}
    return typed.type in {"type_identifier", "qualified_type", "generic_type"} and not is_plain


def _name(node: Node) -> str:
    name = child(node, "name")
    return "" if name is None else written(name)


def declaration(kind: Kind, source: Source, name: str, told: str, node: Node) -> Occurrence:
    """What is built under a condition says so."""
    when = source.condition.expression
    return Occurrence(kind, source.path, name, f"{when}\n{told}" if when else told, line(node))
