"""`go.mod`: what is required directly, and what is replaced (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.contracts.package_manifests.listed import Listed, Unreadable

_VERBS: Final = frozenset(
    "module go toolchain godebug require replace exclude retract tool ignore".split()  # noqa: SIM905 - words
)
_WORD: Final = re.compile(
    r"""[ \t\r]+ | (?P<comment>//.*) | "(?P<quoted>[^"\\]*)" | `(?P<raw>[^`]*)`
      | (?P<word>=> | [()\[\],] | (?:(?!//|/\*)[^\s()\[\]{},"`])+)""",
    re.VERBOSE,
)
_INDIRECT: Final = re.compile(r"//\s*indirect\s*(?:;.*)?")


def read(text: str) -> Listed:
    """What a `go.mod` requires and does not mark as `// indirect`; a module that is replaced stands for what replaces it.

    Raises:
        Unreadable: a line is none that Go knows, or a block is not closed.
    """
    names, replaced = set[str](), set[tuple[str, str]]()
    for verb, words, comment, number in _directives(text):
        if verb == "require":
            if len(words) != 2:
                raise Unreadable(f"line {number}: expected a module and a version")
            if not _INDIRECT.fullmatch(comment):
                names.add(words[0])
        elif verb == "replace":
            before, arrow, after = words[:2], words.count("=>"), words[words.index("=>") + 1 :] if "=>" in words else []
            if arrow != 1 or before[0] == "=>" or not after:
                raise Unreadable(f"line {number}: expected a module, => and what replaces it")
            replaced.add((before[0], " ".join(after)))
    return Listed(frozenset(names), frozenset(replaced))


def _directives(text: str) -> Iterator[tuple[str, list[str], str, int]]:
    """Each line that says something: its verb, its words, its comment, its number; a block lends its verb to its lines."""
    block = ""
    number = 0
    for number, line in enumerate(text.split("\n"), 1):
        words, comment = _words(line, number)
        if words and block:
            if words == [")"]:
                block = ""
            else:
                yield block, words, comment, number
        elif words:
            if words[0] not in _VERBS:
                raise Unreadable(f"line {number}: this begins with no word that Go knows")
            if words[1:] == ["("]:
                block = words[0]
            else:
                yield words[0], words[1:], comment, number
    if block:
        raise Unreadable(f"line {number}: the block of {block} is not closed")


def _words(line: str, number: int) -> tuple[list[str], str]:
    words, comment, at = [], "", 0
    while at < len(line):
        found = _WORD.match(line, at)
        if found is None:
            raise Unreadable(f"line {number}: this cannot be parted into words")
        at = found.end()
        comment = found["comment"] or comment
        words += [found[kind] for kind in ("quoted", "raw", "word") if found[kind] is not None]
    return words, comment.rstrip()
