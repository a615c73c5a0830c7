"""The lines of `go.mod` and `go.work`, which have one syntax (Change Contracts: fact clauses; schema 0.3, dependencies)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_COMMON: Final = frozenset({"go", "toolchain", "godebug", "replace"})
OF_MODULES: Final = _COMMON | {"module", "require", "exclude", "retract", "tool", "ignore"}
OF_WORKSPACES: Final = _COMMON | {"use"}
_WORD: Final = re.compile(
    r"""[ \t\r]+ | (?P<comment>//.*) | "(?P<quoted>[^"\\]*)" | `(?P<raw>[^`]*)`
      | (?P<word>=> | [()\[\],] | (?:(?!//|/\*)[^\s()\[\]{},"`])+)""",
    re.VERBOSE,
)


class NotDirectives(ValueError):
    """A line that Go would not read; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Directive:
    """One line that says something: its verb, the words after it, its comment, its number."""

    verb: str
    words: tuple[str, ...]
    comment: str
    line: int

    def replacement(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Of `replace`: what is replaced and what replaces it, each a path or a module, with a version where one is named.

        Raises:
            NotDirectives: it does not say that.
        """
        if self.words.count("=>") == 1:
            middle = self.words.index("=>")
            before, after = self.words[:middle], self.words[middle + 1 :]
            if 1 <= len(before) <= 2 and 1 <= len(after) <= 2:
                return before, after
        raise NotDirectives(f"line {self.line}: expected a module, => and what replaces it")


def directives(text: str, verbs: frozenset[str]) -> Iterator[Directive]:
    """Each line that says something; a block lends its verb to its lines.

    Raises:
        NotDirectives: a line begins with none of `verbs`, cannot be parted into words, or a block is not closed.
    """
    block = ""
    number = 0
    for number, line in enumerate(text.split("\n"), 1):
        words, comment = _words(line, number)
        if words and block:
            if words == (")",):
                block = ""
            else:
                yield Directive(block, words, comment, number)
        elif words:
            if words[0] not in verbs:
                raise NotDirectives(f"line {number}: this begins with no word that Go knows")
            if words[1:] == ("(",):
                block = words[0]
            else:
                yield Directive(words[0], words[1:], comment, number)
    if block:
        raise NotDirectives(f"line {number}: the block of {block} is not closed")


def _words(line: str, number: int) -> tuple[tuple[str, ...], str]:
    words, comment, at = [], "", 0
    while at < len(line):
        found = _WORD.match(line, at)
        if found is None:
            raise NotDirectives(f"line {number}: this cannot be parted into words")
        at = found.end()
        comment = found["comment"] or comment
        words += [found[kind] for kind in ("quoted", "raw", "word") if found[kind] is not None]
    return tuple(words), comment.rstrip()
