"""A drafter's text holds nothing of its own instructions (Intent Changesets 11, 11.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.findings import Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.leaks import INJECTION_ECHO

_WORD: Final = re.compile(r"[^\W_]+")
_RUN: Final = 6
"""So many words in a row are no chance."""


def check(draft: Draft, citable: Citable, instructions: str) -> Iterator[Finding]:
    """Hold a drafter's texts against what it was told: no run of words of ours, unless what is cited has it as well."""
    own = {path: text for path, text in draft.prose.items() if text.basis is Basis.SYNTHESIS}
    ours = _instructed(instructions) if own else frozenset[tuple[str, ...]]()
    for path, text in own.items():
        echoed = ours & _runs(text.text)
        if echoed and not all(any(run in _runs(item.prose) for item in citable.cited(text.evidence)) for run in echoed):
            yield INJECTION_ECHO.at(path, "got words of the instructions", evidence=text.evidence)


@lru_cache(maxsize=4)
def _instructed(instructions: str) -> frozenset[tuple[str, ...]]:
    """The runs of instructions, which are the same for every draft of a kind."""
    return _runs(instructions)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))
