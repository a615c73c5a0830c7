"""Python text becomes a tree, or a reason why not, within bounds (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from typing import Final

MAX_CHARACTERS: Final = 4_000_000
"""A tree takes some hundred times the room of its text."""

GRAMMAR: Final = "3.14" if hasattr(ast, "TemplateStr") else "3.12" if hasattr(ast, "TypeAlias") else "3.11"
"""The youngest grammar that the running Python reads: what is younger is a fault to it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text has no tree. It quotes nothing."""

    reason: str
    line: int = 0


def parse(text: str) -> ast.Module | Fault:
    """The tree of `text`."""
    if len(text) > MAX_CHARACTERS:
        return Fault(f"the file is longer than {MAX_CHARACTERS} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return Fault(f"the file is not valid Python {GRAMMAR}", error.lineno or 0)
    except (RecursionError, MemoryError):
        return Fault("the file nests too deeply")
    except ValueError:
        return Fault("the file holds characters that no Python source may hold")
