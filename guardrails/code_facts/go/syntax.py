"""Go text becomes a tree, or a reason why not, within bounds (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tree_sitter import Language, Node

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.trees import first, parsed, written

MAX_CHARACTERS: Final = 1_000_000
MAX_BRACES: Final = 100_000
"""The parser is native and calls itself for what nests."""
TYPES: Final = frozenset(
    """
    any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16
    uint32 uint64 uintptr
    """.split()  # noqa: SIM905 - words
)
"""The types that are there without an import."""
WHOLE: Final = frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"})
"""What is one word, though the grammar parts it."""

_ESCAPE: Final = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_NAMED: Final = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_PACKAGE: Final = re.compile(r"^package[ \t]+(\w+)", re.MULTILINE)


def parse(text: str) -> Node | Fault:
    """The root of the tree of `text`."""
    if len(text) > MAX_CHARACTERS:
        return Fault(f"the file is longer than {MAX_CHARACTERS} characters")
    if text.count("{") > MAX_BRACES:
        return Fault(f"the file holds more than {MAX_BRACES} braces")
    if "\0" in text:
        return Fault("the file holds a NUL")
    root = parsed(_language(), text)
    if isinstance(root, Fault) or first(root, "package_clause") is not None:
        return root
    return Fault("the file names no package", 1)


def grammar() -> str:
    """What tells the grammar from others: how many states it has."""
    return str(_language().parse_state_count)


def children(node: Node, name: str) -> list[Node]:
    """The children in the field `name`; the commas between them are none."""
    return [one for one in node.children_by_field_name(name) if one.is_named]


def package(root: Node) -> str:
    """The name in the package clause of a tree."""
    clause = first(root, "package_clause")
    name = None if clause is None else first(clause, "package_identifier")
    return "" if name is None else written(name)


def package_of_fault(text: str) -> str:
    """The name that what cannot be parsed seems to give its package; "" where it seems to give none."""
    found = _PACKAGE.search(text)
    return "" if found is None else found[1]


def literal(node: Node | None) -> str | None:
    """What a string says, its escapes read; None for everything else."""
    if node is None or node.type not in {"interpreted_string_literal", "raw_string_literal"}:
        return None
    inner = (node.text or b"")[1:-1]
    told = inner.replace(b"\r", b"") if node.type == "raw_string_literal" else _ESCAPE.sub(_meant, inner)
    return told.decode("utf-8", "replace")


def _meant(match: re.Match[bytes]) -> bytes:
    two, octal, four, eight, plain = match.groups()
    if plain is not None:
        return _NAMED.get(plain, plain)
    if two is not None or octal is not None:
        return bytes([(int(two, 16) if two is not None else int(octal, 8)) & 0xFF])
    code = int(four or eight, 16)
    return chr(code).encode("utf-8", "replace") if code <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}".encode()


@cache
def _language() -> Language:
    """The grammar is loaded when the first file of Go is read."""
    from tree_sitter_go import language  # noqa: PLC0415 - as above

    return Language(language())
