"""What the tokens of a macro hold: words, calls, paths, and what may be made of them (Change Contracts: fact clauses).

What is given to a macro has no tree: only of some macros, most of them of the standard library, is it known that it is made of
expressions or of items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.rust.syntax import MAX_SEGMENTS, bare, parse

DEFINED: Final = re.compile(r"\bmacro_rules!\s*(?:r#)?(\w+)")
EXPRESSIONS: Final = frozenset(
    {
        *(
            "assert",
            "assert_eq",
            "assert_ne",
            "dbg",
            "debug_assert",
            "debug_assert_eq",
            "debug_assert_ne",
            "eprint",
            "eprintln",
        ),
        *(
            "format",
            "format_args",
            "matches",
            "panic",
            "print",
            "println",
            "todo",
            "unimplemented",
            "unreachable",
            "vec",
            "write",
        ),
        *("writeln",),
    }
)
ITEMS: Final = frozenset({"thread_local", "lazy_static", "cfg_if"})
PLAIN: Final = frozenset(
    {
        *(
            "assert_eq_align",
            "assert_eq_size",
            "assert_impl_all",
            "assert_not_impl_any",
            "assert_obj_safe",
            "cfg",
            "column",
            "concat",
        ),
        *("compile_error", "const_assert", "const_assert_eq", "const_assert_ne", "env", "file", "global_asm", "include_bytes"),
        *("include_str", "line", "module_path", "option_env", "stringify"),
    }
)
"""Macros that neither call nor declare anything, whatever is given to them."""
QUOTING: Final = frozenset({"parse_quote", "parse_quote_spanned", "quote", "quote_spanned", "stringify"})
"""What is given to these is text for somewhere else."""
DECLARING: Final = frozenset(
    {"const", "enum", "extern", "fn", "impl", "macro_rules", "mod", "static", "struct", "trait", "type", "union", "use"}
)

_CALLABLE: Final = frozenset({"identifier", "metavariable", "self", "super", "crate", ">", "primitive_type"})
_OPENING: Final = frozenset({"crate", "self", "super", "metavariable"})
WORD: Final = re.compile(r"\w+")
_TEXTS: Final = frozenset({"string_literal", "raw_string_literal", "char_literal", "line_comment", "block_comment"})
_ROWS: Final = frozenset({"token_tree", "token_repetition", "macro_rule"})


def words(*nodes: Node) -> frozenset[str]:
    """Every word among the tokens of `nodes`, texts and comments left out."""
    parts = (part for node in nodes for row in _rows(node) for part in row)
    leaves = (part for part in parts if not part.child_count and part.type not in _TEXTS)
    return frozenset(word for part in leaves for word in WORD.findall(bare(part)))


def invoked(node: Node) -> Iterator[str]:
    """The macros that tokens invoke, by their last names."""
    for row in _rows(node):
        for before, after in pairwise(row):
            if after.type == "!" and before.type in {"identifier", "metavariable"}:
                yield bare(before)


def may_call(node: Node) -> bool:
    """Whether tokens look like a call anywhere."""
    return any(
        after.type == "token_tree" and before.type in _CALLABLE and after.children[0].type == "("
        for row in _rows(node)
        for before, after in pairwise(row)
    )


def may_declare(given: frozenset[str]) -> bool:
    """Whether a word that begins an item is among those of a macro."""
    return not given.isdisjoint(DECLARING)


def paths(node: Node) -> Iterator[tuple[tuple[str, ...], Node]]:
    """The paths among tokens that begin with `crate`, `$crate`, `self` or `super`, each with where it begins."""
    for row in _rows(node):
        index = 0
        while index < len(row):
            start = row[index]
            told: list[str] = []
            while (
                len(told) <= MAX_SEGMENTS
                and row[index + 1 : index + 2]
                and row[index + 1].type == "::"
                and row[index + 2 : index + 3]
            ):
                told.append(bare(row[index]))
                index += 2
            if told and start.type in _OPENING and not (start.type == "metavariable" and told[0] != "$crate"):
                last = row[index]
                yield (told[0].lstrip("$"), *told[1:], *((bare(last),) if last.type in {"identifier", "super"} else ())), start
            index += 1


def inner(name: str, tokens: Node) -> tuple[tuple[Node, int], ...] | None:
    """The trees of what is given to the macro `name` of `EXPRESSIONS` or `ITEMS`, each with the row that it begins in.

    None where what is given is no such thing.
    """
    if name == "cfg_if":
        parts = [one for one in tokens.children if one.type == "token_tree" and one.children[0].type == "{"]
    else:
        parts = [tokens]
    told: list[tuple[Node, int]] = []
    for part in parts:
        text = _given(name, part)
        tree = parse(text if name in ITEMS else f"[{text}];" if name == "vec" else f"({text});")
        if isinstance(tree, Fault):
            return None
        told.append((tree, part.start_point[0]))
    return tuple(told)


def _given(name: str, tokens: Node) -> str:
    """What is given, or of `matches!` what is matched: the rest of that is a pattern."""
    end = tokens.children[-1]
    if name == "matches":
        end = next((one for one in tokens.children if one.type == ","), end)
    return (tokens.text or b"")[1 : end.start_byte - tokens.start_byte].decode("utf-8", "replace")


def _rows(node: Node) -> Iterator[list[Node]]:
    """The tokens of every pair of brackets in `node`."""
    waiting = [node]
    while waiting:
        row = waiting.pop().children
        yield row
        waiting.extend(
            one
            for one in row
            if one.child_count and (one.type in _ROWS or one.type.endswith("_pattern") or one.type == "macro_rule")
        )
