"""Rust text becomes a tree, or a reason why not, within bounds (Change Contracts: fact clauses)."""

from __future__ import annotations

from functools import cache
from typing import Final

from tree_sitter import Language, Node

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.trees import child, first, has, parsed, written

MAX_CHARACTERS: Final = 1_000_000
MAX_BRACES: Final = 20_000
"""As of other grammars: a native parser may call itself for what nests."""
MAX_SEGMENTS: Final = 64
"""So many names may make one path."""

_LONG: Final = 200
_BASES: Final = frozenset({"identifier", "type_identifier", "self", "super", "crate", "metavariable", "primitive_type"})
_SCOPED: Final = frozenset({"scoped_identifier", "scoped_type_identifier"})
_GENERIC: Final = frozenset({"generic_type", "generic_type_with_turbofish", "generic_function"})


def parse(text: str) -> Node | Fault:
    """The root of the tree of `text`."""
    if len(text) > MAX_CHARACTERS:
        return Fault(f"the file is longer than {MAX_CHARACTERS} characters")
    if text.count("{") > MAX_BRACES:
        return Fault(f"the file holds more than {MAX_BRACES} braces")
    if "\0" in text:
        return Fault("the file holds a NUL")
    return parsed(_language(), text)


def grammar() -> str:
    """What tells the grammar from others: how many states it has."""
    return str(_language().parse_state_count)


def segments(node: Node | None) -> tuple[str, ...]:
    """The names of `a::b::<T>::c`, type arguments left out, "" before a leading `::`; none for what is no such path."""
    told: list[str] = []
    while node is not None and len(told) <= MAX_SEGMENTS:
        if node.type in _SCOPED:
            name, path = child(node, "name"), child(node, "path")
            told.append("" if name is None else bare(name))
            if path is None:
                # Without a path before it a name is absolute, or an error that the tree would have.
                return ("", *reversed(told)) if has(node, "::") else ()
            node = path
        elif node.type in _GENERIC:
            node = child(node, "type") or child(node, "function")
        elif node.type in _BASES:
            return (bare(node), *reversed(told))
        else:
            break
    return ()


def type_name(node: Node | None) -> str:
    """What the type of an `impl` is called: its path without type arguments, `&` before what is borrowed, or its text."""
    borrowed = ""
    while node is not None and node.type == "reference_type" and len(borrowed) < MAX_SEGMENTS:
        borrowed += "&mut " if has(node, "mutable_specifier") else "&"
        node = child(node, "type")
    path = "::".join(segments(node))
    if path or node is None:
        return borrowed + path
    text = " ".join(written(node).split()) if node.end_byte - node.start_byte <= _LONG else ""
    return borrowed + (text or "(...)")


def bare(node: Node) -> str:
    """A name; `r#` before a word of the language is no part of it."""
    return written(node).removeprefix("r#")


def visibility(item: Node) -> str:
    """Who may see an item, as it is written; "" for its own module and what is below that."""
    modifier = first(item, "visibility_modifier")
    return "" if modifier is None else "".join(written(modifier).split())


@cache
def _language() -> Language:
    """The grammar is loaded when the first file of Rust is read."""
    from tree_sitter_rust import language  # noqa: PLC0415 - as above

    return Language(language())
