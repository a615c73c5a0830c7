"""What a walk over a tree of Rust finds: its normal form, and what stands in it where (Change Contracts: fact clauses).

The normal form is the tree written out as tokens, without comments and without commas before a closing bracket. Every node has
a stretch of it, so that the form of a declaration is cut out of the form of its file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Kind
from guardrails.code_facts.rust.places import Place

MAX_NESTING: Final = 200
"""Items and functions within each other: names and forms of what nests grow with the square of it."""
MAX_NAME: Final = 2_000
"""So many characters may make the full name of an item."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One item: its full name, its own, what it is, and the attributes before it."""

    name: str
    own: str
    node: Node
    place: Place
    line: int
    attributes: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """One name that a `use` or `extern crate` brings: what it means, and how it is called here; `*` for all of a module."""

    path: tuple[str, ...]
    alias: str
    place: Place
    line: int
    visibility: str = ""
    is_extern: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A call or the invocation of a macro."""

    node: Node
    place: Place
    line: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A `macro_rules!`: the words that it may write, and the macros that it invokes."""

    words: frozenset[str]
    invoked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Invocation:
    """A macro whose tokens have no tree: what it is called, the words given to it, and whether it may make items."""

    name: tuple[str, ...]
    words: frozenset[str]
    invoked: frozenset[str]
    place: Place
    line: int
    makes_items: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """What a walk could not tell, of these kinds."""

    kinds: frozenset[Kind]
    reason: str
    line: int


@dataclass(slots=True)
class Survey:
    """What a walk found, in the order of the text."""

    tokens: list[str] = field(default_factory=list)
    stretches: dict[int, tuple[int, int]] = field(default_factory=dict)
    declared: list[Declared] = field(default_factory=list)
    impls: list[Declared] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    paths: list[tuple[tuple[str, ...], Place, int]] = field(default_factory=list)
    """Paths of more than one name outside of `use`."""
    bound: dict[int, Counter[str]] = field(default_factory=dict)
    """Which names the patterns of each function or closure bind, whatever the block."""
    parameters: set[str] = field(default_factory=set)
    """Names of type parameters, which may hide types of the same name."""
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    invocations: list[Invocation] = field(default_factory=list)
    included: list[tuple[str | None, int]] = field(default_factory=list)
    """The files that `include!` and its kin name; None where the name is computed."""
    gaps: list[Gap] = field(default_factory=list)
    called: set[str] = field(default_factory=set)
    """The words in what is given to macros, or written by them, that may be a call."""
    calling: int = 0
    """The line of the first of these; 0 where there is none."""
    documented: int = 0
    """The line of the first comment that holds an example; 0 where none does."""
    generated: int = 0
    """The line of the first attribute that may write items."""
    trees: list[Node] = field(default_factory=list)
    """Those of what is given to macros: nodes are told by where they lie in memory, so that none may go before the others."""

    def keep_called(self, words: frozenset[str], line: int) -> None:
        """Keep that a macro in this line may call something of these words."""
        self.called |= words
        self.calling = self.calling or line

    def form(self, *nodes: Node | None) -> str:
        """The normal form of `nodes`."""
        return "\n".join("\0".join(self.tokens[slice(*self.stretches[one.id])]) for one in nodes if one is not None)
