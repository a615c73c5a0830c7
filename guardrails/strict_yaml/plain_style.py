"""The plain style that nearly every record is written in, read line by line, several times as fast as by a parser of all of
YAML (Intent Changesets 5 and 12).

It takes block mappings and lists, one key a line, with values that end on their line: plain scalars, quotes without escapes,
short flow lists. Whatever it does not know for certain it leaves to the parser: it refuses nothing, and what it gives is what
the parser would give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from guardrails.strict_yaml.core_schema import WORDS, resolve
from guardrails.strict_yaml.decoding import is_printed
from guardrails.strict_yaml.places import Path

UNKNOWN: Final[Any] = object()
"""What is given for a text that is left to the parser."""

_BREAKS: Final = re.compile("[\t\r\x85\u2028\u2029\ufeff]")
_LINE: Final = re.compile(r"( *)(- {1,8})?(?:([A-Za-z][A-Za-z0-9-]{0,80}):(?: +|$))?(.*)")
_PLAIN_STARTS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789(/.+~$_")
_LAST_BLANK: Final = "\xa0"
"""Every character after it that a text may hold can begin a plain scalar."""
_QUOTED: Final = re.compile(r"\"([^\"\\]*)\"|'([^']*)'")
_ITEM: Final = r"[A-Za-z0-9](?:[A-Za-z0-9._/+@#=&%~-]|:(?=[A-Za-z0-9/]))*"
_LIST: Final = re.compile(rf"\[{_ITEM}(?:, {_ITEM})*\]")
_EMPTY: Final[dict[str, Any]] = {"[]": [], "{}": {}}
_DEEPEST: Final = 32
_LONGEST: Final = 4_096
_MOST: Final = 20_000
"""How deep collections nest, how long a line is, how many lines and commas there are: far from every bound of the reader."""
_REMEMBERED: Final = 2_048
"""How many lines are remembered: most of those of a record stand in every record."""


class _NotPlainError(Exception):
    """The text has something that only the parser tells for certain."""


class _Line(NamedTuple):
    """One line: the column that it begins at, that of what stands behind its dash (0: it has none), its key and its value.

    Its value is None where nothing stands behind its key (`is_open`): then a collection may follow below.
    """

    column: int
    inner: int
    key: str | None
    value: Any
    is_collection: bool
    is_open: bool


def compose(text: str) -> Any:
    """The value of a document in plain style, `UNKNOWN` for any other text; `text` has no character that YAML forbids."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if not is_printed(text) and _BREAKS.search(text):
        return UNKNOWN
    if text.count("\n") + text.count(",") > _MOST:
        return UNKNOWN
    try:
        return _composed(text) or UNKNOWN
    except _NotPlainError:
        return UNKNOWN


def lines(text: str) -> Iterator[tuple[Path, int]]:
    """Each value of a document that `compose` has given and its 1-based line, in order, without what is in flow lists."""
    last: Path = ()
    columns, paths, sizes = [0], [last], [0]
    is_first = True
    for number, line in enumerate(text.split("\n"), 1):
        read = _read(line.removesuffix("\r"))
        if read is None:
            continue
        if is_first:
            yield (), number
        is_first = False
        if read.column > columns[-1]:
            _begin(columns, paths, sizes, read.column, last)
        while columns[-1] > read.column:
            for stack in (columns, paths, sizes):
                stack.pop()
        last = paths[-1]
        if read.inner:
            last = (*last, sizes[-1])
            sizes[-1] += 1
            yield last, number
            if read.key is not None:
                _begin(columns, paths, sizes, read.inner, last)
        if read.key is not None:
            last = (*last, read.key)
            yield last, number


def _begin(columns: list[int], paths: list[Path], sizes: list[int], column: int, path: Path) -> None:
    columns.append(column)
    paths.append(path)
    sizes.append(0)


def _composed(text: str) -> dict[str, Any]:
    root: dict[str, Any] = {}
    columns = [0]
    stack: list[Any] = [root]
    """The collections that have not ended, each with the column that its entries begin at."""
    before: _Line | None = None
    for read in map(_read, text.split("\n")):
        if read is None:
            continue
        column, inner, key, value, is_collection, _ = read
        top = stack[-1] if column == columns[-1] else _moved(columns, stack, read, before)
        before = read
        if is_collection:
            value = value.copy()
        if inner:
            if type(top) is not list:
                raise _NotPlainError
            if key is None:
                top.append(value)
                continue
            item: dict[str, Any] = {}
            top.append(item)
            stack.append(item)
            columns.append(inner)
            top = item
        if type(top) is not dict or key in top:
            raise _NotPlainError
        top[key] = value
    return root


def _moved(columns: list[int], stack: list[Any], read: _Line, before: _Line | None) -> Any:
    """The collection that a line belongs to which begins at another column than the one before it."""
    if read.column > columns[-1]:
        if before is None or before.key is None or not before.is_open or len(stack) > _DEEPEST:
            raise _NotPlainError
        below: list[Any] | dict[str, Any] = [] if read.inner else {}
        stack[-1][before.key] = below
        stack.append(below)
        columns.append(read.column)
    while columns[-1] > read.column:
        columns.pop()
        stack.pop()
    if columns[-1] != read.column:
        raise _NotPlainError
    return stack[-1]


@lru_cache(_REMEMBERED)
def _read(line: str) -> _Line | None:
    """What one line says, None for a blank one or a comment.

    Raises:
        _NotPlainError: it is left to the parser.
    """
    found = _LINE.fullmatch(line)
    if found is None or len(line) > _LONGEST:
        raise _NotPlainError
    indent, dash, key, rest = found.groups()
    if key is None and not dash and rest[:1] in {"", "#"}:
        return None
    if key in WORDS or (key is None and not dash):
        raise _NotPlainError
    is_open = key is not None and not rest
    value = None if is_open else _value(rest)
    column = len(indent)
    return _Line(column, column + len(dash) if dash else 0, key, value, type(value) in {list, dict}, is_open)


def _value(rest: str) -> Any:
    """What stands behind a key or a dash, up to the end of its line."""
    first = rest[:1]
    if first in _PLAIN_STARTS or first > _LAST_BLANK:
        if ": " in rest or " #" in rest or rest[-1] in " :":
            raise _NotPlainError
        return resolve(rest)
    if _LIST.fullmatch(rest):
        return [resolve(item) for item in rest[1:-1].split(", ")]
    found = _QUOTED.fullmatch(rest)
    if found is not None:
        return found[1] if found[1] is not None else found[2]
    if rest in _EMPTY:
        return _EMPTY[rest].copy()
    raise _NotPlainError
