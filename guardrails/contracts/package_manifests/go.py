"""`go.mod`: what is required directly, and what is replaced (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

import re
from typing import Final

from guardrails.code_facts.go.directives import OF_MODULES, NotDirectives, directives
from guardrails.contracts.package_manifests.listed import Listed, Unreadable

_INDIRECT: Final = re.compile(r"//\s*indirect\s*(?:;.*)?")


def read(text: str) -> Listed:
    """What a `go.mod` requires and does not mark as `// indirect`; a module that is replaced stands for what replaces it.

    Raises:
        Unreadable: a line is none that Go knows, or a block is not closed.
    """
    names, replaced = set[str](), set[tuple[str, str]]()
    try:
        for one in directives(text, OF_MODULES):
            if one.verb == "require":
                if len(one.words) != 2:
                    raise Unreadable(f"line {one.line}: expected a module and a version")
                if not _INDIRECT.fullmatch(one.comment):
                    names.add(one.words[0])
            elif one.verb == "replace":
                before, after = one.replacement()
                replaced.add((before[0], " ".join(after)))
    except NotDirectives as fault:
        raise Unreadable(str(fault)) from None
    return Listed(frozenset(names), frozenset(replaced))
