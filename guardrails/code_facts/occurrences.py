"""Occurrences become facts: what names a fact, and what its fingerprint is made of (Change Contracts: fact clauses).

An id is made of what a fact is, never of a line; a call is told by its own text, and numbered among equal calls of one owner.
A fingerprint is made of all that occurs under one id, in an order of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from typing import Final

from guardrails.code_facts.model import Fact, Kind

_CALLS: Final = frozenset({Kind.CALL_SITE, Kind.RESOLVED_CALL})


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place that tells a fact: `value` is its normal form, in which neither comments nor layout are left.

    Only the digest of that is kept: forms of what nests hold each other.
    """

    kind: Kind
    file: str
    name: str
    value: InitVar[str]
    line: int
    origin: str | None = None
    target: str | None = None
    type_only: bool | None = None
    digest: str = field(init=False)

    def __post_init__(self, value: str) -> None:
        """Keep the digest."""
        object.__setattr__(self, "digest", _hash_of_form(value))


def facts(occurrences: Iterable[Occurrence]) -> tuple[Fact, ...]:
    """The facts that `occurrences` tell, in order of id; equal calls of one owner are numbered in the order given."""
    met: dict[str, list[Occurrence]] = {}
    equal: Counter[str] = Counter()
    for one in occurrences:
        name = _name(one)
        if one.kind in _CALLS:
            name = f"{name}:{one.digest}"
            equal[name] += 1
            name = f"{name}:{equal[name]}"
        met.setdefault(name, []).append(one)
    return tuple(_fact(name, met[name]) for name in sorted(met))


def _fact(name: str, told: list[Occurrence]) -> Fact:
    first = told[0]
    return Fact(
        id=name,
        kind=first.kind,
        file=first.file,
        name=_sound(first.name),
        fingerprint="sha256:" + _hash(_json(sorted(one.digest for one in told))),
        origin=first.origin,
        target=None if first.target is None else _sound(first.target),
        type_only=first.type_only,
        line=min(one.line for one in told),
    )


def _name(one: Occurrence) -> str:
    return f"{one.kind.value}:{_hash(_json([one.file, one.name, one.origin, one.target, one.type_only]))}"


_json: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_hash_of_form: Final = lru_cache(maxsize=4)(_hash)
"""One form may tell many facts, one after the other: a statement that names many things, a call that is of two kinds."""


def _sound(text: str) -> str:
    """`text` with half surrogate pairs written out: what is printed must be UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()
