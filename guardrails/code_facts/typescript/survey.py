"""One walk over a tree of TypeScript: its normal form, and what stands in it where (Change Contracts: fact clauses).

The normal form is the tree written out as tokens, without comments, semicolons and commas before a closing bracket. Every node
has a stretch of it, so that the form of a declaration is cut out of the form of its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.trees import child, first, has, line, written
from guardrails.code_facts.typescript.places import (
    CALLS,
    CLASSES,
    FIELDS,
    FUNCTIONS,
    METHODS,
    NAMING,
    SPACES,
    TYPES,
    VALUES,
    Place,
    inside,
    name_of,
)

MAX_NESTING: Final = 200
"""Functions and declarations within each other: names and forms of what nests grow with the square of it."""
MAX_NAMES: Final = 1_000
"""So many characters of names around anything: each call and each declaration bears them all."""
_WITH_PARENT: Final = CALLS | METHODS | {"variable_declarator"}
_WHOLE: Final = frozenset({"string", "regex", "number"})
_OF_TYPES: Final = frozenset(
    {"type_annotation", "type_arguments", "type_alias_declaration", "type_query", "index_type_query", "type_predicate"}
    | {"constraint", "extends_type_clause", "implements_clause", "mapped_type_clause"}
)
"""What holds types alone, besides all whose names end in `_type`."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One declaration: what it is called in full, what it is, and the value of a variable or field."""

    name: str
    node: Node
    place: Place
    value: Node | None = None


@dataclass(slots=True)
class Survey:
    """What a walk found, in the order of the text."""

    tokens: list[str] = field(default_factory=list)
    stretches: dict[int, tuple[int, int]] = field(default_factory=dict)
    declared: list[Declared] = field(default_factory=list)
    imports: list[tuple[Node, Place]] = field(default_factory=list)
    exports: list[tuple[Node, Place]] = field(default_factory=list)
    calls: list[tuple[Node, Place]] = field(default_factory=list)
    of_types: dict[int, Node] = field(default_factory=dict)
    """What looks like a call of `import` to the grammar and names a type; none of them is a call."""
    bound: dict[int, Counter[str]] = field(default_factory=dict)
    """How often each function binds which names, whatever the block."""
    assigned: set[str] = field(default_factory=set)
    """Names that are given another value by a function that does not bind them itself."""
    changed: list[tuple[str, Place]] = field(default_factory=list)
    comments: list[Node] = field(default_factory=list)
    decorated: dict[int, list[Node]] = field(default_factory=dict)
    """The decorators of what has some."""
    parents: dict[int, Node] = field(default_factory=dict)
    """Of calls, variables and methods: a tree finds its parents by going down from the root each time."""

    def form(self, node: Node | None) -> str:
        """The normal form of a node."""
        return "" if node is None else "\0".join(self.tokens[slice(*self.stretches[node.id])])


@dataclass(frozen=True, slots=True)
class _End:
    node: int
    start: int


def survey(root: Node, is_skipping: frozenset[str] = frozenset()) -> Survey | Fault:
    """Walk over a tree without an error; calls of what is written as in `is_skipping` hold tests that never run."""
    found = Survey()
    waiting: list[tuple[Node | _End, Place]] = [(root, Place((root.id,)))]
    while waiting:
        thing, place = waiting.pop()
        if isinstance(thing, _End):
            found.tokens.append(")")
            found.stretches[thing.node] = (thing.start, len(found.tokens))
            continue
        kind = thing.type
        if kind == "comment":
            found.comments.append(thing)
            continue
        start = len(found.tokens)
        if not thing.child_count or kind in _WHOLE:
            found.tokens.append(written(thing))
            found.stretches[thing.id] = (start, start + 1)
            continue
        if len(place.scopes) > MAX_NESTING or len(place.names) > MAX_NESTING:
            return Fault("the file nests too deeply", line(thing))
        _note(found, thing, kind, place)
        found.tokens.append(kind)
        waiting.append((_End(thing.id, start), place))
        inner = inside(thing, kind, place, is_skipping)
        if inner.names is not place.names and sum(map(len, inner.names)) > MAX_NAMES:
            return Fault("the file nests names that are too long", line(thing))
        parts = _counting(thing.children, kind)
        if any(one.type == "decorator" for one in parts):
            found.decorated.update(_decorated(parts))
        found.of_types.update(_imported_types(kind, parts))
        found.parents.update((one.id, thing) for one in parts if one.type in _WITH_PARENT)
        waiting.extend((one, inner) for one in reversed(parts))
    for name, place in found.changed:
        if not any(name in found.bound.get(scope, ()) for scope in place.scopes[1:]):
            found.assigned.add(name)
    return found


def _imported_types(kind: str, parts: list[Node]) -> Iterator[tuple[int, Node]]:
    """The `import('x')` of every `import('x').T` among the parts that are types."""
    if kind in {"as_expression", "satisfies_expression"}:
        parts = parts[-1:]
    elif kind not in _OF_TYPES and not kind.endswith("_type"):
        return
    for one in parts:
        node: Node | None = one
        while node is not None and node.type in {"member_expression", "instantiation_expression"}:
            node = child(node, "object") or child(node, "function")
        callee = None if node is None else child(node, "function")
        if node is not None and callee is not None and callee.type == "import":
            yield node.id, node


def _decorated(parts: list[Node]) -> Iterator[tuple[int, list[Node]]]:
    """Decorators stand beside what they decorate, before it."""
    before: list[Node] = []
    for one in parts:
        if one.type == "decorator":
            before.append(one)
        elif one.is_named and before:
            yield one.id, before
            before = []


def _counting(children: list[Node], kind: str) -> list[Node]:
    """The children that are more than layout."""
    if not any(one.type in {";", ","} for one in children):
        return children
    told = [one for one in children if one.type != ";" or kind in {"for_statement", "empty_statement"}]
    if kind in {"interface_body", "object_type"}:
        return [one for one in told if one.type != ","]
    real = [one for one in told if one.type != "comment"]
    if len(real) > 2 and real[-2].type == "," and real[-3].type not in {",", "["} and real[-1].type in {")", "]", "}", ">"}:
        # A comma before the end is layout, unless it stands for something that is left out.
        told.remove(real[-2])
    return told


def _note(found: Survey, node: Node, kind: str, place: Place) -> None:
    note = _NOTES.get(kind)
    if note is not None:
        note(found, node, place, found.bound.setdefault(place.scopes[-1], Counter()))


def _note_call(found: Survey, node: Node, place: Place, _: Counter[str]) -> None:
    if node.id not in found.of_types:
        found.calls.append((node, place))


def _note_import(found: Survey, node: Node, place: Place, _: Counter[str]) -> None:
    found.imports.append((node, place))


def _note_export(found: Survey, node: Node, place: Place, _: Counter[str]) -> None:
    found.exports.append((node, place))
    value = child(node, "value")
    if value is not None and value.type in NAMING:
        found.declared.append(Declared(place.within("default"), node, replace(place, is_exported=True), value))


def _note_variable(found: Survey, node: Node, place: Place, names: Counter[str]) -> None:
    value = child(node, "value")
    for name in identifiers(child(node, "name")):
        names[name] += 1
        if place.is_top or (value is not None and value.type in VALUES):
            found.declared.append(Declared(place.within(name), node, place, value))


def _note_parameter(_: Survey, node: Node, __: Place, names: Counter[str]) -> None:
    names.update(identifiers(child(node, "pattern")))


def _note_parameters(_: Survey, node: Node, __: Place, names: Counter[str]) -> None:
    """JavaScript writes parameters as bare patterns."""
    for one in node.children:
        if one.type not in {"required_parameter", "optional_parameter"}:
            names.update(identifiers(one))


def _note_arrow(found: Survey, node: Node, _: Place, __: Counter[str]) -> None:
    found.bound[node.id] = Counter(identifiers(child(node, "parameter")))


def _note_catch(_: Survey, node: Node, __: Place, names: Counter[str]) -> None:
    names.update(identifiers(child(node, "parameter")))


def _note_loop(_: Survey, node: Node, __: Place, names: Counter[str]) -> None:
    if child(node, "kind") is not None:
        names.update(identifiers(child(node, "left")))


def _note_assignment(found: Survey, node: Node, place: Place, _: Counter[str]) -> None:
    found.changed.extend((name, place) for name in identifiers(child(node, "left") or child(node, "argument")))


def _note_declaration(found: Survey, node: Node, place: Place, names: Counter[str]) -> None:
    own = name_of(node, place)
    if own:
        if node.type not in {"interface_declaration", "type_alias_declaration"}:
            names[own] += 1
        found.declared.append(Declared(place.within(own), node, place))


def _note_member(found: Survey, node: Node, place: Place, _: Counter[str]) -> None:
    own = name_of(node, replace(place, is_exported=False))
    if own and (place.in_class or node.type == "method_definition"):
        found.declared.append(Declared(place.within(own), node, place, child(node, "value")))


_NOTES: Final[Mapping[str, Callable[[Survey, Node, Place, Counter[str]], None]]] = {
    **dict.fromkeys(CALLS, _note_call),
    "import_statement": _note_import,
    "export_statement": _note_export,
    "variable_declarator": _note_variable,
    "required_parameter": _note_parameter,
    "optional_parameter": _note_parameter,
    "formal_parameters": _note_parameters,
    "arrow_function": _note_arrow,
    "catch_clause": _note_catch,
    "for_in_statement": _note_loop,
    "assignment_expression": _note_assignment,
    "augmented_assignment_expression": _note_assignment,
    "update_expression": _note_assignment,
    **dict.fromkeys(FUNCTIONS | (CLASSES - {"class"}) | TYPES | SPACES, _note_declaration),
    **dict.fromkeys(METHODS | FIELDS, _note_member),
}


def identifiers(pattern: Node | None) -> Iterator[str]:
    """The names that a pattern binds; nothing for what is no pattern."""
    waiting = [] if pattern is None else [pattern]
    while waiting:
        one = waiting.pop()
        kind = one.type
        if kind in {"identifier", "shorthand_property_identifier_pattern"}:
            yield written(one)
        elif kind in {"assignment_pattern", "object_assignment_pattern"}:
            waiting.extend(part for part in (child(one, "left"),) if part is not None)
        elif kind == "pair_pattern":
            waiting.extend(part for part in (child(one, "value"),) if part is not None)
        elif kind in {"object_pattern", "array_pattern", "rest_pattern"}:
            waiting.extend(part for part in reversed(one.children) if part.is_named)


def is_type_only(statement: Node) -> bool:
    """Whether an import or export is of types alone: by its own keyword, or because all it names is marked so.

    The keyword of `export type *` is an error to the grammar, and the only one that a tree may have.
    """
    if has(statement, "type") or first(statement, "ERROR") is not None:
        return True
    clause = first(statement, "import_clause", "export_clause")
    if clause is None:
        return False
    if clause.type == "import_clause":
        others = [one for one in clause.children if one.is_named and one.type != "named_imports"]
        named = first(clause, "named_imports")
        if others or named is None:
            return False
        clause = named
    parts = [one for one in clause.children if one.is_named and one.type != "comment"]
    return bool(parts) and all(has(part, "type") or has(part, "typeof") for part in parts)
