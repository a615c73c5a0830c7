"""Everyone who reads a language (Change Contracts: fact clauses)."""

from __future__ import annotations

from typing import Final

from guardrails.code_facts.go.provider import Go
from guardrails.code_facts.model import Provider
from guardrails.code_facts.python.provider import Python
from guardrails.code_facts.rust.provider import Rust
from guardrails.code_facts.typescript.provider import TypeScript

PROVIDERS: Final[tuple[Provider, ...]] = (Go(), Python(), Rust(), TypeScript())
"""One for each family of languages, in order of name; no two read the same file."""
