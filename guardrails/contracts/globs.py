"""Patterns of paths, as contracts have them (Change Contracts: intent and scope)."""

from __future__ import annotations

from collections.abc import Iterable

from guardrails import paths


def matches(glob: str, path: str) -> bool:
    """Whether a whole path fits a pattern; `src/**` is what lies below `src`, and not `src` itself."""
    return paths.matches(f"{glob}/*" if glob.endswith("/**") else glob, path)


def fits(globs: Iterable[str], path: str) -> bool:
    """Whether a path fits one of several patterns."""
    return any(matches(glob, path) for glob in globs)
