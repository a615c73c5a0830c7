"""The walk itself: from a tree of Rust to what stands in it (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.model import Kind
from guardrails.code_facts.rust import macros
from guardrails.code_facts.rust.attributes import generates
from guardrails.code_facts.rust.places import ITEMS, Place, identifiers, inside, name_of
from guardrails.code_facts.rust.survey import MAX_NAME, MAX_NESTING, Call, Declared, Definition, Gap, Invocation, Survey, Use
from guardrails.code_facts.rust.syntax import MAX_SEGMENTS, bare, segments, visibility
from guardrails.code_facts.trees import child, first, written

_WHOLE: Final = frozenset({"string_literal", "raw_string_literal", "char_literal", "lifetime", "metavariable"})
_COMMENTS: Final = frozenset({"line_comment", "block_comment"})
_CLOSING: Final = frozenset({")", "]", "}", ">", "|"})
_TUPLES: Final = frozenset({"tuple_expression", "tuple_pattern", "tuple_type"})
_OPEN_ENDED: Final = frozenset({"match_arm", "where_clause"})
_AS_WRITTEN: Final = frozenset({"token_tree", "token_tree_pattern", "token_repetition", "token_repetition_pattern"})
_PATHS: Final = frozenset({"scoped_identifier", "scoped_type_identifier", "use_declaration", "visibility_modifier"})
_USES: Final = frozenset({"scoped_use_list", "use_as_clause", "use_list", "use_wildcard"})
_INCLUDING: Final = frozenset({"include", "include_bytes", "include_str"})
_HOMES: Final = frozenset({"std", "core", "alloc", "lazy_static", "cfg_if"})
_MAX_MACROS: Final = 8
_PARSED_AGAIN: Final = 3
"""What is given to a macro is parsed anew, and again for each macro around: so many of these, and so many times all of it."""
_IMPORTING: Final = frozenset({Kind.IMPORT, Kind.DEPENDENCY})


@dataclass(frozen=True, slots=True)
class _End:
    node: int
    start: int


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a node stands, in which row its tree begins, and in how many macros that is."""

    place: Place
    row: int = 0
    depth: int = 0
    is_path: bool = False
    """Whether it is a part of a path that is told already."""

    def line(self, node: Node) -> int:
        return self.row + node.start_point[0] + 1


class _Walk:
    """A walk under way; `shadowed` are the macros that the snapshot defines itself."""

    def __init__(self, shadowed: frozenset[str]) -> None:
        self.found: Final = Survey()
        self.shadowed: Final = shadowed
        self.attributes: Final[dict[int, tuple[Node, ...]]] = {}
        self.room = 0

    def walk(self, root: Node) -> Survey | Fault:
        found = self.found
        self.room = _PARSED_AGAIN * root.end_byte
        waiting: list[tuple[Node | _End, _Where]] = [(root, _Where(Place()))]
        while waiting:
            thing, where = waiting.pop()
            if isinstance(thing, _End):
                found.tokens.append(")")
                found.stretches[thing.node] = (thing.start, len(found.tokens))
                continue
            kind = thing.type
            if kind in _COMMENTS:
                self._comment(thing, where)
                continue
            start = len(found.tokens)
            if not thing.child_count or kind in _WHOLE:
                found.tokens.append(written(thing))
                found.stretches[thing.id] = (start, start + 1)
                continue
            place = where.place
            if len(place.scopes) > MAX_NESTING or len(place.names) > MAX_NESTING or sum(map(len, place.names)) > MAX_NAME:
                return Fault("the file nests too deeply", where.line(thing))
            note = _NOTES.get(kind)
            if note is not None:
                note(self, thing, where)
            found.tokens.append(kind)
            waiting.append((_End(thing.id, start), where))
            waiting.extend(reversed(list(self._parts(thing, kind, where))))
        return found

    def _parts(self, node: Node, kind: str, where: _Where) -> Iterator[tuple[Node, _Where]]:
        """What stands in a node, and the trees of what is given to a macro after its tokens."""
        is_path = kind in _PATHS or (where.is_path and kind in _USES)
        inner = _Where(inside(node, kind, where.place), where.row, where.depth, is_path)
        parts = node.children if kind in _AS_WRITTEN else _counting(node.children, kind)
        self._keep_attributes(parts, where)
        tokens = first(node, "token_tree") if kind == "macro_invocation" else None
        trees = None if tokens is None else self._given(node, tokens, where)
        yield from ((one, inner) for one in parts)
        for tree, row in trees or ():
            self.found.trees.append(tree)
            yield tree, _Where(where.place, where.row + row, where.depth + 1)

    def _given(self, node: Node, tokens: Node, where: _Where) -> tuple[tuple[Node, int], ...] | None:
        """The trees of what is given to a macro; where there are none, what may stand there is told."""
        name = segments(child(node, "macro"))
        own = name[-1] if name else ""
        is_known = own not in self.shadowed and (len(name) == 1 or name[0] in _HOMES)
        if own in _INCLUDING:
            self._include(own, tokens, where)
        if own in macros.PLAIN and is_known:
            return None
        if is_known and own in macros.ITEMS | macros.EXPRESSIONS:
            trees = macros.inner(own, tokens) if where.depth < _MAX_MACROS and self.room > 0 else None
            self.room -= tokens.end_byte - tokens.start_byte
            if trees is not None:
                return trees
        self._unread(name, tokens, where, makes_items=where.place.holds_items)
        return None

    def _unread(self, name: tuple[str, ...], tokens: Node, where: _Where, *, makes_items: bool) -> None:
        line, words = where.line(tokens), macros.words(tokens)
        own = name[-1] if name else ""
        invoked = frozenset(macros.invoked(tokens))
        if makes_items or macros.may_declare(words):
            self.found.invocations.append(Invocation(name, words, invoked, where.place, line, makes_items))
        if macros.may_call(tokens):
            self.found.keep_called(words, line)
        if own not in macros.QUOTING:
            self.found.paths.extend(
                (path, where.place, where.row + start.start_point[0] + 1) for path, start in macros.paths(tokens)
            )

    def _include(self, name: str, tokens: Node, where: _Where) -> None:
        given = [one for one in tokens.named_children if one.type not in _COMMENTS]
        is_literal = len(given) == 1 and given[0].type == "string_literal"
        text = "".join(map(written, given[0].named_children)) if is_literal else None
        if text is not None or name == "include":
            self.found.included.append((text, where.line(tokens)))

    def _comment(self, node: Node, where: _Where) -> None:
        doc = child(node, "doc")
        if doc is not None and not self.found.documented and "```" in written(doc):
            self.found.documented = where.line(node)

    def _keep_attributes(self, parts: list[Node], where: _Where) -> None:
        """Attributes stand beside what they are of, before it."""
        before: list[Node] = []
        for one in parts:
            if one.type == "attribute_item":
                before.append(one)
            elif before and one.is_named and one.type not in _COMMENTS:
                self.attributes[one.id] = tuple(before)
                if not self.found.generated and generates(before):
                    self.found.generated = where.line(before[0])
                before = []

    def declared(self, node: Node, where: _Where, own: str) -> Declared:
        return Declared(where.place.within(own), own, node, where.place, where.line(node), self.attributes.get(node.id, ()))

    def bind(self, where: _Where, *patterns: Node | None) -> None:
        if where.place.scopes:
            names = self.found.bound.setdefault(where.place.scopes[-1], Counter())
            for pattern in patterns:
                names.update(identifiers(pattern))


def _counting(children: list[Node], kind: str) -> list[Node]:
    """The children that are more than layout."""
    if kind in _OPEN_ENDED and children[-1].type == ",":
        return children[:-1]
    if not any(one.type == "," for one in children):
        return children
    real = [one for one in children if one.type not in _COMMENTS]
    is_last = len(real) > 2 and real[-2].type == "," and real[-1].type in _CLOSING
    if is_last and not (kind in _TUPLES and len(real) == 4):
        return [one for one in children if one != real[-2]]
    return children


def _note_item(walk: _Walk, node: Node, where: _Where) -> None:
    own = name_of(node)
    if own:
        walk.found.declared.append(walk.declared(node, where, own))


def _note_impl(walk: _Walk, node: Node, where: _Where) -> None:
    walk.found.impls.append(walk.declared(node, where, ""))


def _note_macro(walk: _Walk, node: Node, where: _Where) -> None:
    """What a macro writes stands where it is invoked; the calls and imports in its text are not told there, and so here."""
    _note_item(walk, node, where)
    found, line = walk.found, where.line(node)
    rules = [one for one in node.named_children if one.type == "macro_rule"]
    written_by = [one for rule in rules for one in (child(rule, "right"),) if one is not None]
    words = macros.words(*written_by)
    invoked = frozenset(name for one in written_by for name in macros.invoked(one))
    found.definitions.setdefault(name_of(node), []).append(Definition(words, invoked))
    if any(macros.may_call(one) for one in written_by):
        found.keep_called(words, line)
    if not words.isdisjoint({"use", "mod", "extern"}):
        found.gaps.append(Gap(_IMPORTING, "what a macro writes may import something", line))
    for one in written_by:
        found.paths.extend((path, where.place, where.line(start)) for path, start in macros.paths(one) if path[0] == "crate")


def _note_call(walk: _Walk, node: Node, where: _Where) -> None:
    walk.found.calls.append(Call(node, where.place, where.line(node)))


def _note_path(walk: _Walk, node: Node, where: _Where) -> None:
    path = () if where.is_path else segments(node)
    if not path and not where.is_path and not (node.text or b"").startswith(b"<"):
        walk.found.gaps.append(Gap(_IMPORTING, "a path is longer than anybody reads", where.line(node)))
    elif len(path) > 1:
        walk.found.paths.append((path, where.place, where.line(node)))


def _note_use(walk: _Walk, node: Node, where: _Where) -> None:
    argument, visible = child(node, "argument"), visibility(node)
    waiting: list[tuple[Node | None, tuple[str, ...], str | None]] = [(argument, (), None)]
    while waiting:
        one, before, alias = waiting.pop()
        if one is None:
            continue
        kind = one.type
        own = segments(one)
        if len(before) > MAX_SEGMENTS or (kind == "scoped_identifier" and not own):
            walk.found.gaps.append(Gap(_IMPORTING, "a path is longer than anybody reads", where.line(one)))
        elif kind == "use_as_clause":
            named = child(one, "alias")
            waiting.append((child(one, "path"), before, "_" if named is None else bare(named)))
        elif kind in {"use_list", "scoped_use_list"}:
            head = child(one, "path")
            path = (*before, *(() if head is None else segments(head)))
            listed = one if kind == "use_list" else child(one, "list")
            starts = ("",) if head is None and kind == "scoped_use_list" else ()
            parts = [] if listed is None else [part for part in listed.named_children if part.type not in _COMMENTS]
            waiting.extend((part, (*path, *starts), None) for part in reversed(parts))
        elif kind == "use_wildcard":
            head = first(one, "identifier", "scoped_identifier", "self", "super", "crate", "metavariable")
            path = (*before, *(() if head is None else segments(head)))
            walk.found.uses.append(Use(path, "*", where.place, where.line(one), visible))
        else:
            path = (*before, *own)
            if path[-1:] == ("self",) and len(path) > 1:
                path = path[:-1]
            walk.found.uses.append(Use(path, alias or path[-1], where.place, where.line(one), visible))


def _note_extern(walk: _Walk, node: Node, where: _Where) -> None:
    name, alias = child(node, "name"), child(node, "alias")
    if name is not None:
        own = bare(name)
        bound = own if alias is None else bare(alias)
        walk.found.uses.append(Use((own,), bound, where.place, where.line(node), visibility(node), is_extern=True))


def _note_pattern(walk: _Walk, node: Node, where: _Where) -> None:
    walk.bind(where, child(node, "pattern"))


def _note_arm(walk: _Walk, node: Node, where: _Where) -> None:
    walk.bind(where, next(iter(node.named_children), None))


def _note_closure(walk: _Walk, node: Node, where: _Where) -> None:
    walk.bind(where, *(one for one in node.named_children if one.type != "parameter"))


def _note_constant(walk: _Walk, node: Node, where: _Where) -> None:
    walk.bind(where, child(node, "name"))


def _note_parameter(walk: _Walk, node: Node, _: _Where) -> None:
    walk.found.parameters.add(name_of(node))


_NOTES: Final[Mapping[str, Callable[[_Walk, Node, _Where], None]]] = {
    **dict.fromkeys(ITEMS, _note_item),
    "macro_definition": _note_macro,
    "impl_item": _note_impl,
    "call_expression": _note_call,
    "macro_invocation": _note_call,
    "scoped_identifier": _note_path,
    "scoped_type_identifier": _note_path,
    "use_declaration": _note_use,
    "extern_crate_declaration": _note_extern,
    "parameter": _note_pattern,
    "let_declaration": _note_pattern,
    "let_condition": _note_pattern,
    "for_expression": _note_pattern,
    "match_pattern": _note_arm,
    "closure_parameters": _note_closure,
    "const_parameter": _note_constant,
    "type_parameter": _note_parameter,
}


def survey(root: Node, shadowed: frozenset[str] = frozenset()) -> Survey | Fault:
    """Walk over a tree without an error; macros that are `shadowed` are not those of the standard library."""
    return _Walk(shadowed).walk(root)
