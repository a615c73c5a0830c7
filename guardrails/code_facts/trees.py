"""Trees of tree-sitter in any language: what a node says, and where a text is no source (Change Contracts: fact clauses).

A tree with an error in it is no tree: what stands around the error may be read as something else.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from tree_sitter import Language, Node, Parser

from guardrails.code_facts.faults import Fault

_SHORT: Final = 8_192
"""So many bytes are parsed whatever they hold."""
_LOOKS: Final = 20_000
_BYTES_A_LOOK: Final = 3
"""A parser looks up now and then. Source takes a tenth of these looks at most; what is mended over and over takes more."""
ENDLESS: Final = Fault("the file is no source, and its parser does not get through it")


def parsed(language: Language, text: str) -> Node | Fault:
    """The root of the tree of `text`."""
    root = tree(language, encoded(text))
    return root if isinstance(root, Fault) or not root.has_error else fault(root)


def encoded(text: str) -> bytes:
    """`text` as parsers take it."""
    return text.encode("utf-8", "surrogatepass")


def tree(language: Language, text: bytes) -> Node | Fault:
    """The root of a tree that may have errors in it; a fault where finding them would take for ever."""
    parser = Parser(language)
    if len(text) > _SHORT and not _ends(parser, text):
        return ENDLESS
    return parser.parse(text).root_node


def _ends(parser: Parser, text: bytes) -> bool:
    """Whether a parser gets through a text. Only one that is handed pieces can be stopped, and its tree is slow to read."""
    looks, most = count(), _LOOKS + len(text) // _BYTES_A_LOOK
    try:
        parser.parse(lambda at, _: text[at : at + _SHORT], progress_callback=lambda *_: next(looks) > most)
    except ValueError:
        parser.reset()
        return False
    return True


def written(node: Node) -> str:
    """The text of a node as it stands in the file."""
    return (node.text or b"").decode("utf-8", "replace")


def line(node: Node) -> int:
    """The 1-based line that a node begins in."""
    return node.start_point[0] + 1


def child(node: Node, name: str) -> Node | None:
    """The child in the field `name`."""
    return node.child_by_field_name(name)


def first(node: Node, *types: str) -> Node | None:
    """The first child of one of `types`."""
    return next((one for one in node.children if one.type in types), None)


def has(node: Node, keyword: str) -> bool:
    """Whether a keyword is among the tokens of a node."""
    return any(one.type == keyword for one in node.children)


def fault(root: Node) -> Fault:
    """The first place that is no valid source; found by going down where the error is, never by recursion."""
    node = root
    while not (node.is_error or node.is_missing):
        inner = next((one for one in node.children if one.has_error or one.is_error or one.is_missing), None)
        if inner is None:
            break
        node = inner
    return Fault("the file is not source that its grammar knows", line(node))
