r"""Declarations: what a line of a changed file declares, language by language (Describe Changes: detail_md).

Tables of linear patterns, no parser: each line is read by itself, and the first pattern that matches tells. A name that is
found stands in the line; a line whose name is missed is described by its own words instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from guardrails.redaction.placeholders import PLACEHOLDER


class Kind(StrEnum):
    """What is declared, as far as the walk has to tell it apart."""

    FUNCTION = "function"
    BLOCK = "block"
    """It has members: a class, a table, an interface."""
    MEMBER = "member"
    """It counts directly inside a block only; elsewhere the same line declares nothing that lasts."""
    PLACE = "place"
    """Something to stand in that declares nothing new: an `impl` block."""
    VALUE = "value"
    KEY = "key"
    """Of a data file: it holds a value or more keys."""
    TABLE = "table"
    """It lasts until the next one, however deep the lines below it stand."""
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A name that a line declares, what it is, and how deep it stands."""

    name: str
    kind: Kind
    depth: int


_LONGEST: Final = 400
_ABOVE: Final = 10
_MODIFIERS: Final = (
    r"(?:public|private|protected|internal|static|final|abstract|override|async|virtual|synchronized|suspend|open|default|native"
    r"|sealed|readonly|partial|data|inline|operator|lateinit|const|export|declare|get|set|mutating|required|lazy|var|val|let)\s+"
)
_NO_NAME: Final = (
    r"(?!(?:if|else|elif|for|while|switch|case|catch|return|throw|new|do|try|finally|with|assert|await|yield|raise|del|import"
    r"|from|package|using|except|lambda|and|or|not|in|is|default|super|this|self|print|typeof|delete|break|continue)\b)"
)
_PUB: Final = r"^\s*(?:pub(?:\([^()]{1,40}\))?\s+)?"
_TYPE: Final = r"[\w<>\[\],.?*&:]+\s+"
_SQL_ADJECTIVES: Final = "(?:or|replace|temp|temporary|unique|materialized)"
_SQL_NOUNS: Final = "(?:table|view|index|function|procedure|trigger|type|sequence|schema)"
_ROWS: Final[dict[str, tuple[tuple[Kind, str], ...]]] = {
    "python": (
        (Kind.FUNCTION, r"^\s*(?:async\s+)?def\s+(\w+)"),
        (Kind.BLOCK, r"^\s*class\s+(\w+)"),
        (Kind.VALUE, rf"^{_NO_NAME}([^\W\d]\w*)\s*(?::[^=]{{1,200}})?=(?!=)"),
        (Kind.MEMBER, rf"^\s+{_NO_NAME}([^\W\d]\w*)\s*(?::\s*[^\s:]|=(?!=))"),
    ),
    "javascript": (
        (Kind.FUNCTION, r"^\s*(?:(?:export|default|declare|async)\s+){0,4}function\*?\s+([\w$]+)"),
        (Kind.BLOCK, r"^\s*(?:(?:export|default|declare|abstract|const)\s+){0,4}(?:class|interface|enum|namespace)\s+([\w$]+)"),
        (Kind.FUNCTION, r"^\s*(?:it|test|describe)(?:\.\w{1,10}){0,2}\(\s*[\"']([^\"'`\n]{3,80})[\"']\s*,"),
        (Kind.VALUE, r"^(?:(?:export|declare)\s+){0,2}(?:type|const|let|var)\s+([\w$]+)"),
        (
            Kind.MEMBER,
            rf"^\s+(?:{_MODIFIERS}){{0,4}}{_NO_NAME}(#?[A-Za-z_$][\w$]*)\([^()]{{0,200}}\)\s*(?::[^{{]{{1,100}})?\{{",
        ),
        (Kind.MEMBER, rf"^\s+(?:{_MODIFIERS}){{0,4}}{_NO_NAME}(#?[A-Za-z_$][\w$]*)(?:[?!]?:\s|\s*=\s)"),
    ),
    "go": (
        (Kind.FUNCTION, r"^func\s+(?:\([^()]{1,100}\)\s*)?(\w+)"),
        (Kind.BLOCK, r"^type\s+(\w+)"),
        (Kind.VALUE, r"^(?:var|const)\s+(\w+)"),
        (Kind.MEMBER, r"^\t([A-Z]\w*)\s+[\w*\[\].{}]+"),
    ),
    "rust": (
        (Kind.FUNCTION, rf"{_PUB}(?:(?:async|unsafe|const|default)\s+){{0,4}}fn\s+(\w+)"),
        (Kind.BLOCK, rf"{_PUB}(?:struct|enum|trait|union|mod)\s+(\w+)"),
        (Kind.PLACE, r"^\s*(?:unsafe\s+)?impl(?:<[^{}]{1,80}?>)?\s+(?:[^{}]{1,100}\sfor\s+)?(?!for\b)(\w+)"),
        (Kind.VALUE, rf"{_PUB}(?:const|static|type)\s+(?:mut\s+)?(\w+)"),
        (Kind.VALUE, r"^macro_rules!\s+(\w+)"),
        (Kind.MEMBER, r"^\s+(?:pub(?:\([^()]{1,40}\))?\s+)?([A-Za-z_]\w*)(?::\s|,\s*$|\()"),
    ),
    "java": (
        (
            Kind.BLOCK,
            rf"^\s*(?:{_MODIFIERS}){{0,6}}(?:class|interface|enum|record|struct|trait|object|protocol|actor)\s+([A-Z]\w*)",
        ),
        (Kind.PLACE, r"^\s*(?:extension|namespace)\s+([\w.]+)"),
        (Kind.FUNCTION, rf"^\s*(?:{_MODIFIERS}){{0,6}}(?:fun|func|function|def)\s+(\w+)"),
        (Kind.MEMBER, rf"^\s*(?:{_MODIFIERS}){{1,6}}(?:{_TYPE}){{0,3}}(\$?\w+)\s*(?:[(;=]|:\s|$)"),
        (Kind.MEMBER, rf"^\s+{_NO_NAME}{_TYPE}(\w+)\s*\([^;{{}}]*[;{{]\s*$"),
    ),
    "c": (
        (Kind.BLOCK, r"^\s*(?:typedef\s+)?(?:struct|enum|union|class|namespace)\s+(\w+)[^;()]*$"),
        (Kind.VALUE, r"^#\s*define\s+(\w+)"),
        (Kind.FUNCTION, rf"^{_NO_NAME}[A-Za-z_][\w:<>,]*[\s*&]+(?:[\w:<>,]+[\s*&]+){{0,4}}([\w:~]+)\s*\([^;]*$"),
    ),
    "ruby": (
        (Kind.FUNCTION, r"^\s*def\s+(?:self\.)?(\w+[?!=]?)"),
        (Kind.BLOCK, r"^\s*(?:class|module)\s+([\w:]+)"),
        (Kind.VALUE, r"^\s*([A-Z][A-Z0-9_]+)\s*="),
        (Kind.FUNCTION, r"^\s*(?:it|context|describe)\s+[\"']([^\"'`\n]{3,80})[\"']\s+do\b"),
    ),
    "elixir": ((Kind.FUNCTION, r"^\s*defp?\s+(\w+[?!]?)"), (Kind.BLOCK, r"^\s*defmodule\s+([\w.]+)")),
    "lua": ((Kind.FUNCTION, r"^\s*(?:local\s+)?function\s+([\w.:]+)"),),
    "shell": (
        (Kind.FUNCTION, r"^function\s+([\w-]+)"),
        (Kind.FUNCTION, r"^([\w-]+)\s*\(\s*\)"),
        (Kind.VALUE, r"^(?:(?:export|readonly)\s+)?([A-Za-z_]\w*)="),
    ),
    "sql": (
        (
            Kind.BLOCK,
            rf"(?i)^\s*create\s+(?:{_SQL_ADJECTIVES}\s+){{0,3}}{_SQL_NOUNS}\s+(?:if\s+not\s+exists\s+)?[`\"\[]?([\w.]+)",
        ),
    ),
    "css": ((Kind.BLOCK, r"^\s*([.#:@&*a-zA-Z\[][^{}`;]{0,100}?)\s*\{\s*$"),),
    "proto": (
        (Kind.BLOCK, r"^\s*(?:extend\s+)?(?:message|service|enum|type|input|interface|union|scalar)\s+(\w+)"),
        (Kind.FUNCTION, r"^\s*rpc\s+(\w+)"),
    ),
    "toml": (
        (Kind.TABLE, r"^\s*\[{1,2}\s*([^\[\]`]{1,100}?)\s*\]{1,2}\s*(?:[#;]|$)"),
        (Kind.KEY, r"^\s*([\w.\"'-]+)\s*="),
    ),
    "yaml": (
        (Kind.KEY, r"^\s*-\s+([\w.-]{1,60}:\s[^`#]{1,100}?)\s*(?:#.*)?$"),
        (Kind.KEY, r"^\s*(?:-\s+)?([\w.$/@-]+|\"[^\"`]{1,80}\")\s*:(?=\s|$)"),
    ),
    "json": ((Kind.KEY, r"^\s*\"([^\"`]{1,100})\"\s*:"),),
    "properties": ((Kind.KEY, r"^\s*([\w.-]+)\s*[=:]"),),
    "mod": ((Kind.KEY, r"^\s*(?:require\s+)?([\w./~-]+)\s+v\d"),),
    "xml": ((Kind.KEY, r"^\s*<([A-Za-z][\w:.-]*)>[^<>]*</"),),
    "make": ((Kind.FUNCTION, r"^([\w./%-]+)\s*:(?!=)"), (Kind.VALUE, r"^(\w+)\s*[:?+]?=")),
    "markdown": ((Kind.HEADING, r"^#{1,6}\s+([^`\n]{1,120}?)(?:\s+#+)?\s*$"),),
    "asciidoc": ((Kind.HEADING, r"^={1,6}\s+([^`\n]{1,120}?)\s*$"),),
    "prose": (),
}
_EXTENSIONS: Final = {
    "python": "py pyi pyx",
    "javascript": "js jsx mjs cjs ts tsx mts cts vue svelte astro",
    "go": "go",
    "rust": "rs",
    "java": "java kt kts cs scala swift php dart groovy gradle",
    "c": "c h cc cpp cxx hpp hh m mm cu",
    "ruby": "rb rake gemspec",
    "elixir": "ex exs",
    "lua": "lua",
    "shell": "sh bash zsh bats ksh",
    "sql": "sql",
    "css": "css scss less",
    "proto": "proto graphql gql",
    "toml": "toml ini cfg conf editorconfig",
    "yaml": "yaml yml",
    "json": "json jsonc json5 webmanifest",
    "properties": "properties env",
    "mod": "mod",
    "xml": "xml csproj fsproj props targets plist",
    "make": "mk makefile",
    "markdown": "md mdx markdown",
    "asciidoc": "adoc asciidoc",
    "prose": "rst txt org tex html htm",
}
_LANGUAGES: Final = {extension: language for language, line in _EXTENSIONS.items() for extension in line.split()}
_PROSE: Final = frozenset({"markdown", "asciidoc", "prose"})


@dataclass(frozen=True, slots=True)
class Language:
    """How the lines of one kind of file are read; `is_prose` says whether it is a text for people."""

    rows: tuple[tuple[Kind, re.Pattern[str]], ...]
    is_prose: bool = False

    def declared(self, line: str) -> Declaration | None:
        """What `line` declares by itself; None when nothing does, or when something was taken out of it."""
        if ("[" in line or "<" in line) and PLACEHOLDER.search(line):
            return None
        for kind, pattern in self.rows:
            if (match := pattern.match(line[:_LONGEST])) is not None:
                return Declaration(_without_quotes(match[1]), kind, _depth(kind, line))
        return None


def language(path: str) -> Language:
    """The language of a file, by the end of its name."""
    return _language(path.rpartition("/")[2].casefold().rpartition(".")[2])


@lru_cache(maxsize=256)
def _language(extension: str) -> Language:
    known = _LANGUAGES.get(extension, "")
    return Language(tuple((kind, re.compile(pattern)) for kind, pattern in _ROWS.get(known, ())), known in _PROSE)


def _without_quotes(name: str) -> str:
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] and name[0] in "\"'" else name


def _depth(kind: Kind, line: str) -> int:
    """Headings and tables stand above every line that is not one of them."""
    if kind is Kind.HEADING:
        return len(line) - len(line.lstrip("#=")) - _ABOVE
    return -1 if kind is Kind.TABLE else depth(line)


def depth(line: str) -> int:
    """How deep a line is indented, in columns."""
    return len(line) - len(line.lstrip()) + 3 * (len(line) - len(line.lstrip("\t")))
