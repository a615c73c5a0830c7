"""Python text becomes a tree, or a reason why not, within bounds (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from guardrails.code_facts.faults import Fault

MAX_CHARACTERS: Final = 4_000_000
"""A tree takes some hundred times the room of its text."""

MAX_DOTS: Final = 1_000
"""The parser joins every beginning of a dotted name: the room that it takes grows with the square of it."""
_DOTTED: Final = re.compile(r"(?<!\w)(?:\w++(?:[ \t\f]|\\\r?\n)*+\.(?:[ \t\f]|\\\r?\n)*+)++")

MAX_BRACES: Final = 20_000
MAX_WORK: Final = 4_000_000_000
"""The parser goes through the line of a formatted text once more for each of its parts: braces times the longest line."""
_FORMATTED: Final = re.compile(r"\b(?:[fFtT][rR]?|[rR][fFtT])['\"]")

GRAMMAR: Final = "3.14" if hasattr(ast, "TemplateStr") else "3.12" if hasattr(ast, "TypeAlias") else "3.11"
"""The youngest grammar that the running Python reads: what is younger is a fault to it."""


def parse(text: str) -> ast.Module | Fault:
    """The tree of `text`."""
    reason = _refused(text)
    if reason:
        return Fault(reason)
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


def _refused(text: str) -> str:
    """Why the parser is not asked; "" where it is."""
    if len(text) > MAX_CHARACTERS:
        return f"the file is longer than {MAX_CHARACTERS} characters"
    if any(found[0].count(".") > MAX_DOTS for found in _DOTTED.finditer(text)):
        return f"the file holds a name of more than {MAX_DOTS} parts"
    if _FORMATTED.search(text):
        braces = text.count("{")
        if braces > MAX_BRACES or braces * max(map(len, text.split("\n"))) > MAX_WORK:
            return "the file holds formatted texts of too many parts"
    return ""
