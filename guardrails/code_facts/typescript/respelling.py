"""TypeScript that its grammar does not know: `<out T>`, `import('x').T[]`, `export type *` (Change Contracts: fact clauses).

One word that the grammar does not know would leave a whole file unread. What it stumbles over is touched, at just that place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

_SPELLED: Final = re.compile(
    rb"\b(?P<variance>in[ \t]+out|in|out)(?P<blank>[ \t]+)[A-Za-z_$][\w$]*"
    rb"|\bimport\((?:'[^'\n]*'|\"[^\"\n]*\")\)(?:\.[A-Za-z_$][\w$]*)+(?=[<\[])"
)
"""Variance before a type parameter; an imported type that is given arguments, or of which an array or a part is meant."""
_BLANK: Final = re.compile(rb"[ \t]+")
_JOINT: Final = "\u00b7".encode()
"""May stand in a name and never does: `out T` becomes a name that no other is like, so that variance is part of a form."""


@dataclass(frozen=True, slots=True)
class _Error:
    """A place that is no source to the grammar, and what it stands in."""

    node: Node
    parent: Node | None
    is_parameter: bool = False


def is_understood(root: Node) -> bool:
    """Whether a tree has no error in it besides the `type` of `export type *`, which stands where it belongs."""
    return all(_is_exported_type(error) for error in _errors(root))


def respelled(root: Node, text: bytes) -> bytes | None:
    """`text` as the grammar knows it, line by line the same; None where what it does not know is nothing of the kind."""
    errors = [(error.node.start_byte, error.is_parameter) for error in _errors(root)]
    told: list[bytes] = []
    last = 0
    for found in _SPELLED.finditer(text) if errors else ():
        is_variance = found["variance"] is not None
        place = bisect_left(errors, (found.start(), False))
        last_start = found.end() + (-1 if is_variance else 1)
        if place < len(errors) and errors[place][0] <= last_start and errors[place][1] >= is_variance:
            told += (text[last : found.start()], _spelled(found))
            last = found.end()
    return b"".join((*told, text[last:])) if told else None


def _spelled(found: re.Match[bytes]) -> bytes:
    """Variance joined to its name; an imported type as the `typeof` of one, which the grammar knows, with a name of its own."""
    return _BLANK.sub(_JOINT, found[0]) if found["variance"] is not None else b"typeof " + found[0] + _JOINT


def _errors(root: Node) -> Iterator[_Error]:
    """Every error, also those in others, in the order of the text; only what holds one is entered."""
    waiting = [_Error(root, None)]
    while waiting:
        one = waiting.pop()
        is_wrong = one.node.is_error or one.node.is_missing
        if is_wrong:
            yield one
        if one.node.has_error:
            is_parameter = one.is_parameter or one.node.type == "type_parameters"
            waiting.extend(_Error(inner, one.node, is_parameter) for inner in reversed(one.node.children))


def _is_exported_type(error: _Error) -> bool:
    return error.parent is not None and error.parent.type == "export_statement" and error.node.text == b"type"
