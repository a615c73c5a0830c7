"""What TypeScript declares: symbols, and the signatures that it exports (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.trees import child, first, has, line, written
from guardrails.code_facts.typescript.names import Names
from guardrails.code_facts.typescript.places import CLASSES, FUNCTIONS, METHODS, TYPES, VALUES
from guardrails.code_facts.typescript.survey import Declared, Survey

_API: Final = frozenset({Kind.API})
_OFFERED: Final = 50_000
"""So many exports of one file are told; one thing may be exported by many names, and declared many times."""


def symbols(file: str, found: Survey) -> Iterator[Occurrence]:
    """Functions, classes, their members, types, enums, namespaces and top variables; bodies and `const` or `let` count."""
    for _, same in groupby(found.declared, lambda one: one.node.id):
        told = list(same)
        form = _whole(told[0], found)
        yield from (Occurrence(Kind.SYMBOL, file, one.name, form, line(one.node)) for one in told)


def api(file: str, found: Survey, names: Names) -> Iterator[Occurrence | Blind]:
    """Exported functions, classes with their public methods, interfaces and aliases, as far as types are written out.

    What is exported and has no such type is told as a gap of that name.
    """
    offered: dict[str, list[str]] = {}
    for outer, own in names.exported.items():
        offered.setdefault(own, []).append(outer)
    left = _OFFERED
    for _, same in groupby(found.declared, lambda one: one.node.id):
        several = [one for one in same if one.name.partition(".")[0] in offered and _is_of_module(one)]
        told = _offer(several[0], found) if several else None
        for one in several:
            top = one.name.partition(".")[0]
            left -= len(offered[top])
            if left < 0:
                yield Blind(
                    _API, file, f"the file exports more than {_OFFERED} things, each by all of its names", line(one.node)
                )
                return
            yield from _offers(file, one, told, [outer + one.name[len(top) :] for outer in offered[top]])


def _is_of_module(one: Declared) -> bool:
    """Whether a declaration stands at the top, or is a method of a class that does."""
    if not one.place.names:
        return one.place.is_top or one.place.in_class
    return one.place.in_class and one.place.names == (one.name.partition(".")[0],) and one.node.type in METHODS


def _offers(file: str, one: Declared, told: str | None, names: list[str]) -> Iterator[Occurrence | Blind]:
    if told is None:
        reason = "it is exported and its types are not written out"
        yield from (Blind(_API, file, reason, line(one.node), is_blocking=False, name=name) for name in names)
    elif told:
        yield from (Occurrence(Kind.API, file, name, told, line(one.node)) for name in names)


def _offer(one: Declared, found: Survey) -> str | None:
    """What others may rely on; None where its types are not written out, "" where it is private."""
    kind = one.node.type
    if kind in TYPES:
        return found.form(one.node)
    if kind in METHODS:
        parent = found.parents.get(one.node.id)
        is_of_type = kind == "method_signature" and parent is not None and parent.type in {"interface_body", "object_type"}
        return "" if is_of_type or _is_private(one.node) else _signature(one.node, found)
    if kind in FUNCTIONS:
        return _signature(one.node, found)
    if kind in CLASSES or (one.value is not None and one.value.type in CLASSES):
        return _outline(one.value if kind not in CLASSES and one.value is not None else one.node, found)
    if one.value is not None and one.value.type in VALUES and child(one.node, "type") is None:
        return _signature(one.value, found)
    typed = child(one.node, "type")
    return None if typed is None else f"{'const' if _keyword(one, found) == 'const' else 'let'}:{found.form(typed)}"


def _signature(node: Node, found: Survey) -> str | None:
    """Parameters by name, type and whether they may be left out, type parameters, and the type returned."""
    parameters, returned = child(node, "parameters"), child(node, "return_type")
    is_constructor = written(named) == "constructor" if (named := child(node, "name")) is not None else False
    has_return = returned is not None or is_constructor or has(node, "set")
    if parameters is None or not has_return:
        return None
    told = ["async" if has(node, "async") else "", *(word for word in ("static", "get", "set", "*") if has(node, word))]
    told.append(found.form(child(node, "type_parameters")))
    for one in parameters.named_children:
        if one.type == "comment":
            continue
        typed = child(one, "type")
        if typed is None:
            return None
        optional = one.type == "optional_parameter" or child(one, "value") is not None
        modifiers = [written(part) for part in one.children if part.type in {"accessibility_modifier", "readonly"}]
        told.append(" ".join([*modifiers, found.form(child(one, "pattern")), "?" if optional else "", found.form(typed)]))
    return "\n".join([*told, "->", found.form(returned)])


def _outline(node: Node, found: Survey) -> str:
    """What a class is besides its methods: heritage, type parameters, and its public fields with their types."""
    told = ["class", found.form(child(node, "type_parameters")), found.form(first(node, "class_heritage"))]
    body = child(node, "body")
    for one in body.named_children if body is not None else ():
        if one.type in {"public_field_definition", "field_definition", "index_signature"} and not _is_private(one):
            words = [part.type for part in one.children if part.type in {"static", "readonly", "?", "abstract"}]
            name = child(one, "name") or child(one, "property")
            own = found.form(one) if name is None else written(name)
            told.append(" ".join([*words, own, found.form(child(one, "type"))]))
    return "\n".join(told)


def _is_private(node: Node) -> bool:
    name = child(node, "name") or child(node, "property")
    modifier = first(node, "accessibility_modifier")
    return (name is not None and name.type == "private_property_identifier") or (
        modifier is not None and written(modifier) == "private"
    )


def _whole(one: Declared, found: Survey) -> str:
    """A variable is told with the keyword that declares it, and everything with what decorates it."""
    if one.node.type == "variable_declarator":
        return f"{_keyword(one, found)}\0{found.form(one.node)}"
    return "\n".join(found.form(part) for part in (*found.decorated.get(one.node.id, ()), one.node))


def _keyword(one: Declared, found: Survey) -> str:
    """What declares a variable: the first word of the statement that it stands in."""
    parent = found.parents.get(one.node.id)
    keyword = None if parent is None else parent.child(0)
    return "" if keyword is None else written(keyword)
