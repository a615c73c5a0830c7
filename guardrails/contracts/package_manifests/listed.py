"""What a manifest names, and what names of Python packages are compared by (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from packaging.utils import canonicalize_name


class Unreadable(ValueError):
    """Why nobody can tell what a manifest names."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The names of dependencies, and what names stand for that are not taken from where a name usually leads.

    `stand_ins` holds pairs of a name and of what is taken for it: another package, an address, a folder. They say nothing about
    which names there are.
    """

    names: frozenset[str]
    stand_ins: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, named: Iterable[tuple[str, str]], stand_ins: Iterable[tuple[str, str]] = ()) -> Listed:
        """Of pairs of a name and of what it stands for, "" where for itself; and of stand-ins that name no dependency."""
        pairs = tuple(named)
        return cls(frozenset(name for name, _ in pairs), frozenset(pair for pair in (*pairs, *stand_ins) if pair[1]))


def folded(name: str) -> str:
    """A name of a Python package, or a pattern of names, as they are compared (PEP 503)."""
    return str(canonicalize_name(name))
