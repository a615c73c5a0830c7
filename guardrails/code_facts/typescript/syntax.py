"""TypeScript and JavaScript text becomes a tree, or a reason why not, within bounds (Change Contracts: fact clauses).

A tree with an error in it is no tree: what stands around the error may be read as something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from tree_sitter import Language, Node, Parser

MAX_CHARACTERS: Final = 1_000_000
MAX_BRACES: Final = 20_000
"""The parser is native and calls itself for nested braces: some hundred thousand of them would end the process."""

SUFFIXES: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")

_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))")
_NAMED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r": "", "\r\n": ""}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text has no tree. It quotes nothing."""

    reason: str
    line: int = 0


def parse(path: str, text: str) -> Node | Fault:
    """The root of the tree of `text`, in the language that the end of `path` names."""
    if len(text) > MAX_CHARACTERS:
        return Fault(f"the file is longer than {MAX_CHARACTERS} characters")
    if text.count("{") > MAX_BRACES:
        return Fault(f"the file holds more than {MAX_BRACES} braces")
    if "\0" in text:
        return Fault("the file holds a NUL")
    root = Parser(_language(_grammar(path))).parse(text.encode("utf-8", "surrogatepass")).root_node
    return _fault(root) if root.has_error else root


def written(node: Node) -> str:
    """The text of a node as it stands in the file."""
    return (node.text or b"").decode("utf-8", "replace")


def line(node: Node) -> int:
    """The 1-based line that a node begins in."""
    return node.start_point[0] + 1


def child(node: Node, name: str) -> Node | None:
    """The child in the field `name`."""
    return node.child_by_field_name(name)


def called(call: Node) -> Node | None:
    """What a call calls or makes. The grammar reads `await f<T>()` as a call of `await f`, which nobody can write so."""
    node = child(call, "function") or child(call, "constructor")
    while node is not None and node.type in {"await_expression", "unary_expression"}:
        node = node.named_children[-1] if node.named_children else None
    return node


def first(node: Node, *types: str) -> Node | None:
    """The first child of one of `types`."""
    return next((one for one in node.children if one.type in types), None)


def has(node: Node, keyword: str) -> bool:
    """Whether a keyword is among the tokens of a node."""
    return any(one.type == keyword for one in node.children)


def literal(node: Node | None) -> str | None:
    """What a string says, its escapes read; also a template without anything computed. None for everything else."""
    if node is None or node.type not in {"string", "template_string"} or first(node, "template_substitution"):
        return None
    return _ESCAPE.sub(_meant, written(node)[1:-1])


def _meant(match: re.Match[str]) -> str:
    braced, four, two, plain = match.groups()
    if plain is not None:
        return _NAMED.get(plain, plain)
    code = int(braced or four or two, 16)
    return chr(code) if code <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}"


def _grammar(path: str) -> str:
    if path.endswith(".tsx"):
        return "tsx"
    return "typescript" if path.endswith((".ts", ".mts", ".cts")) else "javascript"


def grammars() -> str:
    """What tells the grammars from others: how many states each has. They do not all know their version."""
    return ".".join(str(_language(grammar).parse_state_count) for grammar in ("typescript", "tsx", "javascript"))


@cache
def _language(grammar: str) -> Language:
    """Grammars are loaded when the first file of theirs is read."""
    if grammar == "javascript":
        from tree_sitter_javascript import language  # noqa: PLC0415 - as above

        return Language(language())
    from tree_sitter_typescript import language_tsx, language_typescript  # noqa: PLC0415 - as above

    return Language(language_tsx() if grammar == "tsx" else language_typescript())


def _fault(root: Node) -> Fault:
    """The first place that is no valid source; found by going down where the error is, never by recursion."""
    node = root
    while not (node.is_error or node.is_missing):
        inner = next((one for one in node.children if one.has_error or one.is_error or one.is_missing), None)
        if inner is None:
            break
        node = inner
    return Fault("the file is not source that its grammar knows", line(node))
