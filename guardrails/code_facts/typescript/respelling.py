"""What the grammars do not know: `<out T>`, `import('x').T[]`, `export type *`, `a as if` (Change Contracts: fact clauses).

One word that the grammar does not know would leave a whole file unread. What it stumbles over is touched, at just that place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

_BLANK: Final = re.compile(rb"[ \t]+")
_JOINT: Final = "\u00b7".encode()
"""May stand in a name and never does: `out T` becomes a name that no other is like, so that variance is part of a form."""
_RESERVED: Final = (
    rb"(?:break|case|catch|class|const|continue|debugger|delete|do|else|enum|export|extends|false|finally|for|function|if|import"
    rb"|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with)"
)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """What is written, the only kind of node that it can stand in, and how the grammar knows it.

    The error begins in it, or so many bytes behind it.
    """

    written: re.Pattern[bytes]
    inside: str
    behind: int
    known: Callable[[re.Match[bytes]], bytes]


_SPELLINGS: Final = (
    _Spelling(
        re.compile(rb"\b(?:in[ \t]+out|in|out)[ \t]+[A-Za-z_$][\w$]*"),
        "type_parameters",
        -1,
        lambda found: _BLANK.sub(_JOINT, found[0]),
    ),
    _Spelling(
        re.compile(rb"\bimport\((?:'[^'\n]*'|\"[^\"\n]*\")\)(?:\.[A-Za-z_$][\w$]*)+(?=[<\[])"),
        "",
        1,
        lambda found: b"typeof " + found[0] + _JOINT,
    ),
    _Spelling(
        re.compile(rb"([\w$]+|[\])>'\"`}])([ \t]*\r?\n[ \t]*in(?:[\d_$][\w$]*)?\??:)"),
        "interface_body",
        -1,
        lambda found: found[1] + b";" + found[2],
    ),
    _Spelling(
        re.compile(rb"\bas[ \t]+(" + _RESERVED + rb")(?=\s*[,}])"), "export_clause", -1, lambda found: b'as "%b"' % found[1]
    ),
    _Spelling(re.compile(rb"\b" + _RESERVED + rb"(?=[ \t]+as\b)"), "named_imports", -1, lambda found: b'"%b"' % found[0]),
)
"""Variance; an imported type that has arguments, or of which an array or a part is meant; a property that is called `in` or
`in2`, after a line that no semicolon ends; reserved words that name exports."""


@dataclass(frozen=True, slots=True)
class _Error:
    """A place that is no source to the grammar, and what it stands in."""

    node: Node
    parent: Node | None
    around: frozenset[str] = frozenset({""})


def is_understood(root: Node) -> bool:
    """Whether a tree has no error in it besides the `type` of `export type *`, which stands where it belongs."""
    return all(_is_exported_type(error) for error in _errors(root))


def respelled(root: Node, text: bytes) -> bytes | None:
    """`text` as the grammar knows it, line by line the same; None where what it does not know is nothing of the kind."""
    errors = list(_errors(root))
    mended: dict[tuple[int, int], bytes] = {}
    for spelling in _SPELLINGS:
        starts = [error.node.start_byte for error in errors if spelling.inside in error.around]
        for found in spelling.written.finditer(text) if starts else ():
            place = bisect_left(starts, found.start())
            if place < len(starts) and starts[place] <= found.end() + spelling.behind:
                mended[found.span()] = spelling.known(found)
    told: list[bytes] = []
    last = 0
    for (start, end), other in sorted(mended.items()):
        if start >= last:
            told += (text[last:start], other)
            last = end
    return b"".join((*told, text[last:])) if told else None


def _errors(root: Node) -> Iterator[_Error]:
    """Every error, also those in others, in the order of the text; only what holds one is entered."""
    kinds = {spelling.inside for spelling in _SPELLINGS}
    waiting = [_Error(root, None)]
    while waiting:
        one = waiting.pop()
        if one.node.is_error or one.node.is_missing:
            yield one
        if one.node.has_error:
            around = one.around | {one.node.type} if one.node.type in kinds else one.around
            waiting.extend(_Error(inner, one.node, around) for inner in reversed(one.node.children))


def _is_exported_type(error: _Error) -> bool:
    return error.parent is not None and error.parent.type == "export_statement" and error.node.text == b"type"
