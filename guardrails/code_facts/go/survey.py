"""One walk over a tree of Go: its normal form, its imports, and its calls with what their names mean (Change Contracts: fact
clauses).

The normal form is the tree written out as tokens, without comments, semicolons that end something and commas before a closing
bracket. Every node has a stretch of it, so that the form of a declaration is cut out of the form of its file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.go.bindings import BINDING, declared_name, parameters
from guardrails.code_facts.go.scopes import Binding, Scopes
from guardrails.code_facts.go.syntax import WHOLE, children, literal
from guardrails.code_facts.trees import child, line, written
from guardrails.digests import sha256

FUNCTIONS: Final = frozenset({"function_declaration", "method_declaration", "func_literal"})
_SCOPES: Final = frozenset(
    {
        *("block", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement"),
        *("expression_case", "default_case", "type_case", "communication_case"),
    }
)
_CASES: Final = frozenset({"type_case", "default_case"})
_PARTING: Final = frozenset({"for_clause", "if_statement", "expression_switch_statement", "type_switch_statement"})
"""Where a semicolon parts what would be something else without it."""
_DIRECTIVE: Final = re.compile(r"//(?:go:(?!build\b|generate\b)|export )")


@dataclass(frozen=True, slots=True)
class Imported:
    """One import: its path, and the name that it is given, "" where it is given none; `.` and `_` are such names."""

    path: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the declaration around it, "" at the top, and what a function binds the first name of what is called to."""

    node: Node
    owner: str
    head: Binding | None = None


@dataclass(slots=True)
class Survey:
    """What a walk found, in the order of the text."""

    tokens: list[str] = field(default_factory=list)
    stretches: dict[int, tuple[int, int]] = field(default_factory=dict)
    imports: list[Imported] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    comments: list[Node] = field(default_factory=list)
    directives: dict[int, str] = field(default_factory=dict)
    """What stands for the comments that the compiler reads, by the declarations that they stand before."""
    iotas: list[int] = field(default_factory=list)
    """The places of `iota` among the tokens."""
    given: dict[int, int] = field(default_factory=dict)
    """The function literals that are given to calls, by the calls; of several the last."""
    digests: dict[int, str] = field(default_factory=dict)
    handed: dict[int, int] = field(default_factory=dict)
    """The functions whose parameters are used as values, each with the first line of such a use."""

    def form(self, node: Node | None) -> str:
        """The normal form of a node."""
        return "" if node is None else "\0".join(self.tokens[slice(*self.stretches[node.id])])

    def digest(self, node: Node | None) -> str:
        """What stands for the normal form of a node where many names share it."""
        if node is None:
            return ""
        if node.id not in self.digests:
            self.digests[node.id] = sha256(self.form(node).encode("utf-8", "surrogatepass"))
        return self.digests[node.id]

    def counts(self, node: Node | None) -> bool:
        """Whether a constant is what it is by its place."""
        start, end = (0, 0) if node is None else self.stretches[node.id]
        at = bisect_left(self.iotas, start)
        return at < len(self.iotas) and self.iotas[at] < end


@dataclass(frozen=True, slots=True)
class _End:
    node: Node
    start: int
    is_scope: bool


@dataclass(slots=True)
class _Walk:
    found: Survey = field(default_factory=Survey)
    scopes: Scopes = field(default_factory=Scopes)
    bodies: set[int] = field(default_factory=set)
    """Blocks of functions, which are no scopes beside those of their parameters."""
    aliases: dict[int, list[str]] = field(default_factory=dict)
    """What each case of a switch over types binds."""
    operands: set[int] = field(default_factory=set)
    """Names that are no values: parameters, and what stands before a dot, unless what runs tests is taken and not called."""
    owner: str = ""


def survey(root: Node) -> Survey:
    """Walk over a tree without an error."""
    walk = _Walk()
    found = walk.found
    waiting: list[Node | _End] = [root]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, _End):
            _close(walk, thing)
            continue
        kind = thing.type
        start = len(found.tokens)
        if kind == "comment":
            found.comments.append(thing)
            continue
        note = _NOTES.get(kind)
        if note is not None:
            note(walk, thing)
        if not thing.child_count or kind in WHOLE:
            # Go drops carriage returns from raw strings, and nothing else holds any that count.
            found.tokens.append(written(thing).replace("\r", ""))
            found.stretches[thing.id] = (start, start + 1)
            continue
        is_scope = _enter(walk, thing, kind)
        found.tokens.append(kind)
        waiting.append(_End(thing, start, is_scope))
        parts = _counting(thing.children, kind)
        if any(one.type == "comment" for one in parts):
            found.directives.update(_directives(parts))
        waiting.extend(reversed(parts))
    return found


def _close(walk: _Walk, end: _End) -> None:
    walk.found.tokens.append(")")
    walk.found.stretches[end.node.id] = (end.start, len(walk.found.tokens))
    if end.is_scope:
        walk.scopes.leave()
    bind = BINDING.get(end.node.type)
    if bind is not None:
        bind(walk.scopes, end.node)
    if end.node.type in {"function_declaration", "method_declaration", "var_spec"} and not walk.scopes.frames:
        walk.owner = ""


def _enter(walk: _Walk, node: Node, kind: str) -> bool:
    """Open the scope of a node, if it has one, with what it binds from its beginning."""
    if kind in FUNCTIONS:
        if kind != "func_literal":
            walk.owner = declared_name(node)
        bound = list(parameters(walk.scopes, node))
        walk.scopes.enter()
        for name, binding in bound:
            walk.scopes.bind(name, binding)
        body = child(node, "body")
        if body is not None:
            walk.bodies.add(body.id)
        return True
    if kind not in _SCOPES or node.id in walk.bodies:
        return False
    walk.scopes.enter()
    for name in walk.aliases.get(node.id, ()):
        walk.scopes.bind(name)
    return True


def _directives(parts: list[Node]) -> Iterator[tuple[int, str]]:
    before: list[str] = []
    for one in parts:
        if one.type == "comment":
            if _DIRECTIVE.match(text := written(one)):
                before.append(" ".join(text.split()))
        elif one.is_named and before:
            yield one.id, sha256("\n".join(before).encode("utf-8", "surrogatepass"))
            before = []


def _counting(parts: list[Node], kind: str) -> list[Node]:
    """The children that are more than layout."""
    if kind not in _PARTING and any(one.type in {";", "empty_statement"} for one in parts):
        parts = [one for one in parts if one.type not in {";", "empty_statement"}]
    real = [one for one in parts[-4:] if one.type != "comment"]
    if len(real) > 1 and real[-2].type == "," and real[-1].type in {")", "]", "}"}:
        parts = [one for one in parts if one.id != real[-2].id]
    return parts


def _note_import(walk: _Walk, node: Node) -> None:
    path, name = literal(child(node, "path")), child(node, "name")
    if path is not None:
        walk.found.imports.append(Imported(path, "" if name is None else written(name), line(node)))


def _note_variable(walk: _Walk, node: Node) -> None:
    """What a variable of a package calls is owned by the first of its names."""
    if not walk.scopes.frames:
        walk.owner = next((written(one) for one in children(node, "name")), "")


def _note_call(walk: _Walk, node: Node) -> None:
    called = child(node, "function") or child(node, "type")
    path = dotted_path(called)
    walk.found.calls.append(Call(node, walk.owner, walk.scopes.look(path[0]) if path else None))
    if called is not None and called.type == "selector_expression" and (operand := child(called, "operand")) is not None:
        walk.operands.add(operand.id)
    arguments = child(node, "arguments")
    for one in arguments.named_children if arguments is not None else ():
        if one.type == "func_literal":
            walk.found.given[node.id] = one.id


def _note_selection(walk: _Walk, node: Node) -> None:
    operand, name = child(node, "operand"), child(node, "field")
    if operand is not None and name is not None and written(name) != "Run":
        walk.operands.add(operand.id)


def _note_parameter(walk: _Walk, node: Node) -> None:
    walk.operands.update(one.id for one in children(node, "name"))


def _note_name(walk: _Walk, node: Node) -> None:
    binding = walk.scopes.look(written(node))
    if binding is not None and binding.function and node.id not in walk.operands and binding.name in {"T", "B", "F"}:
        walk.found.handed.setdefault(binding.function, line(node))


def _note_switch(walk: _Walk, node: Node) -> None:
    alias = child(node, "alias")
    names = [written(one) for one in alias.named_children] if alias is not None else []
    walk.aliases.update((one.id, names) for one in node.named_children if names and one.type in _CASES)


def _note_type(walk: _Walk, node: Node) -> None:
    name = child(node, "name")
    if name is not None:
        walk.scopes.bind(written(name))


_NOTES: Final[Mapping[str, Callable[[_Walk, Node], None]]] = {
    "import_spec": _note_import,
    "var_spec": _note_variable,
    "call_expression": _note_call,
    "type_conversion_expression": lambda walk, node: _note_call(walk, node) if is_like_call(node) else None,
    "selector_expression": _note_selection,
    "identifier": _note_name,
    "iota": lambda walk, _: walk.found.iotas.append(len(walk.found.tokens)),
    "parameter_declaration": _note_parameter,
    "type_switch_statement": _note_switch,
    "type_spec": _note_type,
    "type_alias": _note_type,
}


def is_like_call(node: Node) -> bool:
    """Whether what the grammar takes for a conversion may be a call of something generic: `f[int](x)`."""
    typed = child(node, "type")
    return typed is not None and typed.type == "generic_type"


def may_be_type(index: Node | None) -> bool:
    """Whether what stands in brackets may be a type, and so a call one of something generic: `f[pkg.T](x, y)`."""
    return index is not None and index.type in {"identifier", "selector_expression", "unary_expression"}


def dotted_path(node: Node | None) -> list[str]:
    """The names of `a.b.c`, without what is given for types; none for anything else."""
    path: list[str] = []
    while node is not None:
        if node.type in {"generic_type", "parenthesized_expression"}:
            node = child(node, "type") or next((one for one in node.named_children if one.type != "comment"), None)
        elif node.type == "type_instantiation_expression":
            node = child(node, "type")
        elif node.type == "index_expression" and may_be_type(child(node, "index")):
            node = child(node, "operand")
        elif node.type in {"selector_expression", "qualified_type"}:
            name = child(node, "field") or child(node, "name")
            path.append("" if name is None else written(name))
            node = child(node, "operand") or child(node, "package")
        else:
            break
    is_name = node is not None and node.type in {"identifier", "type_identifier", "package_identifier"}
    return [*path, written(node)][::-1] if node is not None and is_name else []
