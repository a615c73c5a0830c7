"""Everyone who reads a language (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Sequence

from guardrails.code_facts.model import Provider
from guardrails.code_facts.python.provider import Python


def providers() -> Sequence[Provider]:
    """One for each family of languages, in order of name; no two read the same file."""
    return (Python(),)
