"""Facts of source text, what could not be read of it, and who reads a language (Change Contracts: fact clauses)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable


class Kind(StrEnum):
    """What a fact tells."""

    SYMBOL = "symbol"
    IMPORT = "import"
    CALL_SITE = "call-site"
    TEST_DEFINITION = "test-definition"
    DEPENDENCY = "dependency"
    RESOLVED_CALL = "resolved-call"
    API = "api"


ALL: Final = frozenset(Kind)

RELATIONS: Final = frozenset({Kind.IMPORT, Kind.CALL_SITE, Kind.DEPENDENCY, Kind.RESOLVED_CALL})
"""Kinds whose facts lead from one place to another."""

THROUGH: Final = frozenset({Kind.DEPENDENCY, Kind.RESOLVED_CALL})
"""Kinds that follow imports, and that a gap in a file further along leaves open."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a file says.

    `id` names it for as long as it is the same thing, and never by a line; `fingerprint` changes when what it says changes.
    `origin` and `target` are the ends of a relation, None for other kinds; `type_only` is told of dependencies alone.
    """

    id: str
    kind: Kind
    file: str
    name: str
    fingerprint: str
    origin: str | None = None
    target: str | None = None
    type_only: bool | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Blind:
    """What a provider could not read: of these kinds nothing in `file` is known to be absent; None for all files in `folder`.

    `is_blocking` is false where something is left out by design, and a person need not look. With a `name` only what is called
    so may be missing; with `below` only what is called something that begins like one of these,
    with `words` only what is called something whose last word is one of these.
    """

    kinds: frozenset[Kind]
    file: str | None
    reason: str
    line: int = 0
    is_blocking: bool = True
    name: str | None = None
    folder: str = ""
    below: tuple[str, ...] = ()
    words: frozenset[str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one provider read of one snapshot: facts in order of id, and what it could not read.

    Of dependencies `facts` holds those that a file has itself; `links` tells the local ones by file, each with whether it is of
    types only, and so what a file reaches through others (`guardrails.code_facts.reach`). A name that ends with a slash is no
    file there, but a package that stands for its files.
    """

    facts: tuple[Fact, ...] = field(default=(), repr=False)
    blind: tuple[Blind, ...] = field(default=(), repr=False)
    links: Mapping[str, frozenset[tuple[str, bool]]] = field(default_factory=dict, repr=False)


class Provider(Protocol):
    """Reads the facts of one family of languages. Pure: the same texts give the same facts, and nothing of them is run."""

    @property
    def name(self) -> str:
        """What results call it."""
        raise NotImplementedError

    @property
    def version(self) -> str:
        """Changes whenever the same texts may give other facts."""
        raise NotImplementedError

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of its files end."""
        raise NotImplementedError

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of fact that it reads."""
        raise NotImplementedError

    @abstractmethod
    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        """The facts of a snapshot; `files` are all texts of it by path, also those of other languages and configuration.

        Kinds that are not `wanted` may be left out, with what could not be read of them.
        """
        raise NotImplementedError


@runtime_checkable
class Remembering(Protocol):
    """A provider of which one can be made that reads what is the same in several snapshots once."""

    @abstractmethod
    def remembering(self) -> Provider:
        """Such a one: it tells what the other would, and keeps what it has read for as long as it is there itself."""
        raise NotImplementedError
