"""TypeScript that is younger than its grammar: `<in T>`, `<out T>` and `export type *` (Change Contracts: fact clauses).

One word that the grammar does not know would leave a whole file unread. What it stumbles over is touched, at just that place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

_VARIANCE: Final = re.compile(rb"\b(?:in[ \t]+out|in|out)[ \t]+[A-Za-z_$][\w$]*")
_BLANK: Final = re.compile(rb"[ \t]+")
_JOINT: Final = "\u00b7".encode()
"""May stand in a name and never does: `out T` becomes one name that no other is like, so that variance is part of a form."""


@dataclass(frozen=True, slots=True)
class _Error:
    """A place that is no source to the grammar, what it stands in, and the type parameters around it."""

    node: Node
    parent: Node | None
    parameters: Node | None


def is_understood(root: Node) -> bool:
    """Whether a tree has no error in it besides the `type` of `export type *`, which stands where it belongs."""
    return all(_is_exported_type(error) for error in _errors(root))


def respelled(root: Node, text: bytes) -> bytes | None:
    """`text` with each variance joined to its name, line by line the same; None where no variance is what stands in the way."""
    starts: dict[tuple[int, int], list[int]] = {}
    for error in _errors(root):
        if error.parameters is not None:
            around = (error.parameters.start_byte, error.parameters.end_byte)
            starts.setdefault(around, []).append(error.node.start_byte)
    if not starts:
        return None
    told: list[bytes] = []
    last = 0
    for (begin, end), met in sorted(starts.items()):
        for found in _VARIANCE.finditer(text, max(begin, last), end):
            place = bisect_left(met, found.start())
            if place < len(met) and met[place] < found.end():
                told += (text[last : found.start()], _BLANK.sub(_JOINT, found[0]))
                last = found.end()
    return b"".join((*told, text[last:])) if told else None


def _errors(root: Node) -> Iterator[_Error]:
    """Every error, in the order of the text; only what holds one is entered."""
    waiting = [_Error(root, None, None)]
    while waiting:
        one = waiting.pop()
        if one.node.is_error or one.node.is_missing:
            yield one
        elif one.node.has_error:
            parameters = one.node if one.node.type == "type_parameters" else one.parameters
            waiting.extend(_Error(inner, one.node, parameters) for inner in reversed(one.node.children))


def _is_exported_type(error: _Error) -> bool:
    return error.parent is not None and error.parent.type == "export_statement" and error.node.text == b"type"
