"""TypeScript and JavaScript text becomes a tree, or a reason why not, within bounds (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tree_sitter import Language, Node

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.trees import child, encoded, fault, first, tree, written
from guardrails.code_facts.typescript.respelling import is_understood, respelled

MAX_CHARACTERS: Final = 1_000_000
MAX_BRACES: Final = 20_000
"""The parser is native and calls itself for nested braces: some hundred thousand of them would end the process."""
MAX_ANGLES: Final = 4_000
"""Each may begin types or a comparison, and until a statement ends the parser follows both."""
_CLOSES_NOTHING: Final = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`]*(?:`|\Z)|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|=>")
_ROUNDS: Final = 4
"""What the grammar does not know may hide more of it from sight."""

SUFFIXES: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")

_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))")
_NAMED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r": "", "\r\n": ""}


def parse(path: str, text: str) -> Node | Fault:
    """The root of the tree of `text`, in the language that the end of `path` names."""
    if len(text) > MAX_CHARACTERS:
        return Fault(f"the file is longer than {MAX_CHARACTERS} characters")
    if text.count("{") > MAX_BRACES:
        return Fault(f"the file holds more than {MAX_BRACES} braces")
    if text.count("<") > MAX_ANGLES and any(_open_angles(part) > MAX_ANGLES for part in text.split(";")):
        return Fault(f"the file holds more than {MAX_ANGLES} open `<` without a semicolon between them")
    if "\0" in text:
        return Fault("the file holds a NUL")
    return _understood(_language(_grammar(path)), encoded(text))


def _open_angles(part: str) -> int:
    """How many `<` nothing closes, about: what is quoted and arrows close none."""
    bare = _CLOSES_NOTHING.sub("", part)
    return bare.count("<") - bare.count(">")


def _understood(language: Language, text: bytes) -> Node | Fault:
    """The root of the tree of a text, some of which the grammar knows in another spelling only."""
    first_root = root = tree(language, text)
    for _ in range(_ROUNDS):
        other = None if isinstance(root, Fault) or is_understood(root) else respelled(root, text)
        if other is None:
            break
        text, root = other, tree(language, other)
    if isinstance(root, Fault) or is_understood(root):
        return root
    return first_root if isinstance(first_root, Fault) else fault(first_root)


def called(call: Node) -> Node | None:
    """What a call calls or makes. The grammar reads `await f<T>()` as a call of `await f`, which nobody can write so."""
    node = child(call, "function") or child(call, "constructor")
    while node is not None and node.type in {"await_expression", "unary_expression"}:
        node = node.named_children[-1] if node.named_children else None
    return node


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
