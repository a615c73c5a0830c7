"""Patterns of paths, as contracts have them (Change Contracts: intent and scope)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from guardrails import paths


def matches(glob: str, path: str) -> bool:
    """Whether a whole path fits a pattern; `src/**` is what lies below `src`, and not `src` itself."""
    return path.startswith(_start(glob)) and paths.matches(f"{glob}/*" if glob.endswith("/**") else glob, path)


@lru_cache(maxsize=1024)
def _start(glob: str) -> str:
    """What every path that fits begins with: most paths fit most patterns not at all, and are told apart by that."""
    return glob[: min(glob.find(mark) % (len(glob) + 1) for mark in "*?")]


def fits(globs: Iterable[str], path: str) -> bool:
    """Whether a path fits one of several patterns."""
    return any(matches(glob, path) for glob in globs)
