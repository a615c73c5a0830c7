"""What the names of one module of TypeScript mean, and what it offers to others (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tree_sitter import Node

from guardrails.code_facts.trees import child, first, has, written
from guardrails.code_facts.typescript.places import CLASSES, FUNCTIONS, VALUES
from guardrails.code_facts.typescript.survey import Survey, identifiers
from guardrails.code_facts.typescript.syntax import literal


@dataclass(slots=True)
class Names:
    """Names that mean one thing only."""

    declared: set[str] = field(default_factory=set)
    """Functions and classes at the top."""
    taken: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Imported names, each with its specifier and what it is called there; `*` for all of a module."""
    exported: dict[str, str] = field(default_factory=dict)
    """What is offered, with its name in this module."""
    passed: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What is offered and comes from elsewhere."""
    stars: list[str] = field(default_factory=list)


def names(root: Node, found: Survey) -> Names:
    """The names of a module. One that is bound twice, or given another value, means nothing that is certain."""
    result = Names()
    often = found.bound.get(root.id, Counter())
    callable_names: Counter[str] = Counter()
    for one in found.declared:
        is_function = one.node.type in FUNCTIONS | CLASSES or (one.value is not None and one.value.type in VALUES | CLASSES)
        if is_function and one.place.is_top and not one.place.names:
            callable_names[one.name] += 1
    for name, count in callable_names.items():
        if (name == "default" or often[name] == count) and name not in found.assigned:
            result.declared.add(name)
    for node, _ in found.imports:
        result.taken.update(
            (local, taken) for local, taken in _taken(node).items() if not often[local] and local not in found.assigned
        )
    for node, place in found.exports:
        if not place.names:
            _exports(node, result)
    return result


def _taken(node: Node) -> dict[str, tuple[str, str]]:
    """The local names of an import, and what they are called where they come from."""
    required = first(node, "import_require_clause")
    specifier = literal(child(required or node, "source"))
    clause = required or first(node, "import_clause")
    if specifier is None or clause is None:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for one in clause.children:
        if one.type == "identifier":
            found[written(one)] = (specifier, "*" if required is not None else "default")
        elif one.type == "namespace_import":
            inner = first(one, "identifier")
            found |= {} if inner is None else {written(inner): (specifier, "*")}
        elif one.type == "named_imports":
            for part in one.children:
                if part.type == "import_specifier":
                    name, alias = _pair(part)
                    found[alias] = (specifier, name)
    return found


def _exports(node: Node, result: Names) -> None:
    specifier = literal(child(node, "source"))
    declaration, value = child(node, "declaration"), child(node, "value")
    clause, space = first(node, "export_clause"), first(node, "namespace_export")
    if clause is not None:
        for part in clause.children:
            if part.type == "export_specifier":
                name, alias = _pair(part)
                if specifier is None:
                    result.exported[alias] = name
                else:
                    result.passed[alias] = (specifier, name)
    elif space is not None and specifier is not None:
        result.passed.update({written(one): (specifier, "*") for one in space.children if one.type == "identifier"})
    elif specifier is not None:
        result.stars.append(specifier)
    elif has(node, "default"):
        named = child(declaration, "name") if declaration is not None else value
        result.exported["default"] = written(named) if named is not None and named.type == "identifier" else "default"
        if named is not None and named.type == "type_identifier":
            result.exported["default"] = written(named)
    elif declaration is not None:
        result.exported.update({name: name for name in declared_names(declaration)})


def declared_names(declaration: Node) -> list[str]:
    """The names that an exported declaration declares."""
    name = child(declaration, "name")
    if name is not None:
        return [written(name)]
    found: list[str] = []
    for one in declaration.children:
        if one.type == "variable_declarator":
            found += identifiers(child(one, "name"))
    return found


def _pair(part: Node) -> tuple[str, str]:
    """The name and the alias of one specifier; a name may be a string."""
    name, alias = child(part, "name"), child(part, "alias")
    own = "" if name is None else literal(name) or written(name)
    return own, own if alias is None else literal(alias) or written(alias)
