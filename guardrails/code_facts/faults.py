"""Why a text is no source, for every language (Change Contracts: fact clauses)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text has no tree. It quotes nothing."""

    reason: str
    line: int = 0
